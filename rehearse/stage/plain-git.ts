import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';

/**
 * Settings on the command line override all others. Without them, a hook of the user, such as one
 * that reads `.pre-commit-config.yaml`, would run commands from an untrusted checkout.
 */
const settings = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  'commit.gpgSign=false',
  'user.name=Rehearsal',
  'user.email=rehearsal@example.com',
].flatMap((setting) => ['-c', setting]);

/**
 * Runs git without hooks, and without the settings of the machine, the user and the environment
 * (git itself sets variables when it runs a hook).
 *
 * @returns The text that git printed.
 */
export function plainGit(folder: string, ...args: string[]): string {
  return execFileSync('git', [...settings, ...args], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    // The list of all files of a large checkout is longer than Node's default limit.
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(others),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
  };
}
