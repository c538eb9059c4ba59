import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatFileObject, startCatFile } from './cat-file.ts';

/** Git knows this name on Windows, too. */
const devNull = '/dev/null';

/** Settings on the command line override all others, such as a hook of the checkout or the user. */
const settings = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.fsync=none',
  'commit.gpgSign=false',
  'user.name=Rehearsal',
  'user.email=rehearsal@example.com',
].flatMap((setting) => ['-c', setting]);

/** No settings of the machine, the user and the environment (git sets variables when it runs a hook). */
function plainEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(others),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
  };
}

/** Runs git without hooks, and with no settings but those of the repository. */
export function plainGit(folder: string, ...args: readonly string[]): string {
  return runGit(folder, args);
}

function runGit(
  folder: string,
  args: readonly string[],
  { env, ...options }: Pick<ExecFileSyncOptions, 'input' | 'env'> = {},
): string {
  return execFileSync('git', [...settings, ...args], {
    cwd: folder,
    env: { ...plainEnvironment(), ...env },
    // The list of all files of a large checkout is longer than Node's default limit.
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    ...options,
  });
}

function tryGit(folder: string, args: readonly string[]): string | undefined {
  try {
    return runGit(folder, args);
  } catch {
    return undefined;
  }
}

/** A file: its text or bytes, a mode with them, or only how large it is. */
export type File =
  | string
  | Buffer
  | { readonly mode: '100755' | '120000' | '160000'; readonly content: string | Buffer }
  | { readonly bytes: number };

/** Files by path. */
export type Files = Readonly<Record<string, File>>;

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface NewCommit {
  /** All files of the commit. */
  readonly files?: Files;
  /** Instead of `files`: the files that differ from the first parent; `null` deletes a file. */
  readonly changes?: Readonly<Record<string, File | null>>;
  /** SHAs; none by default. */
  readonly parents?: readonly string[];
  readonly message?: string;
  readonly author?: Person;
  /** The author by default. */
  readonly committer?: Person;
  /** ISO 8601; by default an hour after the commit before, so that the SHAs are the same in each run. */
  readonly at?: string;
}

/** A commit, with its dates in ISO 8601. */
export interface Commit {
  readonly sha: string;
  readonly treeSha: string;
  readonly parents: readonly string[];
  readonly author: Person & { readonly date: string };
  readonly committer: Person & { readonly date: string };
  readonly message: string;
}

/** An entry of a tree, and of the trees below it. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  /** In bytes; only a file has a size. */
  readonly size?: number;
}

/** A file that differs between two commits, as GitHub shows it. */
export interface DiffFile {
  readonly sha: string;
  readonly filename: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  readonly previous_filename?: string;
  /** Missing for a binary file, and for a large change. */
  readonly patch?: string;
}

/** A bare repository of git. Everything is written and read by git itself. */
export interface GitRepository {
  readonly folder: string;
  /** @returns the SHA of the commit, to which no branch points yet */
  commit(commit: NewCommit): string;
  /** @param ref such as `refs/heads/main` */
  setRef(ref: string, sha: string): void;
  deleteRef(ref: string): void;
  /** The commit that a branch, a tag or a full SHA names. */
  sha(name: string): string | undefined;
  /** The refs below a prefix, such as `refs/tags/v1`, with the commits that they lead to. */
  refs(prefix: string): readonly { readonly ref: string; readonly sha: string }[];
  /** The commit of a branch, a tag or a SHA. */
  find(name: string): Commit | undefined;
  /** The commits of `head` that `base` lacks, oldest first. */
  commitsBetween(base: string, head: string): readonly Commit[];
  mergeBase(one: string, other: string): string | undefined;
  /** What `head` has beyond `base`, with renames. */
  diff(base: string, head: string): readonly DiffFile[];
  /** @returns the tree of the merge; `undefined` if there are conflicts */
  merge(ours: string, theirs: string): string | undefined;
  /** @returns the SHA of a commit of a tree that exists */
  commitTree(tree: string, commit: Omit<NewCommit, 'files' | 'changes'>): string;
  /** Lists each folder before its content; `undefined` if there is no such tree or commit. */
  tree(sha: string, isRecursive: boolean): readonly TreeEntry[] | undefined;
  /** @param name a SHA, a branch, or either with `:` and a path */
  read(name: string): Promise<CatFileObject | undefined>;
  /** Another repository with the same content. */
  copy(): GitRepository;
  close(): Promise<void>;
}

