import { describe, expect, it } from 'vitest';
import { annotations, runAgainst, transcript } from '../helpers/run.ts';
import {
  active,
  created,
  done,
  ended,
  jobBody,
  ok,
  prLink,
  type Reply,
} from '../helpers/servers.ts';

describe('a job', () => {
  it('completed with a pull request: the step passes', async () => {
    const { result, api } = await runAgainst([created, active, done]);
    expect(transcript(result)).toMatchSnapshot();
    expect(api.calls).toEqual([
      'POST /v2/agent/acme/job',
      'GET /v2/agent/acme/job/job_8f2',
      'GET /v2/agent/acme/job/job_8f2',
    ]);
    expect(JSON.parse(api.arrivals[0]?.body ?? '')).toEqual({
      prompt: 'Describe the new flag.',
    });
    expect(api.arrivals[0]?.headers['content-type']).toBe('application/json');
  });

  it('completed without a pull request: the step passes with a notice', async () => {
    const { result, api } = await runAgainst([created, ended('completed')]);
    expect(transcript(result)).toMatchSnapshot();
    expect(api.calls).toHaveLength(4);
  });

  it('completed, with a link that comes late: two more polls find it', async () => {
    const { result } = await runAgainst([created, ended('completed'), ended('completed'), done]);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
  });

  it('archived, with a pull request: the outputs have the link', async () => {
    const { result } = await runAgainst([created, ended('archived', { prLink })]);
    expect(result.outputs).toMatchObject({ result: 'archived', 'pr-link': prLink });
    expect(annotations(result, 'warning')).toEqual([
      `Job job_8f2, whose pull request is ${prLink}, was archived: open the job in the dashboard to see why; re-running the workflow starts a second job.`,
    ]);
  });

  const why =
    'open the job in the dashboard to see why; re-running the workflow starts a second job.';

  it.each([
    ['failed', 'error', 1, `Job job_8f2 failed: ${why}`, ''],
    ['archived', 'warning', 0, `Job job_8f2 was archived: ${why}`, '2026-01-05T09:00:00Z'],
  ] as const)(
    '%s: the step ends, at the level %s',
    async (status, level, exitCode, message, archivedAt) => {
      const { result } = await runAgainst([created, ended(status, { archivedAt })]);
      expect(result.exitCode).toBe(exitCode);
      expect(result.outputs).toMatchObject({ result: status, status, message });
      expect(result.outputs['archived-at'] ?? '').toBe(archivedAt);
      expect(annotations(result, level)).toEqual([message]);
      expect(result.summary).toContain('Re-running the workflow starts a second job.');
    },
  );

  it('active when the waiting time is over: the step fails, and says how to wait again', async () => {
    // A single delay up to the deadline. How many short ones fit depends on the machine.
    const inputs = { 'wait-minutes': '0.05', 'poll-interval-seconds': '300' };
    const { result } = await runAgainst([created, active], {
      inputs,
      today: '2026-01-05T14:03:30Z',
    });
    expect(transcript(result)).toMatchSnapshot();
  });

  it('started with wait-minutes 0: the step passes at once, without a poll', async () => {
    const { result, api } = await runAgainst([created], { inputs: { 'wait-minutes': '0' } });
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({ result: 'running', status: 'active' });
    expect(result.outputs['message']).toMatch(
      /^With wait-minutes 0, this step does not wait\. Job job_8f2 was running at .*: to get its result, run this action with job-id job_8f2 and no prompt; /,
    );
    expect(annotations(result, 'notice')).toEqual([]);
    expect(api.calls).toEqual(['POST /v2/agent/acme/job']);
  });

  it('completed with a link that is not usable: the step ends with an error that names the job', async () => {
    const { result } = await runAgainst([
      created,
      ended('completed', { prLink: 'javascript:alert(1)' }),
    ]);
    expect(transcript(result)).toMatchSnapshot();
  });
});

