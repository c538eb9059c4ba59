import { threadName } from '../github/names.ts';
import type { Environment } from '../runner/environment.ts';
import { hasReason } from '../text/error.ts';
import { counted, quoted } from '../text/plain.ts';
import { commentPermission, targetOf } from './earlier/step-comment.ts';
import { type AgentInputs, permissionsFor, tokenFor } from './inputs.ts';
import { type JobDeps, pollUntilRead } from './job/poll.ts';
import { attachedTo } from './job/polled-job.ts';
import type { Decision, Plan } from './plan.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { Request } from './request.ts';
import type { Fact } from './result.ts';

/*
 * A dry run is the run, stopped before the request that starts the job. Unlike a real run, it tries the key
 * before it reads the prompt, and it writes no comment and no record.
 */

/** Longer than a brief failure of the API. People can simply repeat a dry run, so it waits no longer. */
const limitMs = 30_000;

/** No job has this id: the API makes its own. */
const noJob = 'docs-agent-action-dry-run';

/**
 * Tries key, project and base URL with a request that changes nothing: it reads the job of `job-id`, or a job that
 * cannot exist. For the latter, the answer that there is no such job proves that key and project work.
 *
 * @throws ActionError, CancelledError
 */
export async function tryKey(
  { job: asked, api: { baseUrl, projectId } }: AgentInputs,
  deps: JobDeps,
): Promise<Fact> {
  const { clock } = deps.runner;
  const accepts = `The API at ${baseUrl.host} accepts the key.`;
  const id = asked.kind === 'id' ? asked.id : noJob;
  try {
    const limited = { ...deps, pollIntervalMs: 2000, deadlineMs: clock.nowMs() + limitMs };
    const { job } = await pollUntilRead(attachedTo(id, clock), limited);
    return ['API', `${accepts} Job ${id} is ${job.status}.`];
  } catch (error) {
    if (id !== noJob || !hasReason(error, 'job-not-found')) {
      throw error;
    }
    const doubt = `A wrong project-id may get the same response, so compare ${projectId} with the API keys page of the dashboard.`;
    return ['API', `${accepts} ${doubt}`];
  }
}

/** What a dry run found out, apart from the API's response. */
export function factsOf(
  { plan, notes }: Decision,
  request: Request,
  environment: Environment,
): readonly Fact[] {
  const { label } = request.inputs;
  return [
    ['Prompt', describePrompt(request.prompt)],
    ['Real run', [describePlan(plan), ...notes.map(({ text }) => text)].join(' ')],
    ['Comment', describeComment(request, environment)],
    ...(label === '' ? [] : [['Label', describeLabel(request, environment)] as const]),
  ];
}

function describePrompt(prompt: Prompt | undefined): string {
  return prompt === undefined
    ? 'There is none: the step only waits for a job.'
    : [`It has ${counted(prompt.text.length, 'character')}.`, ...prompt.warnings].join(' ');
}

function describePlan(plan: Plan): string {
  switch (plan.kind) {
    case 'new':
      return 'It would start a new job.';
    case 'continue':
      return `It would send the prompt to job ${plan.jobId} as a follow-up.`;
    case 'resume':
      return `It would resume job ${plan.record.jobId} of attempt ${plan.record.attempt}, and send nothing.`;
    case 'wait':
      return `It would wait for job ${plan.jobId}, and send nothing.`;
    case 'nothing':
      return `It would be skipped. ${plan.result.message}`;
  }
}

function describeComment(request: Request, environment: Environment): string {
  const target = targetOf('job', request, environment);
  if (target === undefined) {
    return 'None is written.';
  }
  const name = threadName(target.place);
  return target.token === ''
    ? `None is written on ${name}, because github-token is empty.`
    : `It goes to ${name}, for which github-token needs ${commentPermission}.`;
}

function describeLabel({ inputs, access }: Request, environment: Environment): string {
  const { label, docsRepository } = inputs;
  const { input, repository, isStandIn } = tokenFor(docsRepository, access.inputs, environment);
  const needed = `${permissionsFor(label)} on ${repository}`;
  return isStandIn
    ? `docs-token is empty, and the workflow's own token cannot put the label ${quoted(label)} on a pull request of another repository: set docs-token to one that has ${needed}, unless github-token has them.`
    : `The agent's pull request gets the label ${quoted(label)}, for which ${input} needs ${needed}.`;
}
