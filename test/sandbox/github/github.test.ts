import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GitHubClient, githubClient } from '../../../sandbox/github/client.ts';
import { webFlow } from '../../../sandbox/github/git.ts';
import { type LocalGitHub, startLocalGitHub } from '../../../sandbox/github/seed.ts';
import { moveRef, repositoryOf } from '../../../sandbox/github/state.ts';

const DOCS = 'acme/docs';
let github: LocalGitHub;
let writer: GitHubClient;

beforeAll(async () => {
  github = await startLocalGitHub();
  writer = githubClient(github.url, github.tokens.writer);
});

afterAll(() => github.close());

async function get(path: string, token?: string) {
  const headers: Record<string, string> =
    token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(github.url + path, { headers });
  return { status: response.status, body: await response.json() };
}

/** Opens a pull request that gives one page a new text; returns its number. */
async function propose(branch: string, path: string, text: string): Promise<number> {
  await writer.createBranch(DOCS, branch, (await writer.branchHead(DOCS, 'main')) ?? '');
  await commit(branch, path, text);
  const pull = { title: branch, body: '', head: branch, base: 'main' };
  return (await writer.openPull(DOCS, pull)).number;
}

async function commit(branch: string, path: string, text: string): Promise<void> {
  const { sha } = await writer.readFile(DOCS, path, branch);
  await writer.writeFile(DOCS, path, { text, message: text, branch, sha });
}

async function merge(number: number, token: string, body: unknown = {}) {
  const response = await fetch(`${github.url}/repos/${DOCS}/pulls/${number}/merge`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('the local GitHub', () => {
  test('has a docs repository with pages, and a product repository with labelled issues', async () => {
    const head = (await writer.branchHead(DOCS, 'main')) ?? '';
    expect(await writer.listFiles(DOCS, head)).toEqual(
      expect.arrayContaining(['index.mdx', 'quickstart.mdx', 'guides/deploy.mdx', 'docs.json']),
    );
    const issue = await get('/repos/acme/product/issues/1');
    expect(issue.body).toMatchObject({
      title: 'Document the --watch flag',
      labels: [{ name: 'docs' }],
      html_url: `${github.url}/acme/product/issues/1`,
    });
  });

  test('records each request with the login of its sender', async () => {
    const before = github.requests.length;
    await get('/repos/acme/docs?x=1', github.tokens.actions);
    await get('/nowhere');
    await get('/user', 'ghp_unknown');
    expect(github.requests.slice(before)).toMatchObject([
      { method: 'GET', path: '/repos/acme/docs?x=1', status: 200, login: 'github-actions[bot]' },
      { method: 'GET', path: '/nowhere', status: 404, login: undefined },
      { method: 'GET', path: '/user', status: 401, login: undefined },
    ]);
  });
});

describe('the commits of a pull request', () => {
  test('have the accounts of author and committer, where the addresses belong to one', async () => {
    const number = await propose('commits', 'index.mdx', 'One');
    const docs = repositoryOf(github, DOCS);
    const parents = [docs.git.sha('refs/heads/commits') ?? ''];
    const nobody = { name: 'Nobody', email: 'nobody@elsewhere.example' };
    const made = { changes: { 'index.mdx': 'Two' }, author: nobody, committer: webFlow };
    moveRef(github, docs, 'refs/heads/commits', docs.git.commit({ ...made, parents }));
    const { status, body } = await get(`/repos/${DOCS}/pulls/${number}/commits`, 'token-of-owner');
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { author: { login: 'writer' }, committer: { login: 'writer' }, parents: [{}] },
      { author: null, committer: { login: 'web-flow' }, parents: [{ sha: parents[0] }] },
    ]);
  });
});

describe('people and tokens', () => {
  test.each([
    ['owner', 'admin', 'admin'],
    ['maintainer', 'write', 'maintain'],
    ['writer', 'write', 'write'],
    ['triager', 'read', 'triage'],
    ['stranger', 'read', 'read'],
  ])('%s has the permission %s and the role %s', async (login, permission, role) => {
    const path = `/repos/acme/product/collaborators/${login}/permission`;
    expect(await get(path, github.tokens.actions)).toMatchObject({
      status: 200,
      body: { permission, role_name: role, user: { login } },
    });
  });

  test('the workflow’s token has no user in REST, but a viewer in GraphQL', async () => {
    expect(await get('/user', github.tokens.actions)).toEqual({
      status: 403,
      body: { message: 'Resource not accessible by integration' },
    });
    expect(await get('/user', github.tokens.triager)).toMatchObject({ body: { login: 'triager' } });

    const client = githubClient(github.url, github.tokens.actions);
    const send = (query: string) => client.request('POST', '/graphql', v.unknown(), { query });
    expect(await send('{ viewer { login } }')).toEqual({
      data: { viewer: { login: 'github-actions[bot]' } },
    });
    expect(await send('{ nothing }')).toMatchObject({ errors: [{}] });
  });

  test('an unknown token is refused, even if no token is needed', async () => {
    expect((await get(`/repos/${DOCS}`)).status).toBe(200);
    expect(await get(`/repos/${DOCS}`, 'ghp_unknown')).toEqual({
      status: 401,
      body: { message: 'Bad credentials' },
    });
  });

  test('a bot’s comment has the type of a bot', async () => {
    const client = githubClient(github.url, github.tokens.actions);
    const path = '/repos/acme/product/issues/2/comments';
    await client.request('POST', path, v.unknown(), { body: 'Hello' });
    expect((await get(path)).body).toMatchObject([
      { body: 'Hello', user: { login: 'github-actions[bot]', type: 'Bot' } },
    ]);
  });
});

