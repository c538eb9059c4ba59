import type { Commit, File, GitRepository } from './git.ts';
import { isoSeconds } from './git.ts';

/** What the local GitHub stores beside git. All of it is plain, and callers may add to the lists. */
export interface GitHubState {
  readonly repositories: readonly Repository[];
  /** Roles of people by login, such as `maintain`, in all repositories. A person without one is unknown. */
  readonly roles: Readonly<Record<string, string>>;
  readonly threads: Thread[];
  readonly comments: Comment[];
  readonly labels: Label[];
  readonly checkRuns: CheckRun[];
  readonly releases: Release[];
  /** Workflow runs. No workflow runs here. */
  readonly runs: WorkflowRun[];
  /** Runs that were asked for with `workflow_dispatch`, oldest first. */
  readonly dispatches: Dispatch[];
  /** What a branch needs for a merge, by `owner/name/branch`: approvals, and checks by name. */
  readonly protections: Map<
    string,
    { readonly approvals: number; readonly checks: readonly string[] }
  >;
}

/** In all lists, `repository` is `owner/name`. */
export interface Repository {
  readonly name: string;
  readonly git: GitRepository;
  /** `main` by default. */
  readonly defaultBranch?: string;
}

/** An issue or a pull request. */
export interface Thread {
  readonly repository: string;
  readonly number: number;
  /** `null` if the account is gone. */
  readonly login: string | null;
  readonly createdAt: string;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  /** The names of its labels. */
  labels: readonly string[];
  updatedAt: string;
  closedAt?: string;
  readonly pull?: PullState;
}

/** A thread that is a pull request. */
export type Pull = Thread & { readonly pull: PullState };

interface PullState {
  readonly base: Tip;
  /** `repository` is the fork, or `null` if the fork was deleted. */
  readonly head: Tip & { readonly repository: string | null };
  readonly isDraft: boolean;
  reviewers: readonly string[];
  readonly reviews: { readonly login: string; readonly state: 'APPROVED' | 'COMMENTED' }[];
  /** Merges it as soon as it is approved. */
  autoMerge?: { readonly login: string; readonly method: MergeMethod };
  merged?: { readonly at: string; readonly login: string; readonly sha: string };
}

export type MergeMethod = 'merge' | 'squash' | 'rebase';

interface Tip {
  readonly ref: string;
  sha: string;
}

