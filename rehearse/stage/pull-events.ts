import type { Payload } from '../../sandbox/github/event.ts';
import {
  DOCS_REPOSITORY,
  type LocalGitHub,
  type Person,
  ROLES,
} from '../../sandbox/github/seed.ts';
import {
  addLabels,
  addPull,
  isPull,
  labelOf,
  mergePull,
  moveRef,
  now,
  personOf,
  pullOf,
  repositoryOf,
  setState,
} from '../../sandbox/github/state.ts';
import { runStep } from '../../sandbox/runner/runner.ts';
import { bundleOf } from '../../scripts/actions.ts';
import { pullChanged } from './events.ts';
import { pullsOf } from './results.ts';
import type { Stage } from './stage.ts';

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

/** A pull request that is open on the local GitHub. */
export interface OpenedPull {
  readonly repository: string;
  readonly number: number;
  /** The login of who opened it. */
  readonly sender: string;
  readonly isFromFork: boolean;
}

/** An event about a pull request. */
interface PullEvent {
  readonly payload: Payload;
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
  { repository, number, isFromFork }: OpenedPull,
): Promise<PullEvent> {
  const { github } = stage.sandbox;
  const thread = pullOf(github, repository, number);
  const { head } = thread.pull;
  const before = head.sha;
  if (action === 'synchronize') {
    head.sha = await commitTo(github, repository, before, head.ref, thread.login ?? '');
  }
  if (action === 'labeled') {
    addLabels(github, thread, [label]);
  }
  if (action === 'closed') {
    if (isFromFork) {
      setState(thread, 'closed');
    } else {
      mergePull(github, thread, { login: 'owner' });
    }
  }
  const set = labelOf(github, repository, label);
  return {
    payload: {
      ...pullChanged(stage, action, number, repository),
      ...(action === 'labeled' && set ? { label: github.show.label(set) } : {}),
      ...(action === 'synchronize' ? { before, after: head.sha } : {}),
    },
    description:
      `${verbs[action]} the pull request ${repository}#${number}${isFromFork ? ' (from a fork)' : ''}`
        .replace('sets the label', `sets the label ${label}`)
        .replace('merges', thread.pull.merged === undefined ? 'closes' : 'merges'),
  };
}

const verbs: Readonly<Record<PullAction, string>> = {
  opened: 'opens',
  synchronize: 'pushes to',
  reopened: 'reopens',
  ready_for_review: 'marks as ready for review',
  edited: 'edits',
  labeled: 'sets the label on',
  closed: 'merges',
};

/** Commits a change to a branch, or, if there is no such branch, to that of a fork. @returns the commit */
async function commitTo(
  github: LocalGitHub,
  repository: string,
  tip: string,
  branch: string,
  login: string,
): Promise<string> {
  const found = repositoryOf(github, repository);
  const page = await found.git.read(`${tip}:quickstart.mdx`);
  const [path, text] =
    page === undefined
      ? [`src/watch-${tip.slice(0, 7)}.ts`, 'export {};\n']
      : ['quickstart.mdx', `${page.content}\nThe first build takes a minute.\n`];
  const sha = found.git.commit({
    ...{ parents: [tip], changes: { [path]: text }, author: personOf(login), at: now() },
    message: `Change ${path}`,
  });
  if (found.git.sha(`refs/heads/${branch}`) !== undefined) {
    moveRef(github, found, `refs/heads/${branch}`, sha);
  }
  return sha;
}

/** Opens a person's pull request, unless it is open already. Without write access it is from a fork. */
export async function openPersonPull(
  stage: Stage,
  login: Person,
  repository: string,
): Promise<OpenedPull> {
  const { github } = stage.sandbox;
  const isFromFork = !['admin', 'maintain', 'write'].includes(ROLES[login]);
  const open = github.threads.find(
    (each) =>
      each.repository === repository &&
      each.state === 'open' &&
      isPull(each) &&
      each.pull.head.ref === BRANCH,
  );
  const found = repositoryOf(github, repository);
  const base = found.git.sha('refs/heads/main') ?? '';
  if (!isFromFork && open === undefined) {
    moveRef(github, found, `refs/heads/${BRANCH}`, base);
  }
  const opening =
    repository === DOCS_REPOSITORY
      ? { title: 'Say more in quickstart.mdx', body: null }
      : { title: 'Add --watch', body: 'It rebuilds on every change.' };
  const { number } =
    open ??
    addPull(github, repository, {
      ...{ ...opening, login, base, headBranch: BRANCH },
      head: await commitTo(github, repository, base, BRANCH, login),
      headRepository: isFromFork ? `${login}/${repository.split('/')[1]}` : repository,
    });
  return { repository, number, sender: login, isFromFork };
}

/**
 * The pull request of the agent in the docs repository. Unless one is open already, a run with
 * `pr-label` asks the agent for it, so that its job can be found.
 */
export async function openAgentPull(stage: Stage): Promise<OpenedPull> {
  const sender = 'docs-agent[bot]';
  const open = pullsOf(stage).find(({ user, merged }) => user?.login === sender && !merged);
  const number = open?.number ?? (await askForPull(stage));
  return { repository: DOCS_REPOSITORY, number, sender, isFromFork: false };
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
