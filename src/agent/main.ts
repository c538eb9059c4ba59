import { connect } from '../common/api.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createGitHub } from '../github/client.ts';
import { createJobs, type Job } from '../platform/job.ts';
import type { Runner } from '../runner/runner.ts';
import { runStep } from '../runner/step.ts';
import type { ActionError } from '../text/error.ts';
import { checkAccess, type Granted } from './access.ts';
import type { AgentDeps } from './deps.ts';
import { factsOf, tryKey } from './dry-run.ts';
import {
  type Found,
  findPullRequest,
  findPullRequestOfEvent,
  findRecords,
  readAttempt,
} from './earlier/find.ts';
import {
  confirmedRecord,
  type JobRecord,
  recordAfter,
  requestKeyOf,
  unconfirmedRecord,
} from './earlier/record.ts';
import { handOver, ofFoundPullRequest, readHead } from './hand-over.ts';
import { readAgentInputs } from './inputs.ts';
import { poll, type RunDeps, resultOfPolls } from './job/poll.ts';
import { attachedTo, type PolledJob } from './job/polled-job.ts';
import { beginProgress, type Progress } from './job/progress.ts';
import { RefusedError, readBefore, type Send, start } from './job/start.ts';
import { decide, type Plan } from './plan.ts';
import { preparePrompt } from './prompt/prompt.ts';
import { nameOf } from './report/pull-request.ts';
import type { Request } from './request.ts';
import { type Result, statusTraits } from './result.ts';
import type { Before, Planned, Reached, Waiting } from './stage.ts';
import { createStep } from './step.ts';

/** The agent action: a prompt in, a pull request out. */
export async function main(runner: Runner): Promise<void> {
  const github = createGitHub({ ...runner.environment, readProxy: runner.readProxy });
  const deps = { runner, github };
  const step = createStep(deps);
  await runStep(runner, {
    run: () => step.follow(run(deps)),
    resultOf: step.failed,
    conclude: step.conclude,
  });
}

/**
 * One run, from top to bottom: each value is what the next value needs. The run yields each stage that it reaches,
 * and the step writes what the stage adds: outputs, log, comment and record.
 */
async function* run(deps: AgentDeps): AsyncGenerator<Reached, Result> {
  const { runner } = deps;
  const beganMs = runner.clock.nowMs();
  const noSecret = await findNoSecret(runner, ' and name dependabot[bot] in allow-bots');
  if (noSecret !== undefined) {
    return noSecret;
  }
  const access = await checkAccess(deps);
  yield { at: 'before', access };
  if (access.kind === 'denied') {
    return access.result;
  }
  const inputs = readAgentInputs(runner.inputs, runner.environment.repository);
  yield { at: 'before', access, inputs };
  await using client = connect(inputs.api, runner);
  const { api, pollIntervalMs, waitMs } = inputs;
  const jobs = createJobs(client, api.projectId, runner.environment.serverUrl);
  const runDeps = { ...deps, jobs, pollIntervalMs, deadlineMs: beganMs + waitMs };
  return yield* work({ access, inputs }, runDeps);
}

/** The second half of a run: from the prompt to the pull request. */
export async function* work(
  { access, inputs }: Pick<Request, 'access' | 'inputs'>,
  deps: RunDeps,
): AsyncGenerator<Reached, Result> {
  const { runner } = deps;
  const { waitMs } = inputs;
  const keyFact = inputs.isDryRun ? await tryKey(inputs, deps) : undefined;
  const prompt = await preparePrompt(inputs, access.inputs.githubToken, deps);
  if (prompt !== undefined && 'result' in prompt) {
    return prompt;
  }
  const request = { access, inputs, prompt };
  const before: Before = { at: 'before', access, inputs, prompt };
  yield before;
  warnOfNoThread(access, runner);
  const ofEvent = await findPullRequestOfEvent(request, deps);
  const requestKey = requestKeyOf(request, ofEvent?.jobId ?? '', runner.environment);
  const records = await findRecords(requestKey, request, deps);
  if (records.kind === 'records' && records.own?.isConfirmed === true) {
    yield { at: 'asking', ...request, record: records.own };
  }
  const attempt = await readAttempt(records, deps);
  // Back to `before`: if the next requests fail, the message must not say that the earlier job may be running.
  yield before;
  const search = await findPullRequest(request, ofEvent, attempt, deps);
  const found = { ...search, attempt };
  const decision = decide(request, found, runner.environment);
  if (keyFact !== undefined) {
    // A planned stage would set outputs, such as pr-link, on which later steps act.
    return { result: 'ready', facts: [keyFact, ...factsOf(decision, request, runner.environment)] };
  }
  const { plan, notes } = decision;
  for (const { level, text } of notes) {
    runner.log[level](text);
  }
  const planned: Planned = { at: 'planned', ...request, found, plan };
  yield planned;
  if (plan.kind === 'nothing') {
    return plan.result;
  }
  let waiting = yield* begin({ ...planned, plan }, requestKey, deps);
  yield waiting;
  for await (const seen of poll(waiting.started, waiting.seen, waitMs, deps)) {
    waiting = { ...waiting, seen, record: recordAfter(waiting.record, seen) };
    yield waiting;
  }
  const result = ofFoundPullRequest(resultOfPolls(waiting.seen, waitMs), waiting);
  if ('link' in result) {
    yield* handOver(result.link, waiting, deps);
  }
  return result;
}

