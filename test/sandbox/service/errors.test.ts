import { describe, expect, test } from 'vitest';
import { API_KEY, READ_KEY, send, startServiceUnderTest } from '../../helpers/sandbox-service.ts';

const JOBS = '/v2/agent/ours/job';
const VISITORS = '/v1/analytics/ours/visitors';

describe('access', () => {
  test.each([
    ['no header', undefined, 401, 'Missing Bearer token'],
    ['another scheme', 'Basic abc', 401, 'Missing Bearer token'],
    ['an unknown key', 'Bearer mint_nobody', 401, 'Invalid API key'],
    ['another organisation’s key', 'Bearer mint_theirs', 403, 'belongs to another organization'],
  ])('is refused with %s', async (_, authorization, status, message) => {
    await using service = await startServiceUnderTest();
    const headers: Record<string, string> =
      authorization === undefined ? {} : { Authorization: authorization };
    for (const path of [`${JOBS}/job_1`, VISITORS]) {
      expect(await send(service.url + path, { headers })).toEqual({
        status,
        body: { error: expect.stringContaining(message) },
      });
    }
  });

  test('an unknown project is not found', async () => {
    await using service = await startServiceUnderTest();
    expect(await service.request('GET', '/v2/agent/nobody/job/job_1')).toEqual({
      status: 404,
      body: { error: 'Project not found' },
    });
  });

  test('a key works for all projects of its organisation, but a job belongs to one project', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    expect(await service.request('GET', '/v2/agent/ours-too/job/job_1')).toEqual({
      status: 404,
      body: { error: 'Agent job not found' },
    });
    const prompt = { prompt: 'Mention -w' };
    expect((await service.request('POST', '/v2/agent/ours-too/job', prompt)).status).toBe(201);
    expect((await service.request('GET', '/v2/agent/ours-too/job/job_2')).status).toBe(200);
    expect((await service.request('GET', '/v1/analytics/ours-too/visitors')).status).toBe(200);
  });

  test('a read-only key can read, but cannot start anything', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    const headers = { Authorization: `Bearer ${READ_KEY}`, 'Content-Type': 'application/json' };
    for (const path of [`${JOBS}/job_1`, VISITORS]) {
      expect((await send(service.url + path, { headers })).status).toBe(200);
    }
    for (const path of [JOBS, `${JOBS}/job_1/message`]) {
      const post = { method: 'POST', headers, body: '{"prompt":"x"}' };
      expect(await send(service.url + path, post)).toEqual({
        status: 403,
        body: { error: 'This API key may only read' },
      });
    }
    expect((await service.request('GET', `${JOBS}/job_2`)).status).toBe(404);
  });
});

describe('a body', () => {
  const invalid = { error: '"prompt" must be a string of at least 1 character' };

  test.each([
    ['no prompt', '{}', 400, invalid],
    ['a prompt that is not a string', '{"prompt":7}', 400, invalid],
    ['a list', '[]', 400, invalid],
    ['invalid JSON', '{"prompt":', 400, { error: 'The body is not valid JSON' }],
    [
      'more than 1 MiB',
      JSON.stringify({ prompt: 'x'.repeat(5_000_000) }),
      413,
      { error: 'The body is larger than 1048576 bytes' },
    ],
  ])('is refused: %s', async (_, body, status, error) => {
    await using service = await startServiceUnderTest({ sleep: async () => {} });
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    for (const path of [JOBS, `${JOBS}/job_1/message`]) {
      const response = await send(service.url + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
        body,
      });
      expect(response).toEqual({ status, body: error });
    }
  });

  test('is refused with another content type than JSON', async () => {
    await using service = await startServiceUnderTest();
    const response = await send(service.url + JOBS, {
      method: 'POST',
      headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'text/plain' },
      body: '{"prompt":"Mention --watch"}',
    });
    expect(response).toEqual({
      status: 400,
      body: { error: 'The header "Content-Type: application/json" is missing' },
    });
  });
});

describe('an unknown path', () => {
  test.each([
    ['POST', '/'],
    ['DELETE', `${JOBS}/job_1`],
    ['GET', '/v2/agent/%E0%A4%A/job/job_1'],
    ['GET', `${JOBS}/job_1`],
    ['POST', `${JOBS}/job_1/message`],
  ])('gets 404 with JSON: %s %s', async (method, path) => {
    await using service = await startServiceUnderTest();
    const prompt = method === 'POST' ? { prompt: 'Mention --watch' } : undefined;
    expect(await service.request(method, path, prompt)).toEqual({
      status: 404,
      body: { error: expect.any(String) },
    });
  });
});

describe('the hourly limit', () => {
  test('is 100 jobs and follow-ups for a project, without the refused ones', async () => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: 'Mention --watch' });
    const follow = () => service.request('POST', `${JOBS}/job_1/message`, { prompt: 'And -w' });
    await service.request('POST', JOBS, { prompt: '' });
    await Promise.all(Array.from({ length: 98 }, follow));
    service.time.pass(1);
    expect((await service.request('POST', JOBS, { prompt: 'the 100th' })).status).toBe(201);

    const refused = { error: 'Rate limit exceeded: 100 uses per project per hour' };
    expect(await service.request('POST', JOBS, { prompt: 'x' })).toEqual({
      status: 429,
      body: refused,
    });
    expect(await follow()).toEqual({ status: 429, body: refused });
    expect((await service.request('GET', `${JOBS}/job_1`)).status).toBe(200);

    service.time.pass(3_599_998);
    expect((await follow()).status).toBe(429);
    service.time.pass(1);
    expect((await follow()).status).toBe(200);
  });

  test('is 100 analytics requests for an organisation, including the refused ones', async () => {
    await using service = await startServiceUnderTest();
    await Promise.all(
      Array.from({ length: 99 }, () => service.request('GET', `${VISITORS}?limit=0`)),
    );
    expect((await service.request('GET', VISITORS)).status).toBe(200);
    expect(await service.request('GET', '/v1/analytics/ours-too/visitors')).toEqual({
      status: 429,
      body: { error: 'Rate limit exceeded: 100 requests per organization per hour' },
    });
    const headers = { Authorization: 'Bearer mint_theirs' };
    const theirs = `${service.url}/v1/analytics/theirs/visitors`;
    expect((await send(theirs, { headers })).status).toBe(200);
    service.time.pass(3_600_000);
    expect((await service.request('GET', VISITORS)).status).toBe(200);
  });
});
