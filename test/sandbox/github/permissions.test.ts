import { afterAll, beforeAll, expect, it } from 'vitest';
import { permissionsOf } from '../../../rehearse/stage/permissions.ts';
import type { Permissions } from '../../../sandbox/github/permissions.ts';
import { type LocalGitHub, startLocalGitHub } from '../../../sandbox/github/seed.ts';

let github: LocalGitHub;
beforeAll(async () => {
  github = await startLocalGitHub();
});
afterAll(() => github.close());

async function statusOf(token: string, method: string, path: string): Promise<number> {
  const body = method === 'GET' ? {} : { body: '{"body":"x","labels":["bug"]}' };
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
  [{ contents: 'read' }, 'GET', 'acme/product/git/ref/heads/main', 200],
  [{ '*': 'write' }, 'GET', 'acme/docs', 404],
] as const)('a workflow with %j gets for %s %s: %i', async (permissions, method, path, status) => {
  const token = github.workflowToken({ repository: 'acme/product', permissions });
  expect(await statusOf(token, method, path)).toBe(status);
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
