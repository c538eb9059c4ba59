import {
  array,
  boolean,
  fallback,
  integer,
  minValue,
  number,
  object,
  optional,
  picklist,
  pipe,
  regex,
  string,
} from 'valibot';
import { count, parse } from '../../text/parse.ts';
import type { PullRequestFacts } from './pull-request-facts.ts';
import type { ListedEntry, ListedTree } from './tree.ts';

/** Of SHA-1 or SHA-256. */
const sha = pipe(string(), regex(/^(?:[\da-f]{40}|[\da-f]{64})$/));

const factsSchema = object({
  number: pipe(number(), integer(), minValue(1)),
  title: string(),
  html_url: fallback(string(), ''),
  state: picklist(['open', 'closed']),
  draft: fallback(optional(boolean(), false), false),
  labels: fallback(optional(array(object({ name: string() })), []), []),
  head: object({ sha }),
  base: object({
    ref: string(),
    sha,
    repo: fallback(optional(object({ default_branch: string() })), undefined),
  }),
  changed_files: fallback(optional(count), undefined),
});

/** Reads "Get a pull request". */
export function readFacts(body: unknown): PullRequestFacts | undefined {
  const pull = parse(factsSchema, body);
  return (
    pull && {
      number: pull.number,
      title: pull.title,
      link: pull.html_url,
      headSha: pull.head.sha,
      baseBranch: pull.base.ref,
      baseSha: pull.base.sha,
      changedFiles: pull.changed_files,
      defaultBranch: pull.base.repo?.default_branch,
      isOpen: pull.state === 'open',
      isDraft: pull.draft,
      labels: pull.labels.map(({ name }) => name),
    }
  );
}

const mergeBaseSchema = object({ merge_base_commit: object({ sha }) });

/** Reads "Compare two commits". */
export function readMergeBaseSha(body: unknown): string | undefined {
  return parse(mergeBaseSchema, body)?.merge_base_commit.sha;
}

const treeSchema = object({
  truncated: fallback(optional(boolean(), false), false),
  tree: array(
    object({ path: string(), mode: string(), type: string(), sha, size: fallback(count, 0) }),
  ),
});

/** Reads "Get a tree". Its folders are left out. */
export function readListedTree(body: unknown): ListedTree | undefined {
  const listed = parse(treeSchema, body);
  if (listed === undefined) {
    return undefined;
  }
  const entries = listed.tree
    .filter(({ type }) => type !== 'tree')
    .map(({ path, mode, type, sha, size }) => {
      const kind = type === 'commit' ? 'submodule' : (kinds.get(mode) ?? 'file');
      return [path, { sha, kind, bytes: size }] as const;
    });
  return { entries: new Map(entries), isTruncated: listed.truncated };
}

const kinds: ReadonlyMap<string, ListedEntry['kind']> = new Map([
  ['100755', 'executable'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);
