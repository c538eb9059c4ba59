import { GraphQLError, parse } from 'graphql';
import * as v from 'valibot';
import type { GitRepository } from './git.ts';
import { type Call, ok, type Routes } from './route.ts';
import { type Node, select } from './select.ts';
import { idOf } from './show.ts';
import {
  type Comment,
  isPull,
  type Label,
  type MergeMethod,
  mergedTree,
  mergeOnceApproved,
  missingIn,
  type Pull,
  pullOf,
  Refusal,
  type Repository,
  type Thread,
} from './state.ts';

const requestBody = v.object({
  query: v.string(),
  variables: v.optional(v.nullable(v.record(v.string(), v.unknown())), {}),
});

/**
 * GraphQL, for the actions and the usual commands of `gh`. A mutation sends the request of the REST API that
 * does the same.
 *
 * @param maxTextBytes of a query's texts
 */
export function graphqlRoutes(maxTextBytes = Number.POSITIVE_INFINITY): Routes {
  return {
    async 'POST /graphql'(call) {
      if (call.request.identity === undefined) {
        throw new Refusal(401, 'This endpoint requires you to be authenticated.');
      }
      const { query, variables } = call.body(requestBody);
      // GraphQL responds with 200 to errors too.
      try {
        const roots = { query: queries(call), mutation: mutations(call) };
        const { data, errors } = await select(parse(query), roots, variables ?? {});
        return textBytes(data) > maxTextBytes
          ? ok({ data: null, errors: [{ message: timedOut }] }, 502)
          : ok({ data, ...(errors.length > 0 && { errors }) });
      } catch (error) {
        if (error instanceof GraphQLError) {
          return ok({ errors: [{ message: error.message }] });
        }
        throw error;
      }
    },
  };
}

const timedOut =
  'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.';

