import * as v from 'valibot';
import type { Answer } from '../service/http.ts';
import type { AutoMerge, MergeWish } from './auto-merge.ts';
import { GitHubError } from './client.ts';
import type { Call, Rule } from './rule.ts';

const requestSchema = v.object({
  query: v.string(),
  variables: v.optional(v.looseObject({}), {}),
});

const lookUpVariables = v.object({ owner: v.string(), repo: v.string(), pr_number: v.number() });

const mergeVariables = v.object({
  input: v.object({
    pullRequestId: v.pipe(v.string(), v.regex(/^[^/#]+\/[^/#]+#\d+$/)),
    expectedHeadOid: v.optional(v.string()),
    mergeMethod: v.optional(v.picklist(['MERGE', 'SQUASH', 'REBASE']), 'MERGE'),
  }),
});

/** What a query asks for, found by a piece of its text. */
interface Operation {
  readonly piece: RegExp;
  readonly run: (call: Call, variables: unknown) => unknown;
}

/**
 * The little of GraphQL that tools ask for, which emulate has nothing of: whose token they have,
 * and what `gh pr merge` needs, `--auto` and `--match-head-commit` included.
 */
export function graphqlRules(merging: AutoMerge): Rule[] {
  const operations: readonly Operation[] = [
    {
      piece: /viewer\s*\{\s*login\s*\}/,
      run: ({ identity }) => ({ viewer: { login: identity?.login } }),
    },
    // Which fields a type has: none that is newer than the tool.
    { piece: /__type\(/, run: () => ({}) },
    {
      piece: /pullRequest\(number:/,
      run: ({ token }, variables) => lookUp(merging, token, variables),
    },
    {
      piece: /enablePullRequestAutoMerge\(/,
      run: async ({ token }, variables) => {
        await merging.mergeOnceApproved(readWish(token, variables));
        return { enablePullRequestAutoMerge: { clientMutationId: null } };
      },
    },
    {
      piece: /mergePullRequest\(/,
      run: async ({ token }, variables) => {
        await merging.mergeNow(readWish(token, variables));
        return { mergePullRequest: { clientMutationId: null } };
      },
    },
  ];
  return [
    { method: 'POST', path: /^\/graphql$/, answer: (call) => answer(call, operations) },
    ...merging.rules,
  ];
}

/** GraphQL answers 200, whatever went wrong. */
async function answer(call: Call, operations: readonly Operation[]): Promise<Answer> {
  if (call.identity === undefined) {
    return { status: 401, body: { message: 'This endpoint requires you to be authenticated.' } };
  }
  const { query, variables } = v.parse(requestSchema, JSON.parse(call.body));
  const operation = operations.find(({ piece }) => piece.test(query));
  try {
    return operation === undefined
      ? failed('The local GitHub does not know this query')
      : { status: 200, body: { data: await operation.run(call, variables) } };
  } catch (error) {
    if (error instanceof GitHubError) {
      return failed(error.message);
    }
    throw error;
  }
}

function failed(message: string): Answer {
  return { status: 200, body: { errors: [{ message }] } };
}

async function lookUp(merging: AutoMerge, token = '', variables: unknown) {
  const { owner, repo, pr_number: number } = v.parse(lookUpVariables, variables);
  const repository = `${owner}/${repo}`;
  const [{ title, state, head, base }, isBlocked] = await merging.look({
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

function readWish(token = '', variables: unknown): MergeWish {
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
