import { quoted } from '../text/plain.ts';
import { changesError } from './errors.ts';
import { type Release, toRelease } from './event.ts';
import {
  type BodyOf,
  type GitHubDeps,
  isSuccessStatus,
  pageSize,
  type Question,
  type Read,
  type Reading,
  type RequestFailure,
  type RequiredDeps,
  readRequired,
  readResponse,
} from './request.ts';

export interface Commit {
  readonly sha: string;
  readonly message: string;
  /** Login of the author; empty when GitHub knows none. */
  readonly author: string;
}

export interface ChangedFile {
  /** As GitHub names it, such as `modified`. */
  readonly status: string;
  readonly name: string;
  readonly previousName: string | undefined;
  readonly additions: number;
  readonly deletions: number;
  /** GitHub has none for binary and very large files, and for those that were only renamed. */
  readonly patch?: string | undefined;
}

/** What changed between two commits, as the first page of GitHub's comparison has it. */
export interface ComparisonPage {
  /** Where the end lies, as seen from the start. */
  readonly relation: 'ahead' | 'behind' | 'diverged' | 'identical';
  readonly baseSha: string;
  /** The files are those that changed since this commit: the start itself, if the end is ahead of it. */
  readonly mergeBaseSha: string;
  readonly totalCommits: number;
  /** Oldest first; at most `pageSize`. */
  readonly commits: readonly Commit[];
  /** At most `maxFiles`. */
  readonly files: readonly ChangedFile[];
}

/** A successful run of a workflow. */
interface SuccessfulRun {
  readonly headSha: string;
  readonly eventName: string;
  /** `owner/name` that the run's commit comes from. */
  readonly headRepository: string;
}

/** GitHub lists this many files of a comparison, and does not say whether there are more. */
export const maxFiles = 300;

/** So many subjects fill a prompt: 300 of usual length have about 20 kB. */
const maxPages = 3;

/** GitHub takes several seconds for a long range. */
const timeoutMs = 15_000;

const comparisonRoute = 'GET /repos/{owner}/{repo}/compare/{basehead}';

function comparison(base: string, head: string, page: number) {
  const parameters = { basehead: `${base}...${head}`, per_page: pageSize, page };
  return { route: comparisonRoute, parameters, timeoutMs } as const;
}

/**
 * Compares two commits: what `head` has that `base` has not.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function compareCommits(
  repository: string,
  base: string,
  head: string,
  deps: GitHubDeps,
): Promise<Reading<ComparisonPage>> {
  return await readResponse({ ...comparison(base, head, 1), repository }, deps, toPage);
}

/**
 * Compares two commits for a prompt. The first one can also be a tag or a branch.
 * @throws ActionError if GitHub does not know one of them, or cannot be asked
 */
export async function compare(
  base: string,
  head: string,
  deps: RequiredDeps,
): Promise<ComparisonPage> {
  return await readNeeded(comparison(base, head, 1), comparisonOf(base, head), deps, toPage);
}

/**
 * The newest commits of a comparison, newest first. GitHub's pages begin with the oldest ones.
 * @throws ActionError
 */
export async function readNewestCommits(
  { baseSha, commits, totalCommits }: ComparisonPage,
  head: string,
  deps: RequiredDeps,
): Promise<readonly Commit[]> {
  const last = Math.ceil(totalCommits / pageSize);
  const first = Math.max(1, last - maxPages + 1);
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  // By its commit, because a branch may have moved since the first page.
  const asked = comparisonOf(baseSha, head);
  const pages = await Promise.all(
    numbers.map((number) =>
      number === 1
        ? commits
        : readNeeded(comparison(baseSha, head, number), asked, deps, toCommits),
    ),
  );
  return pages.flat().toReversed();
}

/**
 * The repository's newest releases.
 * @throws ActionError
 */
export async function listReleases(deps: RequiredDeps): Promise<readonly Release[]> {
  const route = 'GET /repos/{owner}/{repo}/releases';
  const question = { route, parameters: { per_page: pageSize } } as const;
  const asked = { name: 'the list of releases', permission: 'contents: read' };
  return await readNeeded(question, asked, deps, (releases) => releases.map(toRelease));
}

/** Enough to get past the runs of pull requests, which do not count. */
const listedRuns = 50;

/**
 * The newest successful runs of a workflow on a branch, newest first.
 * @param file the name of the workflow's file
 * @throws ActionError
 */
