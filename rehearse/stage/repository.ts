import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { plainGit } from '../../sandbox/github/git.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { actionFiles, actions, inRepository, repositoryFolder } from '../../scripts/actions.ts';

/** The content of the repository that a workflow runs in. */
export interface RepositoryContent {
  /** Path of the workflow, absolute or relative to this repository. */
  readonly workflow: string;
  /** A checkout to copy; without it, the repository has the sandbox's docs, the workflow and `files`. */
  readonly checkout?: string;
  /** `owner/name`; the product repository by default. */
  readonly repository?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Copies the files that a release has, makes the sandbox the default of `base-url`, and lets no action start
 * that would send its requests to another machine.
 */
export function copyActions(folder: string, serviceUrl: string): string {
  for (const part of [...Object.values(actionFiles), 'dist']) {
    cpSync(inRepository(part), join(folder, part), { recursive: true });
  }
  for (const manifest of Object.values(actionFiles)) {
    const path = join(folder, manifest);
    writeFileSync(path, withBaseUrl(readFileSync(path, 'utf8'), manifest, serviceUrl));
  }
  for (const action of actions) {
    const path = join(folder, 'dist', action, 'index.js');
    writeFileSync(path, guard(serviceUrl) + readFileSync(path, 'utf8'));
  }
  return folder;
}

/**
 * What a copied action does first. Only the step itself knows its values, because those in the workflow may
 * be expressions. An empty `base-url` means the default.
 */
function guard(serviceUrl: string): string {
  return `process.env['INPUT_BASE-URL'] ||= ${JSON.stringify(serviceUrl)};
for (const [name, variable] of [['base-url', 'INPUT_BASE-URL'], ['GITHUB_API_URL', 'GITHUB_API_URL']]) {
  const value = process.env[variable] ?? '';
  if (!/^(?:localhost|127(?:\\.\\d+){3}|\\[::1\\])$/.test(URL.parse(value)?.hostname ?? '')) {
    console.log('::error::npm run try sends requests to this machine only, and ' + name + ' is ' + JSON.stringify(value) + ': leave it out in a copy of the workflow');
    process.exit(1);
  }
}
`;
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
 * Creates a git repository that contains the workflow, unchanged but for what act refuses.
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
  if (checkout === undefined) {
    cpSync(inRepository('sandbox/docs'), folder, { recursive: true });
  } else {
    copyCheckout(checkout, folder);
  }
  const text = readFileSync(resolve(repositoryFolder, workflow), 'utf8');
  const own = { [path]: text, ...files };
  for (const [name, content] of Object.entries(own)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name === path ? withoutQueue(content) : content);
  }
  plainGit(folder, 'init', '--quiet', '--template=', '--initial-branch', 'main');
  plainGit(folder, 'remote', 'add', 'origin', `https://github.com/${repository}.git`);
  // By force, because a checkout may ignore its workflows.
  plainGit(folder, 'add', '--force', '.');
  plainGit(folder, 'commit', '--quiet', '--message', 'Begin');
  return path;
}

/** act 0.2.89 ignores `concurrency`, but refuses its key `queue`, which is newer than act. */
function withoutQueue(workflow: string): string {
  return workflow.replace(/^ +queue: (?:max|single)\b.*\n/gm, '');
}

/** The checkout that a workflow belongs to, if the file is in its folder `.github/workflows`. */
export function checkoutOf(workflow: string): string | undefined {
  const folder = dirname(workflow);
  const root = resolve(folder, '../..');
  const isFound = folder.endsWith(`.github${sep}workflows`) && existsSync(join(root, '.git'));
  return isFound ? root : undefined;
}

/** Copies all files of a checkout except those that it ignores. */
function copyCheckout(checkout: string, folder: string): void {
  const isThere = (name: string) => name !== '' && existsSync(join(checkout, name));
  const listed = plainGit(
    checkout,
    ...['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
  );
  for (const name of listed.split('\0').filter(isThere)) {
    cpSync(join(checkout, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
}
