import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitHubClient, githubClient } from '../../../sandbox/github/client.ts';
import { type LocalGitHub, startGitHub } from '../../../sandbox/github/github.ts';

/* The requests of the check action, which the local GitHub serves from emulate. */

const docs = 'acme/docs';
let github: LocalGitHub;
let client: GitHubClient;
let base: string;
let head: string;

beforeAll(async () => {
  github = await startGitHub();
  const writer = githubClient(github.url, github.tokens.writer);
  base = (await writer.branchHead(docs, 'main')) ?? '';
  await writer.createBranch(docs, 'change', base);
  const { sha } = await writer.readFile(docs, 'index.mdx', 'change');
  const change = { text: 'changed\n', message: 'Change', branch: 'change', sha };
  await writer.writeFile(docs, 'index.mdx', change);
  head = (await writer.branchHead(docs, 'change')) ?? '';
  client = githubClient(github.url, github.tokens.actions);
});

afterAll(() => github.close());

const get = (path: string) => client.request('GET', `/repos/${docs}${path}`, v.unknown());
const ask = (fields: string) =>
  client.request('POST', '/graphql', v.unknown(), {
    query: `{ repository(owner: "acme", name: "docs") { ${fields} } }`,
  });

test('the merge base is on the second page of the comparison', async () => {
  expect(await get(`/compare/${base}...${head}?page=2&per_page=1`)).toMatchObject({
    merge_base_commit: { sha: base },
    files: [],
  });
});

test('texts are read by GraphQL, by SHA and by commit and path', async () => {
  const tree = v.parse(
    v.object({ tree: v.array(v.object({ path: v.string(), sha: v.string() })) }),
    await get(`/git/trees/${head}?recursive=1`),
  );
  const sha = tree.tree.find(({ path }) => path === 'index.mdx')?.sha;
  const fields = '{ ... on Blob { text isBinary isTruncated } }';
  const changed = { text: 'changed\n', isBinary: false, isTruncated: false };
  expect(
    await ask(`
      b0: object(oid: "${sha}") ${fields}
      v0: object(expression: "${head}:index.mdx") ${fields}
      v1: object(expression: "${head}:nowhere.mdx") ${fields}`),
  ).toEqual({ data: { repository: { b0: changed, v0: changed, v1: null } } });
});

test('an unknown repository is an error', async () => {
  const query = '{ repository(owner: "acme", name: "none") { id } }';
  expect(await client.request('POST', '/graphql', v.unknown(), { query })).toMatchObject({
    data: { repository: null },
    errors: [{ type: 'NOT_FOUND' }],
  });
});

test('check runs are those that an app has created', async () => {
  const app = githubClient(github.url, github.tokens.docsAgent);
  await app.request('POST', `/repos/${docs}/check-runs`, v.unknown(), {
    name: 'Deployment',
    head_sha: head,
    status: 'completed',
    conclusion: 'failure',
  });
  expect(await get(`/commits/${head}/check-runs?filter=latest&per_page=100`)).toMatchObject({
    check_runs: [{ name: 'Deployment', conclusion: 'failure' }],
  });
  expect(await get(`/deployments?sha=${head}`)).toEqual([]);
});
