import {
  array,
  boolean,
  fallback,
  type InferOutput,
  nullable,
  object,
  optional,
  picklist,
  pipe,
  regex,
  string,
  transform,
  unknown,
} from 'valibot';
import { count, id, parse } from '../text/parse.ts';
import { ownerAndRepo, type ThreadPlace } from './names.ts';
import { ask, askPages, type GitHubDeps, type Outcome } from './request.ts';

/** The hash of a commit. Commands contain the hash, so no other text is accepted. */
const commit = pipe(string(), regex(/^[\da-f]{40,64}$/));

const pullSchema = pipe(
  object({
    title: string(),
    state: picklist(['open', 'closed']),
    head: object({ ref: string(), sha: commit }),
    base: object({
      ref: string(),
      sha: fallback(commit, ''),
      repo: fallback(
        nullable(object({ private: boolean(), full_name: fallback(string(), '') })),
        null,
      ),
    }),
    changed_files: count,
    additions: count,
    deletions: count,
  }),
  transform(({ head, base, ...pull }) => ({
    title: pull.title,
    branch: head.ref,
    base: base.ref,
    /** The base's commit when GitHub last compared; empty if GitHub does not say. */
    baseSha: base.sha,
    /** The pull request's last commit. */
    headSha: head.sha,
    /** Whether the pull request is neither merged nor closed. */
    isOpen: pull.state === 'open',
    /** The present name of the pull request's repository; empty if GitHub does not say. */
    repository: base.repo?.full_name ?? '',
    /** Whether everyone can read the pull request; false if GitHub does not say. */
    isPublic: base.repo?.private === false,
    changedFiles: pull.changed_files,
    additions: pull.additions,
    deletions: pull.deletions,
  })),
);

/** The fields of "Get a pull request" that are used here. */
export type PullRequestDetails = Readonly<InferOutput<typeof pullSchema>>;

export async function readPullDetails(
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Outcome<PullRequestDetails>> {
  return await ask(
    deps,
    ({ rest }) => rest.pulls.get(parametersOf(place)),
    (pull: unknown) => parse(pullSchema, pull),
  );
}

function parametersOf({ repository, number }: ThreadPlace) {
  return { ...ownerAndRepo(repository), pull_number: number };
}

/** A pull request, with the fields that reports show. */
export interface PullRequest extends PullRequestDetails {
  /** The names of the first files; empty if GitHub did not return them. */
  readonly files: readonly string[];
}

/** How many files a report names. */
export const shownFiles = 10;

/** Reads a pull request and the names of its first files. */
export async function readPullRequest(
  place: ThreadPlace,
  deps: GitHubDeps,
): Promise<Outcome<PullRequest>> {
  const [details, files] = await Promise.all([
    readPullDetails(place, deps),
    ask(
      deps,
      ({ rest }) => rest.pulls.listFiles({ ...parametersOf(place), per_page: shownFiles }),
      (listed) => listed.map(({ filename }) => filename),
    ),
  ]);
  return details.kind === 'failed'
    ? details
    : { kind: 'ok', value: { ...details.value, files: files.kind === 'ok' ? files.value : [] } };
}

const issuesSchema = array(object({ number: id, pull_request: optional(unknown()) }));

/**
 * Lists the numbers of the open pull requests with a label, newest first, usually by one request. GitHub can
 * search issues and pull requests by label only together, so issues are left out here.
 *
 * @param label percent-encoded as a whole, so only a comma has a meaning in it: it would separate two
 *   labels, even if it is encoded
 */
export async function listLabelled(
  repository: string,
  label: string,
  deps: GitHubDeps,
): Promise<Outcome<readonly number[]>> {
  const newest = { state: 'open', sort: 'created', direction: 'desc' } as const;
  const listed = { ...ownerAndRepo(repository), ...newest, labels: label };
  const issues = await askPages(
    deps,
    ({ rest }, page) => rest.issues.listForRepo({ ...listed, ...page }),
    (body: unknown) => parse(issuesSchema, body),
  );
  if (issues.kind === 'failed') {
    return issues;
  }
  const pulls = issues.value.filter((issue) => Boolean(issue.pull_request));
  return { kind: 'ok', value: pulls.map(({ number }) => number) };
}

/** Puts a label on a pull request. GitHub creates the label if the repository does not have it. */
export async function putLabel(
  { repository, number }: ThreadPlace,
  label: string,
  deps: GitHubDeps,
): Promise<Outcome<true>> {
  const labelled = { ...ownerAndRepo(repository), issue_number: number, labels: [label] };
  return await ask(
    deps,
    ({ rest }) => rest.issues.addLabels(labelled),
    () => true,
  );
}
