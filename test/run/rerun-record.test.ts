import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { annotations, startAttempts } from '../helpers/run.ts';
import { active, created, done, jobBody } from '../helpers/servers.ts';

const noWait = { inputs: { 'wait-minutes': '0' } };
const second = { status: 201, body: jobBody({ id: 'job_new' }) };

describe('a runner', () => {
  it.each<[string, (folder: string) => Readonly<Record<string, string>>]>([
    ['with a space in RUNNER_TEMP', (folder) => ({ RUNNER_TEMP: folder })],
    ['whose RUNNER_TEMP does not exist', (folder) => ({ RUNNER_TEMP: join(folder, 'missing') })],
    ['without a home', () => ({ HOME: '' })],
  ])('%s keeps the record all the same, and no other file', async (_name, envIn) => {
    const folder = mkdtempSync(join(tmpdir(), 'runner temp '));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { attempt, posts } = await startAttempts([created, active], { protocol: 'v2' });
    const step = { ...noWait, env: envIn(folder) };
    await attempt(1, step);
    const again = await attempt(2, step);
    expect(again.outputs['job-source']).toBe('resumed');
    expect(posts()).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a token', { ACTIONS_RUNTIME_TOKEN: '' }],
    ['a usable address', { ACTIONS_RESULTS_URL: 'nowhere' }],
  ])('without %s of the cache service has none', async (_name, env) => {
    const { attempt, posts } = await startAttempts([created, second], { protocol: 'v2' });
    const first = await attempt(1, { ...noWait, env });
    expect(annotations(first, 'warning')).toEqual([]);
    const again = await attempt(2, { ...noWait, env });
    expect(annotations(again, 'warning')[0]).toContain('is not known');
    expect(posts()).toBe(2);
  });
});

describe('the first attempt', () => {
  it('looks for no record', async () => {
    const { attempt, cache } = await startAttempts([created, done]);
    await attempt(1);
    expect(cache.operations).not.toContain('find');
  });

  it('warns once where the cache is read-only, and goes on', async () => {
    const { attempt } = await startAttempts([created, active, done], {
      fault: (operation) => (operation === 'reserve' ? 'denied' : undefined),
    });
    const result = await attempt(1);
    expect(result.outputs).toMatchObject({ result: 'pull-request' });
    expect(annotations(result, 'warning')).toEqual([
      'The record of job job_8f2 could not be saved, because the cache is read-only for this run: a re-run of this workflow would start a second job.',
    ]);
  });

  it.each([
    [
      'says what becomes of a follow-up',
      { 'job-id': 'job_8f2' },
      [done, active, active, done],
      [expect.stringMatching(/: a re-run of this workflow would send the follow-up again\.$/)],
    ],
    ['does not warn if a re-run is to start a new job', { 'on-rerun': 'new' }, [created, done], []],
  ])('%s, where the cache is read-only', async (_name, inputs, script, warnings) => {
    const { attempt } = await startAttempts(script, { fault: () => 'denied' });
    const result = await attempt(1, { inputs });
    expect(annotations(result, 'warning')).toEqual(warnings);
  });

  it('says at its end what a re-run does', async () => {
    const { attempt } = await startAttempts([created, active]);
    const inputs = { 'wait-minutes': '0.02' };
    const saved = await attempt(1, { inputs });
    expect(saved.outputs['message']).toContain(
      'to find out how it ends, re-run this workflow, or run this action with job-id job_8f2',
    );
    expect(saved.summary).toContain('To find out how it ends, re-run this workflow, or run');
    const broken = await startAttempts([created, active], { fault: () => 'denied' });
    const unsaved = await broken.attempt(1, { inputs });
    expect(unsaved.summary).toContain('Re-running the workflow starts a second job.');
  });

  it('ends soon when it is cancelled while the cache service is silent', async () => {
    const cancel = new AbortController();
    const { attempt } = await startAttempts([created, active], {
      fault(operation) {
        setTimeout(() => cancel.abort(), 50);
        return operation === 'reserve' ? 'silence' : undefined;
      },
    });
    const result = await attempt(1, { cancel: cancel.signal });
    expect(result.signal).toBeNull();
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
  });
});

/** A job's id as a record has it. */
const idOf = (text: string) => BigInt(`0x01${Buffer.from(text).toString('hex')}`).toString(36);

