import { describe, expect, it } from 'vitest';
import { annotations, runWithComment as run } from '../helpers/run.ts';
import {
  active,
  created,
  done,
  githubError,
  list,
  livingThread,
  permissions,
  post,
  refusal,
  reset,
} from '../helpers/servers.ts';

const headings = (texts: readonly string[]) => texts.map((text) => text.split('\n')[0]);
const error = '### ❌ The step ended with an error';
const opened = '### ✅ Pull request opened';

describe('an error before a job is started', () => {
  it.each([
    ['a bad placeholder', { prompt: '{{issue.title}}' }, [], 'issue.title'],
    ['a bad input', { 'wait-minutes': 'long' }, [], 'wait-minutes'],
    ['an API that is down', {}, [refusal(503)], 'a job may exist'],
  ])('is said on the issue: %s', async (_name, inputs, script, words) => {
    const thread = livingThread();
    const { exitCode } = await run(thread.routes, { inputs }, script);
    expect(exitCode).toBe(1);
    expect(headings(thread.texts())).toEqual([error]);
    const [, sentence = ''] = (thread.texts()[0] ?? '').split('\n\n');
    expect(sentence).toContain(words);
    expect(sentence).not.toMatch(/^<code>/);
  });

  it.each([
    ['a refused key', refusal(401), /create a new admin key/],
    ['no credits', { status: 402, body: { error: 'Insufficient AI credits' } }, /add credits/],
    ['a key of another organisation', refusal(403), /create an admin key/],
    ['a limit', refusal(429, { 'retry-after': '86400' }), /asks to wait/],
  ])(
    'that only concerns whoever pays is told in the log alone: %s',
    async (_name, reply, words) => {
      const thread = livingThread();
      const { outputs, summary, exitCode } = await run(thread.routes, {}, [reply]);
      expect(exitCode).toBe(1);
      expect(outputs['message']).toMatch(words);
      expect(summary).toMatch(words);
      const [text = ''] = thread.texts();
      expect(text).toMatch(
        /^### ❌ The step ended with an error\n\nNothing was started\. The log of this run says why\.\n\n/,
      );
      expect(text).toContain('/actions/runs/1001');
      expect(text).not.toMatch(/key|credit|limit|organisation|wait|API/);
    },
  );

  it.each([
    ['project-id', 'Key mint_one-key mint_the-key_of-another_input'],
    ['project-id', 'Bearer own.k3y-of-the-pr0ject'],
    ['prompt-file', 'own.k3y-of-the-pr0ject.md'],
  ])('says nothing of a key that was pasted into %s', async (name, value) => {
    const thread = livingThread();
    const prompt = name === 'prompt-file' ? '' : 'Do it';
    const inputs = { 'api-key': 'own.k3y-of-the-pr0ject', prompt, [name]: value };
    const { outputs } = await run(thread.routes, { inputs }, []);
    expect(outputs['reason']).toBe('bad-input');
    const [text = ''] = thread.texts();
    expect(text).toMatch(/\*{3}|(?:&#42;){3}/);
    expect(text).not.toMatch(/another|k3y/);
  });

  it('is said without the project id, which more people would read there', async () => {
    const thread = livingThread();
    const reply = { status: 404, body: { error: 'acme-internal is unknown' } };
    const { outputs } = await run(thread.routes, { inputs: { 'project-id': 'acme-internal' } }, [
      reply,
    ]);
    expect(outputs['message']).toMatch(/acme-internal is unknown.*to project acme-internal/);
    expect(thread.texts()[0]).toMatch(/ is unknown.*this key has no access to project \*{3},/);
    expect(thread.texts()[0]).not.toContain('acme-internal');
  });

  it('is written over by the next run, whatever key sealed it', async () => {
    const thread = livingThread();
    await run(thread.routes, { inputs: { 'api-key': 'mint_old' } }, [refusal(401)]);
    await run(thread.routes, { inputs: { 'project-id': 'wrong' } }, [refusal(404)]);
    expect(headings(thread.texts())).toEqual([error]);
    await run(thread.routes);
    expect(headings(thread.texts())).toEqual([opened]);
    await run(thread.routes);
    expect(headings(thread.texts())).toEqual([opened]);
  });

  it('does not replace the comment about a job', async () => {
    const thread = livingThread();
    await run(thread.routes, { inputs: { 'wait-minutes': '0' } }, [created]);
    await run(thread.routes, {}, [refusal(401)]);
    expect(headings(thread.texts())).toEqual([
      '### ⏳ This run does not wait for the agent',
      error,
    ]);
  });

  it.each([
    ['strangers', { event: 'issues-labeled-by-template', actor: 'stranger' }],
    ['a dry run', { inputs: { 'dry-run': 'true' } }],
    ['a dry run that is misspelt', { inputs: { 'dry-run': 'ture' } }],
    ['a run that writes no comment', { inputs: { comment: 'false' } }],
  ])('is not said to %s', async (_name, step) => {
    const routes = {
      ...permissions({ stranger: 'read' }),
      'GET /repos/acme/product': { status: 200 },
    };
    const { written } = await run(routes, step, [refusal(401)]);
    expect(written()).toEqual([]);
  });

  it('warns if even that cannot be written', async () => {
    const denied = githubError(403, 'Resource not accessible by integration');
    const inputs = { 'on-rerun': 'new' };
    const quiet = await run({ [post]: denied }, { inputs }, [created, active, done]);
    expect(annotations(quiet, 'warning')).toEqual([]);
    const loud = await run({ [post]: denied }, {}, [refusal(401)]);
    expect(annotations(loud, 'warning')).toEqual([
      expect.stringMatching(/^The comment on acme\/product#7 could not be written, because /),
    ]);
    const silent = await run({ [list]: reset }, {}, [refusal(401)]);
    expect(annotations(silent, 'warning')).toHaveLength(1);
  });
});
