import { describe, expect, it } from 'vitest';
import { runAgainst } from '../helpers/run-against.ts';
import { annotations, transcript } from '../helpers/run-agent.ts';
import { active, created, done, ended, prLink, type Reply } from '../helpers/scripted-service.ts';

describe('every row of the result table', () => {
  it('completed, pull request: passes', async () => {
    const { result, service } = await runAgainst([created, active, done]);
    expect(transcript(result)).toMatchSnapshot();
    expect(service.calls).toEqual([
      'POST /v2/agent/acme/job',
      'GET /v2/agent/acme/job/job_8f2',
      'GET /v2/agent/acme/job/job_8f2',
    ]);
    expect(JSON.parse(service.arrivals[0]?.body ?? '')).toEqual({
      prompt: 'Describe the new flag.',
    });
    expect(service.arrivals[0]?.headers['content-type']).toBe('application/json');
  });

  it('completed, no pull request: passes with a notice', async () => {
    const { result, service } = await runAgainst([created, ended('completed')]);
    expect(transcript(result)).toMatchSnapshot();
    expect(service.calls).toHaveLength(4);
  });

  it('completed, and the link comes late: two more looks find it', async () => {
    const { result } = await runAgainst([created, ended('completed'), ended('completed'), done]);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
  });

  it('archived: passes with a warning', async () => {
    const { result } = await runAgainst([
      created,
      ended('archived', { archivedAt: '2026-01-05T09:00:00Z' }),
    ]);
    expect(transcript(result)).toMatchSnapshot();
  });

  it('archived, with a pull request: hands it on', async () => {
    const { result } = await runAgainst([created, ended('archived', { prLink })]);
    expect(result.outputs).toMatchObject({ result: 'archived', 'pr-link': prLink });
    expect(annotations(result, 'warning')).toEqual([
      `Job job_8f2 was archived, and its pull request is ${prLink}.`,
    ]);
  });

  it('failed: fails', async () => {
    const { result } = await runAgainst([created, ended('failed')]);
    expect(transcript(result)).toMatchSnapshot();
  });

  it('waiting time spent: fails, and says how to go on', async () => {
    // One pause, cut by the deadline: how many short ones fit in depends on the machine.
    const inputs = { 'wait-minutes': '0.05', 'poll-interval-seconds': '300' };
    const { result } = await runAgainst([created, active], { speed: 5, inputs });
    expect(transcript(result)).toMatchSnapshot();
  });

  it('wait-minutes 0: passes at once, without a look', async () => {
    const { result, service } = await runAgainst([created], { inputs: { 'wait-minutes': '0' } });
    expect(transcript(result)).toMatchSnapshot();
    expect(service.calls).toEqual(['POST /v2/agent/acme/job']);
  });

  it('a link that cannot be handed on: error, with the job in the sentence', async () => {
    const { result } = await runAgainst([
      created,
      ended('completed', { prLink: 'javascript:alert(1)' }),
    ]);
    expect(transcript(result)).toMatchSnapshot();
  });
});

describe('the summary', () => {
  it('tells of the prompt where it came from, its size and hash, and what was taken out', async () => {
    const { result, service } = await runAgainst([created, done], {
      inputs: {
        prompt: '',
        'prompt-file': 'ask_*me*.md',
        variables: 'secret: not for everybody',
      },
      files: { 'ask_*me*.md': 'Do {{event.issue.body}}, {{secret}}.' },
      event: { issue: { body: 'it<!-- a --> now<!-- b -->\u200B' } },
      // The text of the event is read at the machine's own pace.
      env: { FAST_CLOCK_AFTER: '1' },
    });
    expect(JSON.parse(service.arrivals[0]?.body ?? '')).toEqual({
      prompt: 'Do it now, not for everybody.',
    });
    expect(/<sub>.*<\/sub>/.exec(result.summary)?.[0]).toMatchInlineSnapshot(
      `"<sub>Prompt: from the file <code>ask&#95;&#42;me&#42;.md</code>, 29 characters, SHA-256 <code>b6e4c73c73f3b980bde30421f63166875a3a81eada281401a301940a2cf6086c</code>; taken out of event text: 2 HTML comments and 1 invisible character</sub>"`,
    );
    expect(`${result.stdout}${result.summary}`).not.toContain('for everybody');
  });

  it('has the sentence of an error, neutralised', async () => {
    const { result } = await runAgainst([{ status: 400, body: { error: '<b>*no*' } }]);
    expect(transcript(result).summary).toMatchSnapshot();
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
    const { result } = await runAgainst([created, active], { speed: 5, inputs });
    expect(result.exitCode).toBe(0);
    expect(result.outputs['result']).toBe('timed-out');
    expect(annotations(result, 'warning')).toHaveLength(1);
  });
});

