import { array, boolean, fallback, object, optional, pipe, regex, string } from 'valibot';
import {
  type GitHubDeps,
  type Parameters,
  type Read,
  type Reading,
  readResponse,
} from '../../github/request.ts';
import { count, parse } from '../../text/parse.ts';
import type { Tree, TreeEntry } from '../change.ts';

/** A repository, and what it takes to read from it. */
export interface RepositoryDeps extends GitHubDeps {
  /** `owner/name` */
  readonly repository: string;
}

/** GitHub takes several seconds for the tree of a large repository. */
const repositoryTimeoutMs = 20_000;

/**
 * Reads something of a repository, with up to three attempts.
 * @param route below the repository, such as `pulls/{number}`
 * @throws the signal's reason if the run is cancelled
 */
export async function readFrom<Route extends string, Value>(
  deps: RepositoryDeps,
  route: Route,
  parameters: Parameters,
  read: Read<`GET /repos/{owner}/{repo}/${Route}`, Value>,
): Promise<Reading<Value>> {
  const { repository } = deps;
  const path = `GET /repos/{owner}/{repo}/${route}` as const;
  const question = { route: path, repository, parameters, timeoutMs: repositoryTimeoutMs };
  const reading = await readResponse(question, deps, read);
  deps.signal.throwIfAborted();
  return reading;
}

/** The files of a commit. */
interface ListedTree {
  readonly entries: Tree;
  /** Whether GitHub left out files: it lists at most 100,000 or 7 MB. */
  readonly isTruncated: boolean;
}

/** Of SHA-1 or SHA-256. */
const sha = pipe(string(), regex(/^(?:[\da-f]{40}|[\da-f]{64})$/));

const treeSchema = object({
  truncated: fallback(optional(boolean(), false), false),
  tree: array(
    object({ path: string(), mode: string(), type: string(), sha, size: fallback(count, 0) }),
  ),
});

/**
 * Lists all files of a commit. Its folders are left out.
 * @throws the signal's reason if the run is cancelled
 */
export async function readTree(commit: string, deps: RepositoryDeps): Promise<Reading<ListedTree>> {
  return readFrom(
    deps,
    'git/trees/{tree_sha}',
    { tree_sha: commit, recursive: 1 },
    (body: unknown) => {
      const listed = parse(treeSchema, body);
      const entries = listed?.tree
        .filter(({ type }) => type !== 'tree')
        .map(({ path, mode, type, sha, size }) => {
          const kind = type === 'commit' ? 'submodule' : (kinds.get(mode) ?? 'file');
          return [path, { sha, kind, bytes: size }] as const;
        });
      return listed && { entries: new Map(entries), isTruncated: listed.truncated };
    },
  );
}

const kinds: ReadonlyMap<string, TreeEntry['kind']> = new Map([
  ['100755', 'executable'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);
