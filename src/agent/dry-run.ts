import { adviceOnFailure, type RepositoryToken } from '../github/errors.ts';
import { threadName } from '../github/names.ts';
import { ask, type RequestFailure } from '../github/request.ts';
import { hasReason } from '../text/error.ts';
import { counted } from '../text/plain.ts';
import type { AgentDeps } from './deps.ts';
import { type AgentInputs, permissionsFor, tokenFor } from './inputs.ts';
import { type JobDeps, readJob } from './job/poll.ts';
import { attachedTo } from './job/started-job.ts';
import type { Decision, Plan } from './plan.ts';
import type { Prompt } from './prompt/prompt.ts';
import { docsRepositoryOf, type Request } from './request.ts';
import type { Result } from './result.ts';
import type { Finding, Reached } from './stage.ts';

/*
 * A dry run is the run, stopped before the request that starts the job. It also tries the key and the tokens,
 * writes nothing, and lists what was good up to the first error.
 */

function finding(level: Finding['level'], name: string, text: string): Finding {
  return { level, name, text };
}

/** What a dry run has found out between two stages. */
export function newFindings(before: Reached, now: Reached): readonly Finding[] {
  if (before.at !== 'before' || now.at !== 'before') {
    return [];
  }
  const { access, inputs, prompt, tried } = now;
  const isNew = (field: 'access' | 'inputs' | 'prompt') =>
    before[field] === undefined && now[field] !== undefined;
  const isGranted = isNew('access') && access?.kind === 'granted';
  return [
    ...(isGranted
      ? [finding('good', 'Access', `${access.askedBy || 'This event'} may start a job.`)]
      : []),
    ...(isNew('inputs') && inputs ? [finding('good', 'Inputs', 'All inputs can be used.')] : []),
    ...tried.slice(before.tried.length),
    ...(isNew('prompt') && prompt ? [describePrompt(prompt)] : []),
  ];
}

function describePrompt({ characters, warnings: [warning = ''] }: Prompt): Finding {
  const size = `It has ${counted(characters, 'character')}; see below.`;
  return finding(warning === '' ? 'good' : 'note', 'Prompt', `${size} ${warning}`.trimEnd());
}

/** How a dry run ended, unless all is well. What a real run would do next is not known then. */
export function endFindings(result: Result, stage: Reached): readonly Finding[] {
  if (result.result === 'skipped') {
    return [finding('note', stepAfter(stage), result.message)];
  }
  if (result.result !== 'error' || result.reason === 'internal-error') {
    return [];
  }
  return [
    finding('bad', stepAfter(stage), result.message),
    finding('unknown', 'Not checked', 'What follows is checked once this is in order.'),
  ];
}

/** What comes after a stage, in a word or two. */
function stepAfter(stage: Reached): string {
  if (stage.inputs === undefined) {
    return 'Inputs';
  }
  if (stage.at === 'before' && stage.tried.length === 0) {
    return 'API';
  }
  return stage.prompt === undefined && stage.inputs.prompt !== undefined ? 'Prompt' : 'Real run';
}

/** Longer than a brief failure of the API; a dry run is repeated soon enough. */
const limitMs = 30_000;

/** No job has this id: the API makes its own. */
const noJob = 'docs-agent-action-dry-run';

/**
 * Tries key, project and base URL with a request that changes nothing: it reads the job of `job-id`, or one
 * that cannot exist. That there is no such job is good news then.
 *
 * @throws ActionError, CancelledError
 */
export async function tryKey(
  { job: asked, api: { baseUrl, projectId } }: AgentInputs,
  deps: JobDeps,
): Promise<readonly Finding[]> {
  const { clock } = deps.runner;
  const accepts = `The API at ${baseUrl.host} accepts the key.`;
  const id = asked.kind === 'id' ? asked.id : noJob;
  try {
    const limited = { ...deps, pollIntervalMs: 2000, deadlineMs: clock.nowMs() + limitMs };
    const job = await readJob(attachedTo(id, clock), limited);
    return [finding('good', 'API', `${accepts} Job ${id} is ${job.status}.`)];
  } catch (error) {
    if (id !== noJob || !hasReason(error, 'job-not-found')) {
      throw error;
    }
    return [
      finding('good', 'API', accepts),
      finding(
        'unknown',
        'Project',
        `A wrong project-id may get the same response, so compare ${projectId} with the API keys page of the dashboard.`,
      ),
    ];
  }
}

/**
 * Says what a real run would do, finds out what the tokens can read, and where the comment and the label would
 * go. No real run fails for want of that, since permissions are already checked.
 */
export async function tryOut(
  { plan, notes }: Decision,
  request: Request,
  deps: AgentDeps,
): Promise<readonly Finding[]> {
  const noPrompt = finding('good', 'Prompt', 'There is none: the step only waits for a job.');
  const level = plan.kind === 'nothing' ? 'note' : 'good';
  return [
    ...(request.prompt === undefined ? [noPrompt] : []),
    ...notes.map((note) => finding(note.level === 'info' ? 'good' : 'note', 'Real run', note.text)),
    finding(level, 'Real run', describePlan(plan)),
    ...(await tryTokens(request, deps)),
    finding(
      'unknown',
      'Not checked',
      'Whether the key may start jobs, whether the plan includes the agent, and whether credits are left shows only when a job is started.',
    ),
  ];
}

