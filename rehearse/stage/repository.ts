import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { actionFiles, inRepository, repositoryFolder } from '../../scripts/actions.ts';
import { copyCheckout } from './checkout.ts';
import { plainGit } from './plain-git.ts';

/** The content of the repository that a workflow runs in. */
export interface RepositoryContent {
  /** Path of the workflow, absolute or relative to this repository. */
  readonly workflow: string;
  /** A checkout to copy; without it, the repository only has the workflow and `files`. */
  readonly checkout?: string;
  /** `owner/name`; the product repository by default. */
  readonly repository?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Copies the files that a release has, and makes the sandbox the default of `base-url`. */
export function copyActions(folder: string, serviceUrl: string): string {
  for (const part of [...Object.values(actionFiles), 'dist', '.github/workflows']) {
    cpSync(inRepository(part), join(folder, part), { recursive: true });
  }
  for (const manifest of Object.values(actionFiles)) {
    const path = join(folder, manifest);
    writeFileSync(path, withBaseUrl(readFileSync(path, 'utf8'), manifest, serviceUrl));
  }
  return folder;
}

/**
 * Changes the default of `base-url` in the text of an `action.yml`, if it has that input.
 *
 * @param manifest names the file in errors
 * @throws when an action would send its requests to the real API
 */
export function withBaseUrl(text: string, manifest: string, serviceUrl: string): string {
  const address = 'https://api.mintlify.com';
  if (!text.includes('base-url:') && !text.includes(address)) {
    return text;
  }
  const parts = text.split(`default: ${address}`);
  if (parts.length !== 2) {
    throw new Error(`${manifest} should have the API's address exactly once.`);
  }
  return parts.join(`default: ${serviceUrl}`);
}

/**
 * Creates a git repository that contains the unchanged workflow.
 *
 * @param home gets the folder `repository`
 * @returns The workflow's path in the repository.
 */
export function createRepository(
  home: string,
  { workflow, checkout, repository = PRODUCT_REPOSITORY, files = {} }: RepositoryContent,
): string {
  const path = join('.github/workflows', basename(workflow));
  const folder = join(home, 'repository');
  mkdirSync(folder, { recursive: true });
  if (checkout !== undefined) {
    copyCheckout(checkout, folder);
  }
  replaceFile(join(folder, path), readFileSync(resolve(repositoryFolder, workflow)));
  for (const [name, text] of Object.entries(files)) {
    replaceFile(join(folder, name), text);
  }
  plainGit(folder, 'init', '--quiet', '--template=', '--initial-branch', 'main');
  plainGit(folder, 'remote', 'add', 'origin', `https://github.com/${repository}.git`);
  // By force, because a checkout may ignore its workflows.
  plainGit(folder, 'add', '--force', '.');
  plainGit(folder, 'commit', '--quiet', '--message', 'Begin');
  return path;
}

/** Replaces a file, instead of writing through a link that may be in its place. */
function replaceFile(path: string, content: string | Buffer): void {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
