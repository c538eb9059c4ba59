import { array, fallback, nullable, object, picklist, pipe, regex, string } from 'valibot';
import { count, id, parse } from '../text/parse.ts';
import type { ThreadPlace } from './comments.ts';
import { type GitHubDeps, type Reading, readWith } from './reading.ts';
import { repositoryParameters } from './request.ts';

/** A commit, as git names it. Commands contain it, so it must be nothing else. */
const commit = pipe(string(), regex(/^[\da-f]{40,64}$/));

/** The state of a pull request between two rounds. */
interface PullHead {
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

function parsePullHead(body: unknown): PullHead | undefined {
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

/** Reads the state of a pull request, of which its last commit matters most. */
export async function readPullHead(
  { repository, number }: ThreadPlace,
  deps: GitHubDeps,
): Promise<Reading<PullHead>> {
  const parameters = { ...repositoryParameters(repository), pull_number: number };
  return await readWith(
    parsePullHead,
    'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters,
    deps,
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

function parseComparison(body: unknown): Comparison | undefined {
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

/** Compares two commits of a repository: what `after` has that `before` has not. */
export async function compareCommits(
  repository: string,
  { before, after }: { readonly before: string; readonly after: string },
  deps: GitHubDeps,
): Promise<Reading<Comparison>> {
  const parameters = { ...repositoryParameters(repository), basehead: `${before}...${after}` };
  const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
  return await readWith(parseComparison, route, parameters, deps);
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

function parseForcePushes(body: unknown): readonly ForcePush[] | undefined {
  return parse(activitySchema, body)?.map(({ id: activity, before, actor }) => ({
    id: String(activity),
    before,
    pusher: actor?.login ?? '',
  }));
}

/** The most that GitHub returns at once. */
const mostListed = 100;

/**
 * Lists the force-pushes of a branch, newest first, by one request; at most `mostListed`. Each names
 * the commit that was the last one of the branch before it.
 */
export async function listForcePushes(
  repository: string,
  branch: string,
  deps: GitHubDeps,
): Promise<Reading<readonly ForcePush[]>> {
  return await readWith(
    parseForcePushes,
    'GET /repos/{owner}/{repo}/activity',
    {
      ...repositoryParameters(repository),
      ref: `refs/heads/${branch}`,
      activity_type: 'force_push',
      direction: 'desc',
      per_page: mostListed,
    },
    deps,
  );
}
