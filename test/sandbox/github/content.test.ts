import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { createRepository } from '../../../sandbox/github/git.ts';
import { startGitHub } from '../../../sandbox/github/github.ts';
import { addPull, addThread } from '../../../sandbox/github/state.ts';

/** A repository with one pull request that adds a page. */
async function start(options: Partial<Parameters<typeof startGitHub>[0]> = {}) {
  const git = createRepository();
  const base = git.commit({ files: { 'a.mdx': 'one\n' } });
  const head = git.commit({
    files: {
      'a.mdx': 'one\n',
      'b.mdx': 'two\n',
      'image.png': { bytes: 5_000_000 },
      'long.mdx': 'é'.repeat(300_000),
    },
    parents: [base],
  });
  const repositories = [{ name: 'acme/docs', git }];
  const github = await startGitHub({ repositories, ...options });
  onTestFinished(() => github.close());
  addPull(github, 'acme/docs', { base, head });
  return { github, git, base, head };
}

async function call(url: string, path: string, init: RequestInit = {}, token = 'any') {
  const headers = { ...(token !== '' && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url + path, { headers, ...init });
  return { status: response.status, body: await response.json() };
}

function ask(url: string, query: string, token = 'any') {
  return call(url, '/graphql', { method: 'POST', body: JSON.stringify({ query }) }, token);
}

const blobResponse = v.object({
  data: v.object({
    repository: v.object({ object: v.object({ oid: v.string(), text: v.string() }) }),
  }),
});

const inRepository = (fields: string) =>
  `{ repository(owner: "acme", name: "docs") { ${fields} } }`;

test('a text above 512,000 bytes is cut, and its blob has all of it', async () => {
  const { github, head } = await start();
  const { body } = await ask(
    github.url,
    inRepository(`object(expression: "${head}:long.mdx") {
      oid ... on Blob { byteSize isTruncated text }
    }`),
  );
  expect(body).toMatchObject({
    data: { repository: { object: { byteSize: 600_000, isTruncated: true } } },
  });
  const { oid, text } = v.parse(blobResponse, body).data.repository.object;
  expect(text).toBe('é'.repeat(256_000));
  expect((await call(github.url, `/repos/acme/docs/git/blobs/${oid}`)).body).toMatchObject({
    size: 600_000,
  });
});

test('a query with a field that does not exist fails with status 200', async () => {
  const { github } = await start();
  const { status, body } = await ask(github.url, inRepository('objects { text }'));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    errors: [{ message: expect.stringMatching(/Field 'objects' doesn't exist/) }],
  });
});

test('an unknown repository is an error beside the data', async () => {
  const { github } = await start();
  expect(await ask(github.url, '{ repository(owner: "acme", name: "none") { id } }')).toMatchObject(
    {
      status: 200,
      body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] },
    },
  );
});

test('the viewer is the owner of the token, and needs one', async () => {
  const identities = new Map([['secret', { login: 'octo', isApp: false }]]);
  const { github } = await start({ identities });
  const query = '{ viewer { login } }';
  expect((await ask(github.url, query, 'secret')).body).toEqual({
    data: { viewer: { login: 'octo' } },
  });
  expect((await ask(github.url, query, '')).status).toBe(401);
  expect((await ask(github.url, query, 'wrong')).status).toBe(401);
});

test('comments are listed, created and updated, and labels added and removed', async () => {
  const { github } = await start();
  const send = (method: string, path: string, body: unknown = {}) =>
    call(github.url, `/repos/acme/docs/issues/${path}`, { method, body: JSON.stringify(body) });
  expect((await send('POST', '1/comments', { body: 'One' })).status).toBe(201);
  const [comment] = github.comments;
  expect((await send('PATCH', `comments/${comment?.id}`, { body: 'Two' })).status).toBe(200);
  expect((await send('PATCH', 'comments/1', { body: 'Two' })).status).toBe(404);
  expect((await send('POST', '1/comments', { body: 'x'.repeat(65_537) })).status).toBe(422);
  expect((await call(github.url, '/repos/acme/docs/issues/1/comments')).body).toMatchObject([
    {
      body: 'Two',
      user: { login: 'github-actions[bot]', type: 'Bot' },
      author_association: 'NONE',
    },
  ]);
  await send('POST', '1/labels', { labels: ['docs: ready', 'docs'] });
  expect((await send('DELETE', '1/labels/docs%3A%20ready')).body).toMatchObject([{ name: 'docs' }]);
  expect((await send('DELETE', '1/labels/nowhere')).status).toBe(404);
});

