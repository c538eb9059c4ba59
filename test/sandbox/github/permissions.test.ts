import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { permissionsOf } from '../../../rehearse/stage/permissions.ts';
import { githubClient } from '../../../sandbox/github/client.ts';
import type { Permissions } from '../../../sandbox/github/permissions.ts';
import {
  DOCS_REPOSITORY,
  type LocalGitHub,
  startLocalGitHub,
} from '../../../sandbox/github/seed.ts';

let github: LocalGitHub;
beforeAll(async () => {
  github = await startLocalGitHub();
});
afterAll(() => github.close());

/** What a body of any of these requests needs. */
const sent = { body: 'x', labels: ['bug'], title: 'x', name: 'x', head_sha: 'x' };

async function statusOf(token: string, method: string, path: string): Promise<number> {
  const body = method === 'GET' ? {} : { body: JSON.stringify(sent) };
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${github.url}/repos/${path}`, { method, headers, ...body })).status;
}

it.each([
  [{}, 'GET', 'acme/product', 200],
  [{}, 'GET', 'acme/product/collaborators/writer/permission', 200],
  [{}, 'GET', 'acme/product/issues/1', 403],
  [{}, 'POST', 'acme/product/issues/1/comments', 403],
  [{ issues: 'read' }, 'GET', 'acme/product/issues/1', 200],
  [{ issues: 'read' }, 'POST', 'acme/product/issues/1/labels', 403],
  [{ 'pull-requests': 'write' }, 'POST', 'acme/product/issues/1/comments', 403],
  [{ issues: 'write' }, 'POST', 'acme/product/issues/1/comments', 201],
  [{ issues: 'read' }, 'GET', 'acme/product/issues', 200],
  [{ 'pull-requests': 'write' }, 'GET', 'acme/product/issues', 403],
  [{ 'pull-requests': 'write' }, 'POST', 'acme/product/issues', 403],
  [{ 'pull-requests': 'write' }, 'GET', 'acme/product/labels/bug', 200],
  [{ contents: 'write' }, 'POST', 'acme/product/check-runs', 403],
  [{ checks: 'write' }, 'POST', 'acme/product/check-runs', 201],
  [{ contents: 'read' }, 'GET', 'acme/product/git/ref/heads/main', 200],
  [{ '*': 'write' }, 'GET', 'acme/docs', 404],
] as const)('a workflow with %j gets for %s %s: %i', async (permissions, method, path, status) => {
  const token = github.workflowToken({ repository: 'acme/product', permissions });
  expect(await statusOf(token, method, path)).toBe(status);
});

/** A pull request of the docs, with the access of a workflow there. */
async function onPull(permissions: Permissions) {
  const head = `refs/heads/change-${Math.random()}`;
  const client = githubClient(github.url, github.tokens.docsAgent);
  const main = await client.branchHead(DOCS_REPOSITORY, 'main');
  const branch = head.slice('refs/heads/'.length);
  await client.createBranch(DOCS_REPOSITORY, branch, main ?? '');
  await client.writeFile(DOCS_REPOSITORY, 'new.mdx', { text: 'x\n', message: 'x', branch });
  const opening = { title: 'x', body: 'x', head: branch, base: 'main' };
  const { number } = await client.openPull(DOCS_REPOSITORY, opening);
  const token = github.workflowToken({ repository: DOCS_REPOSITORY, permissions });
  return { number, token };
}

it.each([
  [{ 'pull-requests': 'write' }, 'GET', 'pulls/{number}', 200],
  [{ 'pull-requests': 'write' }, 'GET', 'issues/{number}', 403],
  [{ 'pull-requests': 'write' }, 'GET', 'issues/{number}/comments', 200],
  [{ 'pull-requests': 'write' }, 'POST', 'issues/{number}/comments', 201],
  [{ 'pull-requests': 'write' }, 'PATCH', 'issues/{number}', 200],
  [{ issues: 'write' }, 'GET', 'issues/{number}', 200],
  [{ issues: 'write' }, 'POST', 'issues/{number}/comments', 201],
  [{ issues: 'write' }, 'GET', 'pulls/{number}', 403],
] as const)(
  'with %j gets for %s %s of a pull request: %i',
  async (permissions, method, path, status) => {
    const { number, token } = await onPull(permissions);
    const of = `${DOCS_REPOSITORY}/${path.replace('{number}', String(number))}`;
    expect(await statusOf(token, method, of)).toBe(status);
  },
);

it.each([
  ['pull-requests', true],
  ['issues', false],
])('a pull request in GraphQL needs pull-requests: %s', async (scope, isAllowed) => {
  const { number, token } = await onPull({ [scope]: 'read' });
  const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: ${number}) { number } } }`;
  const headers = { Authorization: `Bearer ${token}` };
  const body = JSON.stringify({ query });
  const response = await fetch(`${github.url}/graphql`, { method: 'POST', headers, body });
  const { errors } = v.parse(
    v.object({ errors: v.optional(v.array(v.unknown())) }),
    await response.json(),
  );
  expect(errors === undefined).toBe(isAllowed);
});

it.each([
  ['stranger', 'issues/1/comments', 201],
  ['stranger', 'issues/1/labels', 403],
  ['triager', 'issues/1/labels', 200],
] as const)('%s gets for %s: %i', async (login, path, status) => {
  expect(await statusOf(github.tokens[login], 'POST', `acme/product/${path}`)).toBe(status);
});

const called = 'permissions: {}\njobs: { inner: { permissions: { issues: write } } }';

it.each<[string, Permissions]>([
  ['jobs: { a: {} }', { contents: 'read', packages: 'read' }],
  ['permissions: {}\njobs: { a: {}, b: { permissions: { issues: write } } }', { issues: 'write' }],
  ['permissions: { issues: read }\njobs: { a: { permissions: write-all } }', { '*': 'write' }],
  ['jobs: { a: { permissions: { issues: write, checks: read }, uses: x } }', { issues: 'write' }],
])('the permissions of %j are %j', (text, permissions) => {
  expect(permissionsOf(text, () => called)).toEqual(permissions);
});

it('a called workflow may not ask for more than its caller grants', () => {
  const text = 'jobs: { a: { permissions: { issues: read }, uses: x } }';
  expect(() => permissionsOf(text, () => called)).toThrow('does not grant "issues: write"');
});
