import { connect, describeCalls } from '../common/connect.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { isEventReadable } from '../common/run-event.ts';
import { createStateStore } from '../common/state-store.ts';
import { createGitHub, type GitHub } from '../github/client.ts';
import { createJobs } from '../platform/jobs.ts';
import { createOutputWriter } from '../runner/outputs.ts';
import { type Conclusion, type Runner, runStep } from '../runner/step.ts';
import { checkAccess } from './access.ts';
import { peekFailOn, readAgentInputs } from './inputs.ts';
import { type PollDeps, pollJob, pollWithoutWaiting, readJob } from './job/poll.ts';
import { startJob } from './job/start.ts';
import { outputs } from './outputs.ts';
import { preparePrompt } from './prompt/prepare.ts';
import { learnPullRequest } from './pull-request.ts';
import { createComment, type StepComment } from './report/comment.ts';
import { messageOf } from './report/messages.ts';
import { createProgressLog } from './report/progress-log.ts';
import { endReport } from './report/report.ts';
import { levelOf, type Result, resultOfError } from './result.ts';
import type { AgentState } from './state.ts';

const hourlyLimit = 'the limit of a project is 100 new jobs and follow-ups an hour';

interface Tools {
  readonly runner: Runner;
  readonly state: AgentState;
  readonly github: GitHub;
  readonly comment: StepComment;
}

/** The agent action: a prompt in, a pull request out. */
export async function main(): Promise<void> {
  await runStep((runner) => {
    const state: AgentState = createStateStore({}, createOutputWriter(outputs, runner));
    const { environment, readProxy } = runner;
    const github = createGitHub({
      ...environment,
      readProxy,
      isEventReadable: () => isEventReadable(environment),
    });
    const tools = { runner, state, github, comment: createComment(github, runner) };
    return {
      run: () => run(tools),
      resultOf: (error) => resultOfError(error, runner, state.current),
      conclude: (result) => conclude(result, tools),
    };
  });
}

/** The steps of a run: check access, read the inputs, start the job, poll, read the pull request. */
async function run({ runner, state, github, comment }: Tools): Promise<Result> {
  const noSecret = await findNoSecret(runner, ' and name dependabot[bot] in allow-bots');
  if (noSecret !== undefined) {
    return noSecret;
  }
  const access = await checkAccess(runner, github, comment);
  if (access.kind === 'denied') {
    return access.result;
  }
  const inputs = readAgentInputs(runner.inputs);
  state.learn({ inputs, askedBy: access.askedBy });
  const source = await preparePrompt(inputs, runner, state);
  await using client = connect(inputs.api, runner);
  const jobs = createJobs(client, describeCalls(inputs.api, hourlyLimit));
  const progressLog = createProgressLog(runner, state, inputs.api.projectId, () =>
    comment.showWorking(state.current),
  );
  const { clock, signal } = runner;
  const { pollIntervalMs, waitMs } = inputs;
  const deps: PollDeps = { getJob: jobs.get, clock, signal, observer: progressLog, pollIntervalMs };
  const started = await startJob(source, waitMs, {
    jobs,
    async readBefore(attached) {
      const before = await readJob(attached, deps);
      progressLog.before(before);
      return before;
    },
    clock,
    signal,
    onRetry: progressLog.retrying,
  });
  progressLog.started(started);
  comment.open({ ...access, subject: 'job', ...inputs.api });
  comment.showWorking(state.current);
  const result = await (waitMs === 0 ? pollWithoutWaiting : pollJob)(started, deps);
  await learnPullRequest(result, access.inputs.docsToken, { runner, state, github });
  return result;
}

/** Turns the result into outputs, message, summary and comment. */
function conclude(result: Result, { runner, state, github, comment }: Tools): Conclusion {
  const { sentence: message } = messageOf(result, state.current);
  const { sinceMs, inputs } = state.current;
  const tookMs = sinceMs === undefined ? undefined : runner.clock.nowMs() - sinceMs;
  const end = { result, message, tookMs };
  return {
    writeOutputs: () => state.learn({ end }),
    level: levelOf(result, inputs?.failOn ?? peekFailOn(runner.inputs)),
    message,
    summary: endReport(end, { ...state.current, end }, runner.environment),
    async afterwards() {
      await comment.finish(end, { ...state.current, end });
      await github.close();
    },
  };
}
