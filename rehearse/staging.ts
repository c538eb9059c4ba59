import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PRODUCT_REPOSITORY } from '../sandbox/github-seed.ts';
import { repositoryFolder } from '../scripts/bundle.ts';

/** What lies in the repository that a workflow runs in. */
export interface Staging {
  /** Path of the workflow in this repository. */
  readonly workflow: string;
  /** Whether the workflow's repository is this one, with everything in it. */
  readonly isOwn?: boolean;
  /** `owner/name`; the product's when left out. */
  readonly repository?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What is published, but for the service's address: the sandbox takes the place of the default. */
export function stageAction(folder: string, serviceUrl: string): string {
  for (const part of ['action.yml', 'visitors', 'dist', '.github/workflows']) {
    cpSync(join(repositoryFolder, part), join(folder, part), { recursive: true });
  }
  for (const manifest of ['action.yml', 'visitors/action.yml']) {
    const path = join(folder, manifest);
    const text = readFileSync(path, 'utf8');
    const address = 'default: https://api.mintlify.com';
    if (text.split(address).length !== 2) {
      throw new Error(`${manifest} does not have the service's address exactly once.`);
    }
    writeFileSync(path, text.replace(address, `default: ${serviceUrl}`));
  }
  return folder;
}

/**
 * A repository that holds the workflow, byte by byte as it is published.
 *
 * @returns The workflow's path in it.
 */
export function stageRepository(
  home: string,
  { workflow, isOwn = false, repository = PRODUCT_REPOSITORY, files = {} }: Staging,
): string {
  const path = join('.github/workflows', basename(workflow));
  const folder = join(home, 'repository');
  mkdirSync(folder, { recursive: true });
  for (const [from, to] of isOwn ? ownFiles() : [[workflow, path]]) {
    cpSync(join(repositoryFolder, from), join(folder, to));
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  git(folder, 'remote', 'add', 'origin', `https://github.com/${repository}.git`);
  git(folder, 'add', '.');
  git(folder, ...author, 'commit', '--quiet', '--message', 'Begin');
  return path;
}

function ownFiles(): (readonly [from: string, to: string])[] {
  const listed = git(
    repositoryFolder,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '-z',
  );
  return listed
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repositoryFolder, path)))
    .map((path) => [path, path]);
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const author = [
  'user.name=Rehearsal',
  'user.email=rehearsal@example.com',
  'commit.gpgSign=false',
].flatMap((setting) => ['-c', setting]);
