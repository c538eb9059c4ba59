import { connect, describeCalls } from '../common/connect.ts';
import { peekFailOn } from '../common/fail-on.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createStateStore } from '../common/state-store.ts';
import { createGitHub } from '../github/client.ts';
import { createJobs } from '../platform/jobs.ts';
import { workerBeside } from '../runner/bounded-process.ts';
import { createOutputWriter } from '../runner/outputs.ts';
import type { Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { checkAccess } from './access/access.ts';
import { readAgentInputs, readDryRun } from './inputs.ts';
import { type PollDeps, pollJob, pollWithoutWaiting, readJob } from './job/poll.ts';
import type { StartedJob } from './job/source.ts';
import { startJob } from './job/start.ts';
import { createOpenPullRequest } from './open-pull-request/open-pull-request.ts';
import { outputs } from './outputs.ts';
import { preparePrompt } from './prompt/prepare.ts';
import { learnLinkBefore, learnPullRequest } from './pull-request.ts';
import { createComment } from './report/comment.ts';
import { messageOf } from './report/messages.ts';
import { createProgressLog } from './report/progress-log.ts';
import { endReport } from './report/report.ts';
import { isUnanswered } from './report/request.ts';
import { createRerun } from './rerun/rerun.ts';
import { failOnChoices, levelOf, type Result, resultOfError } from './result.ts';
import type { AgentState } from './state.ts';
import { hourlyLimit, type Tools } from './tools.ts';

/** The agent action: a prompt in, a pull request out. */
export async function main(runner: Runner): Promise<void> {
  const state: AgentState = createStateStore({}, createOutputWriter(outputs, runner));
  const github = createGitHub({ ...runner.environment, readProxy: runner.readProxy });
  const comment = createComment(github, runner);
  const entry = workerBeside(import.meta.url, 'cache.worker');
  const rerun = createRerun({ runner, state, comment, entry });
  const tools = { runner, state, github, comment, rerun };
  await runStep(runner, {
    run: () => run(tools),
    resultOf: (error) => resultOfError(error, runner, state.current),
    conclude: (result) => conclude(result, tools),
  });
}

/** The steps of a run: check access, read the inputs, start or resume the job, poll, read the pull request. */
async function run(tools: Tools): Promise<Result> {
  const { runner, state, comment, rerun } = tools;
  const noSecret = await findNoSecret(runner, ' and name dependabot[bot] in allow-bots');
  if (noSecret !== undefined) {
    return noSecret;
  }
  const access = await checkAccess(runner, tools.github, comment);
  if (access.kind === 'denied') {
    return access.result;
  }
  if (readDryRun(runner.inputs)) {
    const { dryRun } = await import('./dry-run/dry-run.ts');
    return await dryRun(access, tools);
  }
  const inputs = readAgentInputs(runner.inputs);
  state.learn({ inputs, askedBy: access.askedBy });
  const prepared = await preparePrompt(inputs, access.inputs.githubToken, tools);
  const options = { ...access, ...inputs.api, matrix: inputs.matrix };
  comment.open({ ...options, subject: 'job' });
  await using client = connect(inputs.api, runner);
  const jobs = createJobs(client, describeCalls(inputs.api, hourlyLimit));
  const progressLog = createProgressLog(
    runner,
    state,
    inputs.api.projectId,
    () => void comment.showWorking(state.current),
  );
  const { clock, signal } = runner;
  const { pollIntervalMs, waitMs } = inputs;
  const deps: PollDeps = { getJob: jobs.get, clock, signal, observer: progressLog, pollIntervalMs };
  const read = (attached: StartedJob) => readJob(attached, deps);
  const openPullRequest = createOpenPullRequest({ ...tools, access, readJob: read });
  const asked = await openPullRequest.nameJob(prepared);
  const source =
    'result' in asked ? asked : await openPullRequest.decide(await rerun.resume(asked, read));
  if ('result' in source) {
    if (isUnanswered(source, access.facts.commentBody)) {
      comment.open({ ...options, subject: 'refusal' });
    }
    return source;
  }
  const started = await startJob(source, waitMs, {
    jobs,
    async readBefore(attached) {
      const before = await read(attached);
      progressLog.before(before);
      return before;
    },
    clock,
    signal,
    onRetry: progressLog.retrying,
    onUnconfirmed: rerun.saveUnconfirmed,
  });
  learnLinkBefore(started.before, tools);
  progressLog.started(started);
  rerun.save(started);
  const result = await (waitMs === 0 ? pollWithoutWaiting : pollJob)(started, deps);
  await rerun.saved();
  await learnPullRequest(result, access.inputs, tools);
  await openPullRequest.finish(result);
  return result;
}

/** Turns the result into outputs, message, summary and comment. */
function conclude(result: Result, { runner, state, github, comment, rerun }: Tools): Conclusion {
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
      await Promise.all([comment.finish(end, { ...state.current, end }), rerun.saved()]);
      await github.close();
    },
  };
}
