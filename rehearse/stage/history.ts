import { basename } from 'node:path';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import type { WorkflowRun } from '../../sandbox/github/state.ts';
import { clientOf } from './results.ts';
import type { Stage } from './stage.ts';

/** Commits a file to the main branch, by default of the product. @returns The new commit. */
export async function commit(
  stage: Stage,
  path: string,
  repository = PRODUCT_REPOSITORY,
): Promise<string> {
  const owner = clientOf('owner', stage);
  const change = { text: `${path}\n`, message: `Add ${path}`, branch: 'main' };
  await owner.writeFile(repository, path, change);
  return (await owner.branchHead(repository, 'main')) ?? '';
}

/**
 * Adds a run on the main branch, by default triggered by a push, to the local GitHub.
 *
 * @param workflow path of the workflow's file
 * @returns The run's id.
 */
export function recordRun(
  stage: Stage,
  workflow: string,
  headSha: string,
  conclusion?: WorkflowRun['conclusion'],
  repository = PRODUCT_REPOSITORY,
  event = 'push',
): number {
  const id = stage.sandbox.github.runs.length + 101;
  stage.sandbox.github.runs.push({
    id,
    repository,
    workflowId: 7,
    workflowFile: basename(workflow),
    event,
    branch: 'main',
    headSha,
    ...(conclusion === undefined ? {} : { conclusion }),
  });
  return id;
}

/** Ends a run on the local GitHub that was recorded before. */
export function concludeRun(
  { sandbox: { github } }: Stage,
  id: number,
  conclusion: NonNullable<WorkflowRun['conclusion']>,
): void {
  const at = github.runs.findIndex((run) => run.id === id);
  const run = github.runs[at];
  if (run !== undefined) {
    github.runs[at] = { ...run, conclusion };
  }
}