const firstCommitMs = Date.parse('2026-01-05T08:00:00Z');
const hourMs = 3_600_000;
/** Commits what people and apps write on GitHub's pages, and by its API. */
export const webFlow = { name: 'GitHub', email: 'noreply@github.com' };
const ada = { name: 'Ada', email: 'ada@example.com' };

/** The folders that are still in use when this process ends, and are removed then. */
const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Windows removes no folder that a program still uses.
    }
  }
});

/**
 * Creates a repository, which `close` removes.
 *
 * @param source a checkout whose commits it has, too, without copying them; nothing there is changed
 */
export function createRepository(source?: string): GitRepository {
  const folder = createFolder();
  plainGit(folder, 'init', '--quiet', '--bare', '--template=', '--initial-branch', 'main');
  if (source !== undefined) {
    borrow(source, folder);
  }
  return openRepository(folder, new Map());
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'github-'));
  folders.add(folder);
  return folder;
}

function borrow(source: string, folder: string): void {
  const pathOf = (name: string) =>
    plainGit(source, 'rev-parse', '--path-format=absolute', '--git-path', name).trim();
  plainGit(folder, 'config', 'gc.auto', '0');
  mkdirSync(join(folder, 'objects/info'), { recursive: true });
  writeFileSync(join(folder, 'objects/info/alternates'), `${pathOf('objects')}\n`);
  if (existsSync(pathOf('shallow'))) {
    copyFileSync(pathOf('shallow'), join(folder, 'shallow'));
  }
}

/** How many of git's outputs are cached. An output about a commit never changes. */
const maxKept = 50;

