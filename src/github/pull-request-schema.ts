import {
  array,
  fallback,
  nullable,
  object,
  optional,
  picklist,
  pipe,
  regex,
  string,
  unknown,
} from 'valibot';
import { count, id, parse } from '../text/parse.ts';

/** An open pull request in a list of issues. */
export interface LabelledPull {
  readonly number: number;
  /** Link to its page; its repository may have been renamed since the request named it. */
  readonly url: string;
}

const issuesSchema = array(
  object({ number: id, html_url: string(), pull_request: optional(unknown()) }),
);

/** Reads one page of "List repository issues": of each, the pull request that it is. */
export function readIssues(
  body: unknown,
): readonly { readonly pull: LabelledPull | undefined }[] | undefined {
  return parse(issuesSchema, body)?.map((issue) => ({
    pull: issue.pull_request ? { number: issue.number, url: issue.html_url } : undefined,
  }));
}

/** A commit, as git names it. Commands contain it, so it must be nothing else. */
const commit = pipe(string(), regex(/^[\da-f]{40,64}$/));

/** The state of a pull request between two rounds. */
export interface PullHead {
  readonly headSha: string;
  readonly branch: string;
  /** Neither merged nor closed. */
  readonly isOpen: boolean;
  /** When it was opened, milliseconds since 1970; `undefined` if GitHub does not say. */
  readonly openedMs: number | undefined;
}

const pullHeadSchema = object({
  head: object({ sha: commit, ref: string() }),
  state: fallback(picklist(['open', 'closed']), 'open'),
  created_at: fallback(string(), ''),
});

/** Reads the state of "Get a pull request". */
export function readPullHead(body: unknown): PullHead | undefined {
  const pull = parse(pullHeadSchema, body);
  const openedMs = Date.parse(pull?.created_at ?? '');
  return (
    pull && {
      headSha: pull.head.sha,
      branch: pull.head.ref,
      isOpen: pull.state === 'open',
      openedMs: Number.isNaN(openedMs) ? undefined : openedMs,
    }
  );
}

/** What one commit has that another has not. */
export interface Comparison {
  /** Where it lies, as seen from the other one. */
  readonly relation: 'ahead' | 'behind' | 'diverged' | 'identical';
  /** All commits; `commits` can be fewer. */
  readonly totalCommits: number;
  /** Oldest first. */
  readonly commits: readonly ComparedCommit[];
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

export interface ComparedCommit {
  readonly sha: string;
  readonly message: string;
  /** Login of the author; empty when GitHub knows none. */
  readonly author: string;
}

const account = nullable(object({ login: string() }));

const comparisonSchema = object({
  status: picklist(['ahead', 'behind', 'diverged', 'identical']),
  total_commits: fallback(count, 0),
  commits: fallback(
    array(
      object({
        sha: commit,
        commit: object({ message: string() }),
        author: fallback(account, null),
      }),
    ),
    [],
  ),
  files: fallback(
    array(object({ additions: fallback(count, 0), deletions: fallback(count, 0) })),
    [],
  ),
});

/** Reads "Compare two commits". */
export function readCommitComparison(body: unknown): Comparison | undefined {
  const found = parse(comparisonSchema, body);
  const sum = (field: 'additions' | 'deletions'): number =>
    found?.files.reduce((total, file) => total + file[field], 0) ?? 0;
  return (
    found && {
      relation: found.status,
      totalCommits: found.total_commits,
      commits: found.commits.map(({ sha, commit: { message }, author }) => ({
        sha,
        message,
        author: author?.login ?? '',
      })),
      files: found.files.length,
      additions: sum('additions'),
      deletions: sum('deletions'),
    }
  );
}

/** A push after which a branch no longer began with what it was before. */
export interface ForcePush {
  readonly id: string;
  /** The last commit of the branch before it. */
  readonly before: string;
  /** Login of the user who pushed; empty when the account is gone. */
  readonly pusher: string;
}

const activitySchema = array(object({ id, before: commit, actor: fallback(account, null) }));

/** Reads "List repository activities". */
export function readForcePushes(body: unknown): readonly ForcePush[] | undefined {
  return parse(activitySchema, body)?.map(({ id: activity, before, actor }) => ({
    id: String(activity),
    before,
    pusher: actor?.login ?? '',
  }));
}