describe('a record', () => {
  const warning =
    'The record of an earlier attempt is not used, because its signature does not fit this step and API key: no job is resumed, and an earlier one may still be active.';

  it.each<[string, (key: string) => string]>([
    ['with another job', (key) => key.replace(idOf('job_8f2'), idOf('job_6e1'))],
    ['with another signature', (key) => key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['that is cut off', (key) => key.slice(0, -10)],
    ['without fields', (key) => key.slice(0, 84)],
  ])('%s is not used', async (_name, forge) => {
    const { attempt, posts, cache } = await startAttempts([created, second]);
    await attempt(1, noWait);
    cache.plant(forge(cache.keys[0] ?? ''));
    const again = await attempt(2, noWait);
    expect(annotations(again, 'warning')).toEqual([warning]);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_new' });
    expect(posts()).toBe(2);
  });

  it('of another step, copied, is not used', async () => {
    const { attempt, posts, cache } = await startAttempts([created, created, second]);
    await attempt(1, { ...noWait, env: { GITHUB_ACTION: '__other' } });
    await attempt(1, noWait);
    const [other = '', own = ''] = cache.keys;
    cache.plant(own.slice(0, 58) + other.slice(58));
    const again = await attempt(2, noWait);
    expect(annotations(again, 'warning')).toEqual([warning]);
    expect(posts()).toBe(3);
  });

  it('that was signed with another key is not used', async () => {
    const { attempt, posts } = await startAttempts([created, second]);
    await attempt(1, noWait);
    const again = await attempt(2, { inputs: { ...noWait.inputs, 'api-key': 'mint_n3w-key' } });
    expect(annotations(again, 'warning')).toEqual([warning]);
    expect(posts()).toBe(2);
  });

  it('holds nothing of the prompt or the key', async () => {
    const { attempt, cache } = await startAttempts([created]);
    await attempt(1, noWait);
    expect(cache.keys).toHaveLength(1);
    const [key = '', id] =
      /^docs-agent-action-record-[\da-f]{32}-[\da-f]{12}-[\da-f]{12}-1-new-confirmed-\d{13}-([\da-z]+)-[\da-f]{64}$/.exec(
        cache.keys[0] ?? '',
      ) ?? [];
    expect(key).not.toBe('');
    expect(id).toBe(idOf('job_8f2'));
  });
});

describe('where the record cannot be looked for', () => {
  it('a re-run starts a new job, with a warning, if there is no place for records', async () => {
    const { attempt, posts } = await startAttempts([created, second], { protocol: 'v2' });
    const env = { ACTIONS_RESULTS_URL: undefined };
    await attempt(1, { ...noWait, env });
    const again = await attempt(2, { ...noWait, env });
    expect(annotations(again, 'warning')).toEqual([
      'Whether an earlier attempt of this run started a job is not known, because this run has no comment and no cache to look in: no job is resumed, and an earlier one may still be active.',
    ]);
    expect(posts()).toBe(2);
  });

  it('a re-run does the same if the run may not read the cache', async () => {
    const { attempt, posts } = await startAttempts([created, second], { fault: () => 'denied' });
    await attempt(1, noWait);
    const again = await attempt(2, noWait);
    expect(annotations(again, 'warning')[0]).toContain('is not known');
    expect(posts()).toBe(2);
  });

  it.each([404, 405, 406, 501])(
    'an Enterprise Server whose cache address answers %d has no cache service',
    async (status) => {
      const { attempt, posts } = await startAttempts([created, second], {
        protocol: 'v1',
        fault: () => status,
      });
      const first = await attempt(1, noWait);
      expect(annotations(first, 'warning')).toEqual([]);
      const again = await attempt(2, noWait);
      expect(again.outputs['job-source']).toBe('created');
      expect(annotations(again, 'warning')).toEqual([expect.stringContaining('is not known')]);
      expect(posts()).toBe(2);
    },
  );

  it('an Enterprise Server that lost what it had reserved has one, and the step warns', async () => {
    const { attempt } = await startAttempts([created], {
      protocol: 'v1',
      fault: (operation) => (operation === 'upload' ? 404 : undefined),
    });
    const first = await attempt(1, noWait);
    expect(annotations(first, 'warning')).toEqual([
      expect.stringContaining('a re-run of this workflow would start a second job'),
    ]);
  });

  it.each([
    ['answers 500', 'v1', 500, 'the cache service failed (getCacheEntry failed: '],
    ['of github.com answers 404', 'v2', 404, 'the cache service failed (Failed to Get'],
    ['is silent', 'v2', 'silence', 'the cache service failed (it did not respond in time)'],
  ] as const)(
    'a re-run starts nothing if the cache service %s',
    async (_name, protocol, fault, problem) => {
      const { attempt, posts } = await startAttempts([created], {
        protocol,
        fault: (operation) => (operation === 'find' ? fault : undefined),
      });
      await attempt(1, noWait);
      const again = await attempt(2, { ...noWait });
      expect(again.exitCode).toBe(1);
      expect(again.outputs).toMatchObject({
        result: 'error',
        reason: 'earlier-attempt-unknown',
        message: expect.stringContaining(problem),
      });
      expect(posts()).toBe(1);
    },
  );
});
