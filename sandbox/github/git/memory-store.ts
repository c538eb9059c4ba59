import { ancestors, findMergeBase } from './ancestry.ts';
import { buildTree, objectSha, type StoredFile, writeCommit } from './objects.ts';
import type { DiffStat, GitCommit, GitEntry, GitMode, GitObjectName, GitStore } from './store.ts';

/**
 * A file: its text or bytes, or a mode with them. One with only a size is listed, but cannot be read,
 * like an image of many megabytes that nobody should read.
 */
export type MemoryFile =
  | string
  | Buffer
  | { readonly mode: GitMode; readonly content: string | Buffer }
  | { readonly bytes: number };

/** Files by path. */
export type MemoryFiles = Readonly<Record<string, MemoryFile>>;

export interface NewCommit {
  readonly files: MemoryFiles;
  /** SHAs; none by default. */
  readonly parents?: readonly string[];
  readonly message?: string;
  readonly author?: { readonly name: string; readonly email: string };
  /** ISO 8601; by default an hour after the commit before. */
  readonly at?: string;
}

/** A repository in memory. Its SHAs are those that git would compute. */
export interface MemoryStore extends GitStore {
  /** @returns the SHA of the commit */
  add(commit: NewCommit): string;
  setBranch(name: string, sha: string): void;
  /** Commits oldest first, with the files of each, to write them elsewhere. */
  readonly commits: readonly GitCommit[];
}

const firstCommitMs = Date.parse('2026-01-05T08:00:00Z');
const hourMs = 3_600_000;
const defaultAuthor = { name: 'Ada', email: 'ada@example.com' };

export function memoryStore(): MemoryStore {
  const blobs = new Map<string, Buffer>();
  const commits = new Map<string, GitCommit>();
  const trees = new Map<string, readonly GitEntry[]>();
  const byPath = new Map<string, ReadonlyMap<string, GitEntry>>();
  const branches = new Map<string, string>();

  function store(path: string, file: MemoryFile): StoredFile {
    if (typeof file === 'object' && 'bytes' in file) {
      const sha = objectSha('blob', Buffer.from(`${path} of ${file.bytes} bytes`));
      return { mode: '100644', sha, bytes: file.bytes };
    }
    const { mode, content } =
      typeof file === 'object' && 'mode' in file
        ? file
        : { mode: '100644' as const, content: file };
    const bytes = Buffer.from(content);
    if (mode === '160000') {
      return { mode, sha: bytes.toString(), bytes: 0 };
    }
    const sha = objectSha('blob', bytes);
    blobs.set(sha, bytes);
    return { mode, sha, bytes: bytes.length };
  }

  const treeOf = (sha: string) => trees.get(commits.get(sha)?.treeSha ?? sha);
  const entriesByPath = (sha: string) => {
    const found = byPath.get(sha) ?? new Map(treeOf(sha)?.map((entry) => [entry.path, entry]));
    byPath.set(sha, found);
    return found;
  };
  const parentsOf = (sha: string) => commits.get(sha)?.parents ?? [];

  function nameOf(sha: string): GitObjectName | undefined {
    if (commits.has(sha)) {
      return { type: 'commit', sha };
    }
    if (blobs.has(sha)) {
      return { type: 'blob', sha };
    }
    return trees.has(sha) ? { type: 'tree', sha } : undefined;
  }

  function resolve(revision: string): GitObjectName | undefined {
    const [name = '', ...rest] = revision.split(':');
    const sha = branches.get(name) ?? name;
    if (rest.length === 0) {
      return nameOf(sha);
    }
    const entry = entriesByPath(sha).get(rest.join(':'));
    return entry && { type: entry.mode === '040000' ? 'tree' : 'blob', sha: entry.sha };
  }

  return {
    get commits() {
      return [...commits.values()];
    },
    add({ files, parents = [], message = 'Change the docs', author = defaultAuthor, at }) {
      const stored = new Map(
        Object.entries(files).map(([path, file]) => [path, store(path, file)]),
      );
      const tree = buildTree(stored);
      trees.set(tree.sha, tree.entries);
      for (const folder of tree.entries.filter(({ mode }) => mode === '040000')) {
        const prefix = `${folder.path}/`;
        const below = tree.entries.filter(({ path }) => path.startsWith(prefix));
        trees.set(
          folder.sha,
          below.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) })),
        );
      }
      const committedAt =
        at ?? new Date(firstCommitMs + commits.size * hourMs).toISOString().replace('.000', '');
      const dates = { authoredAt: committedAt, committedAt };
      const commit = writeCommit({ treeSha: tree.sha, parents, message, author, ...dates });
      commits.set(commit.sha, commit);
      return commit.sha;
    },
    setBranch: (name, sha) => void branches.set(name, sha),
    resolve: async (revision) => resolve(revision),
    commit: async (sha) => commits.get(sha),
    tree: async (sha) => treeOf(sha),
    blob: async (sha) => blobs.get(sha),
    mergeBase: async (one, other) => findMergeBase(one, other, parentsOf),
    async commitsBetween(base, head) {
      const old = ancestors(base, parentsOf);
      return [...ancestors(head, parentsOf)].filter((sha) => !old.has(sha)).reverse();
    },
    diffStat: async (base, head) => diffStat(entriesByPath(base), entriesByPath(head), blobs),
    close: async () => {},
  };
}

function diffStat(
  before: ReadonlyMap<string, GitEntry>,
  after: ReadonlyMap<string, GitEntry>,
  blobs: ReadonlyMap<string, Buffer>,
): DiffStat {
  const files = ({ mode }: GitEntry) => mode !== '040000';
  const gone = [...before.values()].filter(files).filter(({ path }) => !after.has(path));
  const changed = [...after.values()]
    .filter(files)
    .filter(({ path, sha }) => before.get(path)?.sha !== sha);
  const isMoved = ({ path, sha }: GitEntry) =>
    !before.has(path) && gone.some((file) => file.sha === sha);
  const movedShas = new Set(changed.filter(isMoved).map(({ sha }) => sha));
  const deleted = gone.filter(({ sha }) => !movedShas.has(sha));
  const written = changed.filter((entry) => !isMoved(entry));
  const linesOf = (sha = '') => splitLines(blobs.get(sha));
  const counts = [
    ...deleted.map(({ sha }) => countLines(linesOf(sha), [])),
    ...written.map(({ path, sha }) => countLines(linesOf(before.get(path)?.sha), linesOf(sha))),
  ];
  return {
    files: deleted.length + changed.length,
    additions: counts.reduce((sum, { added }) => sum + added, 0),
    deletions: counts.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** None of a binary file. */
function splitLines(content: Buffer = Buffer.alloc(0)): readonly string[] {
  const text = content.includes(0) ? '' : content.toString();
  return text
    .replace(/\n$/, '')
    .split('\n')
    .slice(text === '' ? 1 : 0);
}

/** Counts lines whatever their order, so a line that only moved does not count. */
function countLines(before: readonly string[], after: readonly string[]) {
  const left = new Map<string, number>();
  for (const line of before) {
    left.set(line, (left.get(line) ?? 0) + 1);
  }
  let added = 0;
  for (const line of after) {
    const count = left.get(line) ?? 0;
    added += count === 0 ? 1 : 0;
    left.set(line, Math.max(0, count - 1));
  }
  return { added, removed: before.length - (after.length - added) };
}
