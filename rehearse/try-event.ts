import * as v from 'valibot';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import {
  byHand,
  dispatched,
  issueCommented,
  issueLabeled,
  person,
  pushed,
  released,
  scheduled,
} from './events.ts';
import { as } from './findings.ts';
import { commit, recordRun } from './history.ts';
import { PULL_ACTIONS, pullRequestEvent } from './pull-events.ts';
import type { Stage } from './stage.ts';
import type { TryOptions } from './try-options.ts';
import type { WorkflowEvent, WorkflowFacts } from './workflow-text.ts';

/** An event that starts a workflow, as GitHub would tell of it. */
export interface TriedEvent {
  readonly name: string;
  readonly payload: unknown;
  /** What happened, as the beginning of a sentence. */
  readonly description: string;
  /** The run that it starts, where the local GitHub tells of it. */
  readonly runId?: number;
  /** The pull request that it is about. */
  readonly pullRequest?: number;
  /** Whether that one comes from a fork. */
  readonly isFromFork?: boolean;
}

type Wishes = Pick<TryOptions, 'login' | 'issue' | 'label' | 'comment' | 'inputs'>;
type Make = (
  wishes: Wishes,
  workflow: WorkflowFacts,
  event: WorkflowEvent,
  stage: Stage,
) => Promise<Omit<TriedEvent, 'name'>>;

const makers: Readonly<Record<string, Make>> = {
  async issues({ login, issue, label }, workflow, _event, stage) {
    const name = label ?? workflow.label ?? 'docs';
    return {
      payload: await issueLabeled(as('owner', stage), issue, name, login),
      description: `${login} sets the label ${name} on ${PRODUCT_REPOSITORY}#${issue}`,
    };
  },
  async issue_comment({ login, issue, comment }, workflow, _event, stage) {
    const text = comment ?? workflow.comment ?? 'Please bring the docs up to date.';
    return {
      payload: await issueCommented(as(login, stage), issue, text, login),
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
  release: async ({ login }) => ({
    payload: released('v1.2.0', login),
    description: `${login} publishes the release v1.2.0`,
  }),
  schedule: async () => ({ payload: scheduled(), description: 'The schedule is due' }),
  async workflow_dispatch({ login, inputs }, _workflow, event) {
    const given = fillInputs(event, inputs);
    const words = Object.entries(given).map(([name, value]) => `${name} "${value}"`);
    return {
      payload: dispatched(given, login),
      description: `${login} starts it by hand${words.length > 0 ? `, with ${words.join(', ')}` : ''}`,
    };
  },
  async push({ login }, _workflow, _event, stage) {
    const before = await commit(stage, 'start.ts');
    const after = await commit(stage, 'src/watch.ts');
    return {
      payload: pushed(before, after, person(login)),
      description: `${login} pushes src/watch.ts to main`,
      runId: recordRun(stage, after),
    };
  },
};

/** As GitHub does: defaults for what is left out, and no run without what is required. */
function fillInputs(
  { inputs }: WorkflowEvent,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(given).find((name) => inputs[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(
      `it has no input ${unknown}: it has ${Object.keys(inputs).join(', ') || 'none'}`,
    );
  }
  const filled = Object.entries(inputs).map(([name, { default: value = '', required }]) => {
    const text = given[name] ?? String(value);
    if (text === '' && required) {
      throw new Error(`its input ${name} is required: give -- --input ${name}=…`);
    }
    return [name, text];
  });
  return Object.fromEntries(filled);
}

/**
 * Makes up an event that starts the workflow: the first of its events that can be made up.
 *
 * @throws Error when it starts on none of these
 */
export async function makeEvent(
  workflow: WorkflowFacts,
  wishes: Wishes,
  stage: Stage,
): Promise<TriedEvent> {
  for (const event of workflow.events) {
    const make = makers[event.name];
    if (make !== undefined && canBeMade(event)) {
      return { name: event.name, ...(await make(wishes, workflow, event, stage)) };
    }
  }
  const names = workflow.events.map(({ name, types }) =>
    types.length > 0 ? `${name} (${types.join(', ')})` : name,
  );
  throw new Error(
    `it starts on ${names.join(', ')}, and what can be made up is issues (labeled), issue_comment (created), pull_request (${PULL_ACTIONS.join(', ')}), release, schedule, workflow_dispatch and push: give the payload yourself, with -- --event and a JSON file`,
  );
}

/** The types that can be made up, of the events that have more than those. */
const madeTypes: Readonly<Record<string, readonly string[]>> = {
  issues: ['labeled'],
  issue_comment: ['created'],
  pull_request: PULL_ACTIONS,
};

function canBeMade({ name, types }: WorkflowEvent): boolean {
  const made = madeTypes[name];
  return made === undefined || types.length === 0 || types.some((type) => made.includes(type));
}

const payloadSchema = v.record(v.string(), v.unknown());

/**
 * Reads a payload that somebody wrote down; sender and repository are filled in.
 *
 * @throws Error when it is none
 */
export function readEvent(text: string, workflow: WorkflowFacts, login: string): TriedEvent {
  const name = workflow.events[0]?.name ?? '';
  const payload = parseJson(text);
  if (Array.isArray(payload) || !v.is(payloadSchema, payload)) {
    throw new Error('it is no JSON object');
  }
  return {
    name,
    payload: { ...byHand(login), ...payload },
    description: `${login} triggers ${name}, with a payload of yours`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
