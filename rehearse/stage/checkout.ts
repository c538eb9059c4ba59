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
 * The checkout that a workflow belongs to, if the file is in its folder `.github/workflows`.
 * This does not ask git, because a checkout's settings can change what git does.
 */
export function checkoutOf(workflow: string): string | undefined {
  const folder = dirname(workflow);
  const root = resolve(folder, '../..');
  const isFound = folder.endsWith(`.github${sep}workflows`) && existsSync(join(root, '.git'));
  return isFound ? root : undefined;
}

/**
 * Copies all files of a checkout except those that it ignores. The checkout is not trusted: its `.git`
 * is never opened, so none of its programs run and none of its settings apply.
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
 * The names of the files that git finds. Git uses an empty repository of ours instead of the
 * checkout's own `.git`, whose settings can name programs (`core.fsmonitor`), and whose index can name
 * hooks and files outside the checkout.
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

/** Whether a path stays inside the folder, and outside the `.git` that the copy gets. */
function isPlain(name: string): boolean {
  return name.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()));
}

/** Whether a link leads to a file of the checkout, and still does after both are copied. */
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
