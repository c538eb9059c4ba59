import { peekFailOn } from '../common/fail-on.ts';
import { endOfError } from '../common/result.ts';
import { createStateStore } from '../common/state-store.ts';
import { createGitHub } from '../github/client.ts';
import { createOutputWriter, type Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { failOnChoices, readCheckInputs } from './inputs.ts';
import type { Tools } from './judge.ts';
import { type CheckState, levelOf, outputs, type Result } from './outputs.ts';
import { checkingReport, messageOf, shortReport } from './report/messages.ts';
import { findTarget, nameOf } from './target.ts';

/** The check action: judges the form of a docs pull request. */
export async function main(runner: Runner): Promise<void> {
  const state: CheckState = createStateStore({}, createOutputWriter(outputs, runner));
  const github = createGitHub({ ...runner.environment, readProxy: runner.readProxy });
  const tools = { runner, state, github };
  await runStep<Result>(runner, {
    run: () => run(tools),
    resultOf: (error) => endOfError(error, runner),
    conclude: (result) => conclude(result, tools),
  });
}

/** The steps of a run: read the inputs, find the pull request, judge it, report. */
async function run(tools: Tools): Promise<Result> {
  const { runner, state } = tools;
  const inputs = readCheckInputs(runner.inputs);
  state.learn({ inputs });
  const target = await findTarget(inputs.prLink, runner.environment);
  if (target === undefined) {
    return noPullRequest;
  }
  state.learn({ target });
  runner.log.info(`Checking the form of ${nameOf(target)}.`);
  // Takes an earlier verdict out of the comment. If that fails, the report at the end fails as well.
  const announced = updateComment(checkingReport(runner.environment.runUrl), true, tools);
  try {
    const { judge } = await import('./judge.ts');
    return await judge(target, inputs, tools);
  } finally {
    await announced;
  }
}

const noPullRequest: Result = {
  result: 'skipped',
  reason: 'no-pull-request',
  message:
    'Nothing was checked, because input pr-link is empty and the event is not about a pull request: give the link, or run this step on pull_request_target.',
  isLoud: false,
};

/** Turns the result into outputs, message, summary and comment. */
function conclude(result: Result, tools: Tools): Conclusion {
  const { runner, state, github } = tools;
  const message = messageOf(result);
  const { inputs, headSha } = state.current;
  const report = result.result === 'judged' ? result.report : shortReport(result, message);
  // Anything else is no news about the pull request: it only replaces an earlier report.
  const hasNews =
    result.result === 'judged' || (result.result === 'error' && headSha !== undefined);
  return {
    writeOutputs: () => state.learn({ end: { result, message } }),
    level: levelOf(result, inputs?.failOn ?? peekFailOn(runner.inputs, failOnChoices)),
    message,
    summary: report,
    async afterwards() {
      const problem = await updateComment(report, !hasNews, tools);
      if (problem !== undefined) {
        runner.log.warning(problem);
      }
      await github.close();
    },
  };
}

/**
 * Writes the comment if it is asked for.
 * @param isOnlyUpdate whether to write only where an earlier report stands
 * @returns why that failed, as a sentence
 */
async function updateComment(
  text: string,
  isOnlyUpdate: boolean,
  { runner, state, github }: Tools,
): Promise<string | undefined> {
  const { inputs, target } = state.current;
  if (inputs?.hasComment !== true || target === undefined) {
    return undefined;
  }
  const { writeReportComment } = await import('./report/comment.ts');
  const { token, docsRoot } = inputs;
  const options = { target, token, docsRoot, isOnlyUpdate, text };
  return await writeReportComment(options, github, runner);
}
