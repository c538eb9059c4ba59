import { channel } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ApiRequest,
  type ClientOptions,
  createClient,
  findKeyProblem,
} from '../../../src/platform/client.ts';
import { jobBody, portOf, type Reply, scriptedApi, silence } from '../../helpers/servers.ts';

const poll: ApiRequest = { method: 'GET', path: ['v2', 'job'], timeoutMs: 10_000 };

async function send(reply: Reply, call: ApiRequest = poll, options: Partial<ClientOptions> = {}) {
  const service = await scriptedApi([reply]);
  const client = createClient({
    baseUrl: new URL(service.url),
    apiKey: 'mint_key',
    cancelled: new AbortController().signal,
    proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
    ...options,
    ...(options.baseUrl && { baseUrl: new URL(options.baseUrl.pathname, service.url) }),
  });
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]();
    await service.close();
  });
  return { response: await client.send(call), service, client };
}

/** A server that accepts connections but never sends anything, so TLS never starts. */
async function muteServer(onConnection: () => void): Promise<string> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `https://127.0.0.1:${portOf(server.address())}`;
}

describe('the kind of a key', () => {
  it.each([
    ['mint_dsc_x', 'an assistant key'],
    ['mint_us_x', 'an index key'],
  ])('of %s is recognised by its prefix', (key, kind) => {
    expect(findKeyProblem(key)).toContain(kind);
  });

  it.each(['', 'mint_x', 'x_mint_dsc_', 'x_mint_us_', 'MINT_DSC_X'])('%j is fine', (key) => {
    expect(findKeyProblem(key)).toBeUndefined();
  });
});

