import { type EventFacts, isTrustedEvent, noFacts } from '../github/event.ts';
import type { Environment } from '../runner/environment.ts';
import type { Runner } from '../runner/step.ts';
import type { SkippedResult } from './reasons.ts';
import { readRunEvent } from './run-event.ts';

/**
 * Finds a run that GitHub gave no secrets, and often no variables either, so before any other input
 * is read: that is nobody's mistake. `undefined` where there is a key, or where one is missing for
 * another reason. The key is masked here, before anything else happens.
 *
 * @param more what a run of Dependabot needs beside the key, as the sentence goes on after it
 */
export async function findNoSecret(
  { inputs, environment }: Pick<Runner, 'inputs' | 'environment'>,
  more: string,
): Promise<SkippedResult | undefined> {
  if (inputs.readSecret('api-key') !== '') {
    return undefined;
  }
  const facts = await readRunEvent(environment).catch(() => noFacts);
  const message = explain(facts, environment, more);
  return message === undefined
    ? undefined
    : { result: 'skipped', reason: 'no-secret', message, isLoud: environment.eventName === 'push' };
}

function explain(facts: EventFacts, environment: Environment, more: string): string | undefined {
  if (isDependabots(facts, environment)) {
    return `Nothing was done, because GitHub passes neither the secrets nor the variables of Actions to a run that Dependabot triggered: store the API key as a Dependabot secret${more}, or run this step after the merge, on push.`;
  }
  return isFromFork(facts, environment)
    ? 'Nothing was done, because GitHub passes neither secrets nor variables to a pull request from another repository: run this step after the merge, on push (not on pull_request: closed), and never check out the fork on pull_request_target.'
    : undefined;
}

const dependabot = 'dependabot[bot]';

/** A run that somebody else started over still gets no more than Dependabot's first one did. */
function isDependabots({ sender }: EventFacts, { actor, eventName }: Environment): boolean {
  return !isTrustedEvent(eventName) && (actor === dependabot || sender?.login === dependabot);
}

/** The events of a pull request that run without secrets when it comes from a fork. */
const guardedEvents: readonly string[] = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
];

function isFromFork(
  { headRepository }: EventFacts,
  { eventName, repository }: Environment,
): boolean {
  return (
    guardedEvents.includes(eventName) &&
    headRepository !== undefined &&
    headRepository.toLowerCase() !== repository.toLowerCase()
  );
}