/** @param refs the commits of all branches and tags, which git has, too */
function openRepository(folder: string, refs: Map<string, string>): GitRepository {
  const kept = new Map<string, string | undefined>();
  const sizes = new Map<number, string>();
  let catFile: ReturnType<typeof startCatFile> | undefined;
  let commits = 0;
  const git = (...args: readonly string[]) => runGit(folder, args);
  /** @param args name commits by their SHAs */
  const ask = (...args: readonly string[]) => {
    const key = args.join(' ');
    const answer = kept.has(key) ? kept.get(key) : tryGit(folder, args);
    // The last one used stays longest.
    kept.delete(key);
    kept.set(key, answer);
    for (const old of [...kept.keys()].slice(0, -maxKept)) {
      kept.delete(old);
    }
    return answer;
  };
  const sha = (name: string) =>
    /^[0-9a-f]{7,40}$/.test(name)
      ? name
      : ['', 'refs/', 'refs/tags/', 'refs/heads/']
          .map((prefix) => refs.get(prefix + name))
          .find((found) => found !== undefined);
  const nextDate = () => new Date(firstCommitMs + commits++ * hourMs).toISOString();

  /** A blob of zeros, which is written once. */
  function blobOfSize(bytes: number): string {
    const input = Buffer.alloc(bytes);
    const sha = sizes.get(bytes) ?? runGit(folder, ['hash-object', '-w', '--stdin'], { input });
    sizes.set(bytes, sha);
    return sha.trim();
  }

  function fileCommand(path: string, file: File | null): readonly Buffer[] {
    const name = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
    if (file === null) {
      return [Buffer.from(`D ${name}\n`)];
    }
    if (typeof file === 'object' && 'bytes' in file) {
      return [Buffer.from(`M 100644 ${blobOfSize(file.bytes)} ${name}\n`)];
    }
    const { mode, content } =
      typeof file === 'object' && 'mode' in file ? file : { mode: '100644', content: file };
    return mode === '160000'
      ? [Buffer.from(`M 160000 ${content} ${name}\n`)]
      : [Buffer.from(`M ${mode} inline ${name}\n`), data(content)];
  }

  function log(...args: readonly string[]): readonly Commit[] | undefined {
    const fields = ask('log', '-z', `--format=${logFormat}`, ...args, '--')?.split('\0');
    return (
      fields &&
      Array.from({ length: Math.floor(fields.length / 10) }, (_, index) =>
        readCommit(fields.slice(index * 10, index * 10 + 10)),
      )
    );
  }

  return {
    folder,
    commit({
      files,
      changes = {},
      parents = [],
      message = 'Change the docs',
      author = ada,
      committer = author,
      at = nextDate(),
    }) {
      const seconds = Math.floor(Date.parse(at) / 1000);
      const head = [
        'commit refs/new',
        'mark :1',
        `author ${author.name} <${author.email}> ${seconds} +0000`,
        `committer ${committer.name} <${committer.email}> ${seconds} +0000`,
        '',
      ].join('\n');
      const lines = parents.map((sha, index) => `${index === 0 ? 'from' : 'merge'} ${sha}\n`);
      const input = Buffer.concat([
        Buffer.from(head),
        data(message),
        Buffer.from(lines.join('') + (files === undefined ? '' : 'deleteall\n')),
        ...Object.entries(files ?? changes).flatMap(([path, file]) => fileCommand(path, file)),
        Buffer.from('get-mark :1\n'),
      ]);
      return runGit(folder, ['fast-import', '--quiet', '--force'], { input }).trim();
    },
    setRef(ref, to) {
      git('update-ref', ref, to);
      refs.set(ref, to);
    },
    deleteRef(ref) {
      git('update-ref', '-d', ref);
      refs.delete(ref);
    },
    sha,
    refs: (prefix) =>
      [...refs]
        .filter(([ref]) => ref.startsWith(prefix))
        .map(([ref, to]) => ({ ref, sha: to }))
        .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
    find(name) {
      const found = sha(name);
      return found === undefined ? undefined : log('-1', found)?.[0];
    },
    commitsBetween: (base, head) => log('--reverse', `${base}..${head}`) ?? [],
    mergeBase: (one, other) => ask('merge-base', one, other)?.trim(),
    diff(base, head) {
      const options = ['-z', '--no-abbrev', '--raw'];
      const all =
        ask('diff', '-M', ...options, '--numstat', '-p', base, head) ??
        // Fails where a blob is missing, as in a partial clone.
        ask('diff', '-M100%', ...options, base, head);
      return readDiff(all ?? '');
    },
    merge(ours, theirs) {
      const base = ask('merge-base', ours, theirs)?.trim();
      return base === undefined ? undefined : mergeTrees(folder, base, ours, theirs);
    },
    commitTree(tree, { parents = [], message = 'Merge', author = ada, at = nextDate() }) {
      const args = [...parents.flatMap((sha) => ['-p', sha]), '-m', message];
      const roles = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
        [`GIT_${role}_NAME`, author.name],
        [`GIT_${role}_EMAIL`, author.email],
        [`GIT_${role}_DATE`, at],
      ]);
      const env = Object.fromEntries(roles);
      return runGit(folder, ['commit-tree', tree, ...args], { env }).trim();
    },
    tree(name, isRecursive) {
      const depth = isRecursive ? ['-r', '-t'] : [];
      const text = tryGit(folder, ['ls-tree', ...depth, '-l', '-z', name]);
      return text?.split('\0').slice(0, -1).map(readEntry);
    },
    async read(name) {
      catFile ??= startCatFile(folder, plainEnvironment());
      return /^[\w./-]+(?::|$)/.test(name) ? await catFile.read(name) : undefined;
    },
    copy() {
      const other = createFolder();
      cpSync(folder, other, { recursive: true });
      return openRepository(other, new Map(refs));
    },
    async close() {
      await catFile?.close();
      rmSync(folder, { recursive: true, force: true });
      folders.delete(folder);
    },
  };
}