test('lists come in pages, with links to the others', async () => {
  const { github } = await start();
  for (let count = 0; count < 5; count += 1) {
    addThread(github, 'acme/docs', { labels: ['a b'] });
  }
  const path = '/repos/acme/docs/issues?labels=a%20b&per_page=2';
  const pages: number[] = [];
  let next: string | undefined = github.url + path;
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { Authorization: 'Bearer any' } });
    pages.push(v.parse(v.array(v.unknown()), await response.json()).length);
    next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect(pages).toEqual([2, 2, 1]);
});

test('accounts and forks can be gone', async () => {
  const { github, base, head } = await start();
  addPull(github, 'acme/docs', { base, head, login: null, headRepository: null });
  expect((await call(github.url, '/repos/acme/docs/pulls/2')).body).toMatchObject({
    user: null,
    head: { user: null, repo: null },
  });
  const fields = 'pullRequest(number: 2) { author { login } headRepository { id } }';
  expect((await ask(github.url, inRepository(fields))).body).toMatchObject({
    data: { repository: { pullRequest: { author: null, headRepository: null } } },
  });
});

test('a comparison has renames, and no patch of what is binary or very long', async () => {
  const { github, git, base } = await start();
  const head = git.commit({
    files: {
      'moved/"a"\n.mdx': 'one\n',
      'image.png': Buffer.from([0, 1, 2]),
      'long.mdx': 'line\n'.repeat(3001),
    },
    parents: [base],
  });
  const { body } = await call(github.url, `/repos/acme/docs/compare/${base}...${head}`);
  const files = [
    { filename: 'image.png', status: 'added', additions: 0, patch: undefined },
    { filename: 'long.mdx', status: 'added', additions: 3001, patch: undefined },
    { filename: 'moved/"a"\n.mdx', status: 'renamed', previous_filename: 'a.mdx' },
  ];
  const found = v.parse(v.looseObject({ files: v.array(v.looseObject({})) }), body);
  expect(found).toMatchObject({ status: 'ahead', total_commits: 1, commits: [{ author: null }] });
  expect(found.files).toMatchObject(files.map(({ patch: _, ...file }) => file));
  expect(found.files.map((file) => 'patch' in file)).toEqual([false, false, false]);
});

test('a repository can borrow the commits of a checkout, which stays as it is', async () => {
  const source = createRepository();
  const base = source.commit({ files: { 'a.mdx': 'one\n' } });
  const git = createRepository(source.folder);
  git.setRef('refs/heads/main', base);
  const head = git.commit({ changes: { 'b.mdx': 'two\n' }, parents: [base] });
  expect(git.diff(base, head)).toMatchObject([{ filename: 'b.mdx', patch: '@@ -0,0 +1 @@\n+two' }]);
  expect([source.find(head), source.refs('refs/heads/')]).toEqual([undefined, []]);
  await git.close();
  expect(source.find(base)?.message).toBe('Change the docs');
  await source.close();
});

test('a written file is shown with the commit as git has it', async () => {
  const { github, head } = await start();
  const ref = JSON.stringify({ ref: 'refs/heads/new', sha: head });
  await call(github.url, '/repos/acme/docs/git/refs', { method: 'POST', body: ref });
  const written = await call(github.url, '/repos/acme/docs/contents/c.mdx', {
    method: 'PUT',
    body: JSON.stringify({ message: 'Add c', content: 'eA==', branch: 'new' }),
  });
  const { commit } = v.parse(
    v.object({ commit: v.looseObject({ sha: v.string() }) }),
    written.body,
  );
  expect(commit).toMatchObject({
    message: 'Add c',
    author: { name: expect.any(String), date: expect.any(String) },
    tree: { sha: expect.any(String) },
    url: `${github.url}/repos/acme/docs/git/commits/${commit.sha}`,
  });
});

test('the brackets of a bot are escaped in addresses', async () => {
  const { github } = await start({ roles: { 'docs[bot]': 'write' } });
  const { body } = await call(github.url, '/users/docs%5Bbot%5D');
  expect(body).toMatchObject({
    login: 'docs[bot]',
    url: `${github.url}/users/docs%5Bbot%5D`,
    html_url: `${github.url}/apps/docs`,
  });
});
