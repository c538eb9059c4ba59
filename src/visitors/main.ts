import { connect, describeCalls } from '../common/connect.ts';
import { endOfError } from '../common/explain-error.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createStateStore } from '../common/state-store.ts';
import { createVisitors } from '../platform/visitors.ts';
import { type OutputFile, openOutputFile } from '../runner/output-file.ts';
import { createOutputWriter } from '../runner/outputs.ts';
import type { Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { duration } from '../text/duration.ts';
import type { ActionError } from '../text/error.ts';
import { readDocsPages } from './docs-pages.ts';
import { type Export, exportVisitors } from './export.ts';
import { readVisitorsInputs, type VisitorsInputs } from './inputs.ts';
import { many, messageOf, notesOn } from './messages.ts';
import { outputs, type VisitorsState } from './outputs.ts';
import { dayRange } from './period.ts';
import { levelOf, type Result } from './result.ts';
import { summaryOf } from './summary.ts';

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
  const { workspace } = runner.environment;
  const inputs = readVisitorsInputs(runner.inputs, runner.clock.todayMs());
  const { docsRoot } = inputs;
  const docsPages = docsRoot === '' ? undefined : await readDocsPages(workspace, docsRoot);
  const file = await openOutputFile(workspace, 'output-file', inputs.outputFile);
  try {
    state.learn({ inputs });
    announce(inputs, file, runner);
    const done = await exportTo(file, docsPages, inputs, runner, state);
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
  const compared = isCompared && period.before ? `, compared with ${dayRange(period.before)}` : '';
  log.info(
    `Exporting the visitors of project ${api.projectId} to ${file.path}: ${dayRange(period)}${compared}.`,
  );
}

async function exportTo(
  file: OutputFile,
  docsPages: ReadonlySet<string> | undefined,
  inputs: VisitorsInputs,
  runner: Runner,
  state: VisitorsState,
): Promise<Export> {
  const { clock, signal } = runner;
  const progress = createProgressLog(runner);
  await using client = connect(inputs.api, runner);
  const visitors = createVisitors(client, describeCalls(inputs.api, hourlyLimit), {
    clock,
    signal,
    onRetry: progress.retrying,
  });
  return await exportVisitors(inputs, {
    visitors,
    file,
    docsPages,
    onTotals: (totals, before) =>
      state.learn({ totals, ...(before && { previousTotals: before.totals }) }),
    onPages: (count) => progress.print(`${many(count, 'page')} so far.`),
  });
}

const heartbeatMs = 60_000;

/** Logs a line a minute while an export takes long, and the first failed request. */
function createProgressLog({ log, clock }: Pick<Runner, 'log' | 'clock'>) {
  let lastLineMs = clock.nowMs();
  let hasFailed = false;
  const print = (line: string): void => {
    if (clock.nowMs() - lastLineMs >= heartbeatMs) {
      lastLineMs = clock.nowMs();
      log.info(line);
    } else {
      log.debug(line);
    }
  };
  return {
    print,
    retrying(error: ActionError, delayMs: number) {
      const next = `the next attempt is in ${duration(delayMs)}`;
      if (hasFailed) {
        print(`A request failed again: ${error.what}; ${next}.`);
        return;
      }
      hasFailed = true;
      log.warning(`A request failed and will be repeated: ${error.what}; ${next}.`);
    },
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
