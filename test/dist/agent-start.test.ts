import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptThenBreak, refuse, startProxy } from '../helpers/proxy.ts';
import { runAgainst } from '../helpers/run-against.ts';
import { annotations, apiKey, runAgent } from '../helpers/run-agent.ts';
import {
  created,
  done,
  halfAnswer,
  jobBody,
  portOf,
  type Reply,
  refusal,
  reset,
  scriptedApi,
  silence,
  silentBody,
} from '../helpers/scripted-api.ts';

const speed = 60;

describe('a POST that may have arrived is never repeated', () => {
  const html = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway' };
  it.each<[string, Reply]>([
    ['the connection breaks', reset],
    ['half an answer', halfAnswer],
    ['no answer', silence],
    ['headers, then silence', silentBody],
    ['408', refusal(408)],
    ['500', refusal(500)],
    ['502 as HTML', html],
    ['503 with Retry-After', refusal(503, { 'retry-after': '1' })],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }],
    ['201 without a body', { status: 201 }],
    ['201 as HTML', { status: 201, body: '<html>' }],
    ['201 without an id', { status: 201, body: { status: 'active' } }],
    ['201 with an id that is none', { status: 201, body: jobBody({ id: '../x' }) }],
    [
      '201, gzipped without being asked',
      {
        status: 201,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify(jobBody())),
      },
    ],
    ['an answer without end', { status: 201, body: 'x'.repeat(5_000_000) }],
  ])('%s', async (_name, reply) => {
    const { result, posts } = await runAgainst([reply, created, done]);
    expect(posts).toBe(1);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-may-exist' });
    expect(result.outputs['message']?.replace(/127\.0\.0\.1:\d+/g, 'HOST')).toMatchSnapshot();
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
    expect(result.stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(apiKey);
  });

  it('nor is a follow-up', async () => {
    const inputs = { 'job-id': 'job_8f2' };
    const { result, posts } = await runAgainst([done, reset, created], { inputs });
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ reason: 'job-may-exist', 'job-id': 'job_8f2' });
    expect(result.outputs['message']).toContain('the follow-up may have been taken');
  });
});

