import { describe, expect, it } from 'vitest';
import {
  ask,
  askPages,
  failureOfError,
  type Octokit,
  queryGraphql,
  type Session,
} from '../../../src/github/request.ts';
import { CancelledError } from '../../../src/text/error.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';
import {
  closedUrl,
  githubAt,
  githubSession,
  noSignal,
  type Reply,
  reset,
  silence,
} from '../../helpers/servers.ts';

const get = (octokit: Octokit) => octokit.request('GET /it');
const same = (body: unknown) => body;

/** Asks a GitHub that has these replies in order, the last one repeatedly. */
async function asked(...replies: readonly Reply[]) {
  const clock = fakeClock();
  const { server, session } = await githubSession({ 'GET /it': replies });
  const outcome = await ask({ session, clock, signal: noSignal }, get, same);
  return { outcome, delaysMs: clock.delaysMs, attempts: server.calls.length };
}

const ok = { kind: 'ok', value: {} };
const good: Reply = { status: 200 };

describe('a request', () => {
  it('is retried after 500 ms and 2 s, and returns the last response', async () => {
    const twice = { delaysMs: [500, 2000], attempts: 3 };
    expect(await asked(reset, { status: 500 }, good)).toEqual({ outcome: ok, ...twice });
    const failed = { kind: 'failed', status: 503, retryAfterMs: 0 };
    expect(await asked({ status: 503 })).toMatchObject({ outcome: failed, ...twice });
  });

  it.each([200, 204, 205, 302, 304, 403, 404, 429, 999])(
    'is not retried after %d',
    async (status) => {
      const { outcome, ...sent } = await asked({ status }, good);
      expect(sent).toEqual({ delaysMs: [], attempts: 1 });
      expect(outcome).toMatchObject(status < 300 ? { kind: 'ok' } : { kind: 'failed', status });
    },
  );

  it.each<[Reply & object, number | undefined]>([
    [{ status: 403, headers: { 'retry-after': '60' } }, 60_000],
    [{ status: 429, headers: { 'retry-after': '1' } }, 1_000],
    [{ status: 403, headers: { 'retry-after': '61' } }, 61_000],
    [{ status: 403, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' } }, Infinity],
    [{ status: 403, headers: { 'retry-after': '\u00fc' } }, Infinity],
    [{ status: 403, headers: { 'x-ratelimit-remaining': '0' } }, Infinity],
    [{ status: 403, body: { message: 'API Rate limit exceeded' } }, Infinity],
    [{ status: 429 }, Infinity],
    [{ status: 403, headers: { 'x-ratelimit-remaining': '1' } }, undefined],
    [{ status: 403, body: { message: 'No rate limits here' } }, undefined],
    [{ status: 404, headers: { 'retry-after': '1', 'x-ratelimit-remaining': '0' } }, undefined],
  ])('is retried if a rate limit asks to wait for up to a minute: %j', async (...limited) => {
    const [reply, retryAfterMs = Infinity] = limited;
    const isLimited = limited[1] !== undefined;
    const { outcome, delaysMs } = await asked(reply, good);
    const delayMs = Math.max(500, retryAfterMs);
    expect(delaysMs).toEqual(retryAfterMs > 60_000 ? [] : [delayMs]);
    expect(outcome).toMatchObject(
      delaysMs.length > 0
        ? ok
        : { kind: 'failed', isRefusal: !isLimited, ...(isLimited && { retryAfterMs }) },
    );
    expect('retryAfterMs' in outcome).toBe(delaysMs.length === 0 && isLimited);
  });

  it('is not sent once it is aborted', async () => {
    const { server, session } = await githubSession({ 'GET /it': good });
    const signal = AbortSignal.abort(new CancelledError('cancelled by the test'));
    const asking = ask({ session, clock: fakeClock(), signal }, get, same);
    await expect(asking).rejects.toThrow('cancelled by the test');
    expect(server.calls).toEqual([]);
  });

  it('ends when it is aborted, without another attempt', async () => {
    const cancel = new AbortController();
    const { server, session } = await githubSession({
      'GET /it': () => cancel.abort(new CancelledError('cancelled by the test')),
    });
    const asking = ask({ session, clock: fakeClock(), signal: cancel.signal }, get, same);
    await expect(asking).rejects.toThrow('cancelled by the test');
    expect(server.calls).toHaveLength(1);
  });

  it('has its value, even if it is aborted right after that', async () => {
    const cancel = new AbortController();
    const { session } = await githubSession({ 'GET /it': good });
    const outcome = await ask({ session, clock: fakeClock(), signal: cancel.signal }, get, () => {
      cancel.abort(new CancelledError('cancelled by the test'));
      return 7;
    });
    expect(outcome).toEqual({ kind: 'ok', value: 7 });
  });

  it('has failed where only the time is over that its caller gives it', async () => {
    const limit = new AbortController();
    const { server, session } = await githubSession({
      'GET /it': () => limit.abort(new DOMException('Too late.', 'TimeoutError')),
    });
    const deps = { session, clock: fakeClock(), signal: limit.signal };
    const failed = { kind: 'failed', problem: 'GitHub did not respond' };
    expect(await ask(deps, get, same)).toMatchObject(failed);
    expect(server.calls).toHaveLength(1);
  });

  it('ends with an error that is not about the request, such as one of the proxy settings', async () => {
    const error = new Error('The proxy is no URL.', { cause: new Error('Invalid URL') });
    const timeoutsMs: number[] = [];
    const session: Session = {
      open({ timeoutMs }) {
        timeoutsMs.push(timeoutMs);
        return Promise.reject(error);
      },
    };
    const asking = ask({ session, clock: fakeClock(), signal: noSignal }, get, same);
    await expect(asking).rejects.toBe(error);
    expect(timeoutsMs).toEqual([10_000]);
  });
});

describe('a failure', () => {
  it.each<[Reply, string]>([
    [{ status: 503 }, 'GitHub responded with 503'],
    [{ status: 301 }, 'GitHub responded with 301'],
    [{ status: 999 }, 'GitHub responded with 999'],
    [{ status: 403, body: { message: 'Not here\n' } }, 'GitHub responded with 403 ("Not here")'],
    [{ status: 502, body: '<html>' }, 'GitHub responded with 502'],
    [
      { status: 403, body: ' <html>' },
      'something in front of GitHub responded with 403 and a web page',
    ],
    [
      { status: 407, body: 'Log in' },
      'something in front of GitHub responded with 407 and plain text',
    ],
  ])('%j is described as: %s', async (reply, problem) => {
    const isRefusal = problem.includes('(');
    expect((await asked(reply)).outcome).toMatchObject({ kind: 'failed', problem, isRefusal });
  });

  it('in front of GitHub can be a rate limit, too', async () => {
    const limited = { status: 429, headers: { 'retry-after': '9' }, body: 'Slow down' };
    expect((await asked(limited, good)).delaysMs).toEqual([9000]);
  });

  it.each([
    ['an address that is no URL', 'ghe.example', 'the variable GITHUB_API_URL holds no URL'],
    ['no address', '', 'the variable GITHUB_API_URL holds no URL'],
    ['nobody who listens', closedUrl, 'GitHub did not respond (ECONNREFUSED)'],
  ])('%s is described', async (_name, apiUrl, problem) => {
    const session = githubAt(apiUrl).as('token-of-the-test');
    const outcome = await ask({ session, clock: fakeClock(), signal: noSignal }, get, same);
    expect(outcome).toMatchObject({ kind: 'failed', problem, isRefusal: false });
  });

  it('is a response that cannot be read', async () => {
    const { session } = await githubSession({ 'GET /it': { status: 201, body: [] } });
    const deps = { session, clock: fakeClock(), signal: noSignal };
    const unreadable = {
      kind: 'failed',
      problem: 'GitHub responded with 201, but in a form that this action cannot read',
      isRefusal: false,
    };
    const typed = (octokit: Octokit) => octokit.request('GET /it');
    expect(await ask(deps, get, () => undefined)).toMatchObject(unreadable);
    expect(await ask(deps, typed, (body) => body.it.is.missing)).toMatchObject(unreadable);
  });

  it('is a time-out', async () => {
    const { session } = await githubSession({ 'GET /it': silence });
    const deps = { session, clock: fakeClock(), signal: noSignal };
    const outcome = await ask(deps, get, same, { timeoutMs: 50.5 });
    expect(outcome).toMatchObject({ problem: 'GitHub did not respond in time', retryAfterMs: 0 });
  });

  it('of optional requests is the time that is over, or a bug', () => {
    const error = new TypeError('no such thing');
    expect([failureOfError(error, noSignal), failureOfError(error, AbortSignal.abort())]).toEqual([
      { kind: 'failed', problem: 'TypeError: no such thing', isRefusal: false },
      { kind: 'failed', problem: 'GitHub did not respond in time', isRefusal: false },
    ]);
  });
});

describe('a list', () => {
  const full = Array.from({ length: 100 }, (_, index) => index);
  const list = (body: unknown) => (Array.isArray(body) ? body : undefined);

  async function pages(replies: readonly Reply[]) {
    const { server, session } = await githubSession({ 'GET /it': replies });
    const deps = { session, clock: fakeClock(), signal: noSignal };
    const outcome = await askPages(
      deps,
      (octokit, page) => octokit.request('GET /it', { ...page }),
      list,
    );
    return { outcome, calls: server.calls };
  }

  const fullPage: Reply = { status: 200, body: full };

  it('goes on after a page that is not full, but has a next one', async () => {
    const link = '<https://api.example/it?page=2>; rel="next"';
    const short = { status: 200, body: [1], headers: { link } };
    const { outcome } = await pages([short, short, { status: 200, body: [2] }]);
    expect(outcome).toEqual({ kind: 'ok', value: [1, 1, 2] });
  });

  it('ends at an empty page, whatever its links say', async () => {
    const link = '<https://api.example/it?page=2>; rel="next"';
    const { calls } = await pages([{ status: 200, body: [], headers: { link } }]);
    expect(calls).toHaveLength(1);
  });

  it('is read until a page that is not full, with or without links', async () => {
    const link = '<https://elsewhere.example/it?page=9>; rel="next"';
    const { outcome, calls } = await pages([
      { ...fullPage, headers: { link } },
      { status: 200, body: [100] },
    ]);
    expect(outcome).toEqual({ kind: 'ok', value: [...full, 100] });
    expect(calls).toEqual(['GET /it?per_page=100&page=1', 'GET /it?per_page=100&page=2']);
  });

  it.each<[string, Reply]>([
    ['409', { status: 409 }],
    ['null', { status: 200, body: 'null' }],
    ['an object', { status: 200, body: { total_count: 0, items: [] } }],
    ['nothing', { status: 204 }],
    ['a web page', { status: 200, body: '<html>' }],
  ])('is not complete if a page is %s', async (_name, reply) => {
    expect((await pages([fullPage, reply])).outcome).toMatchObject({ kind: 'failed' });
    expect((await pages([reply])).outcome).toMatchObject({ kind: 'failed' });
  });
});

describe('a query of GraphQL', () => {
  const query = (octokit: Octokit) => queryGraphql(octokit, '{ viewer { login } }');

  it.each<[string, Reply, object]>([
    ['data', { status: 200, body: { data: { a: 1 } } }, { kind: 'ok', value: { a: 1 } }],
    [
      'data and errors',
      { status: 200, body: { data: { a: 1, b: null }, errors: [{ message: 'No b' }] } },
      { kind: 'ok', value: { a: 1, b: null } },
    ],
    ['a refusal', { status: 403 }, { kind: 'failed', status: 403, isRefusal: true }],
    ['a web page', { status: 200, body: '<html>' }, { kind: 'failed', isRefusal: false }],
    ['null', { status: 200, body: 'null' }, { kind: 'failed', isRefusal: false }],
  ])('has %s', async (_name, reply, expected) => {
    const { session } = await githubSession({ 'POST /graphql': reply });
    const deps = { session, clock: fakeClock(), signal: noSignal };
    const outcome = await ask(deps, query, (data) => data ?? undefined);
    expect(outcome).toMatchObject(expected);
  });
});
