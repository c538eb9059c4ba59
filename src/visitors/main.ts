import { connect, describeCalls } from '../common/api.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { endOfError } from '../common/result.ts';
import { createStateStore } from '../common/state-store.ts';
import { createVisitors, hourlyLimit } from '../platform/visitors.ts';
import { type OutputFile, openOutputFile } from '../runner/output-file.ts';
import { createOutputWriter, type Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { duration } from '../text/duration.ts';
import type { ActionError } from '../text/error.ts';
import { readDocsPages } from './docs-pages.ts';
import { type Export, exportVisitors } from './export.ts';
import { fileText } from './formats.ts';
import { readVisitorsInputs, type VisitorsInputs } from './inputs.ts';
import { messageOf, notesOn } from './messages.ts';
import { levelOf, outputs, type Result, type VisitorsState } from './outputs.ts';
import { dayRange } from './period.ts';
import { summaryOf } from './summary.ts';

/** The visitors action: exports the visitors of a period to a file, outputs and a summary. */
export async function main(runner: Runner): Promise<void> {
  const state: VisitorsState = createStateStore({}, createOutputWriter(outputs, runner));
  await runStep<Result>(runner, {
    run: () => run(runner, state),
    resultOf: (error) => endOfError(error, runner),
    conclude: (result) => conclude(result, state),
  });
}

/** The steps of a run: read the inputs, open the file, export, report. */
async function run(runner: Runner, state: VisitorsState): Promise<Result> {
  const noSecret = await findNoSecret(runner, '');
  if (noSecret !== undefined) {
    return noSecret;
  }
  const { workspace } = runner.environment;
  const inputs = readVisitorsInputs(runner.inputs, runner.clock.todayMs());
  const { docsRoot } = inputs;
  const docsPages = docsRoot === '' ? undefined : await readDocsPages(workspace, docsRoot);
  const file = await openOutputFile(workspace, 'output-file', inputs.outputFile);
  state.learn({ inputs });
  announce(inputs, file, runner);
  const done = await readVisitors(docsPages, inputs, runner, state);
  runner.signal.throwIfAborted();
  await file.write(fileText(inputs.format, inputs.period, done));
  const result = { result: 'exported', inputs, done, file: file.path } as const;
  for (const { level, text } of notesOn(result)) {
    runner.log[level](text);
  }
  return result;
}

function announce(
  { api, period, isCompared }: VisitorsInputs,
  file: OutputFile,
  { log }: Runner,
): void {
  if (period.notice !== undefined) {
    log.notice(period.notice);
  }
  const compared = isCompared && period.before ? `, compared with ${dayRange(period.before)}` : '';
  log.info(
    `Exporting the visitors of project ${api.projectId} to ${file.path}: ${dayRange(period)}${compared}.`,
  );
}

async function readVisitors(
  docsPages: ReadonlySet<string> | undefined,
  inputs: VisitorsInputs,
  runner: Runner,
  state: VisitorsState,
): Promise<Export> {
  const { clock, signal } = runner;
  await using client = connect(inputs.api, runner);
  const visitors = createVisitors(client, describeCalls(inputs.api, hourlyLimit), {
    clock,
    signal,
    onRetry: createRetryLog(runner),
  });
  return await exportVisitors(inputs, {
    visitors,
    docsPages,
    onTotals: (totals, before) =>
      state.learn({ totals, ...(before && { previousTotals: before.totals }) }),
  });
}

/** Warns of the first failed request, because each warning is an annotation, and logs the others. */
function createRetryLog({ log }: Runner) {
  let hasFailed = false;
  return (error: ActionError, delayMs: number): void => {
    const print = hasFailed ? log.info : log.warning;
    hasFailed = true;
    print(`A request failed: ${error.what}; the next attempt is in ${duration(delayMs)}.`);
  };
}

/** Turns the result into outputs, message and summary. */
function conclude(result: Result, state: VisitorsState): Conclusion {
  const message = messageOf(result, state.current);
  return {
    writeOutputs: () => state.learn({ end: { result, message } }),
    level: levelOf(result),
    message,
    summary: summaryOf(result, message),
  };
}
