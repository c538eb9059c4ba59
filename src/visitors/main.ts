import { connect } from '../common/api.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { endOfError } from '../common/result.ts';
import { openOutputFile } from '../runner/output-file.ts';
import { createOutputWriter, type Runner } from '../runner/runner.ts';
import { type Conclusion, runStep } from '../runner/step.ts';
import { duration } from '../text/duration.ts';
import type { ActionError } from '../text/error.ts';
import { createPageFinder, foldAddresses, readDocsPages } from './docs-pages.ts';
import { fileText } from './formats.ts';
import { readVisitorsInputs } from './inputs.ts';
import { outputs, type WriteOutputs } from './outputs.ts';
import { pagesOf, readPageList } from './page-list.ts';
import { daysOf } from './period.ts';
import { endingOf, type Result, warningsOf } from './result.ts';
import { summaryOf } from './summary.ts';

/** The visitors action: exports the visitors of a period to a file, outputs and a summary. */
export async function main(runner: Runner): Promise<void> {
  const writeOutputs = createOutputWriter(outputs, runner);
  await runStep<Result>(runner, {
    run: () => run(runner, writeOutputs),
    resultOf: (error) => endOfError(error, runner),
    conclude: (result) => conclude(result, writeOutputs),
  });
}

async function run(runner: Runner, writeOutputs: WriteOutputs): Promise<Result> {
  const { environment, clock, signal, log } = runner;
  const noSecret = await findNoSecret(runner, '');
  if (noSecret !== undefined) {
    return noSecret;
  }

  const inputs = readVisitorsInputs(runner.inputs, clock.epochMs());
  const { period, previousPeriod } = inputs;
  const docsPages = await readDocsPages(environment.workspace, inputs.docsRoot);
  const file = await openOutputFile(environment.workspace, 'output-file', inputs.outputFile);
  writeOutputs({ period });
  const compared = previousPeriod ? `, compared with ${daysOf(previousPeriod)}` : '';
  log.info(
    `Exporting the visitors of project ${inputs.api.projectId} to ${file.path}: ${daysOf(period)}${compared}.`,
  );

  await using client = connect(inputs.api, runner);
  const onRetry = createRetryLog(runner);
  const deps = { client, projectId: inputs.api.projectId, clock, signal, onRetry };
  // In a comparison, each period has half of the requests.
  const requestsBefore = previousPeriod ? Math.floor(inputs.maxRequests / 2) : 0;
  const before =
    previousPeriod &&
    (await readPageList(previousPeriod, requestsBefore, deps, (previousTotals) =>
      writeOutputs({ previousTotals }),
    ));
  const list = await readPageList(period, inputs.maxRequests - requestsBefore, deps, (totals) =>
    writeOutputs({ totals }),
  );

  const pages = pagesOf(list, before);
  const find = createPageFinder(docsPages, pages);
  const folded = foldAddresses(pages, find);
  await file.write(fileText(inputs.format, { list, before, pages, find: docsPages && find }));
  const result = {
    result: 'exported',
    inputs,
    file: file.path,
    list,
    before,
    pages,
    folded,
  } as const;
  for (const warning of warningsOf(result)) {
    log.warning(warning);
  }
  return result;
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

function conclude(result: Result, writeOutputs: WriteOutputs): Conclusion {
  const { level, message } = endingOf(result);
  return {
    writeOutputs: () => writeOutputs({ end: { result, message } }),
    level,
    message,
    summary: summaryOf(result, message),
  };
}
