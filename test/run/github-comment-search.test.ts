import { describe, expect, it } from 'vitest';
import { runWithComment as run } from '../helpers/run.ts';
import { commentsPath, left, list, patch, post } from '../helpers/servers.ts';

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('an earlier comment', () => {
  it.each([
    ['of this step', left()],
    ['of this job, left by another step', left({ key: '0'.repeat(32), jobId: 'job_8f2' })],
    ['of a run before this attempt', left({ run: '1001.0' })],
  ])('is updated: %s', async (_name, comment) => {
    const { count } = await run({ [list]: { status: 200, body: [comment] } });
    expect(count(post)).toBe(0);
    expect(count(patch)).toBe(2);
  });

  it.each([
    ["a stranger's", left({ author: 'stranger' })],
    ['one whose author is gone', { ...left(), user: null }],
    ['another step', left({ key: 'f'.repeat(32) })],
    ['a sibling of a matrix', left({ run: '1001.1' })],
    ['one signed with another key', left({ signedWith: 'mint_other' })],
    ["another repository's", left({ repository: 'acme/other' })],
    ['one copied from another issue', left({ thread: 8 })],
    ['a forged job', { ...left(), body: left().body.replace(hex('job_old'), hex('job_8f2')) }],
    ['a later version', { ...left(), body: left().body.replace('-comment-', '-comments-') }],
    ['no marker at all', { ...left(), body: 'Thanks!' }],
    ['a comment without a text', { ...left(), body: null }],
  ])('is not touched: %s', async (_name, comment) => {
    const foreign = { ...comment, id: 777 };
    const { count, github } = await run({ [list]: { status: 200, body: [foreign] } });
    expect(count(post)).toBe(1);
    expect(github.calls.filter((call) => call.includes('777'))).toEqual([]);
  });

  it('is found beyond the first hundred', async () => {
    const chatter = (from: number) =>
      Array.from({ length: 100 }, (_, at) => ({
        id: from + at,
        user: { login: 'stranger' },
        body: 'And I?',
      }));
    const { count, github } = await run({
      [list]: [
        { status: 200, body: chatter(1000) },
        { status: 200, body: chatter(2000) },
        { status: 200, body: [...chatter(3000).slice(0, 5), left()] },
      ],
    });
    expect(count(list)).toBe(3);
    expect(github.calls).toContain(`GET ${commentsPath}?per_page=100&page=3`);
    expect([count(post), count(patch)]).toEqual([0, 2]);
  });

  it('is recognised by the identity of a personal token too', async () => {
    const { count } = await run({
      'POST /graphql': { status: 404 },
      'GET /user': { status: 200, body: { login: 'Docs-Robot' } },
      [list]: { status: 200, body: [left({ author: 'docs-robot' })] },
    });
    expect(count(post)).toBe(0);
  });

  it('is not changed, and no other one written, if GitHub does not say which user github-token belongs to', async () => {
    const { count, stdout } = await run({
      'POST /graphql': { status: 200, body: { errors: [{ message: 'no' }] } },
      [list]: { status: 200, body: [left({ id: 777 })] },
    });
    expect([count(post), count(patch)]).toEqual([0, 0]);
    expect(stdout).toContain('because GitHub does not say which user the token belongs to.\n');
  });
});
