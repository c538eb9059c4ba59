import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { actionFiles } from '../scripts/actions.ts';
import { repositoryFolder } from '../scripts/bundle.ts';
import { copyCheckout } from './checkout.ts';
import { plainGit } from './plain-git.ts';

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
    copyCheckout(checkout, folder);
  }
  place(join(folder, path), readFileSync(resolve(repositoryFolder, workflow)));
  for (const [name, text] of Object.entries(files)) {
    place(join(folder, name), text);
  }
  plainGit(folder, 'init', '--quiet', '--template=', '--initial-branch', 'main');
  plainGit(folder, 'remote', 'add', 'origin', `https://github.com/${repository}.git`);
  // Even where the checkout ignores its workflows.
  plainGit(folder, 'add', '--force', '.');
  plainGit(folder, 'commit', '--quiet', '--message', 'Begin');
  return path;
}

/** Writes a file anew: what lies there may be a link to another one. */
function place(path: string, content: string | Buffer): void {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
