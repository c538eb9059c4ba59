import { basename } from 'node:path';
import * as v from 'valibot';
import { complete, type Payload } from '../../sandbox/github/event.ts';
import { DOCS_REPOSITORY, ISSUES, PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import {
  addLabels,
  addRelease,
  addThread,
  pullOf,
  repositoryOf,
} from '../../sandbox/github/state.ts';
import {
  dispatched,
  issueCommented,
  issueLabeled,
  pushed,
  released,
  scheduled,
} from '../stage/events.ts';
import { commit, recordRun } from '../stage/history.ts';
import {
  openAgentPull,
  openPersonPull,
  PULL_ACTIONS,
  pullRequestEvent,
} from '../stage/pull-events.ts';
import { clientOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { RunOptions } from './options.ts';
import type { Workflow, WorkflowEvent } from './workflow.ts';

/** An event that triggers a workflow, with the payload that GitHub would send. */
export interface TriedEvent {
  readonly name: string;
  readonly payload: Payload;
  /** What happened, as a sentence without its full stop. */
  readonly description: string;
  /** The id of the run, if the local GitHub lists it. */
  readonly runId?: number;
  /** The number of the pull request that the event is about. */
  readonly pullRequest?: number;
  /** Who triggers the run, if not the person in the options. */
  readonly actor?: string;
  /** Whether GitHub gives the run neither secrets nor variables, because of a fork. */
  readonly isFromFork?: boolean;
}

/** What an event is created from. */
export type EventOptions = Pick<
  RunOptions,
  'path' | 'login' | 'byAgent' | 'issue' | 'label' | 'comment' | 'inputs' | 'repository'
> & {
  /** 1 for the first event, 2 for the next one on what the first has left. */
  readonly round: number;
};
type CreateEvent = (
  options: EventOptions,
  workflow: Workflow,
  event: WorkflowEvent,
  stage: Stage,
) => Promise<Omit<TriedEvent, 'name'>>;

const creators: Readonly<Record<string, CreateEvent>> = {
  async issues({ login, issue, label, repository }, workflow, _event, stage) {
    const name = label ?? workflow.label ?? 'docs';
    const number = issueIn(repository, issue, stage);
    return {
      payload: issueLabeled(stage, number, name, repository),
      description: `${login} sets the label ${name} on ${repository}#${number}`,
    };
  },
  /** For a workflow that starts no jobs, the comment is on a pull request of the agent. */
  async issue_comment({ login, issue, comment, repository }, workflow, _event, stage) {
    const isReview = repository === DOCS_REPOSITORY && workflow.isAboutAgent;
    const number = isReview
      ? (await openAgentPull(stage)).number
      : issueIn(repository, issue, stage);
    const text = comment ?? commentFor(workflow.comment, isReview);
    return {
      payload: issueCommented(stage, number, text, login, repository),
      description: `${login} comments on ${repository}#${number}: ${text}`,
    };
  },
  pull_request: createPullEvent,
  pull_request_target: async (...args) => ({
    ...(await createPullEvent(...args)),
    // A run of this event belongs to the repository itself, so it has secrets and variables, also for a fork.
    isFromFork: false,
  }),
  async release({ login, repository, round }, _workflow, _event, stage) {
    const tag = `v1.${round + 1}.0`;
    if (round === 1) {
      const { github } = stage.sandbox;
      addRelease(github, repositoryOf(github, repository), {
        ...{ login, tag: 'v1.1.0', name: null, body: null, target: 'main' },
        at: '2026-01-01T00:00:00Z',
      });
    }
    commit(stage, `src/deploy-${round}.ts`, repository);
    return {
      payload: released(stage, tag, login, repository),
      description: `${login} publishes the release ${tag}`,
    };
  },
  schedule: async ({ path }) => ({
    payload: { ...scheduled, workflow: workflowPath(path) },
    description: 'The schedule triggers the run',
  }),
  async workflow_dispatch({ login, inputs, path }, _workflow, event) {
    const values = fillInputs(event, inputs);
    const shown = Object.entries(values).map(([name, value]) => `${name} "${value}"`);
    return {
      payload: { ...dispatched(values), workflow: workflowPath(path) },
      description: `${login} starts the workflow by hand${shown.length > 0 ? `, with ${shown.join(', ')}` : ''}`,
    };
  },
  async push({ login, repository, round }, _workflow, _event, stage) {
    const file = round === 1 ? 'src/watch.ts' : `src/watch-${round}.ts`;
    const before =
      round === 1
        ? commit(stage, 'start.ts', repository)
        : ((await clientOf('owner', stage).branchHead(repository, 'main')) ?? '');
    const after = commit(stage, file, repository);
    return {
      payload: pushed(stage, before, after, login, repository),
      description: `${login} pushes ${file} to main`,
    };
  },
};

/**
 * A pull request of the agent in the docs repository, for a workflow that starts no jobs, unless `--as` names a
 * person.
 */
async function createPullEvent(
  { login, byAgent, label, repository, round }: EventOptions,
  workflow: Workflow,
  { types }: WorkflowEvent,
  stage: Stage,
): Promise<Omit<TriedEvent, 'name'>> {
  const opened =
    byAgent && workflow.isAboutAgent && repository === DOCS_REPOSITORY
      ? await openAgentPull(stage)
      : await openPersonPull(stage, login, repository);
  const all = types.length === 0 ? ['opened', 'synchronize', 'reopened'] : types;
  const wanted = all.flatMap((type) => PULL_ACTIONS.find((each) => each === type) ?? []);
  const [first = 'opened'] = wanted;
  const action = round > 1 && wanted.includes('synchronize') ? 'synchronize' : first;
  const name = label ?? workflow.label;
  if (name !== undefined && action !== 'labeled') {
    addLabels(stage.sandbox.github, pullOf(stage.sandbox.github, repository, opened.number), [
      name,
    ]);
  }
  const { description, payload } = await pullRequestEvent(stage, action, name ?? 'docs', opened);
  return {
    payload,
    pullRequest: opened.number,
    actor: opened.sender,
    isFromFork: opened.isFromFork,
    description: `${opened.sender} ${description}`,
  };
}

/** @param required the text that the workflow's condition requires, such as "/docs " */
function commentFor(required: string | undefined, isReview: boolean): string {
  const command = required ?? (isReview ? '/docs ' : 'Please update the docs.');
  return command.endsWith(' ') ? `${command}Mention --watch in quickstart.mdx.` : command;
}

/** The docs repository has no issues, so one like that of the product is opened there. */
function issueIn(repository: string, issue: number, stage: Stage): number {
  if (repository === PRODUCT_REPOSITORY) {
    return issue;
  }
  const { labels: _, ...like } = ISSUES[issue - 1] ?? {};
  return addThread(stage.sandbox.github, repository, { ...like, login: 'owner' }).number;
}

/** The workflow's path in the repository that it is tried in. */
export function workflowPath(path: string): string {
  return `.github/workflows/${basename(path)}`;
}

/** Like GitHub, uses the defaults of inputs without a value, and insists on the required ones. */
function fillInputs(
  { inputs }: WorkflowEvent,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(given).find((name) => inputs[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(
      `it has no input ${unknown}: its inputs are ${Object.keys(inputs).join(', ') || 'none'}`,
    );
  }
  const filled = Object.entries(inputs).map(([name, { default: value = '', required }]) => {
    const text = given[name] ?? String(value);
    if (text === '' && required) {
      throw new Error(`its input ${name} is required: add -- --input ${name}=…`);
    }
    return [name, text];
  });
  return Object.fromEntries(filled);
}

/**
 * Creates an event that triggers the workflow: the first event of the workflow that can be created.
 *
 * @throws Error when none of its events can be created
 */
export async function createEvent(
  workflow: Workflow,
  options: EventOptions,
  stage: Stage,
): Promise<TriedEvent> {
  for (const event of workflow.events) {
    const create = creators[event.name];
    if (create !== undefined && canCreate(event)) {
      const { payload, ...created } = await create(options, workflow, event, stage);
      const { name } = event;
      const { path, repository } = options;
      const head = (await clientOf('owner', stage).branchHead(repository, 'main')) ?? '';
      return {
        ...created,
        name,
        payload: complete(payload, stage.sandbox.github, {
          login: created.actor ?? options.login,
          repository,
        }),
        runId: recordRun(stage, path, head, undefined, repository, name),
      };
    }
  }
  const names = workflow.events.map(({ name, types }) =>
    types.length > 0 ? `${name} (${types.join(', ')})` : name,
  );
  throw new Error(
    `none of its events (${names.join(', ')}) is one of issues (labeled), issue_comment (created), pull_request and pull_request_target (${PULL_ACTIONS.join(', ')}), release, schedule, workflow_dispatch and push: write the payload of an event into a JSON file, and add -- --event FILE`,
  );
}

/** The types that can be created, for the events that have other types too. */
const supportedTypes: Readonly<Record<string, readonly string[]>> = {
  issues: ['labeled'],
  issue_comment: ['created'],
  pull_request: PULL_ACTIONS,
  pull_request_target: PULL_ACTIONS,
};

function canCreate({ name, types }: WorkflowEvent): boolean {
  const supported = supportedTypes[name];
  return (
    supported === undefined || types.length === 0 || types.some((type) => supported.includes(type))
  );
}

const payloadSchema = v.record(v.string(), v.unknown());

/**
 * Reads the payload of a file. Sender and repository are added if it has none.
 *
 * @throws Error when the text is not a JSON object
 */
export function readEvent(
  text: string,
  workflow: Workflow,
  { login, repository }: Pick<RunOptions, 'login' | 'repository'>,
  stage: Stage,
): TriedEvent {
  const name = workflow.events[0]?.name ?? '';
  const payload = parseJson(text);
  if (Array.isArray(payload) || !v.is(payloadSchema, payload)) {
    throw new Error('it is not a JSON object');
  }
  return {
    name,
    payload: complete(payload, stage.sandbox.github, { login, repository }),
    description: `${login} triggers ${name}, with the given payload`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
