import * as v from 'valibot';
import type { GitHubClient } from '../../sandbox/github/client.ts';
import { type Person, PRODUCT_REPOSITORY, ROLES } from '../../sandbox/github/seed.ts';
import { common, person } from './events.ts';
import { clientOf } from './results.ts';
import type { Stage } from './stage.ts';
import { type User, userOf } from './user.ts';

/** The types of `pull_request` events that can be created. */
export const PULL_ACTIONS = [
  'opened',
  'synchronize',
  'reopened',
  'ready_for_review',
  'labeled',
  'closed',
] as const;
type PullAction = (typeof PULL_ACTIONS)[number];

const BRANCH = 'watch';

const pullSchema = v.looseObject({
  number: v.number(),
  merged: v.optional(v.boolean(), false),
  labels: v.optional(v.array(v.looseObject({ name: v.string() })), []),
  head: v.looseObject({ sha: v.string(), repo: v.looseObject({}) }),
});
type Pull = v.InferOutput<typeof pullSchema>;

/** An event about a pull request of the product. */
interface PullEvent {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly number: number;
  readonly isFromFork: boolean;
  /** What happened, to follow the person's login in a sentence. */
  readonly description: string;
}

/**
 * Opens a pull request on the local GitHub, and returns the event that GitHub would send. People
 * without write access open it from a fork. For the type `closed`, a pull request from a fork is
 * closed, and any other is merged.
 */
export async function pullRequestEvent(
  stage: Stage,
  action: PullAction,
  label: string,
  login: Person,
): Promise<PullEvent> {
  const isFromFork = !['admin', 'maintain', 'write'].includes(ROLES[login]);
  const owner = clientOf('owner', stage);
  const number = await openPull(isFromFork ? owner : clientOf(login, stage));
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
  const name = `${PRODUCT_REPOSITORY}#${number}${isFromFork ? ' (from a fork)' : ''}`;
  return {
    payload: {
      action,
      number,
      pull_request: isFromFork ? fromFork(pull, await userOf(login, stage)) : pull,
      ...(action === 'labeled' ? { label: pull.labels.find(({ name }) => name === label) } : {}),
      ...(action === 'synchronize' ? { before, after: pull.head.sha } : {}),
      ...common(person(login)),
    },
    number,
    isFromFork,
    description: describe(action, label, pull.merged, name),
  };
}

/** @param pull the pull request, such as "acme/product#4" */
function describe(action: PullAction, label: string, isMerged: boolean, pull: string): string {
  switch (action) {
    case 'opened':
      return `opens the pull request ${pull}`;
    case 'synchronize':
      return `pushes to the pull request ${pull}`;
    case 'reopened':
      return `reopens the pull request ${pull}`;
    case 'ready_for_review':
      return `marks the pull request ${pull} as ready for review`;
    case 'labeled':
      return `sets the label ${label} on the pull request ${pull}`;
    case 'closed':
      return `${isMerged ? 'merges' : 'closes'} the pull request ${pull}`;
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

/** The local GitHub has no forks, so the payload of a branch's pull request is changed. */
function fromFork(pull: Pull, user: User) {
  const { login } = user;
  const name = PRODUCT_REPOSITORY.split('/')[1];
  const repo = { ...pull.head.repo, full_name: `${login}/${name}`, owner: user, fork: true };
  return {
    ...pull,
    user,
    author_association: 'NONE',
    head: { ...pull.head, label: `${login}:${BRANCH}`, user, repo },
  };
}
