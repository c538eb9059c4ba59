import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A commit of the default branch, compared with its first parent: a merged or squashed pull request. */
export interface MergedChange {
  readonly sha: string;
  readonly base: string;
  readonly subject: string;
  readonly committedMs: number;
  readonly author: AuthorKind;
  /** Paths of the files that it touched. */
  readonly files: readonly string[];
}

export type AuthorKind = 'bot' | 'agent' | 'person';

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

/**
 * The changes of the default branch that touch a page and nothing outside of the docs, newest first.
 * @param until an ISO date, at its beginning, or a time; what was committed later is left out
 */
export async function listChanges(
  folder: string,
  root: string,
  until: string,
): Promise<readonly MergedChange[]> {
  // To git, a date alone means the present time of that day.
  const end = /^\d{4}-\d\d-\d\d$/.test(until) ? `${until}T00:00:00Z` : until;
  const text = await git(
    folder,
    ...['log', '--first-parent', '--diff-merges=first-parent', '--name-only', '--no-renames'],
    ...['--full-diff', '-z', '--format=%x01%H%x02%P%x02%an <%ae>%x02%ct%x02%B%x02'],
    ...[`--until=${end}`, `--max-count=${maxCommits}`, 'HEAD', '--', root],
  );
  const prefix = root === '.' ? '' : `${root}/`;
  return text
    .split('\x01')
    .slice(1)
    .flatMap(readEntry)
    .filter(({ files }) => files.every((path) => path.startsWith(prefix)))
    .filter(({ files }) => files.some((path) => /\.mdx?$/.test(path)));
}

function readEntry(entry: string): readonly MergedChange[] {
  const [sha = '', parents = '', author = '', committed, message = '', files = ''] =
    entry.split('\x02');
  const [base = ''] = parents.split(' ');
  // The first commit of a repository is no change.
  return base === ''
    ? []
    : [
        {
          sha,
          base,
          subject: message.split('\n')[0] ?? '',
          committedMs: Number(committed) * 1000,
          author: kindOf(author, message),
          files: files.split(/[\0\n]+/).filter((path) => path !== ''),
        },
      ];
}

/** Not every address at such a company is that of its agent. */
const agents =
  /mintlify(?:\[bot\]| agent| bot)|noreply@anthropic|copilot|cursoragent|devin-ai|codex|google-labs-jules|openhands@/i;

/** What the commit says of who wrote it. A person may have pressed an agent's button without a trace. */
function kindOf(author: string, message: string): AuthorKind {
  const trailers = message.match(/^co-authored-by:.*$/gim) ?? [];
  if ([author, ...trailers].some((name) => agents.test(name))) {
    return 'agent';
  }
  return /\[bot\]|\bbot@|-bot\b/i.test(author) ? 'bot' : 'person';
}
