import * as v from 'valibot';
import type { GitHubClient } from '../../sandbox/github/client.ts';
import { editPage, proposeSentence } from '../../sandbox/github/proposals.ts';
import {
  DOCS_REPOSITORY,
  type Person,
  PRODUCT_REPOSITORY,
  ROLES,
} from '../../sandbox/github/seed.ts';
import { runStep } from '../../sandbox/runner/runner.ts';
import { bundleOf } from '../../scripts/actions.ts';
import { bot, common, person, type Sender } from './events.ts';
import { agentClientOf, clientOf, pullsOf } from './results.ts';
import type { Stage } from './stage.ts';
import { type User, userOf } from './user.ts';

/** The types of events about pull requests that can be created. */
export const PULL_ACTIONS = [
  'opened',
  'synchronize',
  'reopened',
  'ready_for_review',
  'edited',
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

/** A pull request that is open on the local GitHub. */
export interface OpenedPull {
  readonly repository: string;
  readonly number: number;
  readonly sender: Sender;
  /** The person who opened it from a fork, if one did. */
  readonly forkedBy?: Person;
}

/** An event about a pull request. */
interface PullEvent {
  readonly payload: Readonly<Record<string, unknown>>;
  /** What happened, to follow the person's login in a sentence. */
  readonly description: string;
}

/**
 * Lets something happen to a pull request, and returns the event that GitHub would send. For the type
 * `closed`, a pull request from a fork is closed, and any other is merged.
 */
export async function pullRequestEvent(
  stage: Stage,
  action: PullAction,
  label: string,
  opened: OpenedPull,
): Promise<PullEvent> {
  const { repository, number, sender, forkedBy } = opened;
  const owner = clientOf('owner', stage);
  const path = `/repos/${repository}`;
  const { head } = await owner.getPull(repository, number);
  if (action === 'synchronize') {
    await (repository === DOCS_REPOSITORY
      ? editPage(
          agentClientOf(stage),
          head.ref,
          'quickstart.mdx',
          (text) => `${text}\nAnd so on.\n`,
        )
      : writeFile(owner, `src/watch-${head.sha.slice(0, 7)}.ts`));
  }
  if (action === 'labeled') {
    await addLabel(stage, opened, label);
  }
  if (action === 'closed') {
    await (forkedBy === undefined
      ? owner.mergePull(repository, number)
      : owner.request('PATCH', `${path}/pulls/${number}`, v.unknown(), { state: 'closed' }));
  }
  const pull = await owner.request('GET', `${path}/pulls/${number}`, pullSchema);
  const name = `${repository}#${number}${forkedBy === undefined ? '' : ' (from a fork)'}`;
  return {
    payload: {
      action,
      number,
      pull_request:
        forkedBy === undefined ? pull : fromFork(pull, repository, await userOf(forkedBy, stage)),
      ...(action === 'labeled' ? { label: pull.labels.find(({ name }) => name === label) } : {}),
      ...(action === 'synchronize' ? { before: head.sha, after: pull.head.sha } : {}),
      ...common(sender, repository),
    },
    description: describe(action, label, pull.merged, name),
  };
}

export async function addLabel(
  stage: Stage,
  { repository, number }: OpenedPull,
  label: string,
): Promise<void> {
  const path = `/repos/${repository}/issues/${number}/labels`;
  await clientOf('owner', stage).request('POST', path, v.unknown(), { labels: [label] });
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
    case 'edited':
      return `edits the pull request ${pull}`;
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

/** Opens a person's pull request, unless it is open already. Without write access it is from a fork. */
export async function openPersonPull(
  stage: Stage,
  login: Person,
  repository: string,
): Promise<OpenedPull> {
  const isFromFork = !['admin', 'maintain', 'write'].includes(ROLES[login]);
  const github = clientOf(isFromFork ? 'owner' : login, stage);
  const number =
    (await github.findOpenPull(repository, BRANCH))?.number ??
    (repository === DOCS_REPOSITORY
      ? await proposeSentence(github, BRANCH)
      : await openProductPull(github));
  const fork = isFromFork ? { forkedBy: login } : {};
  return { repository, number, sender: person(login), ...fork };
}

/** @returns The pull request's number. */
async function openProductPull(github: GitHubClient): Promise<number> {
  const main = await github.branchHead(PRODUCT_REPOSITORY, 'main');
  await github.createBranch(PRODUCT_REPOSITORY, BRANCH, main ?? '');
  await writeFile(github, 'src/watch.ts');
  const opening = { title: 'Add --watch', body: 'It rebuilds on every change.', base: 'main' };
  return (await github.openPull(PRODUCT_REPOSITORY, { ...opening, head: BRANCH })).number;
}

/**
 * The pull request of the agent in the docs repository. Unless one is open already, a run with
 * `pr-label` asks the agent for it, so that its job can be found.
 */
export async function openAgentPull(stage: Stage): Promise<OpenedPull> {
  const sender = bot('docs-agent[bot]');
  const open = (await pullsOf(stage)).find(
    ({ user, merged }) => user.login === sender.login && !merged,
  );
  const number = open?.number ?? (await askForPull(stage));
  return { repository: DOCS_REPOSITORY, number, sender };
}

async function askForPull({ sandbox }: Stage): Promise<number> {
  const { url, apiKey, projectId, github } = sandbox;
  const { outputs, stdout } = await runStep({
    ...bundleOf('agent'),
    inputs: {
      prompt: 'Mention --watch in quickstart.mdx.',
      'pr-label': 'docs-agent',
      'poll-interval-seconds': '1',
      'base-url': url,
      'api-key': apiKey,
      'project-id': projectId,
    },
    context: {
      serverUrl: github.url,
      repository: DOCS_REPOSITORY,
      actor: 'maintainer',
      eventName: 'workflow_dispatch',
      token: github.tokens.actions,
    },
  });
  if (outputs['pr-number'] === undefined) {
    throw new Error(`the agent opened no pull request: ${stdout}`);
  }
  return Number(outputs['pr-number']);
}

/** The local GitHub has no forks, so the payload of a branch's pull request is changed. */
function fromFork(pull: Pull, repository: string, user: User) {
  const { login } = user;
  const name = repository.split('/')[1];
  const repo = { ...pull.head.repo, full_name: `${login}/${name}`, owner: user, fork: true };
  return {
    ...pull,
    user,
    author_association: 'NONE',
    head: { ...pull.head, label: `${login}:${BRANCH}`, user, repo },
  };
}
