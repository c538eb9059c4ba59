import type { SkippedResult } from '../common/result.ts';
import { type RunEvent, readRunEvent, triggerOf } from '../github/event.ts';
import { botSuffix, isSameName } from '../github/names.ts';
import {
  checkPermission,
  findCheckedUsers,
  isAtLeast,
  isOpenToAnyone,
  type PermissionCheck,
  type Requirement,
  startingEventOf,
} from '../github/permission.ts';
import type { Environment } from '../runner/environment.ts';
import { hasHiddenLine } from '../text/seal.ts';
import type { AgentDeps } from './deps.ts';
import { type AccessInputs, readAccessInputs } from './inputs.ts';

/** Whether the run may start a job. */
export type Access = Granted | Denied;

/** Everyone behind the run may start a job. */
export interface Granted {
  readonly kind: 'granted';
  readonly inputs: AccessInputs;
  readonly event: RunEvent;
  /** Login of the user who triggered the run; empty for scheduled runs. */
  readonly askedBy: string;
}

interface Denied {
  readonly kind: 'denied';
  readonly result: SkippedResult;
  /** What a comment about the refusal needs; `undefined` if none is written, so that strangers cannot cause one. */
  readonly commentable: Pick<Granted, 'inputs' | 'event'> | undefined;
}

/**
 * Checks that the users who triggered the run may start a job. Calls GitHub's API only for events that
 * need the check.
 *
 * @throws ActionError for the first invalid input
 * @throws ActionError if the permission cannot be read: the check fails closed
 */
export async function checkAccess({ runner, github }: AgentDeps): Promise<Access> {
  const { environment, log } = runner;
  const event = await readRunEvent(environment);
  if (hasHiddenLine(event.commentBody)) {
    return { kind: 'denied', result: ownComment, commentable: undefined };
  }
  const inputs = readAccessInputs(runner.inputs);
  const granted: Granted = { kind: 'granted', inputs, event, askedBy: askedBy(event, environment) };
  const { requirement } = inputs;
  if (requirement === undefined) {
    if (isOpenToAnyone(environment, event)) {
      log.warning(
        `Input required-permission is "none", and people without any permission on ${environment.repository} can trigger the event ${environment.eventName}: all of them can start jobs, so set required-permission unless you want this.`,
      );
    }
    return granted;
  }
  const checked = findCheckedUsers(environment, event, requirement.role);
  const check = await checkPermission(checked, requirement, {
    session: github.as(inputs.githubToken),
    repository: environment.repository,
    clock: runner.clock,
    signal: runner.signal,
  });
  if (check.kind === 'allowed') {
    return granted;
  }
  return {
    kind: 'denied',
    result: {
      result: 'skipped',
      reason: 'actor-not-allowed',
      message: explainRefusal(check, requirement, environment.repository),
      level: startingEventOf(environment, event) === 'push' ? 'warning' : 'notice',
    },
    commentable:
      check.kind === 'role-too-low' && isAtLeast(check.role, 'triage')
        ? { inputs, event }
        : undefined,
  };
}

/** The login to report. Empty for schedules and runs that follow them: GitHub names the last editor for these. */
function askedBy(event: RunEvent, environment: Environment): string {
  const { triggeringActor, actor } = environment;
  return triggerOf(startingEventOf(environment, event)) === 'no-actor'
    ? ''
    : (event.sender?.login ?? (triggeringActor || actor));
}

/** The result of a run that was triggered by one of our own comments. */
const ownComment: SkippedResult = {
  result: 'skipped',
  reason: 'own-comment',
  message:
    "Nothing was started, because the comment that triggered this run has this action's own marker: such comments are ignored, because otherwise each run could trigger the next one.",
  level: 'notice',
};

/** Why nothing was started, and what to do about it. */
function explainRefusal(
  check: Exclude<PermissionCheck, { kind: 'allowed' }>,
  { role, allowBots }: Requirement,
  repository: string,
): string {
  const { login } = check;
  if (check.kind === 'bot-not-named') {
    const names = allowBots.filter((name) => !isSameName(`${name}${botSuffix}`, login));
    const line = `allow-bots: ${[...names, login].join(', ')}`;
    return `Nothing was started, because ${login} is a bot that allow-bots does not name: to let it start jobs, give this step "${line}".`;
  }
  const present = check.role === 'none' ? 'no permission' : `the permission ${check.role}`;
  return `Nothing was started, because ${login} has ${present} on ${repository}, but needs ${role}: ask someone with that permission to trigger the run, or lower required-permission.`;
}
