import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A file that a change touched. A SHA of zeros stands for no file. */
export interface TouchedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A commit of the default branch, compared with its first parent: a merged or squashed pull request. */
export interface MergedChange {
  readonly sha: string;
  readonly base: string;
  /** The commits that the change merged, itself included. */
  readonly commits: readonly string[];
  readonly subject: string;
  readonly message: string;
  readonly committedMs: number;
  readonly author: AuthorKind;
  readonly files: readonly TouchedFile[];
  /** Whether all files lie below the docs root. */
  readonly isDocsOnly: boolean;
}

export type AuthorKind = 'bot' | 'agent' | 'person';

const run = promisify(execFile);
const noFile = '0'.repeat(40);

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const options = { maxBuffer: 2 ** 30, env: { ...process.env, GIT_NO_LAZY_FETCH: '1' } };
  return (await run('git', ['-C', folder, ...args], options)).stdout;
}

/**
 * The folder of the only docs.json or mint.json.
 * @throws when there are several, or none
 */
export async function findDocsRoot(folder: string): Promise<string> {
  const files = (await git(folder, 'ls-tree', '-r', '--name-only', '-z', 'HEAD')).split('\0');
  const roots = files
    .filter((path) => /(?:^|\/)(?:docs|mint)\.json$/.test(path))
    .map((path) => path.replace(/\/?[^/]+$/, '') || '.');
  const [root] = roots;
  if (root === undefined || new Set(roots).size > 1) {
    throw new Error(`Choose one with --docs-root: ${roots.join(', ') || 'there is no docs.json'}`);
  }
  return root;
}

/** So many changes are a few years of most repositories, and few seconds of git. */
const mostChanges = 3000;

/** The last changes of the default branch that touch the docs, newest first. */
export async function listChanges(folder: string, root: string): Promise<readonly MergedChange[]> {
  const format = '%x01%H%x02%P%x02%an <%ae>%x02%ct%x02%B%x02';
  const text = await git(
    folder,
    ...['log', '--first-parent', '--diff-merges=first-parent', '--raw', '--no-abbrev'],
    ...['--no-renames', '--full-diff', '-z', `--format=${format}`, `--max-count=${mostChanges}`],
    ...['HEAD', '--', root],
  );
  const prefix = root === '.' ? '' : `${root}/`;
  const graph = await readGraph(folder);
  return text
    .split('\x01')
    .slice(1)
    .flatMap((entry) => readEntry(entry, prefix))
    .map(({ others, ...change }) => ({
      ...change,
      commits: [change.sha, ...mergedFrom(others, graph)],
    }));
}

interface Graph {
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** The commits of the default branch itself. */
  readonly main: ReadonlySet<string>;
}

async function readGraph(folder: string): Promise<Graph> {
  const lines = (await git(folder, 'rev-list', '--parents', 'HEAD')).trim().split('\n');
  const parents = new Map(
    lines.map((line) => {
      const [sha = '', ...rest] = line.split(' ');
      return [sha, rest];
    }),
  );
  const main = new Set<string>();
  for (let sha = lines[0]?.split(' ')[0]; sha !== undefined; sha = parents.get(sha)?.[0]) {
    main.add(sha);
  }
  return { parents, main };
}

const mostMerged = 200;

/** The commits of a merged branch, as far back as it left the default branch. */
function mergedFrom(heads: readonly string[], { parents, main }: Graph): readonly string[] {
  const found = new Set(heads);
  // A set also iterates over what is added meanwhile.
  for (const sha of found) {
    for (const parent of parents.get(sha) ?? []) {
      if (!main.has(parent) && found.size < mostMerged) {
        found.add(parent);
      }
    }
  }
  return [...found];
}

function readEntry(entry: string, prefix: string) {
  const [sha = '', parents = '', author = '', committed, message = '', raw = ''] =
    entry.split('\x02');
  const [base, ...others] = parents.split(' ');
  // The first commit of a repository is no change.
  if (base === undefined || base === '') {
    return [];
  }
  const files = readFiles(raw);
  return [
    {
      sha,
      base,
      others,
      subject: message.split('\n')[0] ?? '',
      message,
      committedMs: Number(committed) * 1000,
      author: kindOf(author, message),
      files: files.filter(({ path }) => path.startsWith(prefix)),
      isDocsOnly: files.every(({ path }) => path.startsWith(prefix)),
    },
  ];
}

/** Reads `:100644 100644 SHA SHA M`, NUL, path, NUL, and so on. */
function readFiles(raw: string): readonly TouchedFile[] {
  const pattern = /:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) \w\0([^\0]+)\0/g;
  return [...raw.matchAll(pattern)].map(([, before = noFile, after = noFile, path = '']) => ({
    path,
    before,
    after,
  }));
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