describe('the summary', () => {
  it('says where the prompt came from, its size and hash, and how much was left out', async () => {
    const { result, api } = await runAgainst([created, done], {
      inputs: {
        prompt: '',
        'prompt-file': 'ask_*me*.md',
        variables: 'secret: not for everybody',
      },
      files: { 'ask_*me*.md': 'Do {{event.issue.body}}, {{secret}}.' },
      event: { issue: { body: 'it<!-- a --> now<!-- b -->\u200B' } },
    });
    expect(JSON.parse(api.arrivals[0]?.body ?? '')).toEqual({
      prompt: 'Do it now, not for everybody.',
    });
    expect(/^\| Prompt .*$/m.exec(result.summary)?.[0]).toMatchInlineSnapshot(
      `"| Prompt | file <code>ask&#95;&#42;me&#42;.md</code>, 29 characters, SHA-256 <code>b6e4c73c73f3</code>; left out of the event text: 3 hidden parts |"`,
    );
    expect(`${result.stdout}${result.summary}`).not.toContain('for everybody');
  });

  it("shows the API's message in an error as plain text", async () => {
    const { result } = await runAgainst([{ status: 400, body: { error: '<b>*no*' } }]);
    expect(result.summary).toContain(
      'responded with 400 (<code>"&#60;b&#62;&#42;no&#42;"</code>): it rejected the request',
    );
  });
});

describe('fail-on', () => {
  it.each([
    ['no-pull-request', 'completed', 1],
    ['archived', 'archived', 1],
    ['archived', 'failed', 0],
    ['none', 'failed', 0],
    ['', 'failed', 1],
    ['failed\ntimed-out', 'failed', 1],
  ])('%j, and the job ends as %s: exit code %d', async (failOn, status, exitCode) => {
    const { result } = await runAgainst([created, ended(status)], {
      inputs: { 'fail-on': failOn },
    });
    expect(result.exitCode).toBe(exitCode);
    expect(annotations(result, 'error')).toHaveLength(exitCode);
  });

  it('lets a time-out pass with a warning', async () => {
    const inputs = { 'fail-on': 'failed', 'wait-minutes': '0.05' };
    const { result } = await runAgainst([created, active], { inputs });
    expect(result.exitCode).toBe(0);
    expect(result.outputs['result']).toBe('timed-out');
    expect(annotations(result, 'warning')).toHaveLength(1);
  });
});

describe('fields other than id and status', () => {
  it('may be missing, or of another type', async () => {
    const bare: Reply = ok({
      id: 'job_8f2',
      status: 'completed',
      prLink,
      model: 7,
      source: 'x',
      createdAt: {},
      extra: [],
    });
    const { result } = await runAgainst([created, bare]);
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({ model: 'model-1', repository: 'acme/docs' });
  });

  it.each([
    ['unheard-of', 'the status "unheard-of", which this version of the action does not know'],
    [undefined, 'no status'],
  ])('the status %j is warned of once, and treated as active', async (status, what) => {
    const odd = ok(jobBody({ status }));
    for (const inputs of [{}, { prompt: '', 'job-id': 'job_8f2' }]) {
      const script = [...('prompt' in inputs ? [] : [created]), odd, odd, ended('parked'), done];
      const { result } = await runAgainst(script, { inputs });
      expect(result.outputs['result']).toBe('pull-request');
      expect(annotations(result, 'warning')).toEqual([
        `Job job_8f2 has ${what}: it is treated as "active".`,
      ]);
    }
  });

  it('a link of another code host has no number and no repository', async () => {
    const link = 'https://gitlab.example/acme/docs/-/merge_requests/3';
    const { result } = await runAgainst([created, ended('completed', { prLink: link })]);
    expect(result.outputs).toMatchObject({ 'pr-link': link, result: 'pull-request' });
    expect(result.outputs['pr-number'] ?? '').toBe('');
    expect(result.outputs['pr-repository'] ?? '').toBe('');
  });
});

