import { describe, expect, it } from 'vitest';
import { type AgentRun, annotations, startAttempts } from '../helpers/run.ts';
import {
  active,
  create,
  created,
  done,
  ended,
  followUp,
  jobBody,
  ok,
  prLink,
  type Reply,
  refusal,
  reset,
  silence,
} from '../helpers/servers.ts';

const noWait = { inputs: { 'wait-minutes': '0' } };
const follow = { inputs: { 'job-id': 'job_8f2', 'wait-minutes': '0' } };
const second = { status: 201, body: jobBody({ id: 'job_new' }) };

/** For an attempt that begins when every new job would be visible. */
const later = { ...noWait, today: new Date(Date.now() + 3_600_000).toISOString() };

/** Runs the steps as the attempts of one run. @returns what came out of the last one, and all requests */
async function run(script: readonly Reply[], ...steps: readonly AgentRun[]) {
  const { attempt, api, cache } = await startAttempts(script);
  const results = [];
  for (const step of steps) {
    results.push(await attempt(results.length + 1, step));
  }
  const [first] = results;
  const last = results.at(-1);
  if (first === undefined || last === undefined) {
    throw new Error('There is no attempt.');
  }
  return { ...last, first, cache, calls: api.calls, posts: api.posts };
}

describe.each(['v1', 'v2'] as const)('a re-run, with the cache service of %s', (protocol) => {
  it('continues with an active job', async () => {
    const { attempt, api } = await startAttempts([created, active, active, done], { protocol });
    const first = await attempt(1, noWait);
    expect(first.outputs).toMatchObject({ result: 'running', 'job-source': 'created' });
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({
      result: 'pull-request',
      'job-id': 'job_8f2',
      'job-source': 'resumed',
      'pr-link': prLink,
    });
    expect(again.stdout).toContain(
      '::notice::Docs agent: resumed job job_8f2 of an earlier attempt in project acme.',
    );
    expect(annotations(again, 'warning')).toEqual([]);
    expect(api.posts).toEqual([create]);
  });
});

describe('a re-run of a follow-up', () => {
  it.each(['failed', 'archived', 'completed'])(
    'a moment later does not send it again to a job that was %s before',
    async (status) => {
      const before = ended(status);
      const attach = { inputs: { 'job-id': 'job_8f2' } };
      const script = [before, before, before, before, active, done];
      const { outputs, posts } = await run(script, follow, attach);
      expect(outputs).toMatchObject({ result: 'pull-request', 'job-source': 'resumed' });
      expect(posts).toEqual([followUp]);
    },
  );

  it('a moment later does not take the state from before for the end, because the first response said "active"', async () => {
    const before = ended('completed');
    const attach = { inputs: { 'job-id': 'job_8f2' } };
    const script = [before, active, before, before, before, before, active, done];
    const { outputs, posts } = await run(script, follow, attach);
    expect(outputs).toMatchObject({ result: 'pull-request', 'job-source': 'resumed' });
    expect(posts).toEqual([followUp]);
  });

  it('sends it again to a job that failed in the meantime', async () => {
    const script = [active, active, ended('failed'), ended('failed'), active];
    expect((await run(script, follow, { ...later, ...follow })).posts).toEqual([
      followUp,
      followUp,
    ]);
  });

  it('does not send it again if it may have arrived', async () => {
    const { outputs, posts } = await run([done, reset], follow, follow);
    expect(outputs).toMatchObject({
      reason: 'job-may-exist',
      message: expect.stringContaining('Mintlify may have received the follow-up to job job_8f2'),
    });
    expect(posts).toEqual([followUp]);
  });

  it('sends it to another job than the first attempt', async () => {
    const other = ok(jobBody({ id: 'job_other' }));
    const toOther = { inputs: { ...follow.inputs, 'job-id': 'job_other' } };
    const { posts } = await run([done, active, other, other], follow, toOther);
    expect(posts).toEqual([followUp, followUp.replace('job_8f2', 'job_other')]);
  });
});

