import { endOfError, shortSummary } from '../common/result.ts';
import { createGitHub, type GitHub } from '../github/client.ts';
import { type ThreadPlace, threadName } from '../github/names.ts';
import type { Environment } from '../runner/environment.ts';
import { createOutputWriter, type Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { inputError } from '../text/error.ts';
import { readCheckInputs, tokenFor } from './inputs.ts';
import { levelOf, outputs, type Result, type State } from './outputs.ts';
import { readChange } from './reading/read-change.ts';
import { checkingReport, messageOf } from './report/messages.ts';

interface Tools {
  readonly runner: Runner;
  /** Adds to what the step has found out, and writes the outputs that follow. */
  readonly learn: (news: State) => void;
  readonly github: GitHub;
}

/** The check action: judges a docs pull request by comparing both versions. */
export async function main(runner: Runner): Promise<void> {
  const writeOutputs = createOutputWriter(outputs, runner);
  let state: State = {};
  const learn = (news: State): void => {
    state = { ...state, ...news };
    writeOutputs(news);
  };
  const github = createGitHub({ ...runner.environment, readProxy: runner.readProxy });
  const tools = { runner, learn, github };
  await runStep<Result>(runner, {
    run: () => run(tools),
    resultOf: (error) => endOfError(error, runner),
    conclude: (result) => conclude(result, state, tools),
  });
}

/** The steps of a run: read the inputs, find the pull request, judge it. */
async function run(tools: Tools): Promise<Result> {
  const { runner, learn, github } = tools;
  const inputs = await readCheckInputs(runner.inputs, runner.environment.serverUrl);
  learn({ inputs });
  const target = inputs.pullRequest ?? (await findInEvent(runner.environment));
  if (target === undefined) {
    const message =
      'Nothing was checked, because input pr-link is empty and the event is not about a pull request: give the link, or run this step on pull_request_target.';
    return { result: 'skipped', reason: 'no-pull-request', message, level: 'notice' };
  }
  learn({ target });
  runner.log.info(`Checking ${threadName(target)}.`);
  // An earlier verdict must not stay in the comment. If this write fails, the one at the end fails as well.
  const announced = updateComment(
    checkingReport(runner.environment.runUrl),
    true,
    { inputs, target },
    tools,
  );
  try {
    const { clock, signal, environment } = runner;
    const reading = await readChange(target, inputs, {
      session: github.as(inputs.token),
      token: tokenFor(target, inputs, environment.repository),
      clock,
      signal,
      onHead: (headSha) => learn({ headSha }),
    });
    learn(reading);
    // Loaded late, because it loads the parsers.
    const { judge } = await import('./judge.ts');
    return judge(target, reading, inputs, runner, learn);
  } finally {
    await announced;
  }
}

/**
 * The pull request of the event; `undefined` if it is not about one.
 * @throws ActionError if the event cannot be read
 */
async function findInEvent({
  eventPath,
  repository,
}: Environment): Promise<ThreadPlace | undefined> {
  const { readEvent, readEventPayload } = await import('../github/event.ts');
  const event = await readEventPayload(eventPath);
  if (event.kind === 'unreadable') {
    const problem = `is empty, and ${event.problem}`;
    throw inputError('pr-link', problem, 'give the link of a pull request');
  }
  const thread = readEvent(event.payload)?.thread;
  return thread?.isPullRequest === true ? { repository, number: thread.number } : undefined;
}

/** Turns the result into outputs, message, summary and comment. */
function conclude(result: Result, state: State, tools: Tools): Conclusion {
  const { runner, learn, github } = tools;
  const message = messageOf(result);
  const { inputs, headSha } = state;
  const report =
    result.result === 'judged' ? result.report : shortSummary('The check', result.result, message);
  // A run that never read the pull request has nothing to say on it, and only replaces an earlier report.
  const isOnlyUpdate = !(result.result === 'judged' || (result.result === 'error' && headSha));
  return {
    writeOutputs: () => learn({ end: { result, message } }),
    level: levelOf(result.result === 'judged' ? result.verdict : result.result, inputs?.failOn),
    message,
    summary: report,
    async afterwards() {
      const problem = await updateComment(report, isOnlyUpdate, state, tools);
      if (problem !== undefined) {
        runner.log.warning(problem);
      }
      await github.close();
    },
  };
}

/**
 * Writes the comment if it is asked for.
 * @param isOnlyUpdate whether to replace an earlier report, and to write nothing if there is none
 * @returns why the comment could not be written, as a sentence
 */
async function updateComment(
  text: string,
  isOnlyUpdate: boolean,
  { inputs, target }: State,
  { runner, github }: Tools,
): Promise<string | undefined> {
  if (inputs?.hasComment !== true || target === undefined) {
    return undefined;
  }
  const { writeReportComment } = await import('./report/comment.ts');
  const { docsRoot } = inputs;
  const token = {
    ...tokenFor(target, inputs, runner.environment.repository),
    value: inputs.token,
  };
  return await writeReportComment({ target, token, docsRoot, isOnlyUpdate, text }, github, runner);
}