export interface Comment {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  /** `null` if the account is gone. */
  readonly login: string | null;
  readonly body: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

export interface Label {
  readonly id: number;
  readonly repository: string;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

/** A check run, as an app reports it on a commit. */
export interface CheckRun {
  readonly repository: string;
  readonly sha: string;
  readonly name: string;
  /** Undefined while it is in progress. */
  readonly conclusion?: string | undefined;
  /** The slug of the app; `docs-agent` by default. */
  readonly app?: string;
}

export interface Release {
  readonly id: number;
  readonly repository: string;
  readonly login: string;
  readonly tag: string;
  readonly name: string | null;
  readonly body: string | null;
  readonly target: string;
  readonly at: string;
}

export interface WorkflowRun {
  readonly id: number;
  readonly repository: string;
  readonly workflowId: number;
  /** The name of the workflow's file, which GitHub takes instead of the id. */
  readonly workflowFile: string;
  readonly event: string;
  readonly branch: string;
  readonly headSha: string;
  /** ISO 8601, in UTC; the first second of 2026 by default. */
  readonly createdAt?: string;
  /** Undefined while the run is in progress. */
  readonly conclusion?: 'success' | 'failure' | 'cancelled';
}

/** Somebody asked for a run of a workflow. */
export interface Dispatch {
  readonly repository: string;
  /** The workflow's id, or the name of its file. */
  readonly workflow: string;
  readonly login: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
}

export const newState = (
  repositories: readonly Repository[],
  roles: GitHubState['roles'],
): GitHubState => ({
  repositories,
  roles,
  threads: [],
  comments: [],
  labels: [],
  checkRuns: [],
  releases: [],
  runs: [],
  dispatches: [],
  protections: new Map(),
});

export const now = (): string => isoSeconds(Date.now());

/** GitHub refuses a request. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const notFound = () => new Refusal(404, 'Not Found');

/** @throws {Refusal} */
export function repositoryOf(state: GitHubState, name: string): Repository {
  const found = state.repositories.find((each) => each.name === name);
  if (found === undefined) {
    throw notFound();
  }
  return found;
}

/** @throws {Refusal} */
export function threadOf(state: GitHubState, repository: string, number: number): Thread {
  const found = state.threads.find(
    (each) => each.repository === repository && each.number === number,
  );
  if (found === undefined) {
    throw notFound();
  }
  return found;
}

/** @throws {Refusal} */
export function pullOf(state: GitHubState, repository: string, number: number): Pull {
  const found = threadOf(state, repository, number);
  if (!isPull(found)) {
    throw notFound();
  }
  return found;
}

export function isPull(thread: Thread): thread is Pull {
  return thread.pull !== undefined;
}

/** A thread's fields; everything has a default. */
export type NewThread = Partial<
  Pick<Thread, 'number' | 'title' | 'body' | 'login' | 'state' | 'labels'>
>;

export function addThread(
  state: GitHubState,
  repository: string,
  { labels = [], ...given }: NewThread,
  pull?: PullState,
): Thread {
  const last = state.threads
    .filter((each) => each.repository === repository)
    .reduce((max, { number }) => Math.max(max, number), 0);
  const thread: Thread = {
    repository,
    number: last + 1,
    title: 'Change the docs',
    body: null,
    login: 'docs-agent[bot]',
    state: 'open',
    labels: [],
    createdAt: now(),
    updatedAt: now(),
    ...given,
    ...(pull && { pull }),
  };
  state.threads.push(thread);
  addLabels(state, thread, labels);
  return thread;
}

/** Like GitHub, makes the labels that the repository does not have yet. */
export function addLabels(state: GitHubState, thread: Thread, names: readonly string[]): void {
  const { repository } = thread;
  for (const name of names) {
    if (labelOf(state, repository, name) === undefined) {
      addLabel(state, { repository, name });
    }
  }
  const isNew = (name: string) => !thread.labels.some((each) => isSame(each, name));
  thread.labels = [...thread.labels, ...new Set(names.filter(isNew))];
  thread.updatedAt = now();
}

export function addLabel(
  state: GitHubState,
  label: Pick<Label, 'repository' | 'name'> & Partial<Label>,
): Label {
  const id = state.labels.length + 1;
  const added = { id, color: 'ededed', description: null, ...label };
  state.labels.push(added);
  return added;
}

/** GitHub ignores the case of labels. */
export const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export function labelOf(state: GitHubState, repository: string, name: string): Label | undefined {
  return state.labels.find((each) => each.repository === repository && isSame(each.name, name));
}

/** A pull request that a caller declares, of which the branches need not exist. */
export interface DeclaredPull extends NewThread {
  /** SHAs of commits. The base is the tip of the base branch, not the merge base. */
  readonly base: string;
  readonly head: string;
  readonly baseBranch?: string;
  readonly headBranch?: string;
  /** `owner/name` of the fork; `null` if the fork was deleted; the repository itself by default. */
  readonly headRepository?: string | null;
  readonly isDraft?: boolean;
}

export function addPull(
  state: GitHubState,
  repository: string,
  { base, head, baseBranch = 'main', headBranch = 'docs', isDraft = false, ...given }: DeclaredPull,
): Thread {
  const { headRepository = repository, ...thread } = given;
  return addThread(state, repository, thread, {
    base: { ref: baseBranch, sha: base },
    head: { ref: headBranch, sha: head, repository: headRepository },
    isDraft,
    reviewers: [],
    reviews: [],
  });
}

/**
 * Moves a branch or a tag to a commit, or deletes it, and updates the open pull requests from that branch.
 *
 * @param ref such as `refs/heads/main`
 * @throws {Refusal} if there is no such commit
 */
export function moveRef(
  state: GitHubState,
  repository: Repository,
  ref: string,
  sha: string | undefined,
): void {
  const { name, git } = repository;
  writeRef(git, ref, sha);
  for (const { pull } of state.threads.filter((each) => isOpenFrom(each, name, ref))) {
    if (pull !== undefined && sha !== undefined) {
      pull.head.sha = sha;
      pull.base.sha = git.sha(`refs/heads/${pull.base.ref}`) ?? pull.base.sha;
    }
  }
}

function writeRef(git: GitRepository, ref: string, sha: string | undefined): void {
  if (sha === undefined) {
    git.deleteRef(ref);
    return;
  }
  try {
    git.setRef(ref, sha);
  } catch {
    throw new Refusal(422, 'Object does not exist');
  }
}

/** Whether a thread is an open pull request from a branch of its own repository. */
function isOpenFrom({ repository, state, pull }: Thread, name: string, ref: string): boolean {
  const { head } = pull ?? {};
  const isBranch = head?.repository === name && `refs/heads/${head.ref}` === ref;
  return repository === name && state === 'open' && isBranch;
}

/**
 * Commits a file to a branch; `null` as the content deletes the file.
 *
 * @returns the commit
 * @throws {Refusal} if there is no such branch
 */
export function commitFile(
  state: GitHubState,
  repository: Repository,
  change: {
    readonly branch: string;
    readonly path: string;
    readonly content: File | null;
    readonly login: string;
    readonly message?: string;
  },
): string {
  const { branch, path, content, login, message = `Change ${path}` } = change;
  const ref = `refs/heads/${branch}`;
  const parent = repository.git.sha(ref);
  if (parent === undefined) {
    throw notFound();
  }
  const sha = repository.git.commit({
    ...{ parents: [parent], changes: { [path]: content }, message },
    ...{ author: personOf(login), at: now() },
  });
  moveRef(state, repository, ref, sha);
  return sha;
}

/** The author of a person's commits. */
export function personOf(login: string): Commit['author'] {
  return { name: login, email: `${login}@example.com`, date: now() };
}

/** What the base branch still requires of a pull request; `undefined` if it can be merged. */
export function missingIn(
  state: GitHubState,
  { repository, pull }: Pull,
): 'review' | 'checks' | undefined {
  const needed = state.protections.get(`${repository}/${pull.base.ref}`);
  const approvals = pull.reviews.filter(({ state: is }) => is === 'APPROVED');
  const lastRun = (name: string) =>
    state.checkRuns.findLast(
      (run) => run.repository === repository && run.sha === pull.head.sha && run.name === name,
    );
  const isMissing = (name: string) =>
    !['success', 'neutral', 'skipped'].includes(lastRun(name)?.conclusion ?? '');
  if (new Set(approvals.map(({ login }) => login)).size < (needed?.approvals ?? 0)) {
    return 'review';
  }
  return needed?.checks.some(isMissing) === true ? 'checks' : undefined;
}

const refusals = {
  review: 'At least 1 approving review is required by reviewers with write access.',
  checks: 'Required status checks have not succeeded.',
};

/** The merged tree of a pull request; `undefined` if its branches conflict. */
export function mergedTree(state: GitHubState, { repository, pull }: Pull): string | undefined {
  const { git } = repositoryOf(state, repository);
  const base = git.sha(`refs/heads/${pull.base.ref}`) ?? pull.base.sha;
  return git.merge(base, pull.head.sha);
}

interface MergeOptions {
  readonly login: string;
  readonly method?: MergeMethod | undefined;
  /** The expected head; any by default. */
  readonly sha?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * Merges a pull request.
 *
 * @returns the new commit
 * @throws {Refusal}
 */
export function mergePull(state: GitHubState, thread: Pull, options: MergeOptions): string {
  const { login, method = 'merge', sha } = options;
  const { number, pull } = thread;
  const repository = repositoryOf(state, thread.repository);
  const missing = missingIn(state, thread);
  if (missing !== undefined) {
    throw new Refusal(405, refusals[missing]);
  }
  const tree = thread.state === 'open' ? mergedTree(state, thread) : undefined;
  if (tree === undefined) {
    throw new Refusal(405, 'Pull Request is not mergeable');
  }
  if (sha !== undefined && sha !== pull.head.sha) {
    throw new Refusal(409, 'Head branch was modified. Review and try the merge again.');
  }
  const ref = `refs/heads/${pull.base.ref}`;
  const base = repository.git.sha(ref) ?? pull.base.sha;
  const [owner] = thread.repository.split('/');
  const merged = repository.git.commitTree(tree, {
    parents: method === 'merge' ? [base, pull.head.sha] : [base],
    message: options.title ?? `Merge pull request #${number} from ${owner}/${pull.head.ref}`,
    author: personOf(login),
    at: now(),
  });
  moveRef(state, repository, ref, merged);
  pull.base.sha = base;
  pull.merged = { at: now(), login, sha: merged };
  delete pull.autoMerge;
  setState(thread, 'closed');
  return merged;
}

export function setState(thread: Thread, to: Thread['state']): void {
  thread.state = to;
  thread.updatedAt = now();
  if (to === 'closed') {
    thread.closedAt = now();
  } else {
    delete thread.closedAt;
  }
}

/**
 * Merges a pull request as soon as it is approved.
 *
 * @throws {Refusal} when it can be merged now, or has another head
 */
export function mergeOnceApproved(state: GitHubState, thread: Pull, options: MergeOptions): void {
  const { login, method = 'merge', sha } = options;
  if (sha !== undefined && sha !== thread.pull.head.sha) {
    throw new Refusal(409, 'Head branch was modified. Review and try the merge again.');
  }
  if (missingIn(state, thread) === undefined) {
    throw new Refusal(422, 'Pull request Pull request is in clean status');
  }
  // GitHub compares the head here, and not again when it merges.
  thread.pull.autoMerge = { login, method };
}

/** Requests reviews. Any login is accepted but the author's, even if there is no such person. */
export function requestReview({ pull, login }: Pull, logins: readonly string[]): void {
  if (logins.some((each) => each === login)) {
    throw new Refusal(422, 'Review cannot be requested from pull request author.');
  }
  pull.reviewers = [...new Set([...pull.reviewers, ...logins])];
}

/** Adds a review, and merges the pull request if it was the last one missing. */
export function addReview(state: GitHubState, thread: Pull, login: string, event: string): void {
  const { pull } = thread;
  pull.reviews.push({ login, state: event === 'APPROVE' ? 'APPROVED' : 'COMMENTED' });
  pull.reviewers = pull.reviewers.filter((each) => each !== login);
  if (pull.autoMerge !== undefined && missingIn(state, thread) === undefined) {
    mergePull(state, thread, pull.autoMerge);
  }
}

/** Adds a release of a commit or a branch, with its tag; published now unless `at` says when. */
export function addRelease(
  state: GitHubState,
  { name: repository, git }: Repository,
  release: Omit<Release, 'id' | 'at' | 'repository'> & Partial<Pick<Release, 'at'>>,
): Release {
  const sha = git.sha(release.target);
  const tag = `refs/tags/${release.tag}`;
  if (sha !== undefined && git.sha(tag) === undefined) {
    git.setRef(tag, sha);
  }
  const added = { id: state.releases.length + 1, repository, at: now(), ...release };
  state.releases.push(added);
  return added;
}

/** GitHub's limit of a comment. */
const maxCommentLength = 65_536;

/** @throws {Refusal} */
export function checkComment(body: string): string {
  if (body.trim() === '' || body.length > maxCommentLength) {
    throw new Refusal(422, 'Validation Failed');
  }
  return body;
}

export function addComment(
  state: GitHubState,
  { repository, number }: Thread,
  login: string,
  body: string,
): Comment {
  const id = state.comments.reduce((max, each) => Math.max(max, each.id), 500) + 1;
  const comment = { id, repository, number, login, body: checkComment(body), createdAt: now() };
  state.comments.push(comment);
  return comment;
}
