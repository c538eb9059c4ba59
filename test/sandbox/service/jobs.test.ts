import { describe, expect, test } from 'vitest';
import { API_KEY, startServiceUnderTest } from '../../helpers/sandbox-service.ts';

const JOBS = '/v2/agent/ours/job';
const LINK = 'https://github.example/acme/docs/pull/job_1';

describe('create and get', () => {
  test('a new job is active, and then completed with a link', async () => {
    await using service = await startServiceUnderTest();
    const active = {
      id: 'job_1',
      status: 'active',
      source: { repository: 'acme/docs', ref: 'docs-agent/job_1' },
      model: 'sandbox-editor-1',
      prLink: null,
      createdAt: '2025-06-15T12:00:00.000Z',
      archivedAt: null,
    };
    expect(await service.request('POST', JOBS, { prompt: 'Mention --watch' })).toEqual({
      status: 201,
      body: active,
    });

    service.time.pass(999);
    expect(await service.request('GET', `${JOBS}/job_1`)).toEqual({ status: 200, body: active });

    service.time.pass(1);
    await service.settled();
    expect(await service.request('GET', `${JOBS}/job_1`)).toEqual({
      status: 200,
      body: { ...active, status: 'completed', prLink: LINK },
    });
  });

  test('GET / describes the sandbox, and lists the jobs', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    service.time.pass(1000);
    await service.settled();
    await service.request('POST', JOBS, { prompt: 'Mention -w' });
    const response = await fetch(service.url);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(
      `The sandbox: a local stand-in for Mintlify's API. See sandbox/README.md.

Jobs so far: 2
job_1 completed ${LINK}
job_2 active
`,
    );
  });

  test('a job fails when the agent throws, and the error is reported', async () => {
    await using service = await startServiceUnderTest({
      agent: () => Promise.reject(new Error('no such page')),
    });
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    service.time.pass(1000);
    await service.settled();
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject({
      status: 'failed',
      prLink: null,
    });
    expect(service.agentErrors).toEqual([new Error('no such page')]);
  });
});

describe('words in a prompt', () => {
  test.each([
    ['no-change', { status: 'completed', prLink: null, archivedAt: null }],
    ['failed', { status: 'failed', prLink: null, archivedAt: null }],
    ['archived', { status: 'archived', prLink: null, archivedAt: '2025-06-15T12:00:01.000Z' }],
  ])('%s ends the job', async (word, end) => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: `Change it [sandbox: ${word}]` });
    service.time.pass(1000);
    await service.settled();
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject(end);
  });

  test('slow keeps the job active for the given time, with any ending', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: '[sandbox: slow 2m][Sandbox: FAILED ]' });
    service.time.pass(119_999);
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject({
      status: 'active',
    });
    service.time.pass(1);
    await service.settled();
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject({
      status: 'failed',
    });
  });

  test.each([
    '[sandbox: explode]',
    '[sandbox:]',
    '[sandbox: slow]',
    '[sandbox: slow 5h]',
    '[sandbox: breaks]',
  ])('an unknown word is refused, and starts nothing: %s', async (word) => {
    await using service = await startServiceUnderTest();
    const refused = await service.request('POST', JOBS, { prompt: word });
    expect(refused).toEqual({
      status: 400,
      body: { error: expect.stringContaining(`does not understand "${word}"`) },
    });
    expect((await service.request('GET', `${JOBS}/job_1`)).status).toBe(404);
  });
});

describe('words that refuse a request', () => {
  test.each([
    ['plan', 403, 'The agent is not available on your current plan'],
    ['credits', 402, 'Insufficient AI credits'],
  ])('%s', async (word, status, error) => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    for (const path of [JOBS, `${JOBS}/job_1/message`]) {
      const prompt = `And -w [sandbox: ${word}]`;
      expect(await service.request('POST', path, { prompt })).toEqual({ status, body: { error } });
    }
    expect((await service.request('GET', `${JOBS}/job_2`)).status).toBe(404);
  });

  test('cloudflare responds instead of the API', async () => {
    await using service = await startServiceUnderTest();
    const response = await fetch(service.url + JOBS, {
      method: 'POST',
      headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
      body: '{"prompt":"[sandbox: cloudflare]"}',
    });
    expect(response.status).toBe(403);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      server: 'cloudflare',
      'cf-ray': expect.stringMatching(/^[0-9a-f]{16}-[A-Z]{3}$/),
      'content-type': 'text/plain; charset=UTF-8',
    });
    expect(await response.text()).toBe('error code: 1010');
  });
});

describe('a follow-up', () => {
  test('first shows the earlier state, then the job is active, and then has its link again', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    service.time.pass(1000);
    await service.settled();

    const before = { status: 'completed', prLink: LINK };
    const response = await service.request('POST', `${JOBS}/job_1/message`, { prompt: 'And -w' });
    expect(response).toMatchObject({ status: 200, body: before });
    service.time.pass(249);
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject(before);

    service.time.pass(1);
    await expect
      .poll(() => service.request('GET', `${JOBS}/job_1`), { interval: 1 })
      .toMatchObject({ body: { status: 'active', prLink: null } });

    service.time.pass(1000);
    await service.settled();
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject(before);
  });

  test('keeps the link of the earlier change when it fails', async () => {
    await using service = await startServiceUnderTest({ sleep: async () => {} });
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    await service.request('POST', `${JOBS}/job_1/message`, { prompt: '[sandbox: failed]' });
    await service.settled();
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject({
      status: 'failed',
      prLink: LINK,
    });
  });

  test('keeps the earlier state for a moment', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: '[sandbox: archived]' });
    service.time.pass(1000);
    await service.settled();
    await service.request('POST', `${JOBS}/job_1/message`, { prompt: 'Go on' });
    service.time.pass(249);
    expect((await service.request('GET', `${JOBS}/job_1`)).body).toMatchObject({
      status: 'archived',
    });
    service.time.pass(1);
    await expect
      .poll(() => service.request('GET', `${JOBS}/job_1`), { interval: 1 })
      .toMatchObject({ body: { status: 'active', archivedAt: null } });
  });

  test('waits until the agent has finished the earlier prompt', async () => {
    const events: string[] = [];
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    await using service = await startServiceUnderTest({
      sleep: async () => {},
      agent: async ({ prompt }) => {
        events.push(`begin ${prompt}`);
        if (prompt === 'first') await finished;
        events.push(`end ${prompt}`);
        return LINK;
      },
    });
    await service.request('POST', JOBS, { prompt: 'first' });
    await service.request('POST', `${JOBS}/job_1/message`, { prompt: 'second' });
    finish();
    await service.settled();
    expect(events).toEqual(['begin first', 'end first', 'begin second', 'end second']);
  });
});