function data(content: string | Buffer): Buffer {
  const length = Buffer.byteLength(content);
  return Buffer.concat([Buffer.from(`data ${length}\n`), Buffer.from(content), Buffer.from('\n')]);
}

/** Needs no newer git than that of an old Ubuntu, unlike `git merge-tree --write-tree`. */
function mergeTrees(
  folder: string,
  base: string,
  ours: string,
  theirs: string,
): string | undefined {
  if (base === ours) {
    return `${theirs}^{tree}`;
  }
  const work = mkdtempSync(join(tmpdir(), 'merge-'));
  const env = { GIT_INDEX_FILE: join(work, 'index'), GIT_WORK_TREE: work, GIT_DIR: folder };
  const git = (...args: readonly string[]) => runGit(work, args, { env });
  try {
    git('read-tree', '-i', '-m', '--aggressive', base, ours, theirs);
    git('merge-index', '-o', 'git-merge-one-file', '-a');
    return git('write-tree').trim();
  } catch {
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const logFormat = ['H', 'T', 'P', 'an', 'ae', 'aI', 'cn', 'ce', 'cI', 'B']
  .map((field) => `%${field}`)
  .join('%x00');

function readCommit(fields: readonly string[]): Commit {
  const [sha = '', treeSha = '', parents = '', ...rest] = fields;
  const [name = '', email = '', date = '', committer = '', address = '', at = '', message = ''] =
    rest;
  return {
    sha,
    treeSha,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author: { name, email, date: isoSeconds(date) },
    committer: { name: committer, email: address, date: isoSeconds(at) },
    message: message.trimEnd(),
  };
}

/** A time as GitHub writes it. */
export function isoSeconds(time: string | number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The size of a blob that is not there; so large that nobody reads it. */
const missingBytes = 99_000_000;

function readEntry(line: string): TreeEntry {
  const [, mode = '', type = '', sha = '', size = '', path = ''] =
    /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? [];
  const entry = { path, mode, type, sha };
  // Git prints `-` for a submodule, which has no size, and `BAD` for a blob that is not there.
  return size === '-' ? entry : { ...entry, size: size === 'BAD' ? missingBytes : Number(size) };
}

/** GitHub leaves out the patch of a file with more lines. */
const maxPatchLines = 3000;

/** @param text what `git diff -z --raw --numstat -p` prints; the last two parts may be missing */
function readDiff(text: string): readonly DiffFile[] {
  const [raw = '', ...rest] = text.split(/\0(?=diff --git )/);
  const patches = `\n${rest.join('\0')}`.split('\ndiff --git ').slice(1);
  const counts = [...raw.matchAll(countPattern)];
  return [...raw.matchAll(filePattern)].map(({ groups = {} }, index) => {
    const { old = '', now = '', from, letter = '', path: filename = '' } = groups;
    const [additions = 0, deletions = 0] = (counts[index] ?? [])
      .slice(1)
      .map((n) => Number(n) || 0);
    const patch = /^@@ [\s\S]*/m.exec(patches[index] ?? '')?.[0].replace(/\n$/, '');
    const changes = additions + deletions;
    return {
      sha: letter === 'D' ? old : now,
      filename,
      status: from === undefined ? (statuses[letter] ?? 'modified') : 'renamed',
      ...{ additions, deletions, changes },
      ...(from !== undefined && { previous_filename: from }),
      ...(patch !== undefined && changes <= maxPatchLines && { patch }),
    };
  });
}

const filePattern =
  /:\d+ \d+ (?<old>[0-9a-f]+) (?<now>[0-9a-f]+) (?:R\d+\0(?<from>[^\0]+)|(?<letter>[A-Z])\d*)\0(?<path>[^\0]+)\0/g;
const countPattern = /(\d+|-)\t(\d+|-)\t(?:\0[^\0]+\0)?[^\0]+\0/g;

const statuses: Readonly<Record<string, DiffFile['status']>> = {
  A: 'added',
  D: 'removed',
};
