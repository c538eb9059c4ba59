import { readRunEvent, readSender } from '../common/run-event.ts';
import type { Skip } from '../common/skip.ts';
import {
  isOpenToStrangers,
  type Judged,
  needsSender,
  originOf,
  whoIsJudged,
} from '../github/actor.ts';
import { findSpelling } from '../github/bot-login.ts';
import type { GitHub } from '../github/client.ts';
import type { EventFacts } from '../github/event.ts';
import { carriesMarker } from '../github/marker.ts';
import { judge, type Requirement } from '../github/permission.ts';
import { isAtLeast } from '../github/role.ts';
import type { Environment } from '../runner/environment.ts';
import type { Runner } from '../runner/step.ts';
import { type GitHubInputs, readGitHubInputs } from './github-inputs.ts';
import type { Known } from './known.ts';
import { openComment } from './open-comment.ts';
import { explainRefusal, ownComment, warnOfSpelling } from './refusal.ts';

/** A run that may start a job, with what was learnt on the way. */
export interface Admission {
  readonly kind: 'admitted';
  readonly inputs: GitHubInputs;
  readonly facts: EventFacts;
}

/**
 * Lets a run through whose triggerer may spend a job; asks GitHub only where the event needs it.
 *
 * @param known learns of a comment that tells a refusal
 * @throws InputError for the first input that cannot be used
 * @throws PermissionCheckError when it cannot be found out: the check fails closed
 */
export async function admit(
  runner: Runner,
  github: GitHub,
  known: Known,
): Promise<Admission | Skip> {
  const { environment, log } = runner;
  const facts = await readRunEvent(environment);
  if (carriesMarker(facts.commentBody)) {
    return ownComment;
  }
  const inputs = readGitHubInputs(runner.inputs);
  const { requirement } = inputs;
  if (requirement === undefined) {
    if (isOpenToStrangers(environment, facts)) {
      log.warning(
        `Input required-permission is "none", and the event ${environment.eventName} can be triggered by people who have no rights in ${environment.repository}: whoever can trigger it can start jobs.`,
      );
    }
    return { kind: 'admitted', inputs, facts };
  }
  const judged = await readJudged(environment, facts, requirement);
  warnOfSpelling(inputs.botLogins, judged, log);
  const verdict = await judge(judged, requirement, {
    session: inputs.githubToken === '' ? undefined : github.as(inputs.githubToken),
    repository: environment.repository,
    pause: (durationMs) => runner.clock.sleep(durationMs, runner.cancelled),
    cancelled: runner.cancelled,
  });
  if (verdict.kind === 'allowed') {
    return { kind: 'admitted', inputs, facts };
  }
  if (verdict.kind === 'role-too-low' && isAtLeast(verdict.role, 'triage')) {
    known.comment = openRefusal(inputs, facts, github, runner);
  }
  return {
    kind: 'skipped',
    reason: 'actor-not-allowed',
    message: explainRefusal(verdict, requirement, inputs.botLogins, environment.repository),
    isLoud:
      originOf(environment, facts) === 'push' ||
      (verdict.kind === 'bot-not-named' &&
        findSpelling(verdict.login, inputs.botLogins) !== undefined),
  };
}

async function readJudged(
  environment: Environment,
  facts: EventFacts,
  { role }: Requirement,
): Promise<Judged> {
  const told = needsSender(environment, role)
    ? { ...facts, sender: await readSender(environment) }
    : facts;
  return whoIsJudged(environment, told, role);
}

/** People who help with the issues are told there; strangers get no answer that they could collect. */
function openRefusal(
  inputs: GitHubInputs,
  facts: EventFacts,
  github: GitHub,
  runner: Runner,
): Known['comment'] {
  const apiKey = runner.inputs.readSecret('api-key');
  const projectId = runner.inputs.read('project-id');
  return apiKey === ''
    ? undefined
    : openComment({ inputs, facts, subject: 'refusal', apiKey, projectId }, github, runner);
}
