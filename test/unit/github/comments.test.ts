import { expect, it } from 'vitest';
import {
  listComments,
  listOwnComments,
  readComment,
  writeComment,
} from '../../../src/github/comments.ts';
import type { Session } from '../../../src/github/request.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';
import {
  closedUrl,
  githubAt,
  githubSession,
  noSignal,
  type Reply,
  type Routes,
  reset,
} from '../../helpers/servers.ts';

const place = { repository: 'acme/docs', number: 12 };
const comments = '/repos/acme/docs/issues/12/comments';
const single = '/repos/acme/docs/issues/comments/7';

/** What requests need, the server, and the limits that the requests had. */
async function start(routes: Routes) {
  const { server, session } = await githubSession(routes);
  const limitsMs = new Set<number>();
  const limited: Session = {
    open(limits) {
      limitsMs.add(limits.timeoutMs);
      return session.open(limits);
    },
  };
  return { server, limitsMs, deps: { session: limited, clock: fakeClock(), signal: noSignal } };
}

/** What became of a comment after these replies, and how many requests were sent. */
async function create(...replies: readonly Reply[]) {
  const { server, deps, limitsMs } = await start({ [`POST ${comments}`]: replies });
  const outcome = await writeComment(place, undefined, 'Hello', deps);
  expect([...limitsMs]).toEqual([15_000]);
  return { outcome, sent: server.calls.length };
}

const limited: Reply = { status: 403, headers: { 'retry-after': '30' } };
const created: Reply = { status: 201, body: { id: 7 } };

it('a comment is sent again after a rate limit', async () => {
  expect(await create(limited, created)).toEqual({ outcome: { kind: 'ok', value: 7 }, sent: 2 });
  expect(await create(limited)).toMatchObject({ outcome: { kind: 'failed' }, sent: 3 });
});

it('a comment is sent again if it never left', async () => {
  const clock = fakeClock();
  const deps = { session: githubAt(closedUrl).as('token-of-the-test'), clock, signal: noSignal };
  const { kind } = await writeComment(place, undefined, 'Hello', deps);
  expect([kind, clock.delaysMs]).toEqual(['failed', [500, 2000]]);
});

it.each<[string, Reply]>([
  ['no response', reset],
  ['a fault of GitHub', { status: 502 }],
  ['a success that cannot be read', { status: 201, body: 'created' }],
  ['a success without an id', { status: 201, body: { id: 0 } }],
  ['a status that nobody knows', { status: 999 }],
  ['a refusal', { status: 403 }],
])('a comment may exist, or is refused, and is not sent again, after %s', async (_name, reply) => {
  expect(await create(reply, created)).toMatchObject({ outcome: { kind: 'failed' }, sent: 1 });
});

it('a text that replaces another one is sent again', async () => {
  const { server, deps, limitsMs } = await start({
    [`PATCH ${single}`]: [reset, { status: 502 }, { status: 200 }],
  });
  expect(await writeComment(place, 7, 'Hello', deps)).toEqual({ kind: 'ok', value: 7 });
  expect(server.arrivals.map(({ body }) => body)).toEqual(Array(3).fill('{"body":"Hello"}'));
  expect([...limitsMs]).toEqual([15_000]);
});

it('the text of a comment is read', async () => {
  const replies = ['Hello', null].map((body) => ({ status: 200, body: { id: 7, body } }));
  const { deps } = await start({ [`GET ${single}`]: replies });
  expect(await readComment(place, 7, deps)).toEqual({ kind: 'ok', value: 'Hello' });
  expect(await readComment(place, 7, deps)).toEqual({ kind: 'ok', value: '' });
});

it('comments are listed, with what is left of one whose author is gone', async () => {
  const body = [
    { id: 7, user: { login: 'owner' }, body: 'Hello', author_association: 'OWNER' },
    { id: 8, user: { login: 'app[bot]', type: 'Bot' }, body: '', author_association: 'NONE' },
    { id: 9, user: { login: 'reader', type: 'User' }, body: '', author_association: 'CONTRIBUTOR' },
    { id: 10, user: null, body: null },
  ];
  const { deps } = await start({ [`GET ${comments}`]: { status: 200, body } });
  const listing = await listComments(place, (text, comment) => ({ text, ...comment }), deps);
  expect(listing).toEqual({
    kind: 'ok',
    value: [
      { id: 7, author: 'owner', text: 'Hello', isInsider: true },
      { id: 8, author: 'app[bot]', text: '', isInsider: true },
      { id: 9, author: 'reader', text: '', isInsider: false },
      { id: 10, author: '', text: '', isInsider: false },
    ],
  });
});

it('a full page has a next one, although nothing in it is wanted', async () => {
  const page = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, body: 'other' }));
  const pages = [page, [{ id: 101, body: 'ours' }]].map((body) => ({ status: 200, body }));
  const { deps } = await start({ [`GET ${comments}`]: pages });
  const idOf = (text: string, { id }: { readonly id: number }) =>
    text === 'ours' ? id : undefined;
  expect(await listComments(place, idOf, deps)).toEqual({ kind: 'ok', value: [101] });
});

const listed = [
  { id: 1, user: { login: 'Docs-Bot' }, body: 'ours' },
  { id: 2, user: { login: 'other' }, body: 'ours' },
  { id: 3, user: null, body: 'ours' },
  { id: 4, user: { login: 'docs-bot' }, body: 'not' },
];
const viewer: Reply = { status: 200, body: { data: { viewer: { login: 'docs-bot' } } } };
const ours = { kind: 'ok', value: [{ id: 1, author: 'Docs-Bot', isInsider: false }] };

it.each<[string, Routes, object]>([
  ['GraphQL says whose token it is', { 'POST /graphql': viewer }, ours],
  [
    'it does not',
    {},
    {
      kind: 'failed',
      problem: 'GitHub does not say which user the token belongs to',
      isRefusal: false,
    },
  ],
])('own comments are found where %s', async (_name, routes, expected) => {
  const { deps } = await start({ ...routes, [`GET ${comments}`]: { status: 200, body: listed } });
  const found = await listOwnComments(
    place,
    (text, comment) => (text === 'ours' ? comment : undefined),
    deps,
  );
  expect(found).toEqual(expected);
});

it('nobody asks whose token it is where no comment can be ours', async () => {
  const { server, deps } = await start({ [`GET ${comments}`]: { status: 200, body: listed } });
  const found = await listOwnComments(place, () => undefined, deps);
  expect(found).toEqual({ kind: 'ok', value: [] });
  expect(server.calls).toEqual([`GET ${comments}?per_page=100&page=1`]);
});
