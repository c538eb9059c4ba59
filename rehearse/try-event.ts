import type { GitHubClient } from '../sandbox/github-client.ts';
import { dispatched, issueLabeled, person, pushed, released, scheduled } from './events.ts';
import type { WorkflowFacts } from './workflow-text.ts';

/** An event that starts a workflow, as GitHub would tell of it. */
export interface TriedEvent {
  readonly name: string;
  readonly payload: unknown;
  /** In words. */
  readonly description: string;
}

/** What somebody who tries a workflow wants of its event. */
export interface Wishes {
  readonly login: string;
  readonly issue: number;
  readonly label: string | undefined;
}

type Make = (
  wishes: Wishes,
  workflow: WorkflowFacts,
  github: GitHubClient,
) => Promise<Omit<TriedEvent, 'name'>>;

const makers: Readonly<Record<string, Make>> = {
  async issues({ login, issue, label }, workflow, github) {
    const name = label ?? workflow.label ?? 'docs';
    return {
      payload: await issueLabeled(github, issue, name, login),
      description: `${login} sets the label ${name} on acme/product#${issue}`,
    };
  },
  release: async ({ login }) => ({
    payload: released('v1.2.0', login),
    description: `${login} publishes the release v1.2.0`,
  }),
  schedule: async () => ({ payload: scheduled(), description: 'the schedule is due' }),
  workflow_dispatch: async ({ login }) => ({
    payload: dispatched({}, login),
    description: `${login} starts it by hand, without inputs`,
  }),
  push: async ({ login }) => ({
    payload: pushed('0'.repeat(40), '1'.repeat(40), person(login)),
    description: `${login} pushes to main`,
  }),
};

/**
 * Makes up an event that starts the workflow: the first of its events that can be made up.
 *
 * @throws Error when it starts on none of these
 */
export async function makeEvent(
  workflow: WorkflowFacts,
  wishes: Wishes,
  github: GitHubClient,
): Promise<TriedEvent> {
  for (const { name, types } of workflow.events) {
    const make = makers[name];
    const isKnown = name !== 'issues' || types.length === 0 || types.includes('labeled');
    if (make !== undefined && isKnown) {
      return { name, ...(await make(wishes, workflow, github)) };
    }
  }
  const names = workflow.events.map(({ name }) => name).join(', ');
  throw new Error(
    `it starts on ${names}, and what can be played is ${Object.keys(makers).join(', ')}, of issues the type labeled: give the payload yourself, with --event and a JSON file`,
  );
}
