import { expect, it } from 'vitest';
import { judge, runOnEvent, runVisitors, startAttempts, withNavigation } from '../helpers/run.ts';
import { active, created, done, permissions, refusal, startBoth } from '../helpers/servers.ts';

/*
 * One scenario of each kind that no other test in this folder has: the bundles can do all that the sources
 * can, and `npm run check:dist` proves that they are made from them.
 */

it('a re-run goes on with the job of the first attempt', async () => {
  const { attempt, posts } = await startAttempts([created, active, done]);
  const first = await attempt(1, { inputs: { 'wait-minutes': '0' } });
  expect(first.outputs['result']).toBe('running');
  const again = await attempt(2);
  expect(again.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'resumed' });
  expect(posts()).toBe(1);
});

it('nobody without write access starts a job', async () => {
  const { github, api } = await startBoth(permissions({ triager: 'triage' }), () => [created]);
  const { outputs, exitCode } = await runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-triager',
    actor: 'triager',
    githubUrl: github.url,
    baseUrl: api.url,
  });
  expect(outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
  expect(exitCode).toBe(0);
  expect(api.calls).toEqual([]);
});

it('a dry run starts nothing', async () => {
  const { github, api } = await startBoth(permissions({ owner: 'admin' }), () => [refusal(404)]);
  const { outputs, summary } = await runOnEvent({
    eventName: 'workflow_dispatch',
    event: {},
    githubUrl: github.url,
    baseUrl: api.url,
    inputs: { 'dry-run': 'true' },
  });
  expect(outputs['result']).toBe('ready');
  expect(summary).toContain('Describe the new flag.');
  expect(api.posts).toEqual([]);
});

it('an export with bad input sends nothing', async () => {
  const { outputs, exitCode } = await runVisitors({ inputs: { period: 'last-year' } });
  expect(outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
  expect(exitCode).toBe(1);
});

it('a change that breaks a link is blocked, and the comment says so', async () => {
  const before = withNavigation({
    'index.mdx': 'See [the guide](/guide).',
    'guide.mdx': 'A guide.',
  });
  const { 'guide.mdx': _gone, ...rest } = before;
  const result = await judge({ before, after: rest, inputs: { comment: 'true' } });
  expect(result.outputs).toMatchObject({ result: 'judged', verdict: 'blocked' });
  expect(result.exitCode).toBe(1);
  expect(result.found).toContain('broken-link index.mdx:1');
  expect(result.comments).toHaveLength(1);
});

it('a change of words passes the check', async () => {
  const before = withNavigation({ 'index.mdx': 'Welcome to Acme.' });
  const result = await judge({ before, after: { ...before, 'index.mdx': 'Hello from Acme.' } });
  expect(result.outputs).toMatchObject({ result: 'judged', verdict: 'passed' });
  expect(result.exitCode).toBe(0);
});
