import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A commit of the branch that is checked out, compared with its first parent: a merged or squashed pull request. */
export interface MergedChange {
  readonly head: string;
  readonly base: string;
  readonly subject: string;
  /** Paths of the files that it touched. */
  readonly files: readonly string[];
}

const run = promisify(execFile);

/**
 * Runs git in a folder. Reads nothing over the network, even if the clone is a partial one.
 * @throws Error with what git says, as one sentence
 */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const options = { maxBuffer: 2 ** 30, env: { ...process.env, GIT_NO_LAZY_FETCH: '1' } };
  try {
    return (await run('git', ['-C', folder, ...args], options)).stdout;
  } catch (error) {
    const [, reason] = /^fatal: (.*)$/m.exec(String(error)) ?? [];
    throw new Error(`${folder} cannot be read: git says "${reason ?? error}"`);
  }
}

/**
 * The folder of the only docs.json.
 * @throws Error with one sentence when there are several, or none
 */
export async function findDocsRoot(folder: string): Promise<string> {
  const files = (await git(folder, 'ls-tree', '-r', '--name-only', '-z', 'HEAD')).split('\0');
  const roots = files
    .filter((path) => /(?:^|\/)docs\.json$/.test(path))
    .map((path) => path.replace(/\/?[^/]+$/, '') || '.');
  const [root] = roots;
  if (root === undefined) {
    throw new Error(`${folder} has no docs.json: give the folder of its docs with --docs-root`);
  }
  if (new Set(roots).size > 1) {
    throw new Error(
      `${folder} has several docs.json: choose ${roots.join(' or ')} with --docs-root`,
    );
  }
  return root;
}

/** A few years of most repositories, and a few seconds of git. */
const maxCommits = 3000;

/** The changes of a clone that can be judged. */
export interface ListedChanges {
  /** Newest first. */
  readonly changes: readonly MergedChange[];
  /** How many were left out, and why, as a part of a sentence. */
  readonly leftOut: string;
}

/**
 * The changes of the branch that is checked out, as far as they touch a page and nothing outside of the docs.
 * @param until an ISO date, at its beginning, or a time; what was committed later is left out
 * @throws Error with one sentence that says why there is none
 */
export async function listChanges(
  folder: string,
  root: string,
  until: string,
): Promise<ListedChanges> {
  // To git, a date alone means the present time of that day.
  const end = /^\d{4}-\d\d-\d\d$/.test(until) ? `${until}T00:00:00Z` : until;
  const text = await git(
    folder,
    ...['log', '--first-parent', '--diff-merges=first-parent', '--name-only', '--no-renames'],
    ...['--full-diff', '-z', '--format=%x01%H%x02%P%x02%s%x02'],
    ...[`--until=${end}`, `--max-count=${maxCommits}`, 'HEAD', '--', root],
  );
  const prefix = root === '.' ? '' : `${root}/`;
  const all = text.split('\x01').slice(1).flatMap(readEntry);
  const ofDocs = all.filter(({ files }) => files.every((path) => path.startsWith(prefix)));
  const ofPages = ofDocs.filter(({ files }) => files.some((path) => /\.mdx?$/.test(path)));
  const leftOut = `of ${all.length} commits that touch the docs, ${all.length - ofDocs.length} also touch files outside of them, and ${ofDocs.length - ofPages.length} touch no page`;
  if (ofPages.length === 0) {
    const isShallow = (await git(folder, 'rev-parse', '--is-shallow-repository')).trim() === 'true';
    throw new Error(`${folder} has nothing to judge: ${whyNone(all.length, leftOut, isShallow)}`);
  }
  return { changes: ofPages, leftOut };
}

/** Why no change is left, and what to do. */
function whyNone(all: number, leftOut: string, isShallow: boolean): string {
  if (isShallow) {
    return 'its clone is shallow, so run "git fetch --unshallow" in it';
  }
  if (all === 0) {
    return 'only its first commit touches the docs, or all others are later than --until';
  }
  return `${leftOut}; only changes of pages, with nothing outside of the docs, are judged`;
}

function readEntry(entry: string): readonly MergedChange[] {
  const [head = '', parents = '', subject = '', files = ''] = entry.split('\x02');
  const [base = ''] = parents.split(' ');
  // The first commit of a repository is no change.
  return base === ''
    ? []
    : [{ head, base, subject, files: files.split(/[\0\n]+/).filter((path) => path !== '') }];
}
