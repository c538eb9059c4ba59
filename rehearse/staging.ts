import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { actionFiles } from '../scripts/actions.ts';
import { repositoryFolder } from '../scripts/bundle.ts';

/** What lies in the repository that a workflow runs in. */
export interface Staging {
  /** Path of the workflow, absolute or in this repository. */
  readonly workflow: string;
  /** A checkout whose files all come along; without it, the workflow comes alone. */
  readonly checkout?: string;
  /** `owner/name`; the product's when left out. */
  readonly repository?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What is published, but for the service's address: the sandbox takes the place of the default. */
export function stageAction(folder: string, serviceUrl: string): string {
  for (const part of [...Object.values(actionFiles), 'dist', '.github/workflows']) {
    cpSync(join(repositoryFolder, part), join(folder, part), { recursive: true });
  }
  for (const manifest of Object.values(actionFiles)) {
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
  { workflow, checkout, repository = PRODUCT_REPOSITORY, files = {} }: Staging,
): string {
  const path = join('.github/workflows', basename(workflow));
  const folder = join(home, 'repository');
  mkdirSync(folder, { recursive: true });
  if (checkout !== undefined) {
    copyFiles(checkout, folder);
  }
  cpSync(resolve(repositoryFolder, workflow), join(folder, path));
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

/** Copies what would be committed: all files but the ignored ones. */
function copyFiles(checkout: string, folder: string): void {
  const listed = git(checkout, 'ls-files', '--cached', '--others', '--exclude-standard', '-z');
  for (const name of listed.split('\0')) {
    // A submodule is listed as a file, and a file that was deleted still is.
    if (statSync(join(checkout, name), { throwIfNoEntry: false })?.isFile() === true) {
      cpSync(join(checkout, name), join(folder, name));
    }
  }
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
