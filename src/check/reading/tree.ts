import { array, boolean, fallback, object, pipe, regex, string } from 'valibot';
import type { ChangedFile as ListedFile } from '../../github/compare.ts';
import { ownerAndRepo } from '../../github/names.ts';
import { ask, type Outcome, type RepositoryDeps } from '../../github/request.ts';
import { count, parse } from '../../text/parse.ts';
import type { ChangedFile, Tree, TreeEntry } from '../change.ts';

/** GitHub takes several seconds for the tree of a large repository, or for a large file. */
export const repositoryTimeoutMs = 20_000;

/** The hash of a blob or a commit: SHA-1 or SHA-256. */
const sha = pipe(string(), regex(/^(?:[\da-f]{40}|[\da-f]{64})$/));

const treeSchema = object({
  truncated: boolean(),
  tree: array(
    object({ path: string(), mode: string(), type: string(), sha, size: fallback(count, 0) }),
  ),
});

/** Lists the files of a commit, without its folders. GitHub leaves out files above 100,000, or above 7 MB of list. */
export async function readTree(
  commit: string,
  deps: RepositoryDeps,
): Promise<Outcome<{ readonly entries: Tree; readonly isTruncated: boolean }>> {
  const asked = { ...ownerAndRepo(deps.repository), tree_sha: commit, recursive: '1' };
  return await ask(
    deps,
    ({ rest }) => rest.git.getTree(asked),
    (body: unknown) => {
      const listed = parse(treeSchema, body);
      const entries = listed?.tree
        .filter(({ type }) => type !== 'tree')
        .map(({ path, mode, sha, size }) => {
          return [path, { path, sha, kind: kinds.get(mode) ?? 'file', bytes: size }] as const;
        });
      return listed && { entries: new Map(entries), isTruncated: listed.truncated };
    },
    { timeoutMs: repositoryTimeoutMs },
  );
}

const kinds: ReadonlyMap<string, TreeEntry['kind']> = new Map([
  ['100755', 'executable'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);

/** The files before and after the change, and what GitHub says of those that differ. */
export interface Trees {
  readonly before: Tree;
  readonly after: Tree;
  /** Whether GitHub listed all files of both. */
  readonly isWhole: boolean;
  readonly listed: readonly ListedFile[];
}

/** Lists the files that differ: the trees say which, GitHub's list which of them were renamed. */
export function changedFilesIn({ before, after, isWhole, listed }: Trees): readonly ChangedFile[] {
  const listedAt = new Map(listed.map((file) => [file.name, file]));
  const renamed = listed.filter(({ status }) => status === 'renamed');
  const previousPaths = new Map(renamed.map(({ name, previousName }) => [name, previousName]));
  const moved = new Set(previousPaths.values());
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].toSorted().flatMap((path): readonly ChangedFile[] => {
    const previousPath = previousPaths.get(path);
    const [old, now] = [before.get(previousPath ?? path), after.get(path)];
    const isSame = previousPath === undefined && old?.sha === now?.sha && old?.kind === now?.kind;
    // If GitHub did not list all files, a path that is missing says nothing.
    const isKnown = isWhole || (old !== undefined && now !== undefined);
    if (isSame || !isKnown || (now === undefined && moved.has(path))) {
      return [];
    }
    const { additions = 0, deletions = 0 } = listedAt.get(path) ?? {};
    return previousPath === undefined
      ? [{ path, status: statusOf(old, now), additions, deletions }]
      : [{ path, previousPath, status: 'renamed', additions, deletions }];
  });
}

function statusOf(old: TreeEntry | undefined, now: TreeEntry | undefined) {
  return old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified';
}
