import { connect, describeCalls } from '../common/connect.ts';
import { peekFailOn } from '../common/fail-on.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createStateStore } from '../common/state-store.ts';
import { createGitHub } from '../github/client.ts';
import { createJobs } from '../platform/job.ts';
import { asSeenFrom } from '../platform/pull-request-link.ts';
import { createOutputWriter, type Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { checkAccess, type Granted } from './access.ts';
import { dryRun } from './dry-run.ts';
import { findEarlier } from './earlier/find.ts';
import { type JobRecord, type RecordDeps, saveRecord, showInTime } from './earlier/record.ts';
import { finish } from './finish.ts';
import { mayBeDryRun, readAgentInputs, readDryRun } from './inputs.ts';
import { type PollDeps, pollJob, pollWithoutWaiting, readJob } from './job/poll.ts';
import { beginProgress } from './job/progress.ts';
import { mayHaveArrived, type StartedJob, startJob } from './job/start.ts';
import { outputs } from './outputs.ts';
import { decide, type Request, requestOf } from './plan.ts';
import { preparePrompt } from './prompt/prompt.ts';
import { createStepComment, type StepComment, warnOfNoThread } from './report/comment.ts';
import { messageOf } from './report/messages.ts';
import { createProgressLog } from './report/progress-log.ts';
import { endReport } from './report/summary.ts';
import { failOnChoices, levelOf, type Result, resultOfError } from './result.ts';
import { type AgentDeps, hourlyLimit, type State, withFieldsOf } from './state.ts';

/** The agent action: a prompt in, a pull request out. */
export async function main(runner: Runner): Promise<void> {
  const state = createStateStore<State>({}, createOutputWriter(outputs, runner));
  const github = createGitHub({ ...runner.environment, readProxy: runner.readProxy });
  const comment = createStepComment({ runner, github });
  const deps: MainDeps = { runner, state, github, comment, background: [] };
  await runStep(runner, {
    run: () => run(deps),
    resultOf: (error) => resultOfError(error, runner, state.current),
    conclude: (result) => conclude(result, deps),
  });
}

interface MainDeps extends AgentDeps {
  readonly comment: StepComment;
  /** What the step waits for before it ends. None of it rejects. */
  readonly background: Promise<unknown>[];
}

/** The steps of a run. Each gets what the ones before it found. */
async function run(deps: MainDeps): Promise<Result> {
  const { runner, state, comment, background } = deps;
  const { inputs: runnerInputs, log, clock, signal, environment, cache } = runner;
  const beganMs = clock.nowMs();
  const noSecret = await findNoSecret(runner, ' and name dependabot[bot] in allow-bots');
  if (noSecret !== undefined) {
    return noSecret;
  }
  state.learn({ isDryRun: mayBeDryRun(runnerInputs) });
  const access = await checkAccess(deps);
  state.learn({ access });
  if (access.kind === 'denied') {
    return access.result;
  }
  if (readDryRun(runnerInputs)) {
    return await dryRun(access, deps);
  }
  const request = await readRequest(access, deps);
  const { inputs } = request;
  const { api, waitMs, pollIntervalMs } = inputs;
  const deadlineMs = beganMs + waitMs;
  warnOfNoThread(access, runner);
  await using client = connect(api, runner);
  const jobs = createJobs(client, describeCalls(api, hourlyLimit));
  const onActive = () => void comment.showWorking(state.current);
  const observer = createProgressLog(runner, state, api.projectId, onActive);
  const pollDeps: PollDeps = { getJob: jobs.get, clock, signal, observer, pollIntervalMs };
  const records: RecordDeps = { comment, cache, apiKey: api.apiKey, clock, signal, log };
  const read = (attached: StartedJob) => readJob(attached, pollDeps);

  const findDeps = { ...deps, access, records, deadlineMs, readJob: read };
  const earlier = await findEarlier(request, findDeps);
  const { plan, notes } = decide(request, earlier);
  for (const { level, text } of notes) {
    log[level](text);
  }
  const { pullRequest, requestKey } = earlier;
  state.learn({
    plan,
    ...(pullRequest && { link: pullRequest.link, linkBefore: pullRequest.link }),
    ...(plan.kind === 'resume' && { record: plan.record, isResumable: true }),
  });
  if (plan.kind === 'nothing') {
    return plan.result;
  }

  /** Saves in the background what a re-run has to know of the request that this step sent. */
  const save = (fields: Pick<JobRecord, 'jobId' | 'isConfirmed' | 'sentAtMs'>): void => {
    const { promptHash } = request;
    const sent = plan.kind === 'continue' ? 'follow-up' : 'new';
    const record = {
      requestKey,
      attempt: environment.attempt,
      promptHash,
      sent,
      ...fields,
    } as const;
    state.learn({ record });
    background.push(saveRecord(record, state.current, records).then(state.learn));
  };
  const started = await startJob(plan, deadlineMs, {
    jobs,
    async readBefore(attached) {
      const job = await read(attached);
      state.learn({ job: withFieldsOf(state.current.job, job) });
      log.debug(`Before the follow-up, job ${job.id} was ${job.status}.`);
      return job;
    },
    clock,
    signal,
    onRetry: observer.retrying,
  }).catch((error: unknown) => {
    if (mayHaveArrived(error)) {
      const jobId = plan.kind === 'continue' ? plan.jobId : '';
      save({ jobId, isConfirmed: false, sentAtMs: clock.todayMs() });
    }
    throw error;
  });
  learnOfStart(started, deps);
  // Only a run that sent something leaves a record: to wait for a job again costs nothing.
  if (started.source === 'created' || started.source === 'followed-up') {
    const sentAtMs = clock.todayMs() - (clock.nowMs() - started.sentMs);
    save({ jobId: started.id, isConfirmed: true, sentAtMs });
  } else {
    background.push(showInTime(state.current, records));
  }
  observer.started(started);

  const result = await (waitMs === 0 ? pollWithoutWaiting : pollJob)(started, pollDeps);
  await Promise.all(background);
  await finish(result, { ...deps, access, inputs, before: pullRequest });
  return result;
}

/** Reads the inputs and the prompt. */
async function readRequest(access: Granted, deps: AgentDeps): Promise<Request> {
  const inputs = readAgentInputs(deps.runner.inputs);
  deps.state.learn({ inputs });
  const prompt = await preparePrompt(inputs, access.inputs.githubToken, deps);
  return requestOf(inputs, prompt, access.event, deps.runner.environment);
}

function learnOfStart(started: StartedJob, { runner, state }: AgentDeps): void {
  const { source, sinceMs, before } = started;
  const { job } = beginProgress(started);
  const linkBefore = before?.pullRequest;
  state.learn({
    source,
    sinceMs,
    ...(job && { job: withFieldsOf(state.current.job, job) }),
    ...(linkBefore?.kind === 'link' && {
      linkBefore: asSeenFrom(runner.environment.serverUrl, linkBefore),
    }),
  });
}

/** Turns the result into outputs, message, summary and comment. */
function conclude(
  result: Result,
  { runner, state, github, comment, background }: MainDeps,
): Conclusion {
  const { sentence: message } = messageOf(result, state.current);
  const { sinceMs, inputs } = state.current;
  const tookMs = sinceMs === undefined ? undefined : runner.clock.nowMs() - sinceMs;
  const end = { result, message, tookMs };
  return {
    writeOutputs: () => state.learn({ end }),
    level: levelOf(result, inputs?.failOn ?? peekFailOn(runner.inputs, failOnChoices)),
    message,
    summary: endReport(end, { ...state.current, end }, runner.environment),
    async afterwards() {
      await Promise.all([comment.finish(end, { ...state.current, end }), ...background]);
      await github.close();
    },
  };
}
