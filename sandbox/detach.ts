import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import * as v from 'valibot';

const toldSchema = v.object({ isReady: v.boolean(), text: v.string() });

/** What a program has to say once it can be used, or once it cannot. */
export type Told = v.InferOutput<typeof toldSchema>;

/**
 * Starts a program that goes on when its starter has ended, as a step of a workflow does. What it
 * prints goes nowhere: nobody is left to read it, and an open pipe would keep the step from ending.
 *
 * @param script Path of the program; it calls `tell` once it knows whether it can be used.
 * @param pidFile Gets the program's process id, for whoever is to end it.
 * @returns What the program told.
 * @throws When it ended before, and when the file cannot be written: then nothing was started.
 */
export async function startDetached(
  script: string,
  args: readonly string[],
  pidFile: string,
): Promise<Told> {
  const file = openSync(pidFile, 'w');
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  writeSync(file, String(child.pid));
  closeSync(file);
  const told = await new Promise<unknown>((resolve, reject) => {
    child.once('error', reject);
    // Not its exit, which can be seen before the last thing that it told.
    child.once('disconnect', () => reject(new Error('it ended before it was ready')));
    child.once('message', (message) => {
      resolve(message);
      child.disconnect();
      child.unref();
    });
  });
  return v.parse(toldSchema, told);
}

/** Tells a starter that waits, or else everybody who looks. */
export function tell(told: Told): void {
  if (process.send !== undefined) {
    process.send(told);
  } else if (told.isReady) {
    console.log(told.text);
  } else {
    console.error(told.text);
  }
}
