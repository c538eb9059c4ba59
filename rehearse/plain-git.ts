import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';

/**
 * Said on each command line, where nothing can say otherwise. A hook of the user's own, such as the one
 * that reads a `.pre-commit-config.yaml`, would run what somebody else's checkout says.
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
 * Runs git without hooks and without anybody's settings: neither those of the machine and the user,
 * nor what is left in the environment by a git that runs us.
 *
 * @returns What it printed.
 */
export function plainGit(folder: string, ...args: string[]): string {
  return execFileSync('git', [...settings, ...args], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
    // A list of all files of a large checkout is longer than Node's default.
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
