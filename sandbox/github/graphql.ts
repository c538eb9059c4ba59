import { GraphQLError, graphql } from 'graphql';
import * as v from 'valibot';
import type { GitRepository } from './git.ts';
import { githubSchema } from './graphql-schema.ts';
import { type Call, ok, type Routes } from './route.ts';
import { idOf } from './show.ts';
import {
  type Comment,
  isBlocked,
  isPull,
  type Label,
  type MergeMethod,
  mergedTree,
  mergeOnceApproved,
  type Pull,
  pullOf,
  Refusal,
  type Repository,
  type Thread,
} from './state.ts';

const requestBody = v.object({
  query: v.string(),
  variables: v.optional(v.nullable(v.record(v.string(), v.unknown())), {}),
  operationName: v.optional(v.nullable(v.string())),
});

/**
 * GraphQL, for the actions and the usual commands of `gh pr`. What changes something sends the request of
 * REST that does the same.
 *
 * @param maxTextBytes of a query's texts
 */
export function graphqlRoutes(maxTextBytes = Number.POSITIVE_INFINITY): Routes {
  return {
    async 'POST /graphql'(call) {
      if (call.request.identity === undefined) {
        throw new Refusal(401, 'This endpoint requires you to be authenticated.');
      }
      const { query: source, variables, operationName } = call.body(requestBody);
      const { data, errors } = await graphql({
        ...{ schema: githubSchema, source, operationName },
        variableValues: variables,
        rootValue: { ...queries(call), ...mutations(call) },
      });
      if (textBytes(data) > maxTextBytes) {
        return ok({ data: null, errors: [{ message: timedOut }] }, 502);
      }
      return ok({
        ...(data === undefined ? {} : { data }),
        ...(errors === undefined ? {} : { errors: errors.map(showError) }),
      });
    },
  };
}

const timedOut =
  'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.';

function queries(call: Call) {
  return {
    viewer: { id: `U_${call.login}`, login: call.login },
    organization: ({ login }: { login: string }) => organization(login),
    repository({ owner, name }: { owner: string; name: string }) {
      const found = call.state.repositories.find((each) => each.name === `${owner}/${name}`);
      const { access } = call.request.identity ?? {};
      if (found === undefined || (access !== undefined && access.repository !== found.name)) {
        throw new GraphQLError(
          `Could not resolve to a Repository with the name '${owner}/${name}'.`,
          { extensions: { type: 'NOT_FOUND' } },
        );
      }
      return repositoryNode(call, found);
    },
  };
}

/** All of a list, as the first page. */
function list<T>(nodes: readonly T[]) {
  const pageInfo = { hasNextPage: false, endCursor: null };
  return { nodes, totalCount: nodes.length, pageInfo };
}

function organization(login: string) {
  return { __typename: 'Organization', id: `O_${login}`, login, teams: list([]) };
}

function actor(login: string | null) {
  return login === null
    ? null
    : { __typename: login.endsWith('[bot]') ? 'Bot' : 'User', id: `U_${login}`, login };
}

function repositoryNode(call: Call, repository: Repository) {
  const { name, git, defaultBranch = 'main', isPrivate = false } = repository;
  const [owner = '', shortName] = name.split('/');
  const { state } = call;
  const threads = () => state.threads.filter((each) => each.repository === name);
  const find = (number: number) => {
    call.allow('GET', `/repos/${name}/issues/${number}`);
    const found = threads().find((each) => each.number === number);
    if (found === undefined) {
      throw new GraphQLError(
        `Could not resolve to an issue or pull request with the number ${number}.`,
        {
          extensions: { type: 'NOT_FOUND' },
        },
      );
    }
    return threadNode(call, found);
  };
  const ofType = (number: number, type: string) => {
    const found = find(number);
    return found.__typename === type ? found : null;
  };
  return {
    ...{ id: `R_${name}`, name: shortName, nameWithOwner: name, isPrivate },
    ...{ url: `${call.show.repository(repository).html_url}`, owner: organization(owner) },
    ...{ defaultBranchRef: { name: defaultBranch }, hasIssuesEnabled: true, hasWikiEnabled: false },
    ...{ mergeCommitAllowed: true, rebaseMergeAllowed: true, squashMergeAllowed: true },
    viewerPermission: 'WRITE',
    assignableUsers: list(Object.keys(state.roles).map(actor)),
    labels: () => list(state.labels.filter(({ repository: of }) => of === name).map(labelNode)),
    object({ expression, oid }: { expression?: string; oid?: string }) {
      call.allow('GET', `/repos/${name}/git/blobs/x`);
      return gitObject(git, oid ?? expression ?? '');
    },
    issueOrPullRequest: ({ number }: { number: number }) => find(number),
    issue: ({ number }: { number: number }) => ofType(number, 'Issue'),
    pullRequest: ({ number }: { number: number }) => ofType(number, 'PullRequest'),
    pullRequests: ({ headRefName, states }: { headRefName?: string; states?: string[] }) =>
      list(
        threads()
          .filter(isPull)
          .filter(({ pull }) => pull.head.ref === (headRefName ?? pull.head.ref))
          .filter((each) => (states ?? [stateOf(each)]).includes(stateOf(each)))
          .map((each) => threadNode(call, each)),
      ),
  };
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
    ...{ __typename: 'Blob', oid, byteSize: bytes.length, isBinary },
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
    author: actor(login),
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
  return { id: `IC_${id}`, body, author: actor(login), url: show.comment(comment).html_url };
}

function pullFields(call: Call, thread: Pull) {
  const { state, show } = call;
  const { repository: name, pull } = thread;
  const { base, head, merged, autoMerge } = pull;
  const blocked = isBlocked(state, thread);
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
    mergeStateStatus: () => (hasConflicts() ? 'DIRTY' : blocked ? 'BLOCKED' : 'CLEAN'),
    mergedAt: merged?.at,
    mergedBy: actor(merged?.login ?? null),
    mergeCommit: merged && { __typename: 'Commit', oid: merged.sha },
    autoMergeRequest: autoMerge && { mergeMethod: autoMerge.method.toUpperCase() },
    reviewDecision: blocked
      ? 'REVIEW_REQUIRED'
      : state.requiredApprovals.has(`${name}/${base.ref}`)
        ? 'APPROVED'
        : null,
    reviewRequests: list(pull.reviewers.map((each) => ({ requestedReviewer: actor(each) }))),
    reviews: list(
      pull.reviews.map(({ login, state: is }, index) => ({
        ...{ id: `PRR_${index}`, author: actor(login), state: is },
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

function mutations(call: Call) {
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

/** GitHub puts the type of an error beside its message. */
function showError({ message, path, locations, extensions, originalError }: GraphQLError) {
  const isRefusal = originalError instanceof Refusal;
  const { type = isRefusal ? 'FORBIDDEN' : undefined } = extensions;
  const hint = /^(?:Cannot query field|Unknown argument|Unknown type)/.test(message)
    ? ' This stand-in for GitHub has only a part of its GraphQL: use gh api.'
    : '';
  return { ...(type === undefined ? {} : { type }), path, locations, message: message + hint };
}

function textBytes(value: unknown): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + textBytes(each), 0)
    : 0;
}
