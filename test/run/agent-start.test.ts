import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { annotations, runAgainst, runAgent } from '../helpers/run.ts';
import {
  acceptThenBreak,
  apiKey,
  closedUrl,
  created,
  done,
  jobBody,
  ok,
  type Reply,
  refusal,
  refuse,
  reset,
  silence,
  startProxy,
} from '../helpers/servers.ts';

const mayExist =
  'a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one';

/** One of each kind: `test/hostile` has all of them. */
describe('a POST that may have arrived is never repeated', () => {
  const html = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway' };
  it.each<[string, Reply, string]>([
    [
      'after a broken connection',
      reset,
      `The API at HOST closed the connection before its response was complete (UND_ERR_SOCKET), after the request was sent: ${mayExist}.`,
    ],
    [
      'after silence',
      silence,
      `The API at HOST did not respond in time, after the request was sent: ${mayExist}.`,
    ],
    [
      'after a 502 as HTML',
      html,
      `The API at HOST responded with 502 and a web page, after the request was sent: ${mayExist}.`,
    ],
    [
      'after a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      `The API at HOST responded with 307, a redirect, after the request was sent: ${mayExist}; also, redirects are not followed with a key, so set base-url to the API's own address.`,
    ],
    [
      'after a 201 with an id that is not one',
      { status: 201, body: jobBody({ id: '..' }) },
      `The API at HOST sent a response that is not an agent job, after the request was sent: ${mayExist}.`,
    ],
  ])('%s', async (_name, reply, message) => {
    const { result, posts } = await runAgainst([reply, created, done]);
    expect(posts).toBe(1);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-may-exist' });
    expect(sentenceOf(result)).toBe(message);
    expect(result.stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(apiKey);
  });

  it('when it is a follow-up', async () => {
    const inputs = { 'job-id': 'job_8f2' };
    const { result, posts } = await runAgainst([done, reset, created], { inputs });
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ reason: 'job-may-exist', 'job-id': 'job_8f2' });
    expect(sentenceOf(result)).toBe(
      'The API at HOST closed the connection before its response was complete (UND_ERR_SOCKET), after the request was sent: Mintlify may have received the follow-up to job job_8f2, so open the job in the dashboard, and then start a new run, with job-id job_8f2 and no prompt to wait for it or with the prompt to send it again.',
    );
  });
});

/** The sentence that the step ends with, which is the same in its annotation and its output. */
function sentenceOf(result: StepResult): string {
  const message = result.outputs['message'] ?? '';
  expect(annotations(result, 'error')).toEqual([message]);
  return message.replace(/127\.0\.0\.1:\d+/g, 'HOST');
}

describe('a POST that the API refused for now is repeated', () => {
  it.each([429, 425])('%d', async (status) => {
    const { result, posts } = await runAgainst([refusal(status), refusal(status), created, done]);
    expect(posts).toBe(3);
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('by a step that does not wait for the job, too', async () => {
    const inputs = { 'wait-minutes': '0' };
    const limited = refusal(429, { 'retry-after': '1' });
    const { result, posts } = await runAgainst([limited, created], { inputs });
    expect(posts).toBe(2);
    expect(result.outputs).toMatchObject({ result: 'running', 'job-id': 'job_8f2' });
  });

  it('after Retry-After, if that is within the waiting time', async () => {
    const { result, posts } = await runAgainst([
      refusal(429, { 'retry-after': '30' }),
      created,
      done,
    ]);
    expect(posts).toBe(2);
    expect(result.stdout).toContain('; the next attempt is in 30 s.');
  });

  it('not if Retry-After is longer: the message says until when', async () => {
    const { result, posts } = await runAgainst([refusal(429, { 'retry-after': '7200' })]);
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(result.outputs['message']).toMatch(
      /asks to wait until \d{4}-\d\d-\d\d \d\d:\d\d UTC \(2 h\): that is longer than wait-minutes allows/,
    );
  });
});

describe('a refusal ends the step with advice', () => {
  const newKey =
    'create a new admin key on the API keys page of the dashboard (it begins with "mint_", and expires after 90 days by default) and store it in the secret that api-key uses';
  it.each<[number, string, string]>([
    [
      400,
      'request-refused',
      'it rejected the request for that reason, so check the inputs of this step',
    ],
    [401, 'key-refused', `it does not accept the API key, so ${newKey}`],
    [
      403,
      'forbidden',
      "the API key is read-only, belongs to a different organisation than the project, or has an IP allow-list, which GitHub-hosted runners match only if they are larger ones with fixed addresses, so create an admin key that can write, without an allow-list, in the project's organisation",
    ],
    [
      404,
      'project-not-found',
      "this key has no access to project acme, so copy the project id from the API keys page of the dashboard into project-id, and use a key of that project's organisation",
    ],
    [
      422,
      'request-refused',
      'it rejected the request for that reason, so check the inputs of this step',
    ],
  ])('%d: %s', async (status, reason, advice) => {
    const { result, posts } = await runAgainst([refusal(status), created]);
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
    expect(sentenceOf(result)).toBe(
      `The API at HOST responded with ${status} ("refused with ${status}"): ${advice}.`,
    );
  });

  it('429, when no more waiting is allowed', async () => {
    const inputs = { 'wait-minutes': '0' };
    const { result } = await runAgainst([refusal(429)], { inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(sentenceOf(result)).toBe(
      'The API at HOST responded with 429 ("refused with 429"): the limits of a project are 100 new jobs and 100 follow-ups an hour, so wait a while and re-run the workflow.',
    );
  });

  it("quotes the API's reason as harmless text", async () => {
    const reason = 'first\n::error::second ##[add-mask]x \u202Ethird';
    const { result } = await runAgainst([{ status: 400, body: { error: reason } }]);
    expect(result.outputs['message']).toContain('("first ::error::second ## [add-mask]x third")');
    expect(annotations(result, 'error')).toHaveLength(1);
    expect(result.stdout).not.toContain('##[');
  });
});

describe('a response to the POST', () => {
  const noWait = { inputs: { 'wait-minutes': '0' } };

  it.each([
    ['failed', {}, 'failed'],
    ['archived', {}, 'archived'],
    ['completed', { prLink: 'https://github.com/acme/docs/pull/12' }, 'pull-request'],
    ['completed', {}, 'no-pull-request'],
  ])('that says %s with %j is the result of a step that does not wait', async (...row) => {
    const [status, fields, result] = row;
    const reply = { status: 201, body: jobBody({ status, ...fields }) };
    const run = await runAgainst([reply], noWait);
    expect(run.result.outputs).toMatchObject({ status, result, 'job-id': 'job_8f2' });
    expect(run.api.calls).toHaveLength(1);
  });

  it('without a status is a job all the same', async () => {
    const { result, posts } = await runAgainst([{ status: 201, body: { id: 'job_8f2' } }, done]);
    expect(posts).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'job-id': 'job_8f2' });
  });

  it('that is compressed, although nobody asked for that, cannot be read', async () => {
    const body = gzipSync(JSON.stringify(jobBody()));
    const reply = { status: 201, headers: { 'content-encoding': 'gzip' }, body };
    const { result, api, posts } = await runAgainst([reply, created]);
    expect(posts).toBe(1);
    expect(api.arrivals[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-may-exist' });
    expect(sentenceOf(result)).toContain('sent a response that is not an agent job');
  });

  it('of an active job may have any link', async () => {
    const reply = ok(jobBody({ prLink: 'http://docs.example/1' }));
    const attach = { inputs: { 'job-id': 'job_8f2', prompt: '', 'wait-minutes': '0' } };
    const { result } = await runAgainst([reply], attach);
    expect(result.outputs).toMatchObject({ result: 'running', status: 'active' });
  });
});

describe('a POST that never left', () => {
  // The step retries for a minute of the bundle's time, which must be enough for a slow machine.
  it('is repeated after a refused connection, and no job may exist when that is given up', async () => {
    const result = await runAgent({ baseUrl: closedUrl });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(result.outputs['message']).toMatch(/could not be reached \(ECONNREFUSED\)/);
    expect(result.outputs['message']).not.toContain('may exist');
    expect(result.stdout.match(/Nothing was started/g)?.length).toBeGreaterThan(2);
  });

  it.each([
    ['refuses CONNECT', refuse],
    ['accepts CONNECT and breaks TLS', acceptThenBreak],
  ])('is repeated when the proxy %s: CONNECT is not our request', async (_name, handle) => {
    const proxy = await startProxy(handle);
    onTestFinished(() => proxy.close());
    const result = await runAgent({
      baseUrl: 'https://api.test',
      env: { HTTPS_PROXY: proxy.url },
    });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(result.outputs['message']).not.toContain('may exist');
    expect(proxy.asked.length).toBeGreaterThan(1);
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT api.test:443 HTTP/1.1']));
  });
});

describe('the proxy of the environment', () => {
  it('may have a percent-encoded password', async () => {
    const proxy = await startProxy(refuse);
    onTestFinished(() => proxy.close());
    const url = proxy.url.replace('//', '//ci:50%25off@');
    const env = { HTTPS_PROXY: url };
    const result = await runAgent({ baseUrl: 'https://api.invalid', env });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreachable' });
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  const unreachable = { result: 'error', reason: 'unreachable' };

  async function runWith(env: (proxyUrl: string) => Readonly<Record<string, string>>) {
    const proxy = await startProxy(refuse);
    onTestFinished(() => proxy.close());
    const baseUrl = 'https://api.invalid';
    const result = await runAgent({ baseUrl, env: env(proxy.url) });
    return { result, proxy };
  }

  it('is not used for a host of NO_PROXY', async () => {
    const { result, proxy } = await runWith((url) => ({
      HTTPS_PROXY: url,
      NO_PROXY: 'other.invalid,api.invalid',
    }));
    expect(result.outputs).toMatchObject(unreachable);
    expect(result.outputs['message']).toContain('its name does not resolve');
    expect(proxy.asked).toEqual([]);
  });

  it.each([closedUrl, 'http://proxy.invalid:3128'])(
    'is part of the advice if it cannot be reached: %s',
    async (url) => {
      const { result } = await runWith(() => ({ HTTPS_PROXY: url }));
      expect(result.outputs).toMatchObject(unreachable);
      expect(result.outputs['message']).toMatch(/: check base-url, .*proxy\.$/);
    },
  );

  it('is named in the message if it refuses the connection', async () => {
    const { result } = await runWith((url) => ({ HTTPS_PROXY: url }));
    expect(result.outputs).toMatchObject(unreachable);
    expect(result.outputs['message']).toContain(
      'could not be reached through the proxy (UND_ERR_ABORTED)',
    );
  });

  it('is read from the lower-case variable', async () => {
    const { result, proxy } = await runWith((url) => ({
      https_proxy: url,
      HTTPS_PROXY: 'http://127.0.0.1:9',
    }));
    expect(result.outputs).toMatchObject(unreachable);
    expect(proxy.asked.length).toBeGreaterThan(0);
  });
});

it('a proxy never sees requests to a loopback address', async () => {
  const proxy = await startProxy(refuse);
  onTestFinished(() => proxy.close());
  const env = { http_proxy: proxy.url, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  const { result } = await runAgainst([created, done], { env });
  expect(result.outputs['result']).toBe('pull-request');
  expect(proxy.asked).toEqual([]);
});
