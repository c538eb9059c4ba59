import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type CatFile, startCatFile } from './cat-file.ts';
import type { DiffStat, GitCommit, GitEntry, GitMode, GitObjectName, GitStore } from './store.ts';

const run = promisify(execFile);
const maxBytes = 1024 ** 3;

/** The size of a blob that is not there; so large that nobody reads it. */
const missingBytes = 99_000_000;

/** Two versions of a large tree stay in memory, and a few of the changes before. */
const keptTrees = 6;

/** @param folder a checkout or a bare repository; nothing in it is changed */
export function folderStore(folder: string): GitStore {
  const catFile = startCatFile(folder);
  const trees = new Map<string, Promise<readonly GitEntry[] | undefined>>();

  async function git(...args: readonly string[]): Promise<string> {
    const options = { maxBuffer: maxBytes, env: { ...process.env, GIT_NO_LAZY_FETCH: '1' } };
    return (await run('git', ['-C', folder, ...args], options)).stdout;
  }

  return {
    resolve: (revision) => resolveRevision(revision, catFile),
    async commit(sha) {
      const found = await catFile.read(sha);
      return found?.type === 'commit' ? parseCommit(found.sha, found.content) : undefined;
    },
    tree(sha) {
      const known = trees.get(sha) ?? readTree(sha, git);
      // The last one used stays longest.
      trees.delete(sha);
      trees.set(sha, known);
      for (const old of [...trees.keys()].slice(0, -keptTrees)) {
        trees.delete(old);
      }
      return known;
    },
    async blob(sha) {
      const found = await catFile.read(sha);
      return found?.type === 'blob' ? found.content : undefined;
    },
    mergeBase: (one, other) =>
      git('merge-base', one, other).then(
        (text) => text.trim(),
        () => undefined,
      ),
    commitsBetween: async (base, head) =>
      lines(await git('rev-list', '--reverse', `${base}..${head}`)),
    async diffStat(base, head) {
      const [all, text] = await Promise.all([
        git('diff', '--raw', '-M100%', base, head),
        // Fails where a blob is missing.
        git('diff', '--shortstat', '-M', base, head).catch(() => ''),
      ]);
      return readShortStat(text) ?? { files: lines(all).length, additions: 0, deletions: 0 };
    },
    close: () => catFile.close(),
  };
}

async function resolveRevision(
  revision: string,
  catFile: CatFile,
): Promise<GitObjectName | undefined> {
  // `cat-file` would also take `HEAD~3` and the like, of which no caller should make use.
  const found = /^[\w./-]+(?::|$)/.test(revision) ? await catFile.read(revision) : undefined;
  switch (found?.type) {
    case 'commit':
    case 'tree':
    case 'blob':
    case 'tag':
      return { type: found.type, sha: found.sha };
    default:
      return undefined;
  }
}

async function readTree(
  sha: string,
  git: (...args: readonly string[]) => Promise<string>,
): Promise<readonly GitEntry[] | undefined> {
  const text = await git('ls-tree', '-r', '-t', '-l', '-z', sha).catch(() => undefined);
  return text
    ?.split('\0')
    .slice(0, -1)
    .map((line) => {
      const [, mode = '', object = '', bytes, path = ''] =
        /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? [];
      const entry = { path, mode: readMode(mode), sha: object };
      // The size is `-` for what has none, and `BAD` for what is missing.
      return bytes === '-'
        ? entry
        : { ...entry, bytes: bytes === 'BAD' ? missingBytes : Number(bytes) };
    });
}

function readMode(mode: string): GitMode {
  switch (mode) {
    case '040000':
    case '100755':
    case '120000':
    case '160000':
      return mode;
    default:
      return '100644';
  }
}

function readShortStat(text: string): DiffStat | undefined {
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  return text === ''
    ? undefined
    : {
        files: number(/(\d+) files? changed/),
        additions: number(/(\d+) insertion/),
        deletions: number(/(\d+) deletion/),
      };
}

function parseCommit(sha: string, content: Buffer): GitCommit {
  const text = content.toString();
  const headEnd = text.indexOf('\n\n');
  const head = text.slice(0, headEnd).split('\n');
  const all = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const person = /^(.*?) ?<(.*)> (\d+) /;
  const [, name = '', email = '', authored] = person.exec(all('author')[0] ?? '') ?? [];
  const committed = person.exec(all('committer')[0] ?? '')?.[3];
  return {
    sha,
    treeSha: all('tree')[0] ?? '',
    parents: all('parent'),
    message: text.slice(headEnd + 2),
    author: { name, email },
    authoredAt: isoSeconds(authored),
    committedAt: isoSeconds(committed),
  };
}

function isoSeconds(seconds: string | undefined): string {
  return new Date(Number(seconds ?? 0) * 1000).toISOString().replace('.000', '');
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
