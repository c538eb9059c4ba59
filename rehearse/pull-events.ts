import * as v from 'valibot';
import type { GitHubClient } from '../sandbox/github/client.ts';
import { type Person, PRODUCT_REPOSITORY, ROLES } from '../sandbox/github/seed.ts';
import { byHand } from './events.ts';
import { as } from './findings.ts';
import type { Stage } from './stage.ts';

/** What can happen to a pull request, as far as it can be made up. */
export const PULL_ACTIONS = [
  'opened',
  'synchronize',
  'reopened',
  'ready_for_review',
  'labeled',
  'closed',
] as const;
export type PullAction = (typeof PULL_ACTIONS)[number];

const BRANCH = 'watch';

const pullSchema = v.looseObject({
  number: v.number(),
  merged: v.optional(v.boolean(), false),
  labels: v.optional(v.array(v.looseObject({ name: v.string() })), []),
  head: v.looseObject({ sha: v.string(), repo: v.looseObject({}) }),
});
type Pull = v.InferOutput<typeof pullSchema>;

/** A pull request of the product, and what happened to it. */
export interface PullEvent {
  readonly payload: unknown;
  readonly number: number;
  readonly isFromFork: boolean;
  /** What happened, as the end of a sentence. */
  readonly description: string;
}

/**
 * Opens a pull request on the local GitHub, and tells of it as GitHub would. Whoever may not write
 * opens it from a fork; whoever may merges it when it is to be closed.
 */
export async function pullRequestEvent(
  stage: Stage,
  action: PullAction,
  label: string,
  login: Person,
): Promise<PullEvent> {
  const isFromFork = !['admin', 'maintain', 'write'].includes(ROLES[login]);
  const owner = as('owner', stage);
  const number = await openPull(isFromFork ? owner : as(login, stage));
  const path = `/repos/${PRODUCT_REPOSITORY}`;
  const before = await owner.branchHead(PRODUCT_REPOSITORY, BRANCH);
  if (action === 'synchronize') {
    await writeFile(owner, 'src/watch.test.ts');
  }
  if (action === 'labeled') {
    await owner.request('POST', `${path}/issues/${number}/labels`, v.unknown(), {
      labels: [label],
    });
  }
  if (action === 'closed') {
    await (isFromFork
      ? owner.request('PATCH', `${path}/pulls/${number}`, v.unknown(), { state: 'closed' })
      : owner.mergePull(PRODUCT_REPOSITORY, number));
  }
  const pull = await owner.request('GET', `${path}/pulls/${number}`, pullSchema);
  const about = `${PRODUCT_REPOSITORY}#${number}${isFromFork ? ', from a fork' : ''}`;
  return {
    payload: {
      action,
      number,
      pull_request: isFromFork ? ofFork(pull, login) : pull,
      ...(action === 'labeled' ? { label: { name: label } } : {}),
      ...(action === 'synchronize' ? { before, after: pull.head.sha } : {}),
      ...byHand(login),
    },
    number,
    isFromFork,
    description: `${words(action, label, pull.merged)} ${about}`,
  };
}

function words(action: PullAction, label: string, isMerged: boolean): string {
  switch (action) {
    case 'opened':
      return 'opens the pull request';
    case 'synchronize':
      return 'pushes to the pull request';
    case 'reopened':
      return 'opens again the pull request';
    case 'ready_for_review':
      return 'asks for a review of the pull request';
    case 'labeled':
      return `sets the label ${label} on the pull request`;
    case 'closed':
      return `${isMerged ? 'merges' : 'closes'} the pull request`;
  }
}

async function writeFile(github: GitHubClient, path: string): Promise<void> {
  const change = { text: 'export {};\n', message: `Add ${path}`, branch: BRANCH };
  await github.writeFile(PRODUCT_REPOSITORY, path, change);
}

/** @returns The pull request's number. */
async function openPull(github: GitHubClient): Promise<number> {
  const main = await github.branchHead(PRODUCT_REPOSITORY, 'main');
  await github.createBranch(PRODUCT_REPOSITORY, BRANCH, main ?? '');
  await writeFile(github, 'src/watch.ts');
  const opening = { title: 'Add --watch', body: 'It rebuilds on every change.', base: 'main' };
  return (await github.openPull(PRODUCT_REPOSITORY, { ...opening, head: BRANCH })).number;
}

/** The local GitHub keeps no pull requests of forks, so one of its own is dressed up as one. */
function ofFork(pull: Pull, login: Person) {
  const user = { login, type: 'User' };
  const name = PRODUCT_REPOSITORY.split('/')[1];
  const repo = { ...pull.head.repo, full_name: `${login}/${name}`, owner: user, fork: true };
  return {
    ...pull,
    user,
    author_association: 'NONE',
    head: { ...pull.head, label: `${login}:${BRANCH}`, user, repo },
  };
}
