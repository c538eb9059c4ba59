import { array, fallback, nullable, object, optional, picklist, string } from 'valibot';
import { count, parse } from '../text/parse.ts';
import type { ChangedFile, Commit, ComparisonPage, SuccessfulRun } from './compare.ts';
import { type Release, releaseSchema, toRelease } from './event-schema.ts';

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
export function readComparison(body: unknown): ComparisonPage | undefined {
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
export function readCommitPage(body: unknown): readonly Commit[] | undefined {
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
export function readReleases(body: unknown): readonly Release[] | undefined {
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
export function readRuns(body: unknown): readonly SuccessfulRun[] | undefined {
  return parse(runsSchema, body)?.workflow_runs.map((run) => ({
    headSha: run.head_sha,
    eventName: run.event,
    headRepository: run.head_repository?.full_name ?? '',
  }));
}