describe('a re-run', () => {
  it('hands on the pull request of a completed job, without another poll', async () => {
    for (const step of [{}, noWait]) {
      const { outputs, calls } = await run([created, done], noWait, step);
      expect(outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
      expect(calls).toEqual([create, 'GET /v2/agent/acme/job/job_8f2']);
    }
  });

  it.each([
    ['failed', 'which failed'],
    ['archived', 'which was archived'],
  ])('starts a new job after one that %s, and goes on with that one', async (status, words) => {
    const script = [created, ended(status), second, done];
    const { outputs, posts, stdout } = await run(script, noWait, noWait);
    expect(outputs).toMatchObject({ 'job-id': 'job_new', 'job-source': 'created' });
    expect(stdout).toContain(
      `Attempt 1 of this run ended with job job_8f2, ${words}: it is not resumed.`,
    );
    expect(posts).toEqual([create, create]);
    const third = await run(script, noWait, noWait, noWait);
    expect(third.posts).toEqual([create, create]);
    expect(third.calls.at(-1)).toContain('/job/job_new');
  });

  it('starts a new job, with a warning, when the API does not know the old one', async () => {
    const script = [created, refusal(404), refusal(404), refusal(404), second];
    const { posts, ...again } = await run(script, noWait, later);
    expect(annotations(again, 'warning')).toContain(
      'Attempt 1 of this run started job job_8f2, which Mintlify does not know any more: it is not resumed.',
    );
    expect(posts).toEqual([create, create]);
  });

  it('starts nothing when a gateway answers in place of the API, and says that the job may run', async () => {
    const gateway = { status: 404, body: '<h1>Not found</h1>' };
    const { outputs, posts } = await run([created, gateway], noWait, later);
    expect(outputs).toMatchObject({ reason: 'unreadable-answer', 'job-id': 'job_8f2' });
    expect(posts).toEqual([create]);
  });

  it('says that the job may run when it is cancelled while it asks for that', async () => {
    const cancel = new AbortController();
    const onCall = (call: string) => call.startsWith('GET') && cancel.abort();
    const { attempt, posts } = await startAttempts([created, silence], { onCall });
    await attempt(1, noWait);
    const again = await attempt(2, { ...later, cancel: cancel.signal });
    expect(again.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(again.outputs['message']).toMatch(
      /^The run was cancelled\. Job job_8f2 may have been running at .*: to get its result, run this action with job-id job_8f2 and no prompt\.$/,
    );
    expect(posts()).toBe(1);
  });

  it('waits for a job that was started a moment ago, and may not be visible yet', async () => {
    // Three in a row are what ends the search for a job that must be visible.
    const unknown = Array<Reply>(3).fill(refusal(404));
    const { outputs, posts } = await run([created, ...unknown, active], noWait, noWait);
    expect(outputs).toMatchObject({ result: 'running', 'job-source': 'resumed' });
    expect(posts).toEqual([create]);
  });

  it('waits no longer in all than wait-minutes, even if the job can only be read late', async () => {
    const script = [created, refusal(503), refusal(503), active];
    const inputs = { 'wait-minutes': '1', 'poll-interval-seconds': '20' };
    const { outputs, calls } = await run(script, noWait, { inputs });
    expect(outputs).toMatchObject({ result: 'timed-out', 'job-source': 'resumed' });
    // Three to read the job in the first 40 s, then one at once and one at the deadline.
    expect(calls.filter((call) => call.startsWith('GET')).length).toBeLessThanOrEqual(5);
  });

  it('names its job, which may keep running, if that cannot be read', async () => {
    const script = [created, ...Array<Reply>(20).fill(refusal(503))];
    const { outputs, posts } = await run(script, noWait, noWait);
    expect(outputs).toMatchObject({ result: 'error', 'job-id': 'job_8f2' });
    expect(outputs['message']).toMatch(
      / Job job_8f2 may have been running at .*: to get its result, run this action with job-id job_8f2 and no prompt\.$/,
    );
    expect(posts).toEqual([create]);
  });

  it('sends nothing when the first attempt got no response', async () => {
    const { outputs, posts, first } = await run([reset], {}, {});
    expect(first.outputs).toMatchObject({ reason: 'job-may-exist' });
    expect(outputs).toMatchObject({
      result: 'error',
      reason: 'job-may-exist',
      message:
        'Attempt 1 of this run got no response to its request: a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.',
    });
    expect(posts).toEqual([create]);
  });

  it('continues with its job, although another attempt followed up on some job', async () => {
    const { outputs, posts } = await run([created, done, active, active], noWait, follow, noWait);
    expect(outputs['job-source']).toBe('resumed');
    expect(posts).toEqual([create, followUp]);
  });

  const described = (what: string) => ({
    inputs: { ...noWait.inputs, prompt: 'Describe {{what}}.', variables: `what: ${what}` },
  });

  it.each<[string, AgentRun, AgentRun, readonly string[]]>([
    [
      'a placeholder is filled differently, and says so',
      described('the old flag'),
      described('the new flag'),
      [
        'The prompt differs from the one that attempt 1 sent, and is not sent: job job_8f2 continues with the earlier one. To send the new prompt, start a new run.',
      ],
    ],
    ['the same prompt comes from elsewhere', noWait, described('the new flag'), []],
    ...[{ GITHUB_REPOSITORY_ID: '4711' }, {}].map((id): [string, AgentRun, AgentRun, string[]] => [
      `the repository was renamed, and the runner names ${JSON.stringify(id)}`,
      { ...noWait, env: { GITHUB_REPOSITORY: 'acme/product', ...id } },
      { ...noWait, env: { GITHUB_REPOSITORY: 'umbrella/product-2', ...id } },
      [],
    ]),
  ])('continues with the job although %s', async (_name, before, now, notices) => {
    const { posts, ...again } = await run([created, active], before, now);
    expect(again.outputs['job-source']).toBe('resumed');
    expect(annotations(again, 'notice')).toEqual(notices);
    expect(posts).toEqual([create]);
  });

  it('starts a new job when no attempt came that far', async () => {
    const { posts, ...again } = await run([refusal(401), created], noWait, noWait);
    expect(again.outputs).toMatchObject({ 'job-source': 'created' });
    expect(annotations(again, 'warning')).toEqual([]);
    expect(again.stdout).toContain(
      'No record of an earlier attempt of this run was found: either none came so far that a job could be resumed, or its record is gone or signed with another API key.',
    );
    expect(posts).toEqual([create, create]);
  });

  it.each([
    ['where on-rerun asks for that', { 'on-rerun': 'new' }, 0],
    ['in another leg of the matrix', { matrix: '{"project":"two"}' }, 2],
  ])('starts a new job %s', async (_name, more, searches) => {
    const first = { inputs: { ...noWait.inputs, matrix: '{"project":"one"}' } };
    const again = { inputs: { ...first.inputs, ...more } };
    const { outputs, posts, cache } = await run([created, second], first, again);
    expect(outputs).toMatchObject({ 'job-id': 'job_new' });
    expect(posts).toEqual([create, create]);
    expect(cache.operations.filter((operation) => operation === 'find')).toHaveLength(searches);
  });

  it.skipIf(process.platform !== 'linux')(
    'continues with a job although the first attempt could write no outputs',
    async () => {
      const full = { ...noWait, env: { GITHUB_OUTPUT: '/dev/full' } };
      const { first, posts } = await run([created, active], full, full);
      expect(first.exitCode).toBe(1);
      expect(first.stdout).toContain('ENOSPC');
      expect(first.summary).toContain('<code>job&#95;8f2</code>');
      expect(posts).toEqual([create]);
    },
  );
});
