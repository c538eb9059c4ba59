import { expect, it } from 'vitest';
import { writeComment } from '../../../src/github/comments.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { githubAt, githubSession, noSignal } from '../../helpers/github-session.ts';
import { closedUrl, type Reply, reset } from '../../helpers/servers.ts';

const place = { repository: 'acme/docs', number: 12 };
const path = 'POST /repos/acme/docs/issues/12/comments';

/** What became of a comment after these replies, and how many requests were sent. */
async function create(...replies: readonly Reply[]) {
  const { server, session } = await githubSession({ [path]: replies });
  const deps = { session, clock: fakeClock(), signal: noSignal };
  const { kind } = await writeComment(place, undefined, 'Hello', deps);
  return { kind, sent: server.calls.length };
}

const limited: Reply = { status: 403, headers: { 'retry-after': '30' } };
const created: Reply = { status: 201, body: { id: 7 } };

it('a comment is sent again after a rate limit', async () => {
  expect(await create(limited, created)).toEqual({ kind: 'ok', sent: 2 });
  expect(await create(limited)).toEqual({ kind: 'failed', sent: 3 });
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
  ['a status that nobody knows', { status: 999 }],
])('a comment may exist, and is not sent again, after %s', async (_name, reply) => {
  expect(await create(reply, created)).toEqual({ kind: 'failed', sent: 1 });
});

it('a comment that GitHub refuses is not sent again', async () => {
  expect(await create({ status: 403 }, created)).toEqual({ kind: 'failed', sent: 1 });
});

it('a text that replaces another one is sent again', async () => {
  const { server, session } = await githubSession({
    'PATCH /repos/acme/docs/issues/comments/7': [reset, { status: 502 }, { status: 200 }],
  });
  const deps = { session, clock: fakeClock(), signal: noSignal };
  expect(await writeComment(place, 7, 'Hello', deps)).toEqual({ kind: 'ok', value: 7 });
  expect(server.arrivals.map(({ body }) => body)).toEqual(Array(3).fill('{"body":"Hello"}'));
});
