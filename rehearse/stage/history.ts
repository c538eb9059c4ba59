import { basename } from 'node:path';
import { DOCS_REPOSITORY, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import {
  addPull,
  commitFile,
  moveRef,
  repositoryOf,
  type WorkflowRun,
} from '../../sandbox/github/state.ts';
import type { Stage } from './stage.ts';

/** Commits a file to the main branch, by default of the product. @returns The new commit. */
export function commit(
  { sandbox: { github } }: Stage,
  path: string,
  repository: string = PRODUCT_REPOSITORY,
): string {
  const change = { branch: 'main', path, content: `${path}\n`, message: `Add ${path}` };
  return commitFile(github, repositoryOf(github, repository), { ...change, login: 'owner' });
}

/** Commits a new text of a page of the docs. If `edit` is `null`, the page is deleted. */
export async function editPage(
  { sandbox: { github } }: Stage,
  login: string,
  branch: string,
  path: string,
  edit: ((text: string) => string) | null,
): Promise<void> {
  const docs = repositoryOf(github, DOCS_REPOSITORY);
  const { content: text } = (await docs.git.read(`${branch}:${path}`)) ?? {};
  const content = edit === null ? null : edit(String(text));
  commitFile(github, docs, { branch, path, content, login });
}

/** Opens a pull request that adds a sentence to a page of the docs. @returns Its number. */
export async function proposeSentence(
  stage: Stage,
  login: string,
  branch: string,
): Promise<number> {
  const { github } = stage.sandbox;
  const docs = repositoryOf(github, DOCS_REPOSITORY);
  const base = docs.git.sha('refs/heads/main') ?? '';
  moveRef(github, docs, `refs/heads/${branch}`, base);
  await editPage(
    stage,
    login,
    branch,
    'quickstart.mdx',
    (text) => `${text}\nThe first build takes a minute.\n`,
  );
  const head = docs.git.sha(`refs/heads/${branch}`) ?? '';
  const title = 'Say more in quickstart.mdx';
  return addPull(github, docs.name, { title, login, base, head, headBranch: branch }).number;
}

/**
 * Adds a run of now on the main branch, by default triggered by a push, to the local GitHub.
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
    createdAt: new Date().toISOString(),
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
