import type { HttpResponse } from '../../http.ts';
import type { Route } from '../route.ts';
import { renamesOf } from './renames.ts';
import { type GitEntry, type GitStore, typeOfMode } from './store.ts';

export const notFound: HttpResponse = { status: 404, body: { message: 'Not Found' } };

/** Finds a repository by `owner/name`. */
export type StoreOf = (repository: string) => GitStore | undefined;

/** GitHub's limits of "Get a tree" with `recursive`: entries, and bytes. */
const maxEntries = 100_000;
const maxTreeBytes = 7_000_000;

/** GitHub's limit of "Get a blob". */
const maxBlobBytes = 100_000_000;

const repositoryPath = '^/repos/([^/]+/[^/]+)';

/** "Get a tree", "Get a blob", and "Compare two commits". */
export function objectRoutes(storeOf: StoreOf): Route[] {
  return [
    {
      method: 'GET',
      path: new RegExp(`${repositoryPath}/git/trees/([^/]+)$`),
      async handle({ query }, [repository = '', revision = '']) {
        const store = storeOf(repository);
        const found = await store?.resolve(decodeURIComponent(revision));
        const entries = found && (await store?.tree(found.sha));
        const isRecursive = new URLSearchParams(query).has('recursive');
        return found === undefined || entries === undefined
          ? notFound
          : showTree(found.sha, isRecursive ? entries : topOf(entries));
      },
    },
    {
      method: 'GET',
      path: new RegExp(`${repositoryPath}/git/blobs/([0-9a-f]{40})$`),
      async handle(_, [repository = '', sha = '']) {
        const bytes = await storeOf(repository)?.blob(sha);
        return bytes === undefined ? notFound : showBlob(sha, bytes);
      },
    },
    {
      method: 'GET',
      path: new RegExp(`${repositoryPath}/compare/(.+)\\.\\.\\.(.+)$`),
      async handle({ query }, [repository = '', base = '', head = '']) {
        const store = storeOf(repository);
        return store === undefined
          ? notFound
          : compare(store, decodeURIComponent(base), decodeURIComponent(head), query);
      },
    },
  ];
}

function topOf(entries: readonly GitEntry[]): readonly GitEntry[] {
  return entries.filter(({ path }) => !path.includes('/'));
}

function showTree(sha: string, entries: readonly GitEntry[]): HttpResponse {
  const tree: unknown[] = [];
  let size = 0;
  for (const { path, mode, sha: object, bytes } of entries) {
    const type = typeOfMode(mode);
    const entry = {
      path,
      mode,
      type,
      sha: object,
      ...(bytes === undefined ? {} : { size: bytes }),
    };
    size += JSON.stringify(entry).length;
    if (tree.length === maxEntries || size > maxTreeBytes) {
      break;
    }
    tree.push(entry);
  }
  return { status: 200, body: { sha, tree, truncated: tree.length < entries.length } };
}

function showBlob(sha: string, bytes: Buffer): HttpResponse {
  if (bytes.length > maxBlobBytes) {
    const message = 'This API returns blobs up to 100 MB in size.';
    return { status: 403, body: { message, errors: [{ code: 'too_large' }] } };
  }
  const content = bytes.toString('base64').replace(/.{60}/g, '$&\n');
  return { status: 200, body: { sha, size: bytes.length, content, encoding: 'base64' } };
}

async function compare(
  store: GitStore,
  base: string,
  head: string,
  query: string,
): Promise<HttpResponse> {
  const wanted = new URLSearchParams(query);
  const page = Number(wanted.get('page') ?? 1);
  const pageSize = Math.min(Number(wanted.get('per_page') ?? 30), 100);
  const [from, to] = await Promise.all([commitOf(store, base), commitOf(store, head)]);
  const mergeBase = from && to && (await store.mergeBase(from, to));
  if (from === undefined || to === undefined || mergeBase === undefined) {
    return notFound;
  }
  const [ahead, behind] = await Promise.all([
    store.commitsBetween(from, to),
    store.commitsBetween(to, from),
  ]);
  const shown = ahead.slice((page - 1) * pageSize, page * pageSize);
  return {
    status: 200,
    body: {
      base_commit: await showCommit(store, from),
      merge_base_commit: await showCommit(store, mergeBase),
      status: relation(ahead.length, behind.length),
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: await Promise.all(shown.map((sha) => showCommit(store, sha))),
      // Only the first page has files; patches are left out.
      files: page === 1 ? await filesOf(store, mergeBase, to) : [],
    },
  };
}

/** GitHub lists no more. */
const maxFiles = 300;

async function filesOf(store: GitStore, base: string, head: string): Promise<readonly unknown[]> {
  const [before, after] = await Promise.all([entriesOf(store, base), entriesOf(store, head)]);
  const textsOf = async (
    entries: ReadonlyMap<string, GitEntry>,
    others: ReadonlyMap<string, GitEntry>,
  ): Promise<ReadonlyMap<string, string>> => {
    const changed = [...entries].filter(([path, { sha }]) => others.get(path)?.sha !== sha);
    const texts = changed.map(async ([path, { sha, mode, bytes = 0 }]) => {
      const isText = typeOfMode(mode) === 'blob' && bytes < 1_000_000;
      const text = isText ? (await store.blob(sha))?.toString() : undefined;
      return [path, text ?? sha] as const;
    });
    return new Map(await Promise.all(texts));
  };
  const listed = renamesOf(await textsOf(before, after), await textsOf(after, before));
  return listed.slice(0, maxFiles).map(({ path, previousPath, status, additions, deletions }) => ({
    sha: (after.get(path) ?? before.get(path))?.sha,
    filename: path,
    ...{ status, additions, deletions, changes: additions + deletions },
    ...(previousPath !== undefined && { previous_filename: previousPath }),
  }));
}

async function entriesOf(store: GitStore, commit: string): Promise<ReadonlyMap<string, GitEntry>> {
  const entries = (await store.tree(commit)) ?? [];
  return new Map(
    entries.filter(({ mode }) => typeOfMode(mode) !== 'tree').map((entry) => [entry.path, entry]),
  );
}

async function commitOf(store: GitStore, revision: string): Promise<string | undefined> {
  const found = await store.resolve(revision);
  return found?.type === 'commit' ? found.sha : undefined;
}

function relation(ahead: number, behind: number) {
  if (ahead === 0) {
    return behind === 0 ? 'identical' : 'behind';
  }
  return behind === 0 ? 'ahead' : 'diverged';
}

async function showCommit(store: GitStore, sha: string) {
  const commit = await store.commit(sha);
  return {
    sha,
    commit: { message: commit?.message.trimEnd() ?? '', tree: { sha: commit?.treeSha ?? '' } },
    parents: commit?.parents.map((parent) => ({ sha: parent })) ?? [],
    author: null,
  };
}
