import { quoted } from '../text/plain.ts';
import { changesError } from './errors.ts';
import { type Release, toRelease } from './event.ts';
import { ownerAndRepo } from './names.ts';
import {
  ask,
  type Call,
  type GitHubDeps,
  type Octokit,
  type Outcome,
  pageSize,
  type Read,
  type RequestFailure,
  type RequiredDeps,
  withToken,
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

/** The page of a comparison, as a call for `ask`. */
function comparison(repository: string, base: string, head: string, page: number) {
  const commits = { ...ownerAndRepo(repository), basehead: `${base}...${head}` };
  return (octokit: Octokit) =>
    octokit.rest.repos.compareCommitsWithBasehead({ ...commits, per_page: pageSize, page });
}

type ComparisonBody = Awaited<ReturnType<ReturnType<typeof comparison>>>['data'];

/**
 * Compares two commits: what `head` has that `base` has not.
 * @throws the signal's reason when that is aborted during a delay
 */
export async function compareCommits(
  repository: string,
  base: string,
  head: string,
  deps: GitHubDeps,
): Promise<Outcome<ComparisonPage>> {
  return await ask(deps, comparison(repository, base, head, 1), toPage, { timeoutMs });
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
  const call = comparison(deps.repository, base, head, 1);
  return await askNeeded(comparisonOf(base, head), deps, call, toPage);
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
    numbers.map((page) =>
      page === 1
        ? commits
        : askNeeded(asked, deps, comparison(deps.repository, baseSha, head, page), toCommits),
    ),
  );
  return pages.flat().toReversed();
}

/**
 * The repository's newest releases.
 * @throws ActionError
 */
export async function listReleases(deps: RequiredDeps): Promise<readonly Release[]> {
  return await askNeeded(
    { name: 'the list of releases', permission: 'contents: read' },
    deps,
    (octokit) =>
      octokit.rest.repos.listReleases({ ...ownerAndRepo(deps.repository), per_page: pageSize }),
    (releases) => releases.map(toRelease),
  );
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
  const runs = { ...ownerAndRepo(deps.repository), workflow_id: file, branch } as const;
  return await askNeeded(
    { name: `the runs of ${quoted(file)}`, permission: 'actions: read' },
    deps,
    (octokit) =>
      octokit.rest.actions.listWorkflowRuns({ ...runs, status: 'success', per_page: listedRuns }),
    ({ workflow_runs: listed }) =>
      listed.map((run) => ({
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

/** @throws ActionError if GitHub does not return it */
async function askNeeded<Data, Value>(
  asked: Asked,
  deps: RequiredDeps,
  call: Call<Data>,
  read: Read<Data, Value>,
): Promise<Value> {
  const outcome = await ask(withToken(deps, changesError), call, read, { timeoutMs });
  if (outcome.kind === 'failed') {
    const problem = `${outcome.problem} when asked for ${asked.name} in ${deps.repository}`;
    throw changesError(problem, adviceOn(outcome, asked));
  }
  return outcome.value;
}

function adviceOn(
  { status, isRefusal, isUnreadable }: RequestFailure,
  { permission, adviceOnNotFound }: Asked,
): string {
  const grant = `give github-token the permission "${permission}"`;
  if (status === 404 && adviceOnNotFound !== undefined) {
    return `${adviceOnNotFound}, or ${grant}`;
  }
  if (isUnreadable) {
    return 'check whether a proxy responds instead of GitHub';
  }
  return isRefusal
    ? grant
    : 're-run the workflow later, and if that does not help, give a later start in changes-since';
}

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
): Promise<Outcome<readonly ForcePush[]>> {
  const pushes = { ...ownerAndRepo(repository), ref: `refs/heads/${branch}` };
  const newest = { activity_type: 'force_push', direction: 'desc', per_page: pageSize } as const;
  return await ask(
    deps,
    (octokit) => octokit.rest.repos.listActivities({ ...pushes, ...newest }),
    (listed) =>
      listed.map((push) => ({
        pushedMs: Date.parse(push.timestamp),
        before: push.before,
        pusher: push.actor?.login ?? '',
      })),
  );
}
