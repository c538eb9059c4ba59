import { describe, expect, it } from 'vitest';
import { writeReportComment } from '../../../../src/check/report/comment.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { githubSession, githubToken, type Reply } from '../../../helpers/servers.ts';

const bot = 'github-actions[bot]';

interface Written {
  readonly id: number;
  readonly login: string;
  readonly body: string;
}

interface Options {
  readonly docsRoot?: string | undefined;
  readonly isCancelled?: boolean;
  readonly isOnlyUpdate?: boolean;
  /** The status of all requests to such routes. */
  readonly refused?: readonly [RegExp, number];
}

/** Writes the comment where others stand, and returns what was sent and what stands there then. */
async function write(comments: readonly Written[], text: string, options: Options = {}) {
  const { docsRoot, isCancelled, isOnlyUpdate = false, refused } = options;
  const { server, github } = await githubSession((route): Reply => {
    if (refused?.[0].test(route)) {
      return { status: refused[1], body: { message: 'No' } };
    }
    if (route === 'POST /graphql') {
      return { status: 200, body: { data: { viewer: { login: bot } } } };
    }
    return route === 'GET /repos/acme/docs/issues/12/comments'
      ? { status: 200, body: comments.map(({ login, ...rest }) => ({ ...rest, user: { login } })) }
      : { status: 200, body: { id: 501 } };
  });
  const runner = fakeRunner();
  if (isCancelled === true) {
    runner.stop(new CancelledError('received SIGTERM'));
  }
  const token = { value: githubToken, input: 'github-token', isStandIn: false } as const;
  const target = { repository: 'acme/docs', number: 12 };
  const problem = await writeReportComment(
    { target, token: { ...token, repository: 'acme/docs' }, docsRoot, isOnlyUpdate, text },
    github,
    runner,
  );
  const [sent, ...more] = server.arrivals.filter(({ body }) => body.startsWith('{"body":'));
  expect(more).toEqual([]);
  const id = Number(/comments\/(\d+)$/.exec(sent?.path ?? '')?.[1] ?? comments.length + 1);
  const written: Written | undefined = sent && { id, login: bot, body: JSON.parse(sent.body).body };
  const left = comments.filter((one) => one.id !== id);
  const after = written === undefined ? comments : [...left, written];
  return { problem, written, after };
}

const marked = /^<!-- docs-agent-action check v1 docs=[\da-f]{12} -->\n/;

describe('the comment', () => {
  const others = [
    ['octocat', 'Nice.'],
    [bot, 'The docs agent.\n\n<!-- docs-agent-action pull-request v1 job=a -->\n'],
    [bot, 'A workflow wrote:\n\n<!-- docs-agent-action check v1 docs=0123456789ab -->\n'],
    ['octocat', '<!-- docs-agent-action check v1 docs=684888c0ebb1 -->\nPassed.'],
  ].map(([login = '', body = ''], index) => ({ id: index + 1, login, body }));

  it('is a new one if there is none of ours, and then it is updated as a whole', async () => {
    const { written, problem, after } = await write(others, 'Passed.');
    expect(problem).toBeUndefined();
    expect(written).toMatchObject({ id: 5, body: expect.stringMatching(marked) });
    expect(written?.body.replace(marked, '')).toBe('Passed.');
    const again = await write(after, 'Blocked.', { isOnlyUpdate: true });
    expect(again.written).toEqual({
      ...written,
      body: written?.body.replace('Passed.', 'Blocked.'),
    });
  });

  it('is not begun if it should only be updated', async () => {
    const { written, problem } = await write(others, 'x', { isOnlyUpdate: true });
    expect([written, problem]).toEqual([undefined, undefined]);
  });

  it.each<[refused: NonNullable<Options['refused']>, why: string]>([
    [[/graphql|GET .user/, 403], 'GitHub does not say which user the token belongs to'],
    [
      [/^GET .repos/, 404],
      'GitHub responded with 404 ("No"): give github-token the permission "pull-requests: write" on acme/docs, and check that acme/docs#12 exists, and that nobody deleted the comment',
    ],
    [
      [/^POST .repos/, 403],
      'GitHub responded with 403 ("No"): give github-token the permission "pull-requests: write" on acme/docs, and check that the conversation is not locked',
    ],
    [[/^POST .repos/, 500], 'GitHub responded with 500 ("No")'],
  ])('is explained if it cannot be written: %s', async (refused, why) => {
    const { body = '' } = (await write([], 'x')).written ?? {};
    const listed = refused[0].test('POST /graphql') ? [{ id: 1, login: bot, body }] : [];
    const { problem } = await write(listed, 'x', { refused });
    expect(problem).toBe(`The comment on acme/docs#12 could not be written, because ${why}.`);
  });

  it('is no problem of a cancelled run', async () => {
    expect((await write([], 'x', { isCancelled: true })).problem).toBeUndefined();
  });

  it('is one for each folder of docs that docs-root names, and one without it', async () => {
    let comments: readonly Written[] = [];
    const runs = async (...roots: readonly (string | undefined)[]) => {
      comments = [];
      for (const [index, docsRoot] of roots.entries()) {
        comments = (await write(comments, `Run ${index}`, { docsRoot })).after;
      }
      return comments.map(({ id, body }) => `${id} ${body.replace(marked, '')}`);
    };
    expect(await runs('one', 'two', 'one')).toEqual(['2 Run 1', '1 Run 2']);
    expect(await runs(undefined, 'docs', undefined)).toEqual(['2 Run 1', '1 Run 2']);
    expect(await runs('docs', undefined, 'docs')).toEqual(['2 Run 1', '1 Run 2']);
  });
});
