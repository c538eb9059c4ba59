import { describe, expect, it } from 'vitest';
import { truncatedTree } from '../../sandbox/github/faults.ts';
import { annotations, judge } from '../helpers/run.ts';

const files = { 'docs.json': '{"navigation":{"pages":["index"]}}', 'index.mdx': 'Welcome.' };
const run = { before: files, after: { ...files, 'index.mdx': 'Hello.' } };

it('bad input fails the step, and sends nothing', async () => {
  const inputs = { 'pr-link': 'x\n::error::y\r##[add-path]z' };
  const result = await judge({ ...run, inputs });
  const message =
    'Input pr-link is "x ::error::y ## [add-path]z", which is not a pull request on https://github.example: it takes a link such as https://github.example/owner/name/pull/12.';
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toEqual({ result: 'error', reason: 'bad-input', message });
  expect(annotations(result, 'error')).toEqual([message]);
  expect(result.summary).toMatch(
    /^### ❌ The check ended with an error\n\n<code>Input pr-link is /,
  );
  expect([result.stderr, result.requests]).toEqual(['', []]);
});

it('fails if the event cannot be read, which may be about a pull request', async () => {
  const event = { pull_request: { number: 12 } };
  const env = { GITHUB_EVENT_PATH: '/nowhere/event.json' };
  const result = await judge({ ...run, eventName: 'pull_request_target', event, env });
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
  expect(result.outputs['message']).toMatch(/^Input pr-link is empty, and the event's file/);
});

describe('nothing to judge', () => {
  it('is skipped without a link on an event without a pull request', async () => {
    const result = await judge({ ...run, eventName: 'issues', event: { issue: { number: 3 } } });
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toEqual({
      result: 'skipped',
      reason: 'no-pull-request',
      message:
        'Nothing was checked, because input pr-link is empty and the event is not about a pull request: give the link, or run this step on pull_request_target.',
    });
    expect(annotations(result, 'notice')).toEqual([result.outputs['message']]);
    expect(result.requests).toEqual([]);
  });

  it('fails if fail-on says so', async () => {
    const event = { issue: { number: 3 } };
    const inputs = { 'fail-on': 'blocked, skipped' };
    const result = await judge({ ...run, eventName: 'issues', event, inputs });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'no-pull-request' });
  });

  const before = { 'docs/docs.json': files['docs.json'], 'docs/index.mdx': 'Hi.', 'a.js': '1' };
  const code = { before, after: { ...before, 'a.js': '2' } };
  const byEvent = { eventName: 'pull_request_target', event: { pull_request: { number: 12 } } };

  it('is skipped for a pull request that changes no docs', async () => {
    const result = await judge({ ...code, ...byEvent });
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toEqual({
      result: 'skipped',
      reason: 'no-docs-changed',
      message: 'Nothing was judged, because acme/docs#12 changes no file of the docs in "docs".',
      'head-sha': result.headSha,
      'changed-files': '1',
    });
  });

  it('needs a review for such a pull request if pr-link names it, or not all files are known', async () => {
    const named = await judge(code);
    expect(named.outputs).toMatchObject({ result: 'judged', verdict: 'review' });
    expect(named.found).toEqual(['other-file a.js']);
    const faults = [{ on: /git\/trees/, effect: truncatedTree(100) }];
    const unknown = await judge({ ...code, ...byEvent, faults });
    expect(unknown.found).toEqual(['not-judged ', 'other-file a.js']);
    const empty = await judge({ before, after: before });
    expect(empty.outputs).toMatchObject({ result: 'skipped', reason: 'no-docs-changed' });
  });
});
