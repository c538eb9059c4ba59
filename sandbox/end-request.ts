/** How somebody asked a program to end; `npm` when the `npm run` that started it is gone. */
export type EndRequest = 'SIGINT' | 'SIGTERM' | 'npm';

/** Nobody waits longer than this for a program to end with the npm that started it. */
const parentCheckMs = 500;

/**
 * Resolves when this program is to end. npm hands a SIGTERM to the shell that runs its script, and the
 * shell dies of it without a word to the program: so that a program which npm started also looks
 * whether its parent is still there.
 *
 * @param script The program's name among npm's scripts. Under another name the parent is somebody
 *   else's, who may well leave before the program does.
 */
export function endRequest(script: string): Promise<EndRequest> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve(signal));
    }
    if (process.env['npm_lifecycle_event'] === script && !isDetached()) {
      const parent = process.ppid;
      const check = setInterval(() => {
        if (process.ppid !== parent) {
          clearInterval(check);
          resolve('npm');
        }
      }, parentCheckMs);
      check.unref();
    }
  });
}

/** Whoever starts a program that is to go on by itself listens until it is ready, and then leaves. */
function isDetached(): boolean {
  return process.send !== undefined;
}
