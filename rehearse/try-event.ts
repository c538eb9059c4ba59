import * as v from 'valibot';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { byHand, dispatched, issueLabeled, person, pushed, released, scheduled } from './events.ts';
import { as } from './findings.ts';
import { commit, recordRun } from './history.ts';
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
}

type Wishes = Pick<TryOptions, 'login' | 'issue' | 'label' | 'inputs'>;
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
    `it starts on ${names.join(', ')}, and what can be made up is issues (labeled), release, schedule, workflow_dispatch and push: give the payload yourself, with -- --event and a JSON file`,
  );
}

function canBeMade({ name, types }: WorkflowEvent): boolean {
  return name !== 'issues' || types.length === 0 || types.includes('labeled');
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
