import { expect, it } from 'vitest';
import { writeComment } from '../../../src/github/comments.ts';
import type { GitHubResponse } from '../../../src/github/request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { fakeSession, githubResponse, noResponse, noSignal } from '../../helpers/fake-github.ts';

const limited: GitHubResponse = {
  kind: 'response',
  status: 403,
  body: {},
  rateLimit: { retryAfterMs: 30_000 },
};
const refused: GitHubResponse = { kind: 'no-response', code: 'ECONNREFUSED', neverLeft: true };

/** What became of a comment after these responses, and how many were sent. */
async function create(...responses: readonly GitHubResponse[]) {
  const session = fakeSession((_request, count) => responses[count - 1] ?? noResponse);
  const deps = { session, clock: fakeClock(), signal: noSignal };
  const { kind } = await writeComment(
    { repository: 'acme/docs', number: 12 },
    undefined,
    'Hello',
    deps,
  );
  return { kind, sent: session.seen.length };
}

const created = githubResponse(201, { id: 7 });

it.each([
  ['a rate limit', limited],
  ['a request that never left', refused],
])('a comment is sent again after %s', async (_name, response) => {
  expect(await create(response, created)).toEqual({ kind: 'written', sent: 2 });
  expect(await create(response, response, response)).toEqual({ kind: 'failed', sent: 3 });
});

it.each([
  ['no response', noResponse],
  ['a fault of GitHub', githubResponse(502)],
  ['a success that cannot be read', githubResponse(201, 'created')],
])('a comment may exist, and is not sent again, after %s', async (_name, response) => {
  expect(await create(response, created)).toEqual({ kind: 'failed', sent: 1 });
});

it('a comment that GitHub refuses is not sent again', async () => {
  expect(await create(githubResponse(403), created)).toEqual({ kind: 'failed', sent: 1 });
});
