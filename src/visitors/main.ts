import { connect, describeCalls } from '../common/connect.ts';
import { findNoSecret } from '../common/no-secret.ts';
import { createVisitors } from '../platform/visitors.ts';
import { type OutputFile, openOutputFile } from '../runner/output-file.ts';
import { writeOutputs } from '../runner/outputs.ts';
import { type Runner, runStep } from '../runner/step.ts';
import { type Export, exportVisitors } from './export.ts';
import { readVisitorsInputs, type VisitorsInputs } from './inputs.ts';
import type { Known } from './known.ts';
import { outputsOfPeriod } from './outputs.ts';
import { report } from './report.ts';
import { type Result, resultOfError } from './result.ts';
import { createWatcher } from './watcher.ts';
import { notesOn } from './words.ts';

const hourlyLimit = 'an organisation takes 100 requests for analytics an hour';

/** The visitors action: a period in, a file, four numbers and a picture out. */
export async function main(): Promise<void> {
  const known: Known = {};
  await runStep(
    async (runner) => report(await tell(runner, known), known),
    (error, runner) => report(resultOfError(error, runner), known),
  );
}

/** The story of one run: inputs, period, export. */
async function tell(runner: Runner, known: Known): Promise<Result> {
  const noSecret = await findNoSecret(runner, '');
  if (noSecret !== undefined) {
    const { kind, ...skip } = noSecret;
    return { result: kind, ...skip };
  }
  const inputs = readVisitorsInputs(runner.inputs, runner.clock.todayMs());
  known.inputs = inputs;
  const file = await openOutputFile(runner.environment.workspace, 'output-file', inputs.outputFile);
  try {
    introduce(inputs, file, runner);
    const done = await exportTo(file, inputs, runner);
    runner.cancelled.throwIfAborted();
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

function introduce(
  { service, period, isCompared }: VisitorsInputs,
  file: OutputFile,
  runner: Runner,
): void {
  const { log } = runner;
  writeOutputs(runner, outputsOfPeriod(period));
  if (period.notice !== undefined) {
    log.notice(period.notice);
  }
  const compared = isCompared && period.before ? `, compared with ${period.before.words}` : '';
  log.info(
    `Exporting the visitors of project ${service.projectId} to ${file.path}: ${period.words}${compared}.`,
  );
}

async function exportTo(file: OutputFile, inputs: VisitorsInputs, runner: Runner): Promise<Export> {
  const { clock, cancelled } = runner;
  const watcher = createWatcher(runner);
  const client = connect(inputs.service, runner);
  try {
    const calls = describeCalls(inputs.service, hourlyLimit);
    const visitors = createVisitors(client, calls, {
      clock,
      cancelled,
      onTrouble: watcher.troubled,
    });
    return await exportVisitors(inputs, { visitors, file, watcher });
  } finally {
    await client.close();
  }
}
