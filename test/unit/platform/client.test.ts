import { describe, expect, it, onTestFinished } from 'vitest';
import { type Call, type ClientOptions, createClient } from '../../../src/platform/client.ts';
import { jobBody, type Reply, scriptedService, silence } from '../../helpers/scripted-service.ts';

const look: Call = { method: 'GET', path: ['v2', 'job'], timeoutMs: 10_000 };

async function exchange(reply: Reply, call: Call = look, options: Partial<ClientOptions> = {}) {
  const service = await scriptedService([reply]);
  const client = createClient({
    baseUrl: new URL(service.url),
    apiKey: 'mint_key',
    cancelled: new AbortController().signal,
    proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
    todayMs: () => Date.UTC(2026, 0, 5, 8),
    ...options,
    ...(options.baseUrl && { baseUrl: new URL(options.baseUrl.pathname, service.url) }),
  });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return { exchange: await client.exchange(call), service };
}

describe('a request', () => {
  it('carries the key, and says what its body is', async () => {
    const post: Call = { ...look, method: 'POST', body: { prompt: 'Ä' } };
    const { service } = await exchange({ status: 201, body: jobBody() }, post);
    expect(service.calls).toEqual(['POST /v2/job']);
    expect(service.arrivals[0]).toMatchObject({
      body: '{"prompt":"Ä"}',
      headers: {
        authorization: 'Bearer mint_key',
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'docs-agent-action',
      },
    });
  });

  it('says nothing of a body that it has not', async () => {
    const { service } = await exchange({ status: 200 });
    expect(service.arrivals[0]?.headers).not.toHaveProperty('content-type');
    expect(service.arrivals[0]?.body).toBe('');
  });

  it.each([
    ['/', '/v2/job%2F..%3A%3F%23'],
    ['/base', '/base/v2/job%2F..%3A%3F%23'],
    ['/base/of/it//', '/base/of/it/v2/job%2F..%3A%3F%23'],
  ])('goes below the base URL %s, its segments encoded', async (basePath, path) => {
    const call = { ...look, path: ['v2', 'job/..:?#'] };
    const baseUrl = new URL(basePath, 'http://localhost');
    const { service } = await exchange({ status: 200 }, call, { baseUrl });
    expect(service.calls).toEqual([`GET ${path}`]);
  });
});

describe('an answer', () => {
  it.each([
    [{ status: 200, body: { a: 1 } }, { a: 1 }],
    [{ status: 200, body: 'no JSON' }, undefined],
    [{ status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>' }, undefined],
  ])('%j', async (reply, body) => {
    await expect(exchange(reply)).resolves.toMatchObject({
      exchange: { kind: 'answer', status: reply.status, body },
    });
  });

  it.each([
    ['30', 30_000],
    ['Mon, 05 Jan 2026 08:01:00 GMT', 60_000],
    ['soon', undefined],
  ])('with Retry-After: %s', async (header, retryAfterMs) => {
    const { exchange: answer } = await exchange({
      status: 429,
      headers: { 'retry-after': header },
    });
    expect(answer).toMatchObject({ kind: 'answer', retryAfterMs });
  });
});

describe('no answer', () => {
  it('that is not endless: the request may have left', async () => {
    const { exchange: answer } = await exchange({ status: 200, body: 'x'.repeat(5_000_000) });
    expect(answer).toMatchObject({
      kind: 'no-answer',
      fault: { kind: 'too-large' },
      mayHaveLeft: true,
    });
  });

  it('in time: the request may have left', async () => {
    const { exchange: answer } = await exchange(silence, { ...look, timeoutMs: 50 });
    expect(answer).toEqual({
      kind: 'no-answer',
      fault: { kind: 'time-out', code: '' },
      mayHaveLeft: true,
    });
  });

  it('because the run was cancelled before: the request never left', async () => {
    const { exchange: answer, service } = await exchange(silence, look, {
      cancelled: AbortSignal.abort(),
    });
    expect(answer).toEqual({
      kind: 'no-answer',
      fault: { kind: 'cancelled', code: '' },
      mayHaveLeft: false,
    });
    expect(service.calls).toEqual([]);
  });

  it('for a reason that nobody knows: the request counts as sent, though it never was', async () => {
    const { exchange: answer, service } = await exchange(silence, look, { apiKey: 'a\nb' });
    expect(answer).toMatchObject({ kind: 'no-answer', mayHaveLeft: true });
    expect(service.calls).toEqual([]);
  });
});
