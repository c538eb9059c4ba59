import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitHubClient, githubClient } from '../../../sandbox/github/client.ts';
import {
  DOCS_REPOSITORY,
  type LocalGitHub,
  startLocalGitHub,
} from '../../../sandbox/github/seed.ts';

let github: LocalGitHub;
let writer: GitHubClient;
let maintainer: GitHubClient;

const resultSchema = v.object({
  data: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ message: v.string() }))),
});

beforeEach(async () => {
  github = await startLocalGitHub();
  writer = githubClient(github.url, github.tokens.writer);
  maintainer = githubClient(github.url, github.tokens.maintainer);
});

afterEach(() => github.close());

async function openPull(): Promise<string> {
  const head = (await writer.branchHead(DOCS_REPOSITORY, 'main')) ?? '';
  await writer.createBranch(DOCS_REPOSITORY, 'change', head);
  const page = { text: 'New\n', message: 'Add a page', branch: 'change' };
  await writer.writeFile(DOCS_REPOSITORY, 'new.mdx', page);
  const opening = { title: 'Add a page', body: '', head: 'change', base: 'main' };
  return (await writer.openPull(DOCS_REPOSITORY, opening)).head.sha;
}

async function requireReview(): Promise<void> {
  const owner = githubClient(github.url, github.tokens.owner);
  const path = `/repos/${DOCS_REPOSITORY}/branches/main/protection`;
  await owner.request('PUT', path, v.unknown(), {
    required_pull_request_reviews: { required_approving_review_count: 1 },
  });
}

function sendQuery(query: string, variables: unknown) {
  return writer.request('POST', '/graphql', resultSchema, { query, variables });
}

const readPull = () =>
  sendQuery(
    `query Read($owner: String!, $repo: String!, $number: Int!) {
      repository(owner: $owner, name: $repo) {
        pullRequest(number: $number) { id mergeStateStatus headRefOid reviewDecision }
      }
    }`,
    { owner: 'acme', repo: 'docs', number: 1 },
  );

const merge = (mutation: string, expectedHeadOid: string) =>
  sendQuery(
    `mutation Merge($input: MergePullRequestInput!) { ${mutation}(input: $input) { clientMutationId } }`,
    {
      input: { pullRequestId: `${DOCS_REPOSITORY}#1`, expectedHeadOid, mergeMethod: 'SQUASH' },
    },
  );

const mergeLater = (sha: string) => merge('enablePullRequestAutoMerge', sha);
const mergeNow = (sha: string) => merge('mergePullRequest', sha);

const isMerged = async () =>
  (
    await writer.request(
      'GET',
      `/repos/${DOCS_REPOSITORY}/pulls/1`,
      v.object({ merged: v.boolean() }),
    )
  ).merged;

const approve = () =>
  maintainer.request('POST', `/repos/${DOCS_REPOSITORY}/pulls/1/reviews`, v.unknown(), {
    event: 'APPROVE',
  });

describe('a pull request with a required review', () => {
  it('is merged once it is approved, and not before', async () => {
    const sha = await openPull();
    await requireReview();
    expect(await readPull()).toMatchObject({
      data: {
        repository: {
          pullRequest: {
            mergeStateStatus: 'BLOCKED',
            headRefOid: sha,
            reviewDecision: 'REVIEW_REQUIRED',
          },
        },
      },
    });
    expect((await mergeNow(sha)).errors).toHaveLength(1);
    expect((await mergeLater(sha)).errors).toBeUndefined();
    expect(await isMerged()).toBe(false);
    await approve();
    expect(await isMerged()).toBe(true);
    const page = await writer.readFile(DOCS_REPOSITORY, 'new.mdx', 'main');
    expect(page.text).toBe('New\n');
  });
});

it('of gh edits a pull request, and names an operation that is missing', async () => {
  await openPull();
  const input = { pullRequestId: `${DOCS_REPOSITORY}#1`, userIds: ['U_octocat'] };
  const mutation = 'mutation($input: RequestReviewsInput!) { requestReviews(input: $input) { a } }';
  expect((await sendQuery(mutation, { input })).errors).toBeUndefined();
  const path = `/repos/${DOCS_REPOSITORY}/pulls/1`;
  expect(await writer.request('GET', path, v.unknown())).toMatchObject({
    requested_reviewers: [{ login: 'octocat' }],
  });
  const stranger = githubClient(github.url, github.tokens.stranger);
  const body = { query: mutation, variables: { input } };
  expect(await stranger.request('POST', '/graphql', v.unknown(), body)).toMatchObject({
    errors: [{ type: 'FORBIDDEN' }],
  });
  const [error] =
    (await sendQuery('mutation { starRepository(input: {}) { a } }', {})).errors ?? [];
  expect(error?.message).toMatch(/^Field 'starRepository' doesn't exist on .*: use gh api$/);
});

describe('a pull request without a required review', () => {
  it('can be merged at once, but not later', async () => {
    const sha = await openPull();
    expect((await mergeLater(sha)).errors?.[0]?.message).toContain('clean status');
    expect((await mergeNow('0'.repeat(40))).errors).toHaveLength(1);
    expect((await mergeNow(sha)).errors).toBeUndefined();
    expect(await isMerged()).toBe(true);
  });
});