describe('a request', () => {
  it('has the key, and the content type of its body', async () => {
    const post: ApiRequest = { ...poll, method: 'POST', body: { prompt: 'Ä' } };
    const { service } = await send({ status: 201, body: jobBody() }, post);
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

  it('has no content type without a body', async () => {
    const { service } = await send({ status: 200 });
    expect(service.arrivals[0]?.headers).not.toHaveProperty('content-type');
    expect(service.arrivals[0]?.body).toBe('');
  });

  it.each([
    ['/', '/v2/job%2F..%3A%3F%23'],
    ['/base', '/base/v2/job%2F..%3A%3F%23'],
    ['/base/of/it//', '/base/of/it/v2/job%2F..%3A%3F%23'],
  ])('goes to a path below the base URL %s, with encoded segments', async (basePath, path) => {
    const call = { ...poll, path: ['v2', 'job/..:?#'] };
    const baseUrl = new URL(basePath, 'http://localhost');
    const { service } = await send({ status: 200 }, call, { baseUrl });
    expect(service.calls).toEqual([`GET ${path}`]);
  });
});

describe('a response', () => {
  it.each([
    [{ status: 200, body: { a: 1 } }, { a: 1 }],
    [{ status: 200, body: 'no JSON' }, undefined],
    [{ status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>' }, undefined],
  ])('%j', async (reply, body) => {
    await expect(send(reply)).resolves.toMatchObject({
      response: { kind: 'response', status: reply.status, body },
    });
  });

  it.each([
    ['30', 30_000],
    ['Mon, 05 Jan 2026 08:01:00 GMT', 60_000],
    ['soon', undefined],
  ])('with Retry-After: %s', async (header, retryAfterMs) => {
    const { response } = await send({
      status: 429,
      headers: { 'retry-after': header, date: 'Mon, 05 Jan 2026 08:00:00 GMT' },
    });
    expect(response).toMatchObject({ kind: 'response', retryAfterMs });
  });
});

describe('the ray of a response', () => {
  it.each([
    [{ 'cf-ray': '8f2a-FRA' }, '8f2a-FRA'],
    [{}, undefined],
  ])('%j', async (headers, rayId) => {
    const { response } = await send({ status: 403, headers, body: 'no' });
    expect(response).toMatchObject({ kind: 'response', text: 'no', rayId });
  });

  it('never holds the key', async () => {
    const apiKey = 'abcdef0123456789';
    const reply: Reply = { status: 403, headers: { 'cf-ray': `${apiKey}-FRA` }, body: apiKey };
    const { response } = await send(reply, poll, { apiKey });
    expect(response).toMatchObject({ text: '***', rayId: '***-FRA' });
  });
});

describe('no response', () => {
  it('that is not endless: the request may have left', async () => {
    const { response } = await send({ status: 200, body: 'x'.repeat(5_000_000) });
    expect(response).toMatchObject({
      kind: 'no-response',
      fault: { kind: 'too-large' },
      mayHaveLeft: true,
    });
  });

  it('in time: the request may have left', async () => {
    // Long enough to connect on a busy machine.
    const { response } = await send(silence, { ...poll, timeoutMs: 2000 });
    expect(response).toEqual({
      kind: 'no-response',
      fault: { kind: 'time-out', code: '' },
      mayHaveLeft: true,
    });
  });

  it('with a time limit that is too long for a Node timer: responses are still read', async () => {
    const replies = [29_999.7, 0.3 + 60_000, 2 ** 31, Number.POSITIVE_INFINITY].map((timeoutMs) =>
      send({ status: 200, body: {} }, { ...poll, timeoutMs }),
    );
    for (const { response } of await Promise.all(replies)) {
      expect(response).toMatchObject({ kind: 'response', status: 200 });
    }
    const { response: none } = await send(silence, { ...poll, timeoutMs: 50.5 });
    expect(none).toMatchObject({ fault: { kind: 'time-out' } });
  });

  it('because the run was cancelled before: the request never left', async () => {
    const { response, service } = await send(silence, poll, {
      cancelled: AbortSignal.abort(),
    });
    expect(response).toEqual({
      kind: 'no-response',
      fault: { kind: 'cancelled', code: '' },
      mayHaveLeft: false,
    });
    expect(service.calls).toEqual([]);
  });

  // undici itself would only end these requests at its connect time-out of 10 s.
  it.each(['before', 'while it connects'])(
    'because the run was cancelled %s: the request ends at once',
    { timeout: 9_000 },
    async (when) => {
      const cancel = new AbortController();
      const baseUrl = await muteServer(() => cancel.abort());
      if (when === 'before') {
        cancel.abort();
      }
      const client = createClient({
        baseUrl: new URL(baseUrl),
        apiKey: 'mint_key',
        cancelled: cancel.signal,
        proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
      });
      onTestFinished(() => client[Symbol.asyncDispose]());
      await expect(client.send(poll)).resolves.toEqual({
        kind: 'no-response',
        fault: { kind: 'cancelled', code: '' },
        mayHaveLeft: false,
      });
    },
  );

  it('for an unknown reason: the request counts as sent, although it never was', async () => {
    const { response, service } = await send(silence, poll, { apiKey: 'a\nb' });
    expect(response).toMatchObject({ kind: 'no-response', mayHaveLeft: true });
    expect(service.calls).toEqual([]);
  });
});

describe('a request leaves nothing behind', () => {
  it.each<[string, Reply, Partial<ApiRequest>]>([
    ['responded to', { status: 200 }, {}],
    ['met with silence', silence, { timeoutMs: 50 }],
  ])('when it was %s', async (_name, reply, call) => {
    const { signal } = new AbortController();
    await send(reply, { ...poll, ...call }, { cancelled: signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(channel('undici:client:sendHeaders').hasSubscribers).toBe(false);
  });

  it('when the client is closed, and nothing is sent after that', async () => {
    const { client, service } = await send({ status: 200 });
    await client[Symbol.asyncDispose]();
    await expect(client.send(poll)).resolves.toMatchObject({ kind: 'no-response' });
    expect(service.calls).toHaveLength(1);
  });
});
