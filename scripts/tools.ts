import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository, repositoryFolder } from './actions.ts';

/**
 * Holds the programs that npm does not offer, for Linux and macOS. Each is installed when it is first
 * needed. The folder's name includes the version, so that a new version is installed next to the old
 * one.
 */
const toolsFolder = inRepository('.tools');

/** Runs workflows on this machine. */
export const act = () =>
  goTool(
    'act',
    'github.com/nektos/act',
    'v0.2.89',
    '1 to 3 minutes, 30 MB in .tools and up to 800 MB in the caches of Go',
  );

/** Checks workflows: syntax, expressions, inputs of actions. */
export const actionlint = () =>
  goTool(
    'actionlint',
    'github.com/rhysd/actionlint/cmd/actionlint',
    'v1.7.12',
    'up to a minute, 10 MB in .tools and up to 100 MB in the caches of Go',
  );

/** What actionlint 1.7.12 says of a key that GitHub has since May 2026. */
export const unknownQueue = 'unexpected key "queue" for "concurrency" section';

/** Checks workflows: permissions, injections, pinning. */
export const zizmor = () => pythonTool('zizmor', '1.32.0');

/** GitHub's command line tool, which is part of hosted runners. */
export const gh = () => debianTool('gh');

async function goTool(
  name: string,
  module: string,
  version: string,
  cost: string,
): Promise<string> {
  return await installed(`${name}-${version}`, name, async (folder) => {
    need('go', `It is needed to build ${name}: see https://go.dev/doc/install.`);
    console.log(`It is built once, which takes ${cost}.`);
    await runSlowly(`building ${name}`, 'go', ['install', `${module}@${version}`], {
      GOBIN: folder,
    });
  });
}

async function pythonTool(name: string, version: string): Promise<string> {
  return await installed(`${name}-${version}`, `bin/${name}`, (folder) => {
    need('python3', `It is needed to install ${name}: see https://www.python.org/downloads/.`);
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin/pip'), ['install', '--quiet', `${name}==${version}`]);
  });
}

/** The program of this machine, or else Debian's package, unpacked without installing it. */
async function debianTool(name: string): Promise<string> {
  if (isOnPath(name)) {
    return name;
  }
  return await installed(name, `usr/bin/${name}`, (folder) => {
    need('apt-get', `Install ${name} yourself, because this machine has no apt-get.`);
    // As root, apt would warn that its sandbox user cannot write here.
    run('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', name], {}, folder);
    const [file = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.deb'));
    run('dpkg-deb', ['--extract', join(folder, file), folder]);
  });
}

/** Installs a program unless it is there already. @returns The program's path. */
async function installed(
  folderName: string,
  program: string,
  install: (folder: string) => void | Promise<void>,
): Promise<string> {
  const folder = join(toolsFolder, folderName);
  const path = join(folder, program);
  if (!existsSync(path)) {
    console.log(`Installing ${folderName} …`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await install(folder);
  }
  return path;
}

function need(program: string, advice: string): void {
  if (!isOnPath(program)) {
    throw new Error(`${program} is missing. ${advice}`);
  }
}

/** Whether a program can be started by its name alone. */
function isOnPath(program: string): boolean {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program that prints nothing for minutes, and says so now and then.
 *
 * @param doing such as `building act`
 * @throws Error when the program fails
 */
export async function runSlowly(
  doing: string,
  program: string,
  args: readonly string[],
  env = {},
  everyMs = 15_000,
): Promise<void> {
  const startMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(`Still ${doing}, for ${seconds} s …`);
  }, everyMs);
  try {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'close');
    if (code !== 0) {
      throw new Error(`${program} ${args.join(' ')} failed.`);
    }
  } finally {
    clearInterval(timer);
  }
}

function run(program: string, args: readonly string[], env = {}, cwd = repositoryFolder): void {
  execFileSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
