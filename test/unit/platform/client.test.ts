import { channel } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ApiRequest, type ClientOptions, createClient } from '../../../src/platform/client.ts';
import { portOf, type Reply, reset, scriptedApi, silence } from '../../helpers/servers.ts';

const poll: ApiRequest = { method: 'GET', path: ['v2', 'job'], timeoutMs: 10_000 };

function clientAt(url: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({
    baseUrl: new URL(url),
    apiKey: 'mint_key',
    cancelled: new AbortController().signal,
    proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
    ...options,
  });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

/** Sends a request to an API with this reply, which is called at each arrival. */
async function send(
  reply: Reply,
  call: Partial<ApiRequest> = {},
  {
    basePath = '',
    onArrival = () => {},
    ...options
  }: Partial<ClientOptions> & {
    readonly basePath?: string;
    readonly onArrival?: () => void;
  } = {},
) {
  const service = await scriptedApi([reply], onArrival);
  onTestFinished(() => service.close());
  const client = clientAt(`${service.url}${basePath}`, options);
  return { response: await client.send({ ...poll, ...call }), service, client };
}

describe('a request', () => {
  it('has the key, and the content type of its body', async () => {
    const { service } = await send({ status: 201 }, { method: 'POST', body: { prompt: 'Ä' } });
    expect(service.calls).toEqual(['POST /v2/job']);
    expect(service.arrivals[0]).toMatchObject({
      body: '{"prompt":"Ä"}',
      headers: {
        authorization: 'Bearer mint_key',
        accept: 'application/json',
        'accept-encoding': 'identity',
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
    ['/', '/v2/job%2F..%3A%3F%23?a=%26&b=2'],
    ['/base/of/it//', '/base/of/it/v2/job%2F..%3A%3F%23?a=%26&b=2'],
  ])('goes to a path below the base URL %s, with encoded segments', async (basePath, path) => {
    const call = { path: ['v2', 'job/..:?#'], query: { a: '&', b: '2' } };
    const { service } = await send({ status: 200 }, call, { basePath });
    expect(service.calls).toEqual([`GET ${path}`]);
  });
});

describe('a response', () => {
  it.each<[Reply & object, object]>([
    [
      { status: 200, body: { a: 1 } },
      { body: { a: 1 }, text: '{"a":1}' },
    ],
    [
      { status: 503, body: '<h1>' },
      { body: undefined, text: '<h1>' },
    ],
    [{ status: 403, headers: { 'cf-ray': '8f2a-FRA' } }, { rayId: '8f2a-FRA' }],
    [{ status: 403 }, { rayId: undefined, retryAfterMs: undefined }],
    [{ status: 429, headers: { 'retry-after': '30' } }, { retryAfterMs: 30_000 }],
  ])('%j', async (reply, expected) => {
    const { response } = await send(reply);
    const { status } = 'status' in reply ? reply : {};
    expect(response).toMatchObject({ kind: 'response', status, ...expected });
  });

  it('never holds the key', async () => {
    const apiKey = 'abcdef0123456789';
    const reply: Reply = { status: 403, headers: { 'cf-ray': `${apiKey}-FRA` }, body: apiKey };
    const { response } = await send(reply, {}, { apiKey });
    expect(response).toMatchObject({ text: '***', rayId: '***-FRA' });
  });

  it('can have a time limit that is too long for a Node timer', async () => {
    const { response } = await send({ status: 200 }, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(response).toMatchObject({ kind: 'response', status: 200 });
  });
});

describe('no response', () => {
  const tooLarge = 4 * 1024 * 1024 + 1;

  it.each<[string, Reply]>([
    ['broken', reset],
    ['too-large', { status: 200, body: 'x'.repeat(tooLarge) }],
  ])('because it is %s: the request may have left', async (kind, reply) => {
    const { response } = await send(reply);
    expect(response).toMatchObject({ kind: 'no-response', fault: { kind }, mayHaveLeft: true });
  });

  it('but one of the largest size is read', async () => {
    const { response } = await send({ status: 200, body: 'x'.repeat(tooLarge - 1) });
    expect(response).toMatchObject({ kind: 'response', status: 200 });
  });

  it('in time', async () => {
    const { response } = await send(silence, { timeoutMs: 50.5 });
    expect(response).toMatchObject({ fault: { kind: 'time-out', code: '' } });
  });

  it('because the run was cancelled after it arrived: the request left', async () => {
    const cancel = new AbortController();
    const options = { cancelled: cancel.signal, onArrival: () => cancel.abort() };
    expect((await send(silence, {}, options)).response).toEqual({
      kind: 'no-response',
      fault: { kind: 'cancelled', code: '' },
      mayHaveLeft: true,
    });
  });

  // undici itself would only end these requests at its connect time-out of 10 s.
  it.each(['before', 'while it connects'])(
    'because the run was cancelled %s: the request ends at once, and never left',
    { timeout: 9_000 },
    async (when) => {
      const cancel = new AbortController();
      // It never sends anything, so TLS never starts.
      const mute = createServer(() => cancel.abort());
      await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void mute.close());
      if (when === 'before') {
        cancel.abort();
      }
      const url = `https://127.0.0.1:${portOf(mute.address())}`;
      await expect(clientAt(url, { cancelled: cancel.signal }).send(poll)).resolves.toEqual({
        kind: 'no-response',
        fault: { kind: 'cancelled', code: '' },
        mayHaveLeft: false,
      });
    },
  );

  it('for an unknown reason: the request counts as sent, although it never was', async () => {
    const { response, service } = await send(silence, {}, { apiKey: 'a\nb' });
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
    await send(reply, call, { cancelled: signal });
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
