import * as v from 'valibot';
import { expect, onTestFinished, test, vi } from 'vitest';
import { memoryStore } from '../../../../sandbox/github/git/memory-store.ts';
import {
  movedHead,
  reset,
  respondWith,
  silence,
  truncatedTree,
} from '../../../../sandbox/github/stand-in/faults.ts';
import { startStandIn } from '../../../../sandbox/github/stand-in/stand-in.ts';

type Options = Partial<Parameters<typeof startStandIn>[0]> & { readonly isPrivate?: boolean };

/** A repository with one pull request that adds a page. */
async function start({ isPrivate = false, ...options }: Options = {}) {
  const store = memoryStore();
  const base = store.add({ files: { 'a.mdx': 'one\n' } });
  const head = store.add({
    files: {
      'a.mdx': 'one\n',
      'b.mdx': 'two\n',
      'image.png': { bytes: 5_000_000 },
      'long.mdx': 'é'.repeat(300_000),
    },
    parents: [base],
  });
  const pulls = [{ number: 1, base, head }];
  const standIn = await startStandIn({
    repositories: [{ name: 'acme/docs', store, pulls, isPrivate }],
    ...options,
  });
  onTestFinished(() => standIn.close());
  return { standIn, base, head };
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
  const { standIn, head } = await start();
  const { body } = await ask(
    standIn.url,
    inRepository(`object(expression: "${head}:long.mdx") {
      oid ... on Blob { byteSize isTruncated text }
    }`),
  );
  expect(body).toMatchObject({
    data: { repository: { object: { byteSize: 600_000, isTruncated: true } } },
  });
  const { oid, text } = v.parse(blobResponse, body).data.repository.object;
  expect(text).toBe('é'.repeat(256_000));
  expect((await call(standIn.url, `/repos/acme/docs/git/blobs/${oid}`)).body).toMatchObject({
    size: 600_000,
  });
});

test.each([
  ['a field that does not exist', 'object(oid: "0") { text }', /Cannot query field "text"/],
  ['a missing brace', 'object(oid: "0") { oid', /Syntax Error/],
])('a query with %s fails with status 200', async (_, fields, message) => {
  const { store, head } = await withBranch();
  store.setBranch('main', head);
  const standIn = await serve(store);
  const { status, body } = await ask(standIn.url, inRepository(fields));
  expect(status).toBe(200);
  expect(body).toMatchObject({ errors: [{ message: expect.stringMatching(message) }] });
});

async function withBranch() {
  const store = memoryStore();
  return { store, head: store.add({ files: { 'a.mdx': 'one\n' } }) };
}

async function serve(store: ReturnType<typeof memoryStore>) {
  const standIn = await startStandIn({ repositories: [{ name: 'acme/docs', store, pulls: [] }] });
  onTestFinished(() => standIn.close());
  return standIn;
}

test('an unknown repository is an error beside the data', async () => {
  const { standIn } = await start();
  expect(
    await ask(standIn.url, '{ repository(owner: "acme", name: "none") { id } }'),
  ).toMatchObject({
    status: 200,
    body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] },
  });
});

test('the viewer is the owner of the token, and needs one', async () => {
  const identities = new Map([['secret', { login: 'octo', isApp: false }]]);
  const { standIn } = await start({ identities });
  const query = '{ viewer { login } }';
  expect((await ask(standIn.url, query, 'secret')).body).toEqual({
    data: { viewer: { login: 'octo' } },
  });
  expect((await ask(standIn.url, query, '')).status).toBe(401);
  expect((await ask(standIn.url, query, 'wrong')).status).toBe(401);
});

test('a private repository is not found without a token', async () => {
  const { standIn } = await start({ isPrivate: true });
  const pull = '/repos/acme/docs/pulls/1';
  expect((await call(standIn.url, pull, {}, '')).status).toBe(404);
  expect(await call(standIn.url, pull)).toMatchObject({
    status: 200,
    body: { changed_files: 3, base: { repo: { private: true } } },
  });
});

test('an image is listed with its size, and cannot be read', async () => {
  const { standIn, head } = await start();
  const tree = await call(standIn.url, `/repos/acme/docs/git/trees/${head}?recursive=1`);
  const [image] = v
    .parse(
      v.object({ tree: v.array(v.looseObject({ path: v.string(), sha: v.string() })) }),
      tree.body,
    )
    .tree.filter(({ path }) => path === 'image.png');
  expect(image).toMatchObject({ size: 5_000_000 });
  const blob = `/repos/acme/docs/git/blobs/${image?.sha}`;
  expect((await call(standIn.url, blob)).status).toBe(404);
});

test('a query for too much text is given up, as by GitHub', async () => {
  const { standIn, head } = await start({ maxTextBytes: 1000 });
  const read = (path: string) =>
    ask(
      standIn.url,
      inRepository(`object(expression: "${head}:${path}") { ... on Blob { text } }`),
    );
  expect((await read('long.mdx')).status).toBe(502);
  expect((await read('b.mdx')).status).toBe(200);
});