export async function listSuccessfulRuns(
  file: string,
  branch: string,
  deps: RequiredDeps,
): Promise<readonly SuccessfulRun[]> {
  const route = 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs';
  const parameters = { workflow_id: file, branch, status: 'success', per_page: listedRuns };
  const asked = { name: `the runs of ${quoted(file)}`, permission: 'actions: read' };
  return await readNeeded({ route, parameters }, asked, deps, ({ workflow_runs: runs }) =>
    runs.map((run) => ({
      headSha: run.head_sha,
      eventName: run.event,
      // Gone with the fork, although the types promise it.
      headRepository: run.head_repository?.full_name ?? '',
    })),
  );
}

/** What was asked for. */
interface Asked {
  /** In a sentence. */
  readonly name: string;
  /** The permission that it takes. */
  readonly permission: string;
  /** What else to do when GitHub does not find it. */
  readonly adviceOnNotFound?: string;
}

function comparisonOf(base: string, head: string): Asked {
  return {
    name: `the comparison of ${quoted(base)} with ${quoted(head)}`,
    permission: 'contents: read',
    adviceOnNotFound: `check that ${quoted(base)} still exists, because a force-push, or deleting a tag or a branch, removes it, and give another start in changes-since if not`,
  };
}

/** @throws ActionError if it cannot be read */
async function readNeeded<Route extends string, Value>(
  question: Question<Route>,
  asked: Asked,
  deps: RequiredDeps,
  read: Read<Route, Value>,
): Promise<Value> {
  const reading = await readRequired(question, deps, read, changesError);
  if (reading.kind === 'unread') {
    const problem = `${reading.problem} when asked for ${asked.name} in ${deps.repository}`;
    throw changesError(problem, adviceOn(reading, asked));
  }
  return reading.value;
}

function adviceOn(
  { status, isRefusal }: RequestFailure,
  { permission, adviceOnNotFound }: Asked,
): string {
  const grant = `give github-token the permission "${permission}"`;
  if (status === 404 && adviceOnNotFound !== undefined) {
    return `${adviceOnNotFound}, or ${grant}`;
  }
  if (isSuccessStatus(status)) {
    return 'check whether a proxy responds instead of GitHub';
  }
  return isRefusal
    ? grant
    : 're-run the workflow later, and if that does not help, give a later start in changes-since';
}

type ComparisonBody = BodyOf<typeof comparisonRoute>;

/** The first page, the only one that lists files. */
function toPage(body: ComparisonBody): ComparisonPage | undefined {
  const { files } = body;
  return (
    files && {
      relation: body.status,
      baseSha: body.base_commit.sha,
      mergeBaseSha: body.merge_base_commit.sha,
      totalCommits: body.total_commits,
      commits: toCommits(body),
      files: files.map(({ filename: name, previous_filename: previousName, ...file }) => ({
        status: file.status,
        name,
        previousName,
        additions: file.additions,
        deletions: file.deletions,
        patch: file.patch,
      })),
    }
  );
}

/** The commits of a page, oldest first. */
function toCommits({ commits }: Pick<ComparisonBody, 'commits'>): readonly Commit[] {
  return commits.map(({ sha, commit: { message }, author }) => ({
    sha,
    message,
    // GitHub knows no account for some addresses, and then sends null or an empty object.
    author: author?.login ?? '',
  }));
}

/** A push after which a branch no longer began with what it was before. */
export interface ForcePush {
  /** When it was pushed, milliseconds since 1970. */
  readonly pushedMs: number;
  /** The last commit of the branch before it. */
  readonly before: string;
  /** Login of the user who pushed; empty when the account is gone. */
  readonly pusher: string;
}

/**
 * Lists the force-pushes of a branch, newest first, by one request; at most `pageSize`.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function listForcePushes(
  repository: string,
  branch: string,
  deps: GitHubDeps,
): Promise<Reading<readonly ForcePush[]>> {
  const parameters = {
    ref: `refs/heads/${branch}`,
    activity_type: 'force_push',
    direction: 'desc',
    per_page: pageSize,
  };
  const question = { route: 'GET /repos/{owner}/{repo}/activity', repository, parameters } as const;
  return await readResponse(question, deps, (pushes) =>
    pushes.map((push) => ({
      pushedMs: Date.parse(push.timestamp),
      before: push.before,
      pusher: push.actor?.login ?? '',
    })),
  );
}
