import { isTrustedEvent, type RunEvent, readRunEvent, unreadEvent } from '../github/event.ts';
import { isSameName } from '../github/names.ts';
import type { Environment } from '../runner/environment.ts';
import type { Runner } from '../runner/runner.ts';
import type { SkippedResult } from './result.ts';

/**
 * Skips a run that GitHub gave no secrets, such as a run for a fork's pull request. GitHub often passes no variables
 * to it either, so this check comes before other inputs are validated: empty inputs are not the user's mistake then.
 * Returns `undefined` if there is a key, or if the key is missing for another reason. Also masks the key, before
 * anything else happens.
 *
 * @param more continues the advice for Dependabot with what a run needs in addition to the key
 */
export async function findNoSecret(
  { inputs, environment }: Pick<Runner, 'inputs' | 'environment'>,
  more: string,
): Promise<SkippedResult | undefined> {
  if (inputs.readSecret('api-key') !== '') {
    return undefined;
  }
  const event = await readRunEvent(environment).catch(() => unreadEvent);
  const message = explain(event, environment, more);
  if (message === undefined) {
    return undefined;
  }
  const level = environment.eventName === 'push' ? 'warning' : 'notice';
  return { result: 'skipped', reason: 'no-secret', message, level };
}

function explain(event: RunEvent, environment: Environment, more: string): string | undefined {
  if (isDependabots(event, environment)) {
    return `Nothing was done, because GitHub passes neither Actions secrets nor variables to a run that Dependabot triggered: store the API key as a Dependabot secret${more}, or run this step after the merge, on push.`;
  }
  return isFromFork(event, environment)
    ? 'Nothing was done, because GitHub passes neither secrets nor variables to a pull request from another repository: run this step after the merge, on push (not on pull_request: closed), and never check out the fork on pull_request_target.'
    : undefined;
}

const dependabot = 'dependabot[bot]';

/** If a person re-runs Dependabot's run, GitHub still passes no secrets to it. */
function isDependabots({ sender }: RunEvent, { actor, eventName }: Environment): boolean {
  return !isTrustedEvent(eventName) && (actor === dependabot || sender?.login === dependabot);
}

/** The events that get no secrets if the pull request comes from a fork. */
const guardedEvents: readonly string[] = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
];

function isFromFork({ headRepository }: RunEvent, { eventName, repository }: Environment): boolean {
  return (
    guardedEvents.includes(eventName) &&
    headRepository !== undefined &&
    !isSameName(headRepository, repository)
  );
}