describe('what the service sends beside id and status', () => {
  it('may be missing or of another type', async () => {
    const bare: Reply = {
      status: 200,
      body: {
        id: 'job_8f2',
        status: 'completed',
        prLink,
        model: 7,
        source: 'x',
        createdAt: {},
        extra: [],
      },
    };
    const { result } = await runAgainst([created, bare]);
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({ model: 'model-1', repository: 'acme/docs' });
  });

  it('an unknown status is warned of once and taken for active', async () => {
    const { result } = await runAgainst([
      created,
      ended('queued'),
      ended('queued'),
      ended('parked'),
      done,
    ]);
    expect(result.outputs['result']).toBe('pull-request');
    expect(annotations(result, 'warning')).toEqual([
      'Job job_8f2 has the status "queued", which this version does not know: it is taken for "active".',
    ]);
  });

  it("a link of another code host's form has no number and no repository", async () => {
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
    const { result, service } = await runAgainst([done, active, active, done], { inputs: follow });
    expect(transcript(result)).toMatchSnapshot();
    expect(service.calls).toEqual([
      'GET /v2/agent/acme/job/job_8f2',
      'POST /v2/agent/acme/job/job_8f2/message',
      'GET /v2/agent/acme/job/job_8f2',
      'GET /v2/agent/acme/job/job_8f2',
    ]);
  });

  it('does not take the end from before for the end of the follow-up', async () => {
    const other = ended('completed', { prLink: 'https://github.com/acme/docs/pull/13' });
    const { result } = await runAgainst([done, done, done, active, other], { inputs: follow });
    expect(result.outputs['pr-number']).toBe('13');
  });

  it('believes the end from before after 120 s, and says so', async () => {
    const { result } = await runAgainst([ended('completed')], {
      speed: 60,
      inputs: { ...follow, 'poll-interval-seconds': '20' },
    });
    expect(result.outputs).toMatchObject({ result: 'no-pull-request' });
    expect(result.outputs['message']).toContain('may not have begun');
    expect(annotations(result, 'notice')).toHaveLength(1);
  });

  it('with wait-minutes 0: does not hand on the link of the work before', async () => {
    const inputs = { ...follow, 'wait-minutes': '0' };
    const { result } = await runAgainst([done, done], { inputs });
    expect(result.outputs).toMatchObject({ result: 'running', 'job-id': 'job_8f2' });
    expect(result.outputs['pr-link']).toBeUndefined();
    expect(result.outputs['message']).toBe(
      'The follow-up was sent to job job_8f2, and this step does not wait for its end.',
    );
  });

  it.each([
    ['create', {}, [created, ended('failed')], 'starts a second job'],
    ['follow-up', follow, [done, active, ended('failed')], 'sends the follow-up again'],
    ['attach', attach, [ended('failed')], 'waits for the same job again'],
  ])('says what re-running would do: %s', async (_name, inputs, script, words) => {
    const { result } = await runAgainst(script, { inputs });
    expect(result.outputs['result']).toBe('failed');
    expect(result.summary).toContain(words);
  });

  it('takes "New" for new', async () => {
    const { service } = await runAgainst([created, done], { inputs: { 'job-id': 'New' } });
    expect(service.calls[0]).toBe('POST /v2/agent/acme/job');
  });

  it('without a prompt: only waits, and looks at once', async () => {
    const { result, service } = await runAgainst([done], { inputs: attach });
    expect(transcript(result)).toMatchSnapshot();
    expect(service.calls).toEqual(['GET /v2/agent/acme/job/job_8f2']);
  });

  it.each([
    ['active', active, 'running', 0],
    ['completed', done, 'pull-request', 0],
    ['failed', ended('failed'), 'failed', 1],
  ])(
    'without a prompt and with wait-minutes 0: looks once (%s)',
    async (status, reply, word, exitCode) => {
      const inputs = { ...attach, 'wait-minutes': '0' };
      const { result, service } = await runAgainst([reply], { inputs });
      expect(result.outputs).toMatchObject({ result: word, 'job-id': 'job_8f2', status });
      expect(result.exitCode).toBe(exitCode);
      expect(service.calls).toHaveLength(1);
    },
  );
});