test('check runs and deployments are those that the caller adds', async () => {
  const { standIn, head } = await start();
  const commit = { repository: 'acme/docs', sha: head };
  standIn.checkRuns.push(
    { ...commit, name: 'Deployment', conclusion: 'failure', detailsUrl: 'https://a.example' },
    { ...commit, name: 'Links' },
    { ...commit, sha: 'another', name: 'Other', conclusion: 'success' },
  );
  standIn.deployments.push({
    ...commit,
    environment: 'preview',
    state: 'success',
    environmentUrl: 'https://preview.example',
  });
  const path = `/repos/acme/docs/commits/${head}`;
  expect((await call(standIn.url, `${path}/check-runs?per_page=100`)).body).toMatchObject({
    total_count: 2,
    check_runs: [
      { name: 'Deployment', status: 'completed', conclusion: 'failure' },
      { name: 'Links', status: 'in_progress', conclusion: null },
    ],
  });
  expect((await call(standIn.url, `/repos/acme/docs/deployments?sha=${head}`)).body).toMatchObject([
    { id: 1, sha: head, creator: { login: 'docs-agent[bot]' } },
  ]);
  const statuses = '/repos/acme/docs/deployments/1/statuses';
  expect((await call(standIn.url, statuses)).body).toMatchObject([
    { state: 'success', environment_url: 'https://preview.example' },
  ]);
});

test('comments are listed, created and updated, and labels added and removed', async () => {
  const { standIn } = await start();
  const send = (method: string, path: string, body: unknown = {}) =>
    call(standIn.url, `/repos/acme/docs/issues/${path}`, { method, body: JSON.stringify(body) });
  expect((await send('POST', '1/comments', { body: 'One' })).status).toBe(201);
  const [comment] = standIn.comments;
  expect((await send('PATCH', `comments/${comment?.id}`, { body: 'Two' })).status).toBe(200);
  expect((await send('PATCH', 'comments/1', { body: 'Two' })).status).toBe(404);
  expect((await send('POST', '1/comments', { body: 'x'.repeat(65_537) })).status).toBe(422);
  expect((await call(standIn.url, '/repos/acme/docs/issues/1/comments')).body).toMatchObject([
    { body: 'Two', user: { login: 'github-actions[bot]', type: 'Bot' } },
  ]);
  await send('POST', '1/labels', { labels: ['docs: ready', 'docs'] });
  expect((await send('DELETE', '1/labels/docs%3A%20ready')).body).toEqual([{ name: 'docs' }]);
  expect((await send('DELETE', '1/labels/nowhere')).status).toBe(404);
});

test('requests fail where the caller says so, and as often', async () => {
  const { standIn, head } = await start({
    faults: [
      { on: /^GET .*\/pulls\/1\b/, after: 1, effect: movedHead('f'.repeat(40)) },
      { on: /\/git\/trees\//, times: 1, effect: respondWith(500) },
      { on: /\/git\/trees\//, times: 1, effect: truncatedTree(2) },
      { on: /^POST \/graphql\n.*byteSize/, effect: respondWith(502) },
      { on: /\/status$/m, effect: reset },
      { on: /\/check-runs$/m, effect: silence },
    ],
    latencyMs: 0.5,
  });
  const pull = '/repos/acme/docs/pulls/1';
  expect((await call(standIn.url, pull)).body).toMatchObject({ head: { sha: head } });
  expect((await call(standIn.url, pull)).body).toMatchObject({ head: { sha: 'f'.repeat(40) } });

  const tree = `/repos/acme/docs/git/trees/${head}`;
  expect((await call(standIn.url, tree)).status).toBe(500);
  expect((await call(standIn.url, tree)).body).toMatchObject({ truncated: true, tree: [{}, {}] });
  expect((await call(standIn.url, tree)).body).toMatchObject({ truncated: false });

  const size = 'object(oid: "0") { ... on Blob { byteSize } }';
  expect((await ask(standIn.url, inRepository(size))).status).toBe(502);
  expect((await ask(standIn.url, inRepository('id'))).body).toHaveProperty('data.repository.id');

  await expect(call(standIn.url, `/repos/acme/docs/commits/${head}/status`)).rejects.toThrow();
  const stop = new AbortController();
  const path = `/repos/acme/docs/commits/${head}/check-runs`;
  const silent = call(standIn.url, path, { signal: stop.signal });
  await vi.waitFor(() => expect(standIn.requests.at(-1)).toMatchObject({ path }), 20_000);
  stop.abort();
  await expect(silent).rejects.toThrow('aborted');
  expect(standIn.requests.map(({ status }) => status).slice(-2)).toEqual([0, 0]);
});

test('the first page of a comparison lists the changed files', async () => {
  const { standIn, base, head } = await start();
  const path = `/repos/acme/docs/compare/${base}...${head}`;
  expect((await call(standIn.url, path)).body).toMatchObject({
    files: expect.arrayContaining([expect.objectContaining({ status: 'added' })]),
  });
});