describe('a POST that the API refused for now is repeated', () => {
  it.each([429, 425])('%d', async (status) => {
    const { result, posts } = await runAgainst([refusal(status), refusal(status), created, done]);
    expect(posts).toBe(3);
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('after Retry-After, where that is within the waiting time', async () => {
    const { result, posts } = await runAgainst([
      refusal(429, { 'retry-after': '30' }),
      created,
      done,
    ]);
    expect(posts).toBe(2);
    expect(result.stdout).toContain('the next try is in 30 s');
  });

  it('not where Retry-After is beyond it, and the sentence says until when', async () => {
    const { result, posts } = await runAgainst([refusal(429, { 'retry-after': '7200' })]);
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(result.outputs['message']).toMatch(
      /asks to wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC \(2 h\): that is longer than wait-minutes allows/,
    );
  });
});

it('a rate limit that there is no time to wait for tells the limit', async () => {
  const { result, posts } = await runAgainst([refusal(429)], { inputs: { 'wait-minutes': '0' } });
  expect(posts).toBe(1);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
  expect(result.outputs['message']).toContain('a project takes 100 starts and follow-ups an hour');
});

describe('a refusal ends the step with advice', () => {
  it.each([
    [400, 'request-refused', {}],
    [401, 'key-refused', {}],
    [401, 'key-refused', { 'api-key': 'mint_dsc_assistant' }],
    [401, 'key-refused', { 'api-key': 'mint_us_index' }],
    [403, 'forbidden', {}],
    [404, 'project-not-found', {}],
    [422, 'request-refused', {}],
  ])('%d: %s %j', async (status, reason, inputs) => {
    const { result, posts } = await runAgainst([refusal(status), created], { inputs });
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
    expect(result.outputs['message']).not.toContain('may exist');
    expect(result.outputs['message']?.replace(/127\.0\.0\.1:\d+/g, 'HOST')).toMatchSnapshot();
  });

  it("passes the API's own reason on, neutralised", async () => {
    const reason = 'first\n::error::second ##[add-mask]x \u202Ethird';
    const { result } = await runAgainst([{ status: 400, body: { error: reason } }]);
    expect(result.outputs['message']).toContain('("first ::error::second ## [add-mask]x third")');
    expect(annotations(result, 'error')).toHaveLength(1);
    expect(result.stdout).not.toContain('##[');
  });
});

describe('a POST that never left', () => {
  // It is tried for a minute of the bundle's time, which must be enough for a slow machine.
  it('is repeated when the connection is refused, then given up without doubt', async () => {
    const closed = await scriptedApi([]);
    await closed.close();
    const result = await runAgent({ baseUrl: closed.url, speed });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(result.outputs['message']).toMatch(/refused the connection \(ECONNREFUSED\)/);
    expect(result.outputs['message']).not.toContain('may exist');
    expect(result.stdout.match(/Nothing was started/g)?.length).toBeGreaterThan(2);
  });

  it('is repeated when the name does not resolve', async () => {
    const result = await runAgent({ baseUrl: 'https://api.invalid', speed: 30 });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(result.outputs['message']).toContain('its name does not resolve');
  });

  it.each([
    ['refuses CONNECT', refuse],
    ['accepts CONNECT and breaks TLS', acceptThenBreak],
  ])('is repeated when the proxy %s: CONNECT is not our request', async (_name, handle) => {
    const proxy = await startProxy(handle);
    onTestFinished(() => proxy.close());
    const result = await runAgent({
      baseUrl: 'https://api.test',
      speed,
      env: { HTTPS_PROXY: proxy.url },
    });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(result.outputs['message']).not.toContain('may exist');
    expect(proxy.asked.length).toBeGreaterThan(1);
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT api.test:443 HTTP/1.1']));
  });
});

describe('the proxy of the environment', () => {
  const unreachable = { result: 'error', reason: 'unreachable' };

  async function runWith(env: (proxyUrl: string) => Readonly<Record<string, string>>) {
    const proxy = await startProxy(refuse);
    onTestFinished(() => proxy.close());
    const baseUrl = 'https://api.invalid';
    const result = await runAgent({ baseUrl, speed: 30, env: env(proxy.url) });
    return { result, proxy };
  }

  it('is not asked for a host of NO_PROXY', async () => {
    const { result, proxy } = await runWith((url) => ({
      HTTPS_PROXY: url,
      NO_PROXY: 'other.invalid,api.invalid',
    }));
    expect(result.outputs).toMatchObject(unreachable);
    expect(result.outputs['message']).toContain('its name does not resolve');
    expect(proxy.asked).toEqual([]);
  });

  it('is the one that is spelled in lower case', async () => {
    const { result, proxy } = await runWith((url) => ({
      https_proxy: url,
      HTTPS_PROXY: 'http://127.0.0.1:9',
    }));
    expect(result.outputs).toMatchObject(unreachable);
    expect(proxy.asked.length).toBeGreaterThan(0);
  });
});

describe('TLS', () => {
  const folder = new URL('../fixtures/tls/', import.meta.url);
  const certificate = fileURLToPath(new URL('localhost-cert.pem', folder));

  async function secureApi() {
    const seen: string[] = [];
    const options = {
      cert: readFileSync(certificate),
      key: readFileSync(new URL('localhost-key.pem', folder)),
      allowHTTP1: true,
    };
    const server = createSecureServer(options, (request, response) => {
      seen.push(`${request.method} over ${request.httpVersion}`);
      const job = request.method === 'POST' ? {} : { status: 'completed', prLink: null };
      response.end(JSON.stringify(jobBody(job)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { url: `https://127.0.0.1:${portOf(server.address())}`, seen };
  }

  it('with an unknown authority: nothing is sent, and the sentence names the remedy', async () => {
    const { url, seen } = await secureApi();
    const result = await runAgent({ baseUrl: url, speed: 30 });
    expect(seen).toEqual([]);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(result.outputs['message']).toContain('NODE_EXTRA_CA_CERTS');
  });

  it('with a private authority that the runner trusts: works', async () => {
    const { url, seen } = await secureApi();
    const env = { NODE_EXTRA_CA_CERTS: certificate };
    const result = await runAgent({ baseUrl: url, speed, env });
    expect(result.outputs['result']).toBe('no-pull-request');
    // Where HTTP/2 is offered too: what tells whether a request left was seen to work on 1.1.
    expect(seen[0]).toBe('POST over 1.1');
  });
});

it('a proxy never sees what goes to a loopback address', async () => {
  const proxy = await startProxy(refuse);
  onTestFinished(() => proxy.close());
  const env = { http_proxy: proxy.url, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  const { result } = await runAgainst([created, done], { env });
  expect(result.outputs['result']).toBe('pull-request');
  expect(proxy.asked).toEqual([]);
});
