import { connect } from '../common/api.ts';
import { peekFailOn } from '../common/fail-on.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createStateStore } from '../common/state-store.ts';
import { createGitHub } from '../github/client.ts';
import type { Client } from '../platform/client.ts';
import { createJobs } from '../platform/job.ts';
import { asSeenFrom } from '../platform/pull-request-link.ts';
import { createOutputWriter, type Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { checkAccess, type Granted } from './access.ts';
import { dryRun } from './dry-run.ts';
import { type Earlier, findEarlier } from './earlier/find.ts';
import { type JobRecord, recordOf, saveRecord, showInTime } from './earlier/record.ts';
import { finish } from './finish.ts';
import { type AgentInputs, mayBeDryRun, readAgentInputs, readDryRun } from './inputs.ts';
import { type JobDeps, pollJob, pollWithoutWaiting } from './job/poll.ts';
import { beginProgress } from './job/progress.ts';
import { FollowUpRefusedError, type StartedJob, startJob } from './job/start.ts';
import { outputs } from './outputs.ts';
import { decide, type Plan, type Request, requestOf } from './plan.ts';
import { preparePrompt } from './prompt/prompt.ts';
import { createStepComment, type StepComment, warnOfNoThread } from './report/comment.ts';
import { messageOf } from './report/messages.ts';
import { createProgressLog } from './report/progress-log.ts';
import { nameOf } from './report/pull-request.ts';
import { endReport } from './report/summary.ts';
import {
  failOnChoices,
  levelOf,
  mayHaveArrived,
  type Result,
  resultOfError,
  statusPhrases,
} from './result.ts';
import { type AgentDeps, type State, withFieldsOf } from './state.ts';

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

/** What there is to do, if there is anything. */
type StartPlan = Exclude<Plan, { kind: 'nothing' }>;

interface MainDeps extends AgentDeps {
  readonly comment: StepComment;
  /** What the step waits for before it ends. None of it rejects. */
  readonly background: Promise<unknown>[];
}

/** The steps of a run. Each gets what the ones before it found. */
async function run(deps: MainDeps): Promise<Result> {
  const { runner, state } = deps;
  const beganMs = runner.clock.nowMs();
  const noSecret = await findNoSecret(runner, ' and name dependabot[bot] in allow-bots');
  if (noSecret !== undefined) {
    return noSecret;
  }
  state.learn({ isDryRun: mayBeDryRun(runner.inputs) });
  const access = await checkAccess(deps);
  state.learn({ access });
  if (access.kind === 'denied') {
    return access.result;
  }
  if (readDryRun(runner.inputs)) {
    return await dryRun(access, deps);
  }
  const request = await readRequest(access, deps);
  const { inputs } = request;
  warnOfNoThread(access, runner);
  await using client = connect(inputs.api, runner);
  const jobDeps = jobDepsOf(client, inputs, beganMs, deps);
  const earlier = await findEarlier(request, { ...deps, access, jobDeps });
  const planned = makePlan(request, earlier, deps);
  if (planned.kind === 'nothing') {
    return planned.result;
  }
  const recordFor = (plan: Plan, started?: StartedJob): JobRecord | undefined =>
    recordOf(plan, started, earlier.requestKey, request, runner);
  const start = async (plan: StartPlan) => {
    const started = await startJob(plan, jobDeps).catch((error: unknown) => {
      if (mayHaveArrived(error)) {
        remember(recordFor(plan), inputs, deps);
      }
      throw error;
    });
    return { plan, started };
  };
  const { plan, started } = await start(planned).catch((error: unknown) =>
    start(planInstead(error, planned, inputs, deps)),
  );
  learnOfStart(started, deps);
  // After the state knows the job, because the comment shows it.
  remember(recordFor(plan, started), inputs, deps);
  jobDeps.observer.started(started);
  const result = await (inputs.waitMs === 0 ? pollWithoutWaiting : pollJob)(started, jobDeps);
  // The closing message says whether a re-run can resume the job.
  await Promise.all(deps.background);
  await finish(result, { ...deps, access, inputs, before: earlier.pullRequest });
  return result;
}

/** Reads the inputs and the prompt. */
async function readRequest(access: Granted, deps: AgentDeps): Promise<Request> {
  const inputs = readAgentInputs(deps.runner.inputs);
  deps.state.learn({ inputs });
  const prompt = await preparePrompt(inputs, access.inputs.githubToken, deps);
  return requestOf(inputs, prompt, access.event, deps.runner.environment);
}

function jobDepsOf(
  client: Client,
  { api, pollIntervalMs, waitMs }: AgentInputs,
  beganMs: number,
  { runner, state, comment }: MainDeps,
): JobDeps {
  const { clock, signal } = runner;
  const jobs = createJobs(client, api.projectId);
  const onActive = () => void comment.showWorking(state.current);
  const observer = createProgressLog(runner, state, api.projectId, onActive);
  return { jobs, clock, signal, observer, pollIntervalMs, deadlineMs: beganMs + waitMs };
}

/** Decides what the run does, and says in the log how that came about. */
function makePlan(request: Request, earlier: Earlier, { runner, state }: AgentDeps): Plan {
  const { plan, notes } = decide(request, earlier);
  for (const { level, text } of notes) {
    runner.log[level](text);
  }
  const { pullRequest } = earlier;
  state.learn({
    plan,
    ...(pullRequest && { link: pullRequest.link, linkBefore: pullRequest.link }),
    ...(plan.kind === 'resume' && { record: plan.record, isResumable: true }),
  });
  return plan;
}

/**
 * What the run does if the API refuses a follow-up to a job that has failed or was archived: it starts another
 * one, and forgets what it knew of the first.
 *
 * @throws the error if there is another reason, or if the run was asked for this very job
 */
function planInstead(
  error: unknown,
  planned: StartPlan,
  { job: asked }: AgentInputs,
  { runner, state }: AgentDeps,
): StartPlan {
  const isRefused = error instanceof FollowUpRefusedError && asked.kind === 'new';
  if (!isRefused || planned.kind !== 'continue') {
    throw error;
  }
  const { before, what } = error;
  const { linkBefore } = state.current;
  const instead = linkBefore === undefined ? '' : ` instead of continuing ${nameOf(linkBefore)}`;
  runner.log.warning(
    `Job ${before.id} ${statusPhrases[before.status].now} and takes no follow-up, because ${what}: this run starts a new job${instead}.`,
  );
  const plan = { kind: 'new', prompt: planned.prompt } as const;
  state.learn({ plan, job: undefined, link: undefined });
  return plan;
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

/** Shows the job in the comment, and saves its record, if there is one, both in the background. */
function remember(
  record: JobRecord | undefined,
  inputs: AgentInputs,
  { runner, state, comment, background }: MainDeps,
): void {
  state.learn({ ...(record && { record }) });
  const shown = showInTime(state.current, comment, runner);
  background.push(shown);
  if (record !== undefined) {
    background.push(saveRecord(record, shown, inputs, runner).then(state.learn));
  }
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
      const finishing = comment.finish(end, { ...state.current, end });
      const [added] = await Promise.all([finishing, ...background]);
      if (added !== '') {
        await runner.writeSummary(added);
      }
      await github.close();
    },
  };
}