describe('continuing a job', () => {
  const follow = { 'job-id': 'job_8f2', prompt: 'Shorter, please.' };
  const attach = { 'job-id': 'job_8f2', prompt: '' };

  it('with a prompt: reads the job once, then sends a follow-up', async () => {
    const { result, api } = await runAgainst([done, active, active, done], { inputs: follow });
    expect(transcript(result)).toMatchSnapshot();
    expect(api.calls.slice(0, 3)).toEqual([
      'GET /v2/agent/acme/job/job_8f2',
      'POST /v2/agent/acme/job/job_8f2/message',
      'GET /v2/agent/acme/job/job_8f2',
    ]);
    expect(api.posts).toHaveLength(1);
  });

  it('does not mistake the state before the follow-up for its own result', async () => {
    const other = ended('completed', { prLink: 'https://github.com/acme/docs/pull/13' });
    const { result } = await runAgainst([done, done, done, active, other], { inputs: follow });
    expect(result.outputs['pr-link']).toBe('https://github.com/acme/docs/pull/13');
  });

  it('accepts the earlier state after ten minutes', async () => {
    const { result } = await runAgainst([ended('completed')], {
      inputs: { ...follow, 'poll-interval-seconds': '20' },
    });
    expect(result.outputs).toMatchObject({ result: 'no-pull-request', 'duration-seconds': '606' });
    expect(result.outputs['message']).toBe('Job job_8f2 completed without opening a pull request.');
    expect(annotations(result, 'notice')).toHaveLength(1);
    expect(result.stdout).toMatch(
      /^Mintlify shows an end of the job that may be older than the follow-up, after 1 min/m,
    );
    expect(result.stdout).not.toContain('Still active');
  });

  it('does not take the earlier state for an end if the waiting time is over first', async () => {
    const { result } = await runAgainst([done], { inputs: { ...follow, 'wait-minutes': '9' } });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(result.outputs['message']).toMatch(
      /^The waiting time of 9 min is over\. Job job_8f2 may have been running at .*: to get its result, open the job in the dashboard; /,
    );
  });

  it('with wait-minutes 0: does not hand on the link of the earlier work', async () => {
    const inputs = { ...follow, 'wait-minutes': '0' };
    const { result } = await runAgainst([done, done], { inputs });
    expect(result.outputs).toMatchObject({ result: 'running', 'job-id': 'job_8f2' });
    expect(result.outputs['pr-link']).toBeUndefined();
    expect(result.outputs['message']).toMatch(/Job job_8f2 may have been running at /);
  });

  it('with wait-minutes 0: takes no response to the follow-up for its end', async () => {
    const inputs = { ...follow, 'wait-minutes': '0' };
    const other = ended('completed', { prLink: 'https://github.com/acme/docs/pull/13' });
    const { result } = await runAgainst([done, other], { inputs });
    expect(result.outputs).toMatchObject({ result: 'running', status: 'active' });
    expect(result.outputs['pr-link']).toBeUndefined();
  });

  it.each([
    ['create', {}, [created, ended('failed')], 'Re-running the workflow starts a second job.'],
    [
      'follow-up',
      follow,
      [done, active, ended('failed')],
      'Re-running the workflow sends the prompt to this job again.',
    ],
    ['attach', attach, [ended('failed')], '**Next:** Open the job in the dashboard to see why.\n'],
  ])('says what re-running the workflow does: %s', async (_name, inputs, script, words) => {
    const { result } = await runAgainst(script, { inputs });
    expect(result.outputs['result']).toBe('failed');
    expect(result.summary).toContain(words);
  });

  it('starts a job with "New" too', async () => {
    const { api } = await runAgainst([created, done], { inputs: { 'job-id': 'New' } });
    expect(api.calls[0]).toBe('POST /v2/agent/acme/job');
  });

  it('without a prompt: polls at once, and only waits', async () => {
    const { result, api } = await runAgainst([done], { inputs: attach });
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'attached' });
    expect(result.stdout).toContain(
      '::notice::Docs agent: waiting for job job_8f2 in project acme.\nJob job_8f2 has completed.\nJob job_8f2 has completed and has a pull request: ',
    );
    expect(api.calls).toEqual(['GET /v2/agent/acme/job/job_8f2']);
  });

  it.each([
    ['active', active, 'running', 0],
    ['completed', done, 'pull-request', 0],
    ['failed', ended('failed'), 'failed', 1],
  ])(
    'without a prompt and with wait-minutes 0: polls once (%s)',
    async (status, reply, word, exitCode) => {
      const inputs = { ...attach, 'wait-minutes': '0' };
      const { result, api } = await runAgainst([reply], { inputs });
      expect(result.outputs).toMatchObject({ result: word, 'job-id': 'job_8f2', status });
      expect(result.exitCode).toBe(exitCode);
      expect(api.calls).toHaveLength(1);
    },
  );

  it.each([
    ['polls again after a failed poll', { status: 502, body: '' }, done, 'pull-request', 2],
    [
      'confirms that there is no link',
      ended('completed'),
      ended('completed'),
      'no-pull-request',
      3,
    ],
  ])('with wait-minutes 0: %s', async (_name, first, then, word, polls) => {
    const inputs = { ...attach, 'wait-minutes': '0' };
    const { result, api } = await runAgainst([first, then], { inputs });
    expect(result.outputs).toMatchObject({ result: word, 'job-id': 'job_8f2' });
    expect(api.calls).toHaveLength(polls);
  });
});
