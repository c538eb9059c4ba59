/** How often the parent process is checked. */
const parentCheckMs = 500;

/**
 * Resolves when the program should end: on SIGINT, on SIGTERM, or when the npm that started it is
 * gone. npm sends a SIGTERM to the shell that runs its script, and the shell ends without passing it
 * on, so a program that npm started also checks whether its parent process still exists.
 *
 * @param script The program's name among npm's scripts. Any other script's shell may end before the
 *   program, so then the parent is not checked.
 */
export function waitForStop(script: string): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve());
    }
    if (process.env['npm_lifecycle_event'] === script) {
      const parent = process.ppid;
      const check = setInterval(() => {
        if (process.ppid !== parent) {
          clearInterval(check);
          resolve();
        }
      }, parentCheckMs);
      check.unref();
    }
  });
}
