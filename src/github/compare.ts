import { array, fallback, nullable, object, optional, picklist, string } from 'valibot';
import { count, parse } from '../text/parse.ts';
import { quoted } from '../text/plain.ts';
import { changesError } from './errors.ts';
import { type Release, releaseSchema, toRelease } from './event.ts';
import { ask, type RequiredDeps } from './reading.ts';
import {
  describeResponse,
  type GitHubRequest,
  type GitHubResponse,
  isRefusal,
  isSuccess,
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
  /** At most `mostFiles`. */
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
export const mostFiles = 300;

/** The most that GitHub returns at once. */
const pageSize = 100;

/** So many subjects fill a prompt: 300 of usual length have about 20 kB. */
const mostPages = 3;

/** GitHub takes several seconds for a long range. */
const timeoutMs = 15_000;

/**
 * Compares two commits, of which the first can also be a tag or a branch.
 * @throws ActionError if GitHub does not know one of them, or cannot be asked
 */
export async function compare(
  base: string,
  head: string,
  deps: RequiredDeps,
): Promise<ComparisonPage> {
  return await get(comparison(base, head, 1), readComparison, deps);
}

/**
 * The newest commits of a comparison, newest first. GitHub's pages begin with the oldest ones.
 * @throws ActionError
 */
export async function readNewestCommits(
  page: ComparisonPage,
  head: string,
  deps: RequiredDeps,
): Promise<readonly Commit[]> {
  const last = Math.ceil(page.totalCommits / pageSize);
  const first = Math.max(1, last - mostPages + 1);
  const numbers = Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => first + index,
  );
  const pages = await Promise.all(
    numbers.map((number) =>
      number === 1
        ? page.commits
        : // By its commit, because a branch may have moved since the first page.
          get(comparison(page.baseSha, head, number), readCommitPage, deps),
    ),
  );
  return pages.flat().toReversed();
}

function comparison(base: string, head: string, page: number): Question {
  return {
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    parameters: { basehead: `${base}...${head}`, per_page: pageSize, page },
    subject: `the comparison of ${quoted(base)} with ${quoted(head)}`,
    permission: 'contents: read',
    adviceOnNotFound: `check that ${quoted(base)} still exists, because a force-push, or deleting a tag or a branch, removes it, and give another start in changes-since if not`,
  };
}

/**
 * The repository's newest releases.
 * @throws ActionError
 */
export async function listReleases(deps: RequiredDeps): Promise<readonly Release[]> {
  const question = {
    route: 'GET /repos/{owner}/{repo}/releases',
    parameters: { per_page: pageSize },
    subject: 'the list of releases',
    permission: 'contents: read',
  };
  return await get(question, readReleases, deps);
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
  const question = {
    route: 'GET /repos/{owner}/{repo}/actions/workflows/{file}/runs',
    parameters: { file, branch, status: 'success', per_page: listedRuns },
    subject: `the runs of ${quoted(file)}`,
    permission: 'actions: read',
  };
  return await get(question, readRuns, deps);
}

interface Question extends Required<Pick<GitHubRequest, 'route' | 'parameters'>> {
  /** What is asked for, in a sentence. */
  readonly subject: string;
  /** The permission that it takes. */
  readonly permission: string;
  /** What else to do when GitHub does not find it. */
  readonly adviceOnNotFound?: string;
}

async function get<Value>(
  question: Question,
  read: (body: unknown) => Value | undefined,
  deps: RequiredDeps,
): Promise<Value> {
  const { route, parameters, subject } = question;
  const response = await ask({ route, parameters, timeoutMs }, changesError, deps);
  const value = isSuccess(response) ? read(response.body) : undefined;
  if (value === undefined) {
    const problem = `${describeResponse(response)} when asked for ${subject} in ${deps.repository}`;
    throw changesError(problem, adviceOn(response, question));
  }
  return value;
}

function adviceOn(response: GitHubResponse, { permission, adviceOnNotFound }: Question): string {
  const grant = `give github-token the permission "${permission}"`;
  if (response.kind === 'response' && response.status === 404 && adviceOnNotFound !== undefined) {
    return `${adviceOnNotFound}, or ${grant}`;
  }
  if (isSuccess(response)) {
    return 'check whether a proxy responds instead of GitHub';
  }
  return isRefusal(response)
    ? grant
    : 're-run the workflow later, and if that does not help, give a later start in changes-since';
}

const commitSchema = object({
  sha: string(),
  commit: object({ message: string() }),
  // GitHub knows no account for some addresses, and then sends null or an empty object.
  author: fallback(nullable(object({ login: string() })), null),
});

const fileSchema = object({
  filename: string(),
  previous_filename: fallback(optional(string()), undefined),
  status: string(),
  additions: count,
  deletions: count,
  patch: fallback(optional(string()), undefined),
});

const comparisonSchema = object({
  status: picklist(['ahead', 'behind', 'diverged', 'identical']),
  base_commit: object({ sha: string() }),
  merge_base_commit: object({ sha: string() }),
  total_commits: count,
  commits: array(commitSchema),
  files: array(fileSchema),
});

const laterPageSchema = object({ commits: array(commitSchema) });

/** Reads the first page of "Compare two commits", the only one that lists files. */
function readComparison(body: unknown): ComparisonPage | undefined {
  const page = parse(comparisonSchema, body);
  return (
    page && {
      relation: page.status,
      baseSha: page.base_commit.sha,
      mergeBaseSha: page.merge_base_commit.sha,
      totalCommits: page.total_commits,
      commits: page.commits.map(toCommit),
      files: page.files.map(toFile),
    }
  );
}

/** Reads the commits of another page of it, oldest first. */
function readCommitPage(body: unknown): readonly Commit[] | undefined {
  return parse(laterPageSchema, body)?.commits.map(toCommit);
}

interface CommitFields {
  readonly sha: string;
  readonly commit: { readonly message: string };
  readonly author: { readonly login: string } | null;
}

function toCommit({ sha, commit, author }: CommitFields): Commit {
  return { sha, message: commit.message, author: author?.login ?? '' };
}

interface FileFields extends Omit<ChangedFile, 'name' | 'previousName'> {
  readonly filename: string;
  readonly previous_filename?: string | undefined;
}

function toFile({ filename, previous_filename: previousName, ...file }: FileFields): ChangedFile {
  return { ...file, name: filename, previousName };
}

const releasesSchema = array(releaseSchema);

/** Reads one page of "List releases". */
function readReleases(body: unknown): readonly Release[] | undefined {
  return parse(releasesSchema, body)?.map(toRelease);
}

const runsSchema = object({
  workflow_runs: array(
    object({
      head_sha: string(),
      event: string(),
      head_repository: fallback(nullable(object({ full_name: string() })), null),
    }),
  ),
});

/** Reads one page of "List workflow runs for a workflow". */
function readRuns(body: unknown): readonly SuccessfulRun[] | undefined {
  return parse(runsSchema, body)?.workflow_runs.map((run) => ({
    headSha: run.head_sha,
    eventName: run.event,
    headRepository: run.head_repository?.full_name ?? '',
  }));
}
