import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/**
 * Starts a program that goes on when its starter has ended, as a step of a workflow does. What it
 * prints goes nowhere: nobody is left to read it, and an open pipe would keep the step from ending.
 *
 * @param script Path of the program; it calls `ready` once it can be used.
 * @param pidFile Gets the program's process id, for whoever is to end it.
 * @returns What the program told when it was ready.
 * @throws When it ended before.
 */
export function startDetached(
  script: string,
  args: readonly string[],
  pidFile: string,
): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  writeFileSync(pidFile, String(child.pid));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    child.once('message', (text) => {
      child.removeAllListeners('exit');
      child.disconnect();
      child.unref();
      resolve(String(text));
    });
  });
}

/** Tells a starter that waits, or else everybody who looks. */
export function ready(text: string): void {
  if (process.send === undefined) {
    console.log(text);
  } else {
    process.send(text);
  }
}
