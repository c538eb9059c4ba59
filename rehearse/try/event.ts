import { basename } from 'node:path';
import * as v from 'valibot';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import {
  common,
  dispatched,
  issueCommented,
  issueLabeled,
  person,
  pushed,
  released,
  scheduled,
} from '../stage/events.ts';
import { commit, recordRun } from '../stage/history.ts';
import { PULL_ACTIONS, pullRequestEvent } from '../stage/pull-events.ts';
import { clientOf } from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { TryOptions } from './options.ts';
import { complete, createRelease, type Payload, pushOf } from './payload.ts';
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
  /** Whether that pull request comes from a fork. */
  readonly isFromFork?: boolean;
}

type EventOptions = Pick<TryOptions, 'path' | 'login' | 'issue' | 'label' | 'comment' | 'inputs'>;
type CreateEvent = (
  options: EventOptions,
  workflow: Workflow,
  event: WorkflowEvent,
  stage: Stage,
) => Promise<Omit<TriedEvent, 'name'>>;

const creators: Readonly<Record<string, CreateEvent>> = {
  async issues({ login, issue, label }, workflow, _event, stage) {
    const name = label ?? workflow.label ?? 'docs';
    return {
      payload: await issueLabeled(clientOf('owner', stage), issue, name, login),
      description: `${login} sets the label ${name} on ${PRODUCT_REPOSITORY}#${issue}`,
    };
  },
  async issue_comment({ login, issue, comment }, workflow, _event, stage) {
    const text = comment ?? workflow.comment ?? 'Please update the docs.';
    return {
      payload: await issueCommented(clientOf(login, stage), issue, text, login),
      description: `${login} comments on ${PRODUCT_REPOSITORY}#${issue}: ${text}`,
    };
  },
  async pull_request({ login, label }, workflow, { types }, stage) {
    const [action = 'opened'] = types.flatMap(
      (type) => PULL_ACTIONS.find((each) => each === type) ?? [],
    );
    const name = label ?? workflow.label ?? 'docs';
    const { number, description, ...event } = await pullRequestEvent(stage, action, name, login);
    return { ...event, pullRequest: number, description: `${login} ${description}` };
  },
  async release({ login }, _workflow, _event, stage) {
    await createRelease('v1.1.0', login, stage);
    await commit(stage, 'src/deploy.ts');
    return {
      payload: {
        ...released('v1.2.0', login),
        release: await createRelease('v1.2.0', login, stage),
      },
      description: `${login} publishes the release v1.2.0`,
    };
  },
  schedule: async ({ path }) => ({
    payload: { ...scheduled(), workflow: workflowPath(path) },
    description: 'The schedule triggers the run',
  }),
  async workflow_dispatch({ login, inputs, path }, _workflow, event) {
    const values = fillInputs(event, inputs);
    const shown = Object.entries(values).map(([name, value]) => `${name} "${value}"`);
    return {
      payload: { ...dispatched(values, login), workflow: workflowPath(path) },
      description: `${login} starts the workflow by hand${shown.length > 0 ? `, with ${shown.join(', ')}` : ''}`,
    };
  },
  async push({ login, path }, _workflow, _event, stage) {
    const before = await commit(stage, 'start.ts');
    const after = await commit(stage, 'src/watch.ts');
    return {
      payload: {
        ...pushed(before, after, person(login)),
        ...(await pushOf(before, after, login, stage)),
      },
      description: `${login} pushes src/watch.ts to main`,
      runId: recordRun(stage, path, after),
    };
  },
};

/** The workflow's path in the repository that it is tried in. */
function workflowPath(path: string): string {
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
      const name = event.name;
      return { ...created, name, payload: await complete(payload, options.login, stage) };
    }
  }
  const names = workflow.events.map(({ name, types }) =>
    types.length > 0 ? `${name} (${types.join(', ')})` : name,
  );
  throw new Error(
    `none of its events (${names.join(', ')}) is one of issues (labeled), issue_comment (created), pull_request (${PULL_ACTIONS.join(', ')}), release, schedule, workflow_dispatch and push: write the payload of an event into a JSON file, and add -- --event FILE`,
  );
}

/** The types that can be created, for the events that have other types too. */
const supportedTypes: Readonly<Record<string, readonly string[]>> = {
  issues: ['labeled'],
  issue_comment: ['created'],
  pull_request: PULL_ACTIONS,
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
export function readEvent(text: string, workflow: Workflow, login: string): TriedEvent {
  const name = workflow.events[0]?.name ?? '';
  const payload = parseJson(text);
  if (Array.isArray(payload) || !v.is(payloadSchema, payload)) {
    throw new Error('it is not a JSON object');
  }
  return {
    name,
    payload: { ...common(person(login)), ...payload },
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