describe('pull requests', () => {
  test('show later commits, and their changes', async () => {
    const number = await propose('follow', 'index.mdx', 'one\n');
    await commit('follow', 'index.mdx', 'two\n');
    const head = await writer.branchHead(DOCS, 'follow');
    expect((await get(`/repos/${DOCS}/pulls/${number}`)).body).toMatchObject({
      number,
      head: { sha: head, ref: 'follow' },
      commits: 2,
      changed_files: 1,
      additions: 1,
      mergeable: true,
      html_url: `${github.url}/acme/docs/pull/${number}`,
    });
    expect((await get(`/repos/${DOCS}/pulls?head=acme:follow`)).body).toMatchObject([
      { number, head: { sha: head } },
    ]);
    expect((await get(`/repos/${DOCS}/pulls/${number}/files`)).body).toMatchObject([
      { filename: 'index.mdx', status: 'modified', patch: expect.stringContaining('+two') },
    ]);
  });

  test('are merged with all commits, and keep what was merged in between', async () => {
    const first = await propose('first', 'quickstart.mdx', 'first\n');
    const second = await propose('second', 'guides/deploy.mdx', 'second\n');
    await commit('second', 'guides/deploy.mdx', 'second, better\n');
    const head = await writer.branchHead(DOCS, 'second');

    await writer.mergePull(DOCS, first);
    const sha = await writer.mergePull(DOCS, second);

    expect((await writer.readFile(DOCS, 'quickstart.mdx', 'main')).text).toBe('first\n');
    expect((await writer.readFile(DOCS, 'guides/deploy.mdx', 'main')).text).toBe(
      'second, better\n',
    );
    expect(await writer.branchHead(DOCS, 'main')).toBe(sha);
    expect((await get(`/repos/${DOCS}/pulls/${second}`)).body).toMatchObject({
      merged: true,
      state: 'closed',
      merge_commit_sha: sha,
      changed_files: 1,
      head: { sha: head },
    });
  });

  test('are not merged twice, or over another change of the same page', async () => {
    const first = await propose('here', 'index.mdx', 'here\n');
    const second = await propose('there', 'index.mdx', 'there\n');
    const refused = { status: 405, body: { message: 'Pull Request is not mergeable' } };
    await writer.mergePull(DOCS, first);
    expect(await merge(first, github.tokens.writer)).toEqual(refused);
    expect(await merge(second, github.tokens.writer)).toEqual(refused);
    expect((await get(`/repos/${DOCS}/pulls/${second}`)).body).toMatchObject({ mergeable: false });
  });

  test('are not merged with another head, or by a stranger', async () => {
    const number = await propose('guarded', 'api/authentication.md', 'guarded\n');
    const main = await writer.branchHead(DOCS, 'main');
    expect((await merge(number, github.tokens.writer, { sha: '0'.repeat(40) })).status).toBe(409);
    expect((await merge(number, github.tokens.stranger)).status).toBe(403);
    expect(await writer.branchHead(DOCS, 'main')).toBe(main);
    expect((await get(`/repos/${DOCS}/pulls/${number}`)).body).toMatchObject({ state: 'open' });

    const head = await writer.branchHead(DOCS, 'guarded');
    expect((await merge(number, github.tokens.writer, { sha: head })).status).toBe(200);
  });

  test('are issues too', async () => {
    const number = await propose('issue', 'index.mdx', 'six\n');
    const { status, body } = await get(`/repos/${DOCS}/issues/${number}`, github.tokens.writer);
    const html_url = `${github.url}/${DOCS}/pull/${number}`;
    expect(status).toBe(200);
    expect(body).toMatchObject({ number, title: 'issue', pull_request: { html_url } });
    const missing = await get(`/repos/${DOCS}/issues/${number + 1}`, github.tokens.writer);
    expect(missing.status).toBe(404);
  });

  test('have a web page that shows the change, with its markup escaped', async () => {
    const number = await propose('shown', 'docs.json', '<script>alert(1)</script>\n');
    const response = await fetch(`${github.url}/acme/docs/pull/${number}`);
    const page = await response.text();
    expect(response.headers.get('content-type')).toMatch('text/html');
    expect(page).toContain('+&#60;script&#62;alert(1)');
    expect(page).not.toContain('<script>');
  });
});