/** Warns that a comment was asked for, but the event has no issue or pull request to write it on. */
function warnOfNoThread({ inputs: { comment }, event }: Granted, { log }: Runner): void {
  if (comment.kind === 'event' && comment.level === 'warning' && event.thread === undefined) {
    log.warning(
      'Input comment is "true", but the event is not about an issue or pull request, so no comment is written: set it to the number of one, or to "auto".',
    );
  }
}

/** The run has decided to start, continue, resume or wait for a job. */
interface Active extends Planned {
  readonly plan: Exclude<Plan, { kind: 'nothing' }>;
}

/** Starts the job that the plan is about, or sends a follow-up to it, unless an earlier attempt or run has done so. */
async function* begin(
  planned: Active,
  requestKey: string,
  deps: RunDeps,
): AsyncGenerator<Reached, Waiting> {
  const { clock } = deps.runner;
  const { plan } = planned;
  switch (plan.kind) {
    case 'wait':
      return waitingFor(planned, attachedTo(plan.jobId, clock), beginProgress(), undefined);
    case 'resume':
      return waitingFor(planned, plan.started, plan.progress, plan.record);
    case 'new':
      return yield* sending(planned, plan, requestKey, deps);
    case 'continue': {
      const before = await readBefore(plan.jobId, deps);
      const headSha = planned.found.pullRequest?.headSha ?? (await readHead(before, planned, deps));
      const send = { kind: 'follow-up', prompt: plan.prompt, before, headSha } as const;
      try {
        return yield* sending(planned, send, requestKey, deps);
      } catch (error) {
        // A run that was asked for this very job starts no other one.
        const mayStartAnother =
          planned.inputs.job.kind === 'new' && statusTraits[before.status].hasEndedBadly;
        if (!(error instanceof RefusedError) || !mayStartAnother) {
          throw error;
        }
        deps.runner.log.warning(refusalWarning(before, error, planned.found));
        const instead = { kind: 'new', prompt: plan.prompt } as const;
        return yield* sending({ ...planned, plan: instead }, instead, requestKey, deps);
      }
    }
  }
}

async function* sending(
  planned: Planned,
  send: Send,
  requestKey: string,
  deps: RunDeps,
): AsyncGenerator<Reached, Waiting> {
  const record = unconfirmedRecord(send, requestKey, deps.runner);
  yield { ...planned, at: 'sending', record, mayHaveArrived: false };
  const { job, sentMs } = await start(send, deps);
  const source = send.kind === 'new' ? 'created' : 'followed-up';
  const started = { source, id: job.id, sentMs, sinceMs: sentMs } as const;
  const progress = beginProgress(job, record.followUp);
  return waitingFor(
    planned,
    started,
    progress,
    confirmedRecord(record, started, deps.runner.clock),
  );
}

function waitingFor(
  planned: Planned,
  started: PolledJob,
  progress: Progress,
  record: JobRecord | undefined,
): Waiting {
  const seen = { ...progress, waitedMs: 0, delayMs: undefined };
  return { ...planned, at: 'waiting', started, record, seen, handedOver: undefined };
}

/** What the log says of a follow-up that the API refused because its job has ended badly. */
function refusalWarning(before: Job, { what }: ActionError, { pullRequest }: Found): string {
  const instead =
    pullRequest === undefined ? '' : ` instead of continuing ${nameOf(pullRequest.link)}`;
  return `Job ${before.id} ${statusTraits[before.status].now} and takes no follow-up, because ${what}: this run starts a new job${instead}.`;
}
