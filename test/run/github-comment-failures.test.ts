import { describe, expect, it } from 'vitest';
import { annotations, runWithComment } from '../helpers/run.ts';
import {
  bot,
  githubError,
  left,
  list,
  ok,
  patch,
  post,
  type Routes,
  refusal,
  reset,
  silence,
} from '../helpers/servers.ts';

/** Without a re-run that needs the record: there is no cache here, so a lost one is a warning of its own. */
const run: typeof runWithComment = (routes, step = {}, script) =>
  runWithComment(routes, { ...step, inputs: { 'on-rerun': 'new', ...step.inputs } }, script);

describe('a comment whose creation got no response', () => {
  /** Accepts the comment but never responds; later the list has it. */
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

  it('is searched for before it is created again', async () => {
    const { count, written, ...result } = await run(lost());
    expect(result.outputs['result']).toBe('pull-request');
    expect(count(post)).toBe(1);
    expect(written().at(-1)).toContain('Pull request opened');
  });

  it('is created again if it is not found', async () => {
    const { count } = await run({ [post]: [reset, { status: 201, body: { id: 501 } }] });
    expect(count(post)).toBe(2);
    expect(count(list)).toBe(2);
  });

  it('is not created again if it is unknown which comments are our own', async () => {
    const inputs = { comment: 'true' };
    const { count, ...result } = await run(lost({ 'POST /graphql': { status: 502 } }), {
      inputs,
    });
    expect(count(post)).toBe(1);
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#7 could not be written, because GitHub did not respond (UND_ERR_SOCKET).",
      ]
    `);
  });
});

describe('a comment that fails', () => {
  const refused = (words: string) =>
    `${words}: give github-token the permission "issues: write" ("pull-requests: write" for a pull request) on acme/product, and check that the conversation is not locked`;

  /** One of each kind: `test/hostile` has all of them. */
  it.each<[string, Routes, string]>([
    [
      'a refusal',
      { [post]: githubError(403, 'Resource not accessible by integration') },
      refused('GitHub responded with 403 ("Resource not accessible by integration")'),
    ],
    [
      'a locked conversation',
      {
        [post]: githubError(403, 'Unable to create comment because issue is locked.'),
      },
      refused('GitHub responded with 403 ("Unable to create comment because issue is locked.")'),
    ],
    [
      'a rate limit',
      { [post]: githubError(429, 'API rate limit exceeded') },
      'GitHub responded with 429 ("API rate limit exceeded")',
    ],
    ['a fault', { [list]: { status: 503, body: '<html>' } }, 'GitHub responded with 503'],
    ['silence', { [list]: silence }, 'GitHub did not respond in time'],
    [
      'nonsense',
      { [list]: ok({ comments: [] }) },
      'GitHub responded with 200, but in a form that this action cannot read',
    ],
  ])('changes nothing else: %s', async (_name, routes, words) => {
    const result = await run(routes, { inputs: { comment: 'true' } });
    expect(result.outputs['result']).toBe('pull-request');
    expect(result.exitCode).toBe(0);
    expect(annotations(result, 'warning')).toEqual([
      `The comment on acme/product#7 could not be written, because ${words}.`,
    ]);
    expect(result.stdout.trimEnd().split('\n').at(-1)).toBe(result.outputs['message']);
  });

  it('is only one line of the log with auto, and a warning with a number', async () => {
    const routes = { [post]: refusal(403) };
    for (const inputs of [{}, { comment: '' }]) {
      const auto = await run(routes, { inputs });
      expect(annotations(auto, 'warning')).toEqual([]);
      expect(auto.stdout.match(/^The comment on acme\/product#7 could not be .*$/gm)).toEqual([
        expect.stringContaining('give github-token the permission "issues: write"'),
      ]);
    }
    const numbered = await run(routes, { inputs: { comment: '7' } });
    expect(annotations(numbered, 'warning')).toHaveLength(1);
  });

  it.each([
    ['auto', ', or set comment to <code>"false"</code>'],
    ['true', ''],
  ])('for lack of a permission is a warning in the summary, with %s', async (comment, instead) => {
    const result = await run({ [post]: refusal(403) }, { inputs: { comment } });
    expect(result.summary).toMatch(/^### ✅ Pull request opened/);
    const added = result.summary.trimEnd().split('</details>\n\n').at(-1);
    expect(added).toBe(
      `⚠️ The comment on <code>acme/product&#35;7</code> could not be written, because GitHub responded with 403: give github-token the permission <code>"issues: write"</code> (<code>"pull-requests: write"</code> for a pull request) on acme/product, and check that the conversation is not locked${instead}.`,
    );
  });

  it('is none in the summary if it succeeds in the end, or has another reason', async () => {
    const later = await run({ [post]: [refusal(403), { status: 201, body: { id: 501 } }] });
    expect(later.written().at(-1)).toContain('Pull request opened');
    expect(later.summary).not.toContain('could not be written');
    const down = await run({ [list]: { status: 503, body: '<html>' } });
    expect(down.summary).not.toContain('could not be written');
  });

  it('is a warning if it shows by then that the agent works, such as after the hour of an App token', async () => {
    const dead = githubError(401, 'Bad credentials');
    const result = await run({ [patch]: dead });
    expect(result.written()[0]).toContain('Waiting for the agent');
    expect(result.exitCode).toBe(0);
    expect(annotations(result, 'warning')).toEqual([
      'The comment on acme/product#7 could not be written, because GitHub responded with 401 ("Bad credentials"): check that github-token is complete and has not expired, as the token of an App does after an hour, or set comment to "false".',
    ]);
  });

  it('is no warning if this run has written nothing there', async () => {
    const old = ok([left({ jobId: 'job_8f2' })]);
    const result = await run({ [list]: old, [patch]: refusal(403) });
    expect(result.count(patch)).toBeGreaterThan(0);
    expect(annotations(result, 'warning')).toEqual([]);
  });

  it('on a pull request asks for a permission that includes pull requests', async () => {
    const result = await run(
      { 'GET /repos/acme/product/issues/8/comments': refusal(403) },
      { eventName: 'pull_request', event: 'pull-request-by-owner', inputs: { comment: 'true' } },
    );
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#8 could not be written, because GitHub responded with 403: give github-token the permission "issues: write" ("pull-requests: write" for a pull request) on acme/product, and check that the conversation is not locked.",
      ]
    `);
  });

  it('without a token says so, and sends nothing to GitHub', async () => {
    const inputs = { comment: '7', 'github-token': '' };
    const result = await run({}, { eventName: 'workflow_dispatch', event: {}, inputs });
    expect(result.outputs['result']).toBe('pull-request');
    expect(annotations(result, 'warning')).toMatchInlineSnapshot(`
      [
        "The comment on acme/product#7 could not be written, because github-token is empty: leave github-token out, or give it the permission "issues: write" ("pull-requests: write" for a pull request) on acme/product.",
      ]
    `);
    expect(result.github.calls).toEqual([]);
  });
});