function describePlan(plan: Plan): string {
  switch (plan.kind) {
    case 'new':
      return 'It would start a new job.';
    case 'continue':
      return `It would send the prompt to job ${plan.jobId} as a follow-up.`;
    case 'resume':
      return `It would resume job ${plan.job.id} of attempt ${plan.record.attempt}, and send nothing.`;
    case 'wait':
      return `It would wait for job ${plan.jobId}, and send nothing.`;
    case 'nothing':
      return `It would be skipped. ${plan.result.message}`;
  }
}

/** What to read with a token, and what the report says if that works, or why it does not. */
interface Try {
  readonly name: string;
  readonly path: string;
  readonly token: string;
  readonly good: Finding['text'];
  /** What is known only by a real run, even if it works. */
  readonly isUnknown?: boolean;
  readonly bad: (failure: RequestFailure) => string;
}

/** Finds out what the tokens can read, and says where the comment and the label would go. */
async function tryTokens(request: Request, deps: AgentDeps): Promise<readonly Finding[]> {
  const { access, inputs, repository } = request;
  const { githubToken, docsToken } = access.inputs;
  const { label, job } = inputs;
  const permissions = permissionsFor(label);
  const own = tokenFor(repository, access.inputs, request);
  const docs = tokenFor(docsRepositoryOf(request), access.inputs, request);
  const tries: Try[] = [];
  if (docs.input === 'docs-token') {
    tries.push(readingRepository(docs, permissions));
  } else if (docsToken !== githubToken) {
    tries.push({
      name: 'docs-token',
      path: '/rate_limit',
      token: docsToken,
      good: 'GitHub accepts it. Whether it can read the docs repository shows when a job names that.',
      bad: ({ problem }) => `GitHub does not accept it, because ${problem}: create a new token.`,
    });
  }
  if (docs.value !== '' && (label !== '' || job.kind === 'of-pull-request')) {
    // Without this permission, a run starts all the same, and only the next one cannot find its pull request.
    tries.push({
      name: 'Pull requests',
      path: `/repos/${docs.repository}/pulls?per_page=1`,
      token: docs.value,
      good: `${docs.input} can read those of ${docs.repository}.`,
      bad: (failure) =>
        `${docs.input} cannot read those of ${docs.repository}, because ${failure.problem}: ${adviceOnFailure(failure, permissions, docs)}.`,
    });
  }
  const empty = 'It is empty, so nothing on GitHub is read or written with it.';
  return [
    own.value === ''
      ? finding('note', own.input, empty)
      : await tryOne(readingRepository(own, 'the permission "contents: read"'), deps),
    ...(await Promise.all(tries.map((each) => tryOne(each, deps)))),
    ...(label === '' ? [] : [describeLabel(label, docs)]),
    await tryComment(request, deps),
  ];
}

async function tryOne(
  { name, path, token, good, isUnknown = false, bad }: Try,
  { runner: { clock, signal }, github }: AgentDeps,
): Promise<Finding> {
  const requests = { session: github.as(token), clock, signal };
  const reading = await ask(
    requests,
    (octokit) => octokit.request(`GET ${path}`),
    () => true,
  );
  return reading.kind === 'ok'
    ? finding(isUnknown ? 'unknown' : 'good', name, good)
    : finding('note', name, bad(reading));
}

function readingRepository(token: RepositoryToken, permissions: string): Try {
  const { repository, input, value } = token;
  return {
    name: input,
    path: `/repos/${repository}`,
    token: value,
    good: `It can read ${repository}.`,
    bad: (failure) =>
      `It cannot read ${repository}, because ${failure.problem}: ${adviceOnFailure(failure, permissions, token)}.`,
  };
}

function describeLabel(label: string, { input, repository, isStandIn }: RepositoryToken): Finding {
  const needed = `${permissionsFor(label)} on ${repository}`;
  return isStandIn
    ? finding(
        'note',
        'pr-label',
        `docs-token is empty, and the workflow's own token cannot put the label "${label}" on a pull request of another repository: set docs-token to one that has ${needed}, unless github-token has them.`,
      )
    : finding(
        'unknown',
        'pr-label',
        `Whether ${input} may put the label "${label}" on a pull request is not checked: it needs ${needed}.`,
      );
}

async function tryComment(
  { access: { inputs, event }, repository }: Request,
  deps: AgentDeps,
): Promise<Finding> {
  const { githubToken, comment } = inputs;
  const number = comment.kind === 'thread' ? comment.number : event.thread?.number;
  if (comment.kind === 'off' || number === undefined) {
    return finding('good', 'comment', 'None is written.');
  }
  const place = threadName({ repository, number });
  const reading: Try = {
    name: 'comment',
    path: `/repos/${repository}/issues/${number}`,
    token: githubToken,
    good: `It goes to ${place}. Whether github-token may write there shows when it does.`,
    isUnknown: true,
    bad: ({ problem }) =>
      `It would go to ${place}, which github-token cannot read, because ${problem}: check that it exists, and that github-token has the permission "issues: write" or "pull-requests: write".`,
  };
  return await tryOne(reading, deps);
}
