import { describe, expect, it } from 'vitest';
import { list, patch, post, runWithComment as run } from '../helpers/comment-run.ts';
import { annotations } from '../helpers/run-agent.ts';
import { refusal, reset, silence } from '../helpers/scripted-api.ts';
import { bot, permissions, type Routes } from '../helpers/scripted-github.ts';

describe('a lost answer', () => {
  /** Takes the comment, but the answer never comes; the list then has it. */
  function lost(routes: Routes = {}): Routes {
    const taken: unknown[] = [];
    return {
      [post]: (request, _response, text) => {
        taken.push({ id: 501, user: { login: bot }, body: JSON.parse(text).body });
        request.socket.destroy();
      },
      [list]: (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(taken));
      },
      ...routes,
    };
  }

  it('is looked for before anything is posted again', async () => {
    const { count, written, ...result } = await run(lost());
    expect(result.outputs['result']).toBe('pull-request');
    expect(count(post)).toBe(1);
    expect(written().at(-1)).toContain('Pull request opened');
  });

  it('is posted again where it is not found', async () => {
    const { count } = await run({ [post]: [reset, { status: 201, body: { id: 501 } }] });
    expect(count(post)).toBe(2);
    expect(count(list)).toBe(2);
  });

  it('is looked for at once, where there is nothing more to say later', async () => {
    const refused = { event: 'issues-labeled-by-triager', actor: 'triager' };
    const routes = permissions({ triager: 'triage' });
    const { count } = await run(
      { ...routes, [post]: [reset, { status: 201, body: { id: 501 } }] },
      refused,
    );
    expect([count(post), count(list), count(patch)]).toEqual([2, 2, 0]);
  });

  it('is not posted again where our own cannot be told from others', async () => {
    const inputs = { comment: 'true' };
    const { count, ...result } = await run(lost({ 'POST /graphql': { status: 502 } }), {
      inputs,
    });
    expect(count(post)).toBe(1);
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#7 could not be written, because GitHub does not tell whose token this is.",
      ]
    `);
  });
});

describe('a comment that fails', () => {
  it.each([
    [
      '403',
      { [post]: { status: 403, body: { message: 'Resource not accessible by integration' } } },
    ],
    [
      'locked',
      {
        [post]: {
          status: 403,
          body: { message: 'Unable to create comment because issue is locked.' },
        },
      },
    ],
    ['404', { [list]: { status: 404, body: { message: 'Not Found' } } }],
    ['410', { [list]: { status: 410, body: { message: 'Issues are disabled for this repo' } } }],
    ['422', { [post]: { status: 422, body: { message: 'Validation Failed' } } }],
    ['rate limit', { [post]: { status: 429, body: { message: 'API rate limit exceeded' } } }],
    ['a fault', { [list]: { status: 503, body: '<html>' } }],
    ['silence', { [list]: silence }],
    ['lost every time', { [post]: reset }],
    ['nonsense', { [list]: { status: 200, body: { comments: [] } } }],
    ['gone meanwhile', { [patch]: { status: 404, body: { message: 'Not Found' } } }],
  ] satisfies readonly (readonly [string, Routes])[])(
    'changes nothing else: %s',
    async (_name, routes) => {
      const result = await run(routes, { inputs: { comment: 'true' } });
      expect(result.outputs['result']).toBe('pull-request');
      expect(result.exitCode).toBe(0);
      expect(annotations(result, 'warning')).toMatchSnapshot();
      expect(annotations(result, 'warning')).toHaveLength(1);
      const lines = result.stdout.trimEnd().split('\n');
      expect(lines.at(-1)).toBe(result.outputs['message']);
    },
  );

  it('is only a debug line with auto, and a warning with a number', async () => {
    const routes = { [post]: refusal(403) };
    for (const inputs of [{}, { comment: '' }]) {
      const auto = await run(routes, { inputs });
      expect(annotations(auto, 'warning')).toEqual([]);
      expect(auto.stdout).toContain('::debug::The comment on acme/product#7 could not be written');
    }
    const numbered = await run(routes, { inputs: { comment: '7' } });
    expect(annotations(numbered, 'warning')).toHaveLength(1);
  });

  it('on a pull request names the permission that a pull request takes', async () => {
    const result = await run(
      { 'GET /repos/acme/product/issues/8/comments': refusal(403) },
      { eventName: 'pull_request', event: 'pull-request-by-owner', inputs: { comment: 'true' } },
    );
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#8 could not be written, because GitHub responded with 403: it takes the permission "pull-requests: write" for github-token, and a conversation that is not locked.",
      ]
    `);
  });

  it('for want of a token says so, and asks GitHub nothing', async () => {
    const inputs = { comment: '7', 'github-token': '' };
    const result = await run({}, { eventName: 'workflow_dispatch', event: {}, inputs });
    expect(result.outputs['result']).toBe('pull-request');
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#7 could not be written, because github-token is empty.",
      ]
    `);
    expect(result.github.calls).toEqual([]);
  });
});
