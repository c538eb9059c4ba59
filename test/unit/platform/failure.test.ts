import { describe, expect, it } from 'vitest';
import { type FaultKind, faultKinds } from '../../../src/network/http.ts';
import {
  type Failure,
  finalError,
  type RequestContext,
  readFailure,
  readMessage,
} from '../../../src/platform/failure.ts';
import { apiResponse } from '../../helpers/fake-client.ts';

const write: RequestContext = {
  host: 'api.example',
  projectId: 'acme',
  scope: 'write',
  hourlyLimit: 'it takes 5 in an hour',
  expected: 'an agent job',
};
const read: RequestContext = { ...write, scope: 'read' };
const ofJob = { ...read, jobId: 'job_1' };

/** The failure of a response with the API's JSON error. */
function refused(status: number, error = 'no', context = write): Failure {
  return readFailure(apiResponse(status, { error }), context);
}

/** The failure of a response without the API's JSON error. */
function foreign(status: number, text = '', context = write, rayId?: string): Failure {
  return readFailure({ ...apiResponse(status), text, rayId }, context);
}

/** The reason, and the sentence after the API's name. */
function said({ error }: Failure): string {
  return `${error.reason}: ${error.message.replace('The API at api.example', '…')}`;
}

/** Every status from `first` to `last`. */
function between(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const statuses = between(200, 599);

describe('a request without a complete response', () => {
  const faulty = (kind: FaultKind, code = '') =>
    readFailure({ kind: 'no-response', fault: { kind, code }, mayHaveLeft: true }, write);

  it('has a sentence for each fault', () => {
    expect(faultKinds.map((kind) => said(faulty(kind)))).toMatchInlineSnapshot(`
      [
        "unreachable: … was not found, because its name does not resolve: check base-url, and this runner's DNS and proxy.",
        "unreachable: … could not be reached: check base-url, whether the API is running, and this runner's network and proxy.",
        "unreachable: … presented a certificate that this runner does not trust: if a private authority issued it, set NODE_EXTRA_CA_CERTS to the certificate file of that authority.",
        "unreachable: … did not complete the TLS handshake: check that base-url names an https port.",
        "unreachable: … could not be reached through the proxy: check HTTPS_PROXY, and whether the proxy runs and lets this host through.",
        "unreachable: … did not respond in time: re-run the workflow later.",
        "unreachable: … sent a response that is far too large: check base-url.",
        "unreachable: … closed the connection before its response was complete: re-run the workflow later.",
        "unreachable: … had not responded when the run was cancelled: re-run the workflow later.",
      ]
    `);
  });

  it('has the code of the fault', () => {
    expect(faulty('connection', 'ECONNREFUSED').error.what).toBe(
      'the API at api.example could not be reached (ECONNREFUSED)',
    );
  });

  it('did nothing only if the request never left', () => {
    const fault = { kind: 'broken', code: 'ECONNRESET' } as const;
    for (const mayHaveLeft of [true, false]) {
      expect(readFailure({ kind: 'no-response', fault, mayHaveLeft }, write)).toEqual({
        error: expect.objectContaining({ reason: 'unreachable' }),
        isFromApi: false,
        didNothing: !mayHaveLeft,
      });
    }
  });
});

describe('a response that is no success', () => {
  it('says what happened, and what to do', () => {
    const plain = [200, 300, 399, 400, 401, 402, 403, 404, 408, 425, 429, 499, 500, 599];
    const failures = {
      ...Object.fromEntries(plain.map((status) => [status, refused(status)])),
      '400, lines': refused(400, 'no\n::error::'),
      '403, read': refused(403, 'no', read),
      '404, job': refused(404, 'no', ofJob),
    };
    const sentences = Object.entries(failures).map(([name, failure]) => [name, said(failure)]);
    expect(Object.fromEntries(sentences)).toMatchInlineSnapshot(`
      {
        "200": "unreadable-answer: … sent a response that is not an agent job: check base-url, and whether a proxy or a login page responds instead of the API.",
        "300": "request-refused: … responded with 300, a redirect: redirects are not followed with a key, so set base-url to the API's own address.",
        "399": "request-refused: … responded with 399, a redirect: redirects are not followed with a key, so set base-url to the API's own address.",
        "400": "request-refused: … responded with 400 ("no"): it rejected the request for that reason, so check the inputs of this step.",
        "400, lines": "request-refused: … responded with 400 ("no ::error::"): it rejected the request for that reason, so check the inputs of this step.",
        "401": "key-refused: … responded with 401 ("no"): it does not accept the API key, so create a new admin key on the API keys page of the dashboard (it begins with "mint_", and expires after 90 days by default) and store it in the secret that api-key uses.",
        "402": "forbidden: … responded with 402 ("no"): the organisation's plan or its AI credits do not cover this, so check both in the dashboard (the agent and the API require a Pro or Enterprise plan, all projects share the credits, and overages are off by default).",
        "403": "forbidden: … responded with 403 ("no"): the API key is read-only, belongs to a different organisation than the project, or has an IP allow-list, which GitHub-hosted runners match only if they are larger ones with fixed addresses, so create an admin key that can write, without an allow-list, in the project's organisation.",
        "403, read": "forbidden: … responded with 403 ("no"): the API key belongs to a different organisation than the project, or has an IP allow-list, which GitHub-hosted runners match only if they are larger ones with fixed addresses, so create another admin key, without an allow-list, in the project's organisation (a read-only key is enough for this).",
        "404": "project-not-found: … responded with 404 ("no"): this key has no access to project acme, so copy the project id from the API keys page of the dashboard into project-id, and use a key of that project's organisation.",
        "404, job": "job-not-found: … responded with 404 ("no"): there is no job job_1 in project acme, so check job-id and project-id.",
        "408": "request-refused: … responded with 408 ("no"): it rejected the request for that reason, so check the inputs of this step.",
        "425": "rate-limited: … responded with 425 ("no"): it takes 5 in an hour, so wait a while and re-run the workflow.",
        "429": "rate-limited: … responded with 429 ("no"): it takes 5 in an hour, so wait a while and re-run the workflow.",
        "499": "request-refused: … responded with 499 ("no"): it rejected the request for that reason, so check the inputs of this step.",
        "500": "unreachable: … responded with 500 ("no"): the problem is on its side, so re-run the workflow later.",
        "599": "unreachable: … responded with 599 ("no"): the problem is on its side, so re-run the workflow later.",
      }
    `);
  });

  it("says so in doubt if it has not the API's JSON error", () => {
    const plain = [200, 399, 400, 401, 402, 403, 404, 425, 429, 499, 500];
    const failures = {
      ...Object.fromEntries(plain.map((status) => [status, foreign(status)])),
      '404, job': foreign(404, '<p>', ofJob),
    };
    const doubt =
      "the API itself explains a refusal in JSON, so check base-url, and the firewall and the proxy between this runner and the API, and re-run the workflow later or on another runner; if that does not help, check the other inputs of this step, such as api-key and project-id, or contact Mintlify's support.";
    const sentences = Object.entries(failures).map(([name, failure]) => [
      name,
      said(failure).replace(doubt, 'DOUBT'),
    ]);
    expect(Object.fromEntries(sentences)).toMatchInlineSnapshot(`
      {
        "200": "unreadable-answer: … sent a response that is not an agent job: check base-url, and whether a proxy or a login page responds instead of the API.",
        "399": "request-refused: … responded with 399, a redirect: redirects are not followed with a key, so set base-url to the API's own address.",
        "400": "request-refused: …, or something in front of it, responded with 400: DOUBT",
        "401": "key-refused: …, or something in front of it, responded with 401: DOUBT",
        "402": "forbidden: …, or something in front of it, responded with 402: DOUBT",
        "403": "forbidden: …, or something in front of it, responded with 403: DOUBT",
        "404": "project-not-found: …, or something in front of it, responded with 404: DOUBT",
        "404, job": "unreadable-answer: …, or something in front of it, responded with 404 and a web page: DOUBT",
        "425": "rate-limited: …, or something in front of it, responded with 425: DOUBT",
        "429": "rate-limited: …, or something in front of it, responded with 429: DOUBT",
        "499": "request-refused: …, or something in front of it, responded with 499: DOUBT",
        "500": "unreachable: … responded with 500: the problem is on its side, so re-run the workflow later.",
      }
    `);
  });

  // A request for paid work is retried only after such a response.
  it('proves with any 4xx except 408 that nothing was done', () => {
    const proof = between(400, 499).filter((status) => status !== 408);
    expect(statuses.filter((status) => refused(status).didNothing)).toEqual(proof);
    expect(statuses.filter((status) => foreign(status).didNothing)).toEqual(proof);
  });

  it("is the API's own if it is a refusal with a JSON error", () => {
    expect(statuses.filter((status) => refused(status).isFromApi)).toEqual(between(300, 599));
    expect(statuses.filter((status) => foreign(status, 'no').isFromApi)).toEqual([]);
  });

  it('keeps its status and Retry-After', () => {
    const limited = readFailure(apiResponse(429, { error: 'no' }, 0), write);
    expect(limited).toMatchObject({ status: 429, retryAfterMs: 0 });
    expect(refused(429)).not.toHaveProperty('retryAfterMs');
    expect(readFailure(apiResponse(299, {}, 5_000), write)).not.toHaveProperty('retryAfterMs');
  });
});

describe('the plan and the credits', () => {
  const plan =
    "the agent and the API require Mintlify's Pro or Enterprise plan, so change the organisation's plan in the dashboard, or use a project of an organisation that has one";
  const credits =
    "the organisation's AI credits, which all its projects share, do not cover this, so check the usage in the dashboard, and add credits, switch on overages (by default they are off), or wait until the credits are renewed";

  it.each([
    ['This feature is not available on your current plan', plan],
    ['Plans: Pro', plan],
    ['Insufficient AI credits', credits],
    ['Not enough credits on this PLAN', credits],
    ['1 Credit left', credits],
  ])('are recognised in %j', (message, expected) => {
    for (const status of [402, 403]) {
      expect(refused(status, message).error.advice).toBe(expected);
    }
    expect(refused(400, message).error.advice).toContain('for that reason');
  });

  it.each(['the planet', 'credited', 'accredit', 'explan'])('are not in %j', (message) => {
    expect(refused(403, message).error.advice).toBe(refused(403).error.advice);
    expect(refused(402, message).error.advice).toBe(refused(402).error.advice);
  });
});

it.each([
  ['', undefined, ''],
  ['  ', '8f2a-FRA', ' (Cloudflare ray "8f2a-FRA")'],
  ['error code: 1010', '8f2a-FRA', ' ("error code: 1010", Cloudflare ray "8f2a-FRA")'],
  ['{"message":"no"}', undefined, ' ("{\\"message\\":\\"no\\"}")'],
  ['no\n::error::', undefined, ' ("no ::error::")'],
  // A part of the key is masked by nobody else.
  ['key mint_S3cr3tKey is bad', undefined, ' ("key *** is bad")'],
  ['\n <html lang="en">', '8f2a-FRA', ' and a web page (Cloudflare ray "8f2a-FRA")'],
  ['x'.repeat(101), undefined, ` ("${'x'.repeat(99)}…")`],
])('a foreign response is quoted: %j, ray %j', (text, rayId, received) => {
  expect(foreign(403, text, write, rayId).error.what).toBe(
    `the API at api.example, or something in front of it, responded with 403${received}`,
  );
});

it.each([
  [429, 60_001, 60_000, 'and asks to wait until 2026-01-05 08:02 UTC (1 min)'],
  [429, 60_000, 60_000, undefined],
  [429, 1, -5, 'and asks to wait until 2026-01-05 08:01 UTC (0 s)'],
  [429, 0, -5, undefined],
  [503, 60_001, 60_000, undefined],
])('after %d that asks to wait %d ms, with %d ms left', (status, retryAfterMs, leftMs, wait) => {
  const failure = readFailure(apiResponse(status, { error: 'no' }, retryAfterMs), write);
  const { reason, what, advice } = finalError(failure, leftMs, 'x', Date.UTC(2026, 0, 5, 8));
  expect({ reason, what, advice }).toMatchObject(
    wait === undefined
      ? { what: failure.error.what, advice: failure.error.advice }
      : {
          reason: 'rate-limited',
          what: `the API at api.example responded with 429 ("no") ${wait}`,
          advice: 'that is longer than x, so re-run the workflow after that',
        },
  );
});

it.each([
  [{ error: 'Invalid body' }, 'Invalid body'],
  [{ error: 'Bad', details: [{ message: 'limit' }, { message: 'date' }] }, 'Bad: limit; date'],
  [{ error: 'Bad', details: [] }, 'Bad'],
  [{ error: 'Bad', details: [{ text: 'no limit' }] }, 'Bad'],
  [{ error: 7 }, undefined],
  [{ message: 'Invalid body' }, undefined],
  [undefined, undefined],
])("the API's message in %j", (body, reason) => {
  expect(readMessage(body)).toBe(reason);
});
