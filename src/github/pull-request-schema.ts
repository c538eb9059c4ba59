import {
  array,
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
  unknown,
} from 'valibot';
import { parse } from '../text/parse.ts';

const count = pipe(number(), integer(), minValue(0));
const id = pipe(number(), integer(), minValue(1));

/** An open pull request in a list of issues. */
export interface LabelledPull {
  readonly number: number;
  /** Link to its page; its repository may have been renamed since the request named it. */
  readonly url: string;
}

const issuesSchema = array(
  object({ number: id, html_url: string(), pull_request: optional(unknown()) }),
);

/** One page of issues. */
interface IssuePage {
  readonly pulls: readonly LabelledPull[];
  /** How many issues it has, pull requests included. */
  readonly count: number;
}

/** Reads the pull requests of one page of "List repository issues". */
export function readLabelled(body: unknown): IssuePage | undefined {
  const issues = parse(issuesSchema, body);
  const pulls = issues
    ?.filter(({ pull_request: pull }) => pull !== undefined && pull !== null)
    .map(({ number: pullNumber, html_url: url }) => ({ number: pullNumber, url }));
  return pulls && { pulls, count: issues?.length ?? 0 };
}

/** A commit, as git names it. Commands contain it, so it must be nothing else. */
const commit = pipe(string(), regex(/^[\da-f]{40,64}$/));

/** The state of a pull request between two rounds. */
export interface PullHead {
  readonly headSha: string;
  readonly url: string;
  /** When it was opened, milliseconds since 1970; `undefined` if GitHub does not say. */
  readonly openedMs: number | undefined;
}

const pullHeadSchema = object({
  head: object({ sha: commit }),
  html_url: fallback(string(), ''),
  created_at: fallback(string(), ''),
});

/** Reads the state of "Get a pull request". */
export function readPullHead(body: unknown): PullHead | undefined {
  const pull = parse(pullHeadSchema, body);
  const openedMs = Date.parse(pull?.created_at ?? '');
  return (
    pull && {
      headSha: pull.head.sha,
      url: pull.html_url,
      openedMs: Number.isNaN(openedMs) ? undefined : openedMs,
    }
  );
}

/** What one commit has that another has not. */
export interface Comparison {
  /** Whether the earlier commit is still part of the later one's history. */
  readonly keepsHistory: boolean;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

const comparisonSchema = object({
  status: picklist(['ahead', 'behind', 'diverged', 'identical']),
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
      keepsHistory: found.status === 'ahead' || found.status === 'identical',
      files: found.files.length,
      additions: sum('additions'),
      deletions: sum('deletions'),
    }
  );
}