function queries(call: Call): Node {
  return {
    __typename: 'Query',
    isWhole: true,
    // `gh` asks which fields a type has. Without any, it uses only those that all versions have.
    __type: null,
    viewer: { ...actor(call.login), login: call.login, isWhole: true },
    organization: ({ login }: { login: string }) => organization(login),
    repository({ owner, name }: { owner: string; name: string }) {
      const found = call.state.repositories.find((each) => each.name === `${owner}/${name}`);
      const { access } = call.request.identity ?? {};
      if (found === undefined || (access !== undefined && access.repository !== found.name)) {
        const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`;
        throw new Refusal(404, message);
      }
      return repositoryNode(call, found);
    },
  };
}

/** A whole list, as a connection with one page. */
function list<T>(nodes: readonly T[]) {
  const pageInfo = { hasNextPage: false, endCursor: null };
  return { nodes, edges: nodes.map((node) => ({ node })), totalCount: nodes.length, pageInfo };
}

function organization(login: string) {
  return { __typename: 'Organization', id: `O_${login}`, login, teams: list([]) };
}

/** GraphQL shows the login of a bot without its suffix, except for the viewer. */
function actor(login: string) {
  const [name, suffix] = login.split('[');
  return { __typename: suffix === undefined ? 'User' : 'Bot', id: `U_${login}`, login: name };
}

const actorOf = (login: string | null) => (login === null ? null : actor(login));

function repositoryNode(call: Call, repository: Repository): Node {
  const { name, git, defaultBranch = 'main' } = repository;
  const [owner = '', shortName] = name.split('/');
  const { state } = call;
  const threads = () => state.threads.filter((each) => each.repository === name);
  const find = (number: number) => {
    const found = threads().find((each) => each.number === number);
    const kind = found !== undefined && isPull(found) ? 'pulls' : 'issues';
    call.allow('GET', `/repos/${name}/${kind}/${number}`);
    if (found === undefined) {
      const message = `Could not resolve to an issue or pull request with the number of ${number}.`;
      throw new Refusal(404, message);
    }
    return threadNode(call, found);
  };
  const ofType = (number: number, type: string) => {
    const found = find(number);
    return found.__typename === type ? found : null;
  };
  const listed = (
    isWanted: (thread: Thread) => boolean,
    { states, labels = [], headRefName }: Filter,
  ) =>
    list(
      threads()
        .filter(isWanted)
        .filter((each) => states === undefined || [states].flat().includes(stateOf(each)))
        .filter((each) => labels.every((label) => each.labels.includes(label)))
        .filter(({ pull }) => !headRefName || pull?.head.ref === headRefName)
        .map((each) => threadNode(call, each))
        .toReversed(),
    );
  return {
    __typename: 'Repository',
    isWhole: true,
    ...{
      id: `R_${name}`,
      name: shortName,
      nameWithOwner: name,
      isPrivate: false,
      description: null,
    },
    ...{ url: call.show.repository(repository).html_url, owner: organization(owner), parent: null },
    ...{ defaultBranchRef: { name: defaultBranch }, hasIssuesEnabled: true, hasWikiEnabled: false },
    ...{ mergeCommitAllowed: true, rebaseMergeAllowed: true, squashMergeAllowed: true },
    ...{ viewerPermission: 'WRITE', isArchived: false, viewerDefaultMergeMethod: 'MERGE' },
    ...{ milestones: list([]), projects: list([]), projectsV2: list([]) },
    assignableUsers: list(Object.keys(state.roles).map(actor)),
    labels: () => list(state.labels.filter(({ repository: of }) => of === name).map(labelNode)),
    object({ expression, oid }: { expression?: string; oid?: string }) {
      call.allow('GET', `/repos/${name}/git/blobs/x`);
      return gitObject(git, oid ?? expression ?? '');
    },
    issueOrPullRequest: ({ number }: { number: number }) => find(number),
    issue: ({ number }: { number: number }) => ofType(number, 'Issue'),
    pullRequest: ({ number }: { number: number }) => ofType(number, 'PullRequest'),
    pullRequests: (filter: Filter) => listed(isPull, filter),
    issues: (filter: Filter) => listed((thread) => !isPull(thread), filter),
  };
}

interface Filter {
  readonly states?: string | readonly string[];
  readonly labels?: readonly string[];
  readonly headRefName?: string;
}

/** GitHub cuts a blob's text here. */
const maxBlobTextBytes = 512_000;

/** Like git, GitHub takes a file with a NUL near its beginning as binary. */
const probedBytes = 8000;

async function gitObject(git: GitRepository, name: string) {
  const found = await git.read(name);
  if (found === undefined) {
    return null;
  }
  const { type, sha: oid, content: bytes } = found;
  if (type !== 'blob') {
    return { __typename: type === 'commit' ? 'Commit' : 'Tree', oid };
  }
  const isBinary = bytes.subarray(0, probedBytes).includes(0);
  return {
    ...{ __typename: 'Blob', isWhole: true, oid, byteSize: bytes.length, isBinary },
    isTruncated: bytes.length > maxBlobTextBytes,
    text: isBinary ? null : bytes.subarray(0, maxBlobTextBytes).toString('utf8'),
  };
}

const labelNode = ({ id, ...label }: Omit<Label, 'repository'>) => ({ ...label, id: `LA_${id}` });

function threadNode(call: Call, thread: Thread) {
  const { repository, number, title, login } = thread;
  const comments = call.state.comments.filter(
    (each) => each.repository === repository && each.number === number,
  );
  const shown = call.show.issue(thread);
  return {
    __typename: isPull(thread) ? 'PullRequest' : 'Issue',
    ...{ id: idOf(thread), number, title, body: thread.body ?? '', state: stateOf(thread) },
    ...{ url: shown.html_url, createdAt: shown.created_at, updatedAt: shown.updated_at },
    author: actorOf(login),
    labels: list(shown.labels.map(labelNode)),
    comments: list(comments.map((comment) => commentNode(call, comment))),
    ...(isPull(thread) ? pullFields(call, thread) : {}),
  };
}

function stateOf({ state, pull }: Thread): string {
  return pull?.merged === undefined ? state.toUpperCase() : 'MERGED';
}

function commentNode({ show }: Call, comment: Comment) {
  const { id, body, login } = comment;
  return { id: `IC_${id}`, body, author: actorOf(login), url: show.comment(comment).html_url };
}

function pullFields(call: Call, thread: Pull) {
  const { state, show } = call;
  const { repository: name, pull } = thread;
  const { base, head, merged, autoMerge } = pull;
  const missing = missingIn(state, thread);
  const isApproved = pull.reviews.some(({ state: is }) => is === 'APPROVED');
  const hasConflicts = () => thread.state === 'open' && mergedTree(state, thread) === undefined;
  const details = () => show.pullDetails(thread);
  const fork = state.repositories.find((each) => each.name === head.repository);
  const [forkOwner = ''] = (head.repository ?? '').split('/');
  return {
    ...{
      isDraft: pull.isDraft,
      isInMergeQueue: false,
      isMergeQueueEnabled: false,
      milestone: null,
    },
    ...{ baseRefName: base.ref, baseRefOid: base.sha, headRefName: head.ref, headRefOid: head.sha },
    ...{ assignees: list([]), projectCards: list([]), projectItems: list([]) },
    closed: thread.state === 'closed',
    closedAt: thread.closedAt,
    headRepository: () => fork && repositoryNode(call, fork),
    headRepositoryOwner: head.repository === null ? null : organization(forkOwner),
    isCrossRepository: head.repository !== name,
    additions: () => details().additions,
    deletions: () => details().deletions,
    changedFiles: () => details().changed_files,
    files: () =>
      list(
        show.changesOf(thread).files.map(({ filename: path, additions, deletions, status }) => ({
          ...{ path, additions, deletions },
          changeType: status === 'removed' ? 'DELETED' : status.toUpperCase(),
        })),
      ),
    commits: () =>
      list(show.changesOf(thread).commits.map(({ sha }) => ({ commit: { oid: sha } }))),
    mergeable: () => (hasConflicts() ? 'CONFLICTING' : 'MERGEABLE'),
    mergeStateStatus: () => (hasConflicts() ? 'DIRTY' : missing ? 'BLOCKED' : 'CLEAN'),
    mergedAt: merged?.at,
    mergedBy: actorOf(merged?.login ?? null),
    mergeCommit: merged && { __typename: 'Commit', oid: merged.sha },
    autoMergeRequest: autoMerge && { mergeMethod: autoMerge.method.toUpperCase() },
    reviewDecision: missing === 'review' ? 'REVIEW_REQUIRED' : isApproved ? 'APPROVED' : null,
    reviewRequests: list(pull.reviewers.map((each) => ({ requestedReviewer: actor(each) }))),
    reviews: list(
      pull.reviews.map(({ login, state: is }, index) => ({
        ...{ id: `PRR_${index}`, author: actorOf(login), state: is },
      })),
    ),
  };
}

interface OfPull {
  readonly input: { readonly pullRequestId: string };
}
interface MergeInput {
  readonly input: OfPull['input'] & {
    readonly mergeMethod: string;
    readonly expectedHeadOid?: string;
    readonly commitHeadline?: string;
  };
}
interface LabelsInput {
  readonly input: { readonly labelableId: string; readonly labelIds: readonly string[] };
}

const methods: Readonly<Record<string, MergeMethod>> = { SQUASH: 'squash', REBASE: 'rebase' };

function mutations(call: Call): Node {
  const { state, rest } = call;
  /** The path of a pull request in REST, and how the mutation shows it. */
  const at = (id: string) => {
    const [repository = '', number] = id.split('#');
    const pull = () => pullOf(state, repository, Number(number));
    const show = () => ({ pullRequest: threadNode(call, pull()) });
    return { repository, path: `/repos/${repository}/pulls/${number}`, pull, show };
  };
  const issuePath = (id: string) => `/repos/${id.replace('#', '/issues/')}`;
  const namesOf = (ids: readonly string[]) =>
    state.labels.filter(({ id }) => ids.includes(`LA_${id}`)).map(({ name }) => name);
  const setState = async (id: string, to: string) => {
    const { path, show } = at(id);
    await rest('PATCH', path, { state: to });
    return show();
  };

  return {
    __typename: 'Mutation',
    isWhole: true,
    async addComment({
      input: { subjectId, body },
    }: {
      input: { subjectId: string; body: string };
    }) {
      await rest('POST', `${issuePath(subjectId)}/comments`, { body });
      const last = state.comments.at(-1);
      return { commentEdge: { node: last && commentNode(call, last) } };
    },
    async addLabelsToLabelable({ input: { labelableId, labelIds } }: LabelsInput) {
      await rest('POST', `${issuePath(labelableId)}/labels`, { labels: namesOf(labelIds) });
      return {};
    },
    async removeLabelsFromLabelable({ input: { labelableId, labelIds } }: LabelsInput) {
      for (const name of namesOf(labelIds)) {
        await rest('DELETE', `${issuePath(labelableId)}/labels/${encodeURIComponent(name)}`);
      }
      return {};
    },
    async addPullRequestReview({ input }: { input: OfPull['input'] & { event?: string } }) {
      const { path, show } = at(input.pullRequestId);
      await rest('POST', `${path}/reviews`, { event: input.event ?? 'COMMENT' });
      return show();
    },
    async requestReviews({ input }: { input: OfPull['input'] & { userIds?: readonly string[] } }) {
      const { path, show } = at(input.pullRequestId);
      const reviewers = (input.userIds ?? []).map((id) => id.replace(/^U_/, ''));
      await rest('POST', `${path}/requested_reviewers`, { reviewers });
      return show();
    },
    async updatePullRequest({
      input: { pullRequestId: id, title, body, labelIds },
    }: {
      input: OfPull['input'] & { title?: string; body?: string; labelIds?: readonly string[] };
    }) {
      const { path, show } = at(id);
      await rest('PATCH', path, { title, body });
      if (labelIds !== undefined) {
        await rest('POST', `${issuePath(id)}/labels`, { labels: namesOf(labelIds) });
      }
      return show();
    },
    closePullRequest: ({ input }: OfPull) => setState(input.pullRequestId, 'closed'),
    reopenPullRequest: ({ input }: OfPull) => setState(input.pullRequestId, 'open'),
    async mergePullRequest({ input }: MergeInput) {
      const { path, show } = at(input.pullRequestId);
      await rest('PUT', `${path}/merge`, {
        merge_method: methods[input.mergeMethod],
        commit_title: input.commitHeadline,
        sha: input.expectedHeadOid,
      });
      return show();
    },
    enablePullRequestAutoMerge({ input }: MergeInput) {
      const { path, pull, show } = at(input.pullRequestId);
      call.allow('PUT', `${path}/merge`);
      const method = methods[input.mergeMethod];
      mergeOnceApproved(state, pull(), { login: call.login, method, sha: input.expectedHeadOid });
      return show();
    },
    disablePullRequestAutoMerge({ input }: OfPull) {
      const { path, pull, show } = at(input.pullRequestId);
      call.allow('PUT', `${path}/merge`);
      if (pull().pull.autoMerge === undefined) {
        throw new Refusal(422, "Can't disable auto-merge for this pull request.");
      }
      delete pull().pull.autoMerge;
      return show();
    },
  };
}

function textBytes(value: unknown): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + textBytes(each), 0)
    : 0;
}
