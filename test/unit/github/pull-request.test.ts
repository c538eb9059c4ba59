import { expect, it } from 'vitest';
import { listLabelled, putLabel, readPullRequest } from '../../../src/github/pull-request.ts';
import { documentWatch } from '../../helpers/agent.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';
import {
  githubSession,
  noSignal,
  notFound,
  type Reply,
  type Routes,
} from '../../helpers/servers.ts';

const place = { repository: 'acme/docs', number: 12 };

async function start(routes: Routes) {
  const { server, session } = await githubSession(routes);
  return { server, deps: { session, clock: fakeClock(), signal: noSignal } };
}

const repo = { private: false, full_name: 'acme/new-docs' };
const pull = {
  title: documentWatch.title,
  state: 'open',
  head: { ref: documentWatch.branch, sha: documentWatch.headSha },
  base: { ref: 'main', sha: documentWatch.baseSha, repo },
  changed_files: 3,
  additions: 12,
  deletions: 1,
};
const read = { ...documentWatch, isPublic: true, repository: 'acme/new-docs' };

it.each<[string, object, Reply, object | undefined]>([
  ['whole', pull, { status: 200, body: [{ filename: 'a.mdx' }] }, { ...read, files: ['a.mdx'] }],
  ['without its files', pull, notFound, { ...read, files: [] }],
  [
    'closed, of a private repository',
    { ...pull, state: 'closed', base: { ...pull.base, repo: { ...repo, private: true } } },
    notFound,
    { ...read, files: [], isOpen: false, isPublic: false },
  ],
  [
    'without its repository and base',
    { ...pull, base: { ref: 'main', repo: null } },
    notFound,
    { ...read, files: [], baseSha: '', repository: '', isPublic: false },
  ],
  ['without a title', { ...pull, title: null }, notFound, undefined],
  ['with another state', { ...pull, state: 'draft' }, notFound, undefined],
  ['with a negative count', { ...pull, additions: -1 }, notFound, undefined],
  ...['0'.repeat(39), '0'.repeat(65), `${'0'.repeat(40)}\n`, 'G'.repeat(40)].map(
    (sha): [string, object, Reply, undefined] => [
      `with a head of ${sha}`,
      { ...pull, head: { ...pull.head, sha } },
      notFound,
      undefined,
    ],
  ),
])('a pull request is read %s', async (_name, body, files, expected) => {
  const path = 'GET /repos/acme/docs/pulls/12';
  const { server, deps } = await start({
    [path]: { status: 200, body },
    [`${path}/files`]: files,
  });
  const outcome = await readPullRequest(place, deps);
  expect(outcome.kind === 'ok' ? outcome.value : undefined).toEqual(expected);
  expect(server.calls.toSorted()).toEqual([path, `${path}/files?per_page=10`]);
});

it('open pull requests are listed by their label, newest first, without issues', async () => {
  const body = [9, 7, 5].map((number) => ({
    number,
    ...(number !== 7 && { pull_request: {} }),
  }));
  const { server, deps } = await start({ 'GET /repos/acme/docs/issues': { status: 200, body } });
  expect(await listLabelled('acme/docs', 'docs & more', deps)).toEqual({
    kind: 'ok',
    value: [9, 5],
  });
  expect(server.calls).toEqual([
    'GET /repos/acme/docs/issues?state=open&sort=created&direction=desc&labels=docs%20%26%20more&per_page=100&page=1',
  ]);
});

it.each([
  [{ status: 200 }, { kind: 'ok' }],
  [
    { status: 403, body: { message: 'No' } },
    { kind: 'failed', status: 403 },
  ],
])('puts a label, or says why it cannot: %j', async (reply, outcome) => {
  const put = 'POST /repos/acme/docs/issues/12/labels';
  const { server, deps } = await start({ [put]: reply });
  expect(await putLabel(place, 'docs', deps)).toMatchObject(outcome);
  expect(server.arrivals.map(({ body }) => body)).toEqual(['{"labels":["docs"]}']);
});
