import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { plainGit } from './plain-git.ts';

/**
 * The checkout that a workflow lies in, where GitHub looks for workflows; none for a file on its own.
 * Git is not asked, since a checkout can have an answer of its own ready.
 */
export function checkoutOf(workflow: string): string | undefined {
  const folder = dirname(workflow);
  const root = resolve(folder, '../..');
  const isFound = folder.endsWith(`.github${sep}workflows`) && existsSync(join(root, '.git'));
  return isFound ? root : undefined;
}

/**
 * Copies what would be committed of somebody's checkout: all files but the ignored ones. Nothing of it
 * runs or is read as a setting: its `.git` is never opened.
 */
export function copyCheckout(checkout: string, folder: string): void {
  for (const name of listFiles(checkout)) {
    const from = join(checkout, name);
    const to = join(folder, name);
    const found = lstatSync(from, { throwIfNoEntry: false });
    if (found?.isFile() === true) {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
    } else if (found?.isSymbolicLink() === true && leadsInside(checkout, from)) {
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(readlinkSync(from), to);
    }
  }
}

/**
 * Names of files, as git finds them. It is given an empty repository of ours: with the checkout's own
 * it would follow its settings (`core.fsmonitor` alone can name a program), and take its index at its
 * word, which can name files outside, and hooks.
 */
function listFiles(checkout: string): readonly string[] {
  const empty = mkdtempSync(join(tmpdir(), 'no-git-'));
  try {
    plainGit(empty, 'init', '--quiet', '--bare', '--template=');
    const listed = plainGit(
      checkout,
      ...[
        `--git-dir=${empty}`,
        '--work-tree=.',
        'ls-files',
        '--others',
        '--exclude-standard',
        '-z',
      ],
    );
    return listed.split('\0').filter(isPlain);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** Whether a name stays in its folder, and out of the `.git` that a copy gets of its own. */
function isPlain(name: string): boolean {
  return name.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()));
}

/** Whether a link still leads to a file of the checkout when both are copied. */
function leadsInside(checkout: string, link: string): boolean {
  if (isAbsolute(readlinkSync(link))) {
    return false;
  }
  try {
    const path = relative(realpathSync(checkout), realpathSync(link));
    return !isAbsolute(path) && path.split(sep).every((part) => part !== '..' && part !== '.git');
  } catch {
    return false;
  }
}
