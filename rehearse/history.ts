import type { WorkflowRun } from '../sandbox/github/runs.ts';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { as } from './findings.ts';
import type { Stage } from './stage.ts';

/** Commits a file to the product. @returns The new head of its main branch. */
export async function commit(stage: Stage, path: string): Promise<string> {
  const owner = as('owner', stage);
  const change = { text: `${path}\n`, message: `Add ${path}`, branch: 'main' };
  await owner.writeFile(PRODUCT_REPOSITORY, path, change);
  return (await owner.branchHead(PRODUCT_REPOSITORY, 'main')) ?? '';
}

/** Has the local GitHub tell of a run on a push. @returns The run's id. */
export function recordRun(
  stage: Stage,
  headSha: string,
  conclusion?: WorkflowRun['conclusion'],
): number {
  const id = stage.sandbox.github.runs.length + 101;
  stage.sandbox.github.runs.push({
    id,
    repository: PRODUCT_REPOSITORY,
    workflowId: 7,
    event: 'push',
    branch: 'main',
    headSha,
    ...(conclusion === undefined ? {} : { conclusion }),
  });
  return id;
}
