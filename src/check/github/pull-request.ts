import {
  array,
  boolean,
  fallback,
  number,
  object,
  optional,
  picklist,
  pipe,
  regex,
  string,
} from 'valibot';
import { type Reading, type RepositoryDeps, readFrom } from '../../github/request.ts';
import { count, parse } from '../../text/parse.ts';
import type { Tree, TreeEntry } from '../change.ts';
import type { ListedFile } from '../reading/assemble.ts';

/** The fields of a pull request that a judgement of it needs. */
export interface PullRequestFacts {
  readonly headSha: string;
  /** The base branch, and its commit when GitHub last compared. */
  readonly baseBranch: string;
  readonly baseSha: string;
  /** How many files it changes; `undefined` if GitHub does not say. */
  readonly changedFiles: number | undefined;
  readonly isOpen: boolean;
}

/** Of SHA-1 or SHA-256. */
const sha = pipe(string(), regex(/^(?:[\da-f]{40}|[\da-f]{64})$/));

const factsSchema = object({
  state: picklist(['open', 'closed']),
  head: object({ sha }),
  base: object({ ref: string(), sha }),
  changed_files: fallback(optional(count), undefined),
});

/**
 * Reads "Get a pull request".
 * @throws the signal's reason if the run is cancelled
 */
export async function readPullRequestFacts(
  pullNumber: number,
  deps: RepositoryDeps,
): Promise<Reading<PullRequestFacts>> {
  return await readFrom(deps, 'pulls/{pull_number}', { pull_number: pullNumber }, (body) => {
    const pull = parse(factsSchema, body);
    return (
      pull && {
        headSha: pull.head.sha,
        baseBranch: pull.base.ref,
        baseSha: pull.base.sha,
        changedFiles: pull.changed_files,
        isOpen: pull.state === 'open',
      }
    );
  });
}

/** The files of a commit. */
export interface ListedTree {
  readonly entries: Tree;
  /** Whether GitHub left out files: it lists at most 100,000 or 7 MB. */
  readonly isTruncated: boolean;
}

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
  return readFrom(deps, 'git/trees/{tree_sha}', { tree_sha: commit, recursive: 1 }, (body) => {
    const listed = parse(treeSchema, body);
    const entries = listed?.tree
      .filter(({ type }) => type !== 'tree')
      .map(({ path, mode, type, sha, size }) => {
        const kind = type === 'commit' ? 'submodule' : (kinds.get(mode) ?? 'file');
        return [path, { sha, kind, bytes: size }] as const;
      });
    return listed && { entries: new Map(entries), isTruncated: listed.truncated };
  });
}

const kinds: ReadonlyMap<string, TreeEntry['kind']> = new Map([
  ['100755', 'executable'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);

/** What a branch has changed since it left another one. */
export interface Comparison {
  /** The newest commit that both have in common. */
  readonly mergeBaseSha: string;
  /** By path after the change. */
  readonly files: ReadonlyMap<string, ListedFile>;
  /** Whether there may be more files, because GitHub lists no more than so many. */
  readonly isFull: boolean;
}

/** GitHub lists no more, all of them on the first page. */
const mostFiles = 300;

const comparisonSchema = object({
  merge_base_commit: object({ sha }),
  files: fallback(
    array(
      object({
        filename: string(),
        status: string(),
        previous_filename: optional(string()),
        additions: number(),
        deletions: number(),
      }),
    ),
    [],
  ),
});

/**
 * Reads "Compare two commits": which files were renamed, and how many lines changed.
 * @throws the signal's reason if the run is cancelled
 */
export async function readComparison(
  base: string,
  head: string,
  deps: RepositoryDeps,
): Promise<Reading<Comparison>> {
  const parameters = { basehead: `${base}...${head}`, per_page: 1, page: 1 };
  return readFrom(deps, 'compare/{basehead}', parameters, (body) => {
    const comparison = parse(comparisonSchema, body);
    const files = comparison?.files.map(
      ({ filename, status, previous_filename: was, additions, deletions }) =>
        [
          filename,
          { previousPath: status === 'renamed' ? was : undefined, additions, deletions },
        ] as const,
    );
    return (
      comparison && {
        mergeBaseSha: comparison.merge_base_commit.sha,
        files: new Map(files),
        isFull: comparison.files.length >= mostFiles,
      }
    );
  });
}
