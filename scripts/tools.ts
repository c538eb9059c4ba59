import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from './bundle.ts';

/**
 * Programs that npm does not have, for Linux and macOS. Each is installed at need into a folder of
 * its own version, so that another version never takes its place.
 */
const toolsFolder = join(repositoryFolder, '.tools');

/** Runs workflows on this machine. */
export const act = () => goTool('act', 'github.com/nektos/act', 'v0.2.89');

/** Checks workflows: syntax, expressions, inputs of actions. */
export const actionlint = () =>
  goTool('actionlint', 'github.com/rhysd/actionlint/cmd/actionlint', 'v1.7.12');

/** Checks workflows: permissions, injections, pinning. */
export const zizmor = () => pythonTool('zizmor', '1.32.0');

/** GitHub's command line tool, which hosted runners bring along. */
export const gh = () => debianTool('gh');

function goTool(name: string, module: string, version: string): string {
  return installed(`${name}-${version}`, name, (folder) => {
    need('go', `${name} is built with it: see https://go.dev/doc/install.`);
    run('go', ['install', `${module}@${version}`], { GOBIN: folder });
  });
}

function pythonTool(name: string, version: string): string {
  return installed(`${name}-${version}`, `bin/${name}`, (folder) => {
    need('python3', `${name} is installed with it: see https://www.python.org/downloads/.`);
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin/pip'), ['install', '--quiet', `${name}==${version}`]);
  });
}

/** What the machine has already, or Debian's package, unpacked without touching the machine. */
function debianTool(name: string): string {
  if (isOnPath(name)) {
    return name;
  }
  return installed(name, `usr/bin/${name}`, (folder) => {
    need('apt-get', `install ${name} yourself: this machine is no Debian, and has none.`);
    // As root, apt would complain that its own user cannot write here.
    run('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', name], {}, folder);
    const [file = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.deb'));
    run('dpkg-deb', ['--extract', join(folder, file), folder]);
  });
}

/** @returns The program's path; its folder is left as it is when it is there already. */
function installed(folderName: string, program: string, install: (folder: string) => void): string {
  const folder = join(toolsFolder, folderName);
  const path = join(folder, program);
  if (!existsSync(path)) {
    console.log(`Installing ${folderName} …`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    install(folder);
  }
  return path;
}

function need(program: string, advice: string): void {
  if (!isOnPath(program)) {
    throw new Error(`${program} is missing. ${advice}`);
  }
}

/** Whether a program can be started by its name. */
export function isOnPath(program: string): boolean {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function run(program: string, args: readonly string[], env = {}, cwd = repositoryFolder): void {
  execFileSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
