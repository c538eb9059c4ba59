import type { SkippedResult } from '../../common/reasons.ts';
import { readRunEvent, readSender } from '../../common/run-event.ts';
import type { GitHub } from '../../github/client.ts';
import { type EventFacts, hasNoActor } from '../../github/event.ts';
import { carriesMarker } from '../../github/marker.ts';
import { findSpelling } from '../../github/names.ts';
import {
  checkPermission,
  isAtLeast,
  type Requirement,
  type Subjects,
} from '../../github/permission.ts';
import { findSubjects, isOpenToAnyone, needsSender, originOf } from '../../github/subjects.ts';
import type { Environment } from '../../runner/environment.ts';
import type { Runner } from '../../runner/runner.ts';
import type { StepComment } from '../report/comment.ts';
import { type AccessInputs, readAccessInputs, readMatrix } from './inputs.ts';
import { explainRefusal, ownComment, warnOfSpelling } from './refusal.ts';

/** Whether the run may start a job. */
export type Access =
  | {
      readonly kind: 'granted';
      readonly inputs: AccessInputs;
      readonly facts: EventFacts;
      /** Login of the user who triggered the run; empty for scheduled runs. */
      readonly askedBy: string;
    }
  | { readonly kind: 'denied'; readonly result: SkippedResult };

/**
 * Checks that the users who triggered the run may start a job. Calls GitHub's API only for events that
 * need it.
 *
 * @param comment explains to people with triage permission why nothing was started
 * @throws ActionError for the first invalid input
 * @throws ActionError if the permission cannot be read: the check fails closed
 */
export async function checkAccess(
  runner: Runner,
  github: GitHub,
  comment: StepComment,
): Promise<Access> {
  const { environment, log } = runner;
  const facts = await readRunEvent(environment);
  if (carriesMarker(facts.commentBody)) {
    return { kind: 'denied', result: ownComment };
  }
  const inputs = readAccessInputs(runner.inputs);
  const granted = { kind: 'granted', inputs, facts, askedBy: askedBy(facts, environment) } as const;
  const { requirement } = inputs;
  if (requirement === undefined) {
    if (isOpenToAnyone(environment, facts)) {
      log.warning(
        `Input required-permission is "none", and people without any permission on ${environment.repository} can trigger the event ${environment.eventName}: all of them can start jobs, so set required-permission unless you want this.`,
      );
    }
    return granted;
  }
  const subjects = await readSubjects(environment, facts, requirement);
  warnOfSpelling(inputs.botLogins, subjects, log);
  const check = await checkPermission(subjects, requirement, {
    session: inputs.githubToken === '' ? undefined : github.as(inputs.githubToken),
    repository: environment.repository,
    clock: runner.clock,
    signal: runner.signal,
  });
  if (check.kind === 'allowed') {
    return granted;
  }
  // Everyone else gets no comment, because strangers could trigger any number of them.
  const isDryRun = runner.inputs.read('dry-run') === 'true';
  if (check.kind === 'role-too-low' && isAtLeast(check.role, 'triage') && !isDryRun) {
    openRefusal(inputs, facts, comment, runner);
  }
  const isMisspelt =
    check.kind === 'bot-not-named' && findSpelling(check.login, inputs.botLogins) !== undefined;
  return {
    kind: 'denied',
    result: {
      result: 'skipped',
      reason: 'actor-not-allowed',
      message: explainRefusal(check, requirement, inputs.botLogins, environment.repository),
      isLoud: isMisspelt || originOf(environment, facts) === 'push',
    },
  };
}

/** For schedules, and runs that follow them, GitHub reports the last editor, who asked for nothing. */
function askedBy(facts: EventFacts, environment: Environment): string {
  const { triggeringActor, actor } = environment;
  return hasNoActor(originOf(environment, facts))
    ? ''
    : (facts.sender?.login ?? (triggeringActor || actor));
}

async function readSubjects(
  environment: Environment,
  facts: EventFacts,
  { role }: Requirement,
): Promise<Subjects> {
  const known = needsSender(environment, role)
    ? { ...facts, sender: await readSender(environment) }
    : facts;
  return findSubjects(environment, known, role);
}

function openRefusal(
  inputs: AccessInputs,
  facts: EventFacts,
  comment: StepComment,
  runner: Runner,
): void {
  const apiKey = runner.inputs.readSecret('api-key');
  const projectId = runner.inputs.read('project-id');
  if (apiKey !== '') {
    const matrix = readMatrix(runner.inputs);
    comment.open({ inputs, facts, subject: 'refusal', apiKey, projectId, matrix });
  }
}
