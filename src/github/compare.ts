import { array } from 'valibot';
import { parse } from '../text/parse.ts';
import { quoted } from '../text/plain.ts';
import { adviceOnFailure, changesError } from './errors.ts';
import { type Release, releaseSchema } from './event.ts';
import { isSameName, ownerAndRepo } from './names.ts';
import {
  ask,
  type Call,
  type GitHubDeps,
  type Octokit,
  type Outcome,
  pageSize,
  type Read,
  type RepositoryDeps,
} from './request.ts';

/** GitHub lists at most this many files of a comparison, and does not say whether there are more. */
export const maxFiles = 300;

/** Three pages have 300 commits. Their subjects need about 20 kB, which is enough for a prompt. */
const maxPages = 3;

/** GitHub needs several seconds to compare a long range. */
const timeoutMs = 15_000;

/** Makes the request for one page of a comparison. */
function comparison(repository: string, base: string, head: string, page: number) {
  const commits = { ...ownerAndRepo(repository), basehead: `${base}...${head}` };
  return ({ rest }: Octokit) =>
    rest.repos.compareCommitsWithBasehead({ ...commits, per_page: pageSize, page });
}

type ComparisonBody = Awaited<ReturnType<ReturnType<typeof comparison>>>['data'];

/** Compares two commits: what `head` has that `base` has not. */
export async function compareCommits(
  repository: string,
  base: string,
  head: string,
  deps: GitHubDeps,
): Promise<Outcome<ComparisonPage>> {
  return await ask(deps, comparison(repository, base, head, 1), toPage, { timeoutMs });
}

/**
 * Compares two commits for a prompt. The first can also be given as a tag or a branch.
 * @throws ActionError if GitHub does not know one of the commits, or cannot be asked
 */
export async function compare(
  base: string,
  head: string,
  deps: RepositoryDeps,
): Promise<ComparisonPage> {
  const call = comparison(deps.repository, base, head, 1);
  return await askNeeded(comparisonOf(base, head), deps, call, toPage);
}

/**
 * Reads the newest commits of a comparison, newest first. GitHub's first page has the oldest commits.
 * @throws ActionError
 */
export async function readNewestCommits(
  { baseSha, commits, totalCommits }: ComparisonPage,
  head: string,
  deps: RepositoryDeps,
): Promise<readonly Commit[]> {
  const last = Math.ceil(totalCommits / pageSize);
  const first = Math.max(1, last - maxPages + 1);
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  // The hash is asked for, because a branch may have moved since the first page.
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
 * Lists the newest 100 releases.
 * @throws ActionError
 */
export async function listReleases(deps: RepositoryDeps): Promise<readonly Release[]> {
  const listed = { ...ownerAndRepo(deps.repository), per_page: pageSize };
  return await askNeeded(
    { name: 'the list of releases', permission: 'contents: read' },
    deps,
    ({ rest }) => rest.repos.listReleases(listed),
    (body: unknown) => parse(array(releaseSchema), body),
  );
}

/** Among 50 runs there is nearly always one that is not for a pull request. */
const listedRuns = 50;

/**
 * Finds the commit of the last successful run of a workflow on a branch; `undefined` if there is no such run.
 * @param file the name of the workflow's file
 * @throws ActionError
 */
export async function findLastSuccess(
  file: string,
  branch: string,
  deps: RepositoryDeps,
): Promise<string | undefined> {
  const asked = { ...ownerAndRepo(deps.repository), workflow_id: file, branch } as const;
  const runs = await askNeeded(
    { name: `the runs of ${quoted(file)}`, permission: 'actions: read' },
    deps,
    ({ rest }) =>
      rest.actions.listWorkflowRuns({ ...asked, status: 'success', per_page: listedRuns }),
    (body) => body.workflow_runs,
  );
  const last = runs.find(
    // The branch of a pull request can have the same name, also in a fork. GitHub sends null if the fork is gone,
    // although its types do not say so.
    ({ event, head_repository: from }) =>
      !event.startsWith('pull_request') && isSameName(deps.repository, from?.full_name),
  );
  return last?.head_sha;
}

/** Describes a request for error messages. */
interface Asked {
  /** What was asked for, in a sentence. */
  readonly name: string;
  /** The permission that the request needs. */
  readonly permission: string;
  /** What else to check if GitHub responds with 404, as a clause that follows "check that". */
  readonly doubt?: string;
}

function comparisonOf(base: string, head: string): Asked {
  return {
    name: `the comparison of ${quoted(base)} with ${quoted(head)}`,
    permission: 'contents: read',
    doubt: `${quoted(base)} still exists, because a force-push, or deleting a tag or a branch, removes it, and give another start in changes-since if not`,
  };
}

/** @throws ActionError if GitHub does not return what was asked for */
async function askNeeded<Data, Value>(
  asked: Asked,
  deps: RepositoryDeps,
  call: Call<Data>,
  read: Read<Data, Value>,
): Promise<Value> {
  const outcome = await ask(deps, call, read, { timeoutMs });
  if (outcome.kind === 'failed') {
    const { problem, status, advice } = outcome;
    // Without a token or an address, no request was sent.
    const isAsked = status !== undefined || advice === undefined;
    const when = isAsked ? ` when asked for ${asked.name} in ${deps.repository}` : '';
    const token = { repository: deps.repository, input: 'github-token', isStandIn: false } as const;
    const permissions = `the permission "${asked.permission}"`;
    throw changesError(
      `${problem}${when}`,
      adviceOnFailure(outcome, permissions, token, asked.doubt),
    );
  }
  return outcome.value;
}

/** Reads the first page of a comparison; `undefined` for any other page, because only the first page lists files. */
function toPage(body: ComparisonBody) {
  const { files } = body;
  return (
    files && {
      /** `ahead`, `behind`, `diverged` or `identical`: the position of the end, relative to the start. */
      relation: body.status,
      baseSha: body.base_commit.sha,
      /** `files` lists what changed since this commit, which is the start itself if the end is ahead of the start. */
      mergeBaseSha: body.merge_base_commit.sha,
      totalCommits: body.total_commits,
      /** At most `pageSize` commits, oldest first. */
      commits: toCommits(body),
      /** At most `maxFiles` files. */
      files: files.map(toFile),
    }
  );
}

/** The first page of GitHub's comparison of two commits. */
export type ComparisonPage = Readonly<NonNullable<ReturnType<typeof toPage>>>;

function toFile(file: NonNullable<ComparisonBody['files']>[number]) {
  return {
    /** What happened to the file, in GitHub's words, such as `modified`. */
    status: file.status,
    name: file.filename,
    previousName: file.previous_filename,
    additions: file.additions,
    deletions: file.deletions,
    /** GitHub has no patch for binary files, very large files and files that were only renamed. */
    patch: file.patch,
  };
}

export type ChangedFile = Readonly<ReturnType<typeof toFile>>;

/** Reads the commits of a page, oldest first. */
function toCommits({ commits }: Pick<ComparisonBody, 'commits'>) {
  return commits.map(({ sha, commit: { message }, author }) => ({
    sha,
    message,
    /** The author's login; empty if GitHub knows no account and sends null or an empty object. */
    author: author?.login ?? '',
  }));
}

export type Commit = Readonly<ReturnType<typeof toCommits>[number]>;
