import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import * as v from 'valibot';

const startReport = v.object({ isReady: v.boolean(), text: v.string() });

/** What a program reports once it is ready, or once its start has failed. */
type StartReport = v.InferOutput<typeof startReport>;

/**
 * Starts a program that keeps running when this process ends, such as for the next steps of a workflow.
 * The program's output is discarded, because an open pipe would keep the step from ending.
 *
 * @param script Path of the program, which calls `reportStart`.
 * @param pidFile Gets the program's process id.
 * @throws When the program ends without a report, or when the file cannot be written, in which case
 *   nothing was started.
 */
export async function startDetached(
  script: string,
  args: readonly string[],
  pidFile: string,
): Promise<StartReport> {
  const file = openSync(pidFile, 'w');
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  writeSync(file, String(child.pid));
  closeSync(file);
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once('error', reject);
    // Not `exit`, which can come before the last message.
    child.once('disconnect', () => reject(new Error('it ended before it was ready')));
    child.once('message', (received) => {
      resolve(received);
      child.disconnect();
      child.unref();
    });
  });
  return v.parse(startReport, message);
}

/** Sends the report to the process that called `startDetached`, or else prints it. */
export function reportStart(report: StartReport): void {
  if (process.send !== undefined) {
    process.send(report);
  } else if (report.isReady) {
    console.log(report.text);
  } else {
    console.error(report.text);
  }
}
