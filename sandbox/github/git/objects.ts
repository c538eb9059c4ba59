import { createHash } from 'node:crypto';
import type { GitCommit, GitEntry, GitMode } from './store.ts';

/** The SHA that git gives an object. */
export function objectSha(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
  const header = `${type} ${content.length}\0`;
  return createHash('sha1').update(header).update(content).digest('hex');
}

/** A file to be stored. */
export interface StoredFile {
  readonly mode: GitMode;
  readonly sha: string;
  readonly bytes: number;
}

/** The entries of all trees, as `git ls-tree -r -t` lists them, and the SHA of the top. */
export interface BuiltTree {
  readonly sha: string;
  readonly entries: readonly GitEntry[];
}

/** @param files by path */
export function buildTree(files: ReadonlyMap<string, StoredFile>): BuiltTree {
  const root: Folder = new Map();
  for (const [path, file] of files) {
    const names = path.split('/');
    const name = names.pop() ?? '';
    folderAt(root, names).set(name, file);
  }
  return writeFolder(root, '');
}

/** Files and folders by name. */
type Folder = Map<string, StoredFile | Folder>;

function folderAt(root: Folder, names: readonly string[]): Folder {
  return names.reduce((folder, name) => {
    const found = folder.get(name);
    if (found instanceof Map) {
      return found;
    }
    const created: Folder = new Map();
    folder.set(name, created);
    return created;
  }, root);
}

function writeFolder(folder: Folder, prefix: string): BuiltTree {
  const entries: GitEntry[] = [];
  const lines: Buffer[] = [];
  // Git sorts by bytes, and a folder as if its name ended with a slash.
  const sorted = [...folder].map(([name, value]) => ({
    name,
    value,
    key: Buffer.from(value instanceof Map ? `${name}/` : name),
  }));
  for (const { name, value } of sorted.sort((a, b) => Buffer.compare(a.key, b.key))) {
    const path = prefix + name;
    if (value instanceof Map) {
      const below = writeFolder(value, `${path}/`);
      entries.push({ path, mode: '040000', sha: below.sha });
      for (const entry of below.entries) {
        entries.push(entry);
      }
      lines.push(treeLine('40000', name, below.sha));
    } else {
      const { mode, sha, bytes } = value;
      entries.push(mode === '160000' ? { path, mode, sha } : { path, mode, sha, bytes });
      lines.push(treeLine(mode, name, sha));
    }
  }
  return { sha: objectSha('tree', Buffer.concat(lines)), entries };
}

function treeLine(mode: string, name: string, sha: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]);
}

/** @returns the commit with its SHA; author and committer are the same person */
export function writeCommit(commit: Omit<GitCommit, 'sha'>): GitCommit {
  const { treeSha, parents, author, message, authoredAt, committedAt } = commit;
  const person = (at: string) => `${author.name} <${author.email}> ${Date.parse(at) / 1000} +0000`;
  const text = [
    `tree ${treeSha}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person(authoredAt)}`,
    `committer ${person(committedAt)}`,
    '',
    message,
  ].join('\n');
  return { sha: objectSha('commit', Buffer.from(text)), ...commit };
}
