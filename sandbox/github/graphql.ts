import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import type { AutoMerge, MergeRequest } from './auto-merge.ts';
import { type GitHubClient, GitHubError, githubClient } from './client.ts';
import { emulateStore } from './git/emulate-store.ts';
import { executeQuery, type ReadableRepository } from './git/execute-query.ts';
import { grants } from './permissions.ts';
import type { ProxiedRequest, Route } from './route.ts';

const requestSchema = v.object({
  query: v.string(),
  variables: v.optional(v.looseObject({}), {}),
});

const pullVariables = v.object({ owner: v.string(), repo: v.string(), pr_number: v.number() });

const pullRequestId = v.pipe(v.string(), v.regex(/^[^/#]+\/[^/#]+#\d+$/));

const mergeVariables = v.object({
  input: v.object({
    pullRequestId,
    expectedHeadOid: v.optional(v.string()),
    mergeMethod: v.optional(v.picklist(['MERGE', 'SQUASH', 'REBASE']), 'MERGE'),
  }),
});

const stopVariables = v.object({ prID: pullRequestId });

/** An operation, which is recognised by a part of the query's text. */
interface Operation {
  readonly pattern: RegExp;
  readonly run: (request: ProxiedRequest, variables: unknown) => unknown;
}

/**
 * GraphQL, which emulate lacks: queries of `git/graphql-schema.ts`, and the operations of `gh pr merge`,
 * including `--auto`, `--disable-auto` and `--match-head-commit`.
 *
 * @param emulateUrl The address of emulate.
 */
export function graphqlRoutes(autoMerge: AutoMerge, emulateUrl: string): Route[] {
  const operations: readonly Operation[] = [
    // gh asks which fields a type has. Without any, it uses only those that all versions have.
    { pattern: /__type\(/, run: () => ({}) },
    {
      pattern: /pullRequest\(number:/,
      run: ({ token }, variables) => readPull(autoMerge, token, variables),
    },
    {
      pattern: /enablePullRequestAutoMerge\(/,
      run: async ({ token }, variables) => {
        await autoMerge.mergeOnceApproved(readMergeRequest(token, variables));
        return { enablePullRequestAutoMerge: { clientMutationId: null } };
      },
    },
    {
      pattern: /disablePullRequestAutoMerge\(/,
      run: (_request, variables) => {
        const [repository = '', number] = v.parse(stopVariables, variables).prID.split('#');
        autoMerge.stop({ repository, number: Number(number) });
        return { disablePullRequestAutoMerge: { clientMutationId: null } };
      },
    },
    {
      pattern: /mergePullRequest\(/,
      run: async ({ token }, variables) => {
        await autoMerge.mergeNow(readMergeRequest(token, variables));
        return { mergePullRequest: { clientMutationId: null } };
      },
    },
  ];
  return [
    {
      method: 'POST',
      path: /^\/graphql$/,
      handle: (request) => handle(request, operations, emulateUrl),
    },
    ...autoMerge.routes,
  ];
}

/** Runs the operation of a query. GraphQL responds with 200 to errors too. */
async function handle(
  request: ProxiedRequest,
  operations: readonly Operation[],
  emulateUrl: string,
): Promise<HttpResponse> {
  if (request.identity === undefined) {
    return { status: 401, body: { message: 'This endpoint requires you to be authenticated.' } };
  }
  const { query, variables } = v.parse(requestSchema, JSON.parse(request.body));
  const operation = operations.find(({ pattern }) => pattern.test(query));
  if (operation === undefined) {
    const client = githubClient(emulateUrl, request.token ?? '');
    const { login, access } = request.identity;
    const isHidden = (name: string) =>
      access !== undefined &&
      (name !== access.repository || !grants(access.permissions, 'contents', 'read'));
    const repository = (name: string) =>
      isHidden(name) ? undefined : findRepository(client, name);
    return executeQuery(request.body, { repository, login });
  }
  try {
    return { status: 200, body: { data: await operation.run(request, variables) } };
  } catch (error) {
    if (error instanceof GitHubError) {
      return failed(error.message);
    }
    if (error instanceof v.ValiError) {
      return failed(
        'the sandbox knows gh api and gh pr merge, and hardly any other command of gh: use gh api',
      );
    }
    throw error;
  }
}

const repositorySchema = v.object({ default_branch: v.string(), private: v.boolean() });

async function findRepository(
  client: GitHubClient,
  name: string,
): Promise<ReadableRepository | undefined> {
  try {
    const found = await client.request('GET', `/repos/${name}`, repositorySchema);
    const { default_branch: defaultBranch, private: isPrivate } = found;
    return { store: emulateStore(client, name), defaultBranch, isPrivate };
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}

function failed(message: string): HttpResponse {
  return { status: 200, body: { errors: [{ message }] } };
}

async function readPull(autoMerge: AutoMerge, token = '', variables: unknown) {
  const { owner, repo, pr_number: number } = v.parse(pullVariables, variables);
  const repository = `${owner}/${repo}`;
  const [{ title, state, head, base }, isBlocked] = await autoMerge.read({
    repository,
    number,
    token,
  });
  return {
    repository: {
      pullRequest: {
        id: `${repository}#${number}`,
        number,
        title,
        state: state.toUpperCase(),
        isDraft: false,
        mergeStateStatus: isBlocked ? 'BLOCKED' : 'CLEAN',
        reviewDecision: isBlocked ? 'REVIEW_REQUIRED' : null,
        headRepositoryOwner: { id: owner, login: owner },
        headRefName: head.ref,
        headRefOid: head.sha,
        baseRefName: base.ref,
        commits: { nodes: [{ commit: { oid: head.sha } }] },
        isInMergeQueue: false,
        isMergeQueueEnabled: false,
      },
    },
  };
}

const METHODS = { MERGE: 'merge', SQUASH: 'squash', REBASE: 'rebase' } as const;

function readMergeRequest(token = '', variables: unknown): MergeRequest {
  const { pullRequestId, expectedHeadOid, mergeMethod } = v.parse(mergeVariables, variables).input;
  const [repository = '', number] = pullRequestId.split('#');
  return {
    repository,
    number: Number(number),
    token,
    method: METHODS[mergeMethod],
    sha: expectedHeadOid,
  };
}
