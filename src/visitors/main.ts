import { connect, describeCalls } from '../common/connect.ts';
import { endOfError } from '../common/explain-error.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createStateStore } from '../common/state-store.ts';
import { createVisitors } from '../platform/visitors.ts';
import { type OutputFile, openOutputFile } from '../runner/output-file.ts';
import { createOutputWriter } from '../runner/outputs.ts';
import type { Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { type Export, exportVisitors } from './export.ts';
import { readVisitorsInputs, type VisitorsInputs } from './inputs.ts';
import { outputs } from './outputs.ts';
import { messageOf, notesOn } from './report/messages.ts';
import { createProgressLog } from './report/progress-log.ts';
import { summaryOf } from './report/summary.ts';
import { levelOf, type Result } from './result.ts';
import type { VisitorsState } from './state.ts';

const hourlyLimit = 'the limit of an organisation is 100 analytics requests an hour';

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
  const inputs = readVisitorsInputs(runner.inputs, runner.clock.todayMs());
  const file = await openOutputFile(runner.environment.workspace, 'output-file', inputs.outputFile);
  try {
    state.learn({ inputs });
    announce(inputs, file, runner);
    const done = await exportTo(file, inputs, runner, state);
    runner.signal.throwIfAborted();
    await file.keep();
    const result = { result: 'exported', inputs, done, file: file.path } as const;
    for (const { level, text } of notesOn(result)) {
      runner.log[level](text);
    }
    return result;
  } finally {
    await file.discard();
  }
}

function announce(
  { api, period, isCompared }: VisitorsInputs,
  file: OutputFile,
  { log }: Runner,
): void {
  if (period.notice !== undefined) {
    log.notice(period.notice);
  }
  const compared = isCompared && period.before ? `, compared with ${period.before.words}` : '';
  log.info(
    `Exporting the visitors of project ${api.projectId} to ${file.path}: ${period.words}${compared}.`,
  );
}

async function exportTo(
  file: OutputFile,
  inputs: VisitorsInputs,
  runner: Runner,
  state: VisitorsState,
): Promise<Export> {
  const { clock, signal } = runner;
  const observer = createProgressLog(runner, state);
  await using client = connect(inputs.api, runner);
  const visitors = createVisitors(client, describeCalls(inputs.api, hourlyLimit), {
    clock,
    signal,
    onRetry: observer.retrying,
  });
  return await exportVisitors(inputs, { visitors, file, observer });
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
