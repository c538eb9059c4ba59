import { readRunEvent } from '../common/run-event.ts';
import type { Skip } from '../common/skip.ts';
import { isOpenToStrangers, whoIsJudged } from '../github/actor.ts';
import type { GitHub } from '../github/client.ts';
import type { EventFacts } from '../github/event.ts';
import { carriesMarker } from '../github/marker.ts';
import { judge, type Requirement, type Verdict } from '../github/permission.ts';
import { isAtLeast } from '../github/role.ts';
import type { Runner } from '../runner/step.ts';
import { type GitHubInputs, readGitHubInputs } from './github-inputs.ts';
import type { Known } from './known.ts';
import { openComment } from './open-comment.ts';

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
  const judged = whoIsJudged(environment, facts);
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
    isLoud: judged.kind === 'bots',
  };
}

const ownComment: Skip = {
  kind: 'skipped',
  reason: 'own-comment',
  message:
    "Nothing was started, because the comment that triggered this run carries this action's own marker: otherwise its comments could start one run after the other for ever.",
  isLoud: false,
};

function explainRefusal(
  verdict: Exclude<Verdict, { kind: 'allowed' }>,
  { role }: Requirement,
  botLogins: readonly string[],
  repository: string,
): string {
  const { login } = verdict;
  if (verdict.kind === 'bot-not-named') {
    const line = `allow-bots: ${[...botLogins, login].join(', ')}`;
    return `Nothing was started, because ${login} is a bot that allow-bots does not name: to let it start jobs, give this step "${line}".`;
  }
  const present = verdict.role === 'none' ? 'no permission' : `the permission ${verdict.role}`;
  return `Nothing was started, because ${login} has ${present} on ${repository}, and it takes ${role}: somebody who has that can trigger it, or required-permission can ask for less.`;
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
