import { describe, expect, it } from 'vitest';
import { type Fault, faultKinds } from '../../../src/network/http.ts';
import { type Failure, failureOf, type RequestContext } from '../../../src/platform/failure.ts';
import { apiResponse } from '../../helpers/fake-client.ts';

const write: RequestContext = {
  host: 'api.example',
  projectId: 'acme',
  scope: 'write',
  keyProblem: undefined,
  hourlyLimit: 'it takes 5 in an hour',
  expected: 'an agent job',
};
const read: RequestContext = { ...write, scope: 'read' };
const contexts = [write, read, { ...write, jobId: 'job_1' }, { ...read, jobId: 'job_1' }];

/** Every status from `first` to `last`. */
function between(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const statuses = between(200, 599);

/** What happened, a colon, and what to do. */
const sentence = /^(?!.*undefined)The API at api\.example[, ][^:]*[^:\s]: [^:\s][^:]*[^:\s]\.$/;

/** The failure of a response with the API's JSON error. */
function refused(status: number, error: string, context = write): Failure {
  return failureOf(apiResponse(status, { error }), context);
}

/** Bodies that the API itself does not send. */
const foreignBodies = [
  '',
  '<!DOCTYPE html><title>Blocked</title>',
  'error code 1010',
  '{"message" "no"}',
];

/** The failure of a response without the API's JSON error. */
function foreign(status: number, text: string, context = write, rayId?: string): Failure {
  return failureOf({ ...apiResponse(status), text, rayId }, context);
}

function faulty(fault: Fault, mayHaveLeft = true): Failure {
  return failureOf({ kind: 'no-response', fault, mayHaveLeft }, write);
}

describe('a request without a complete response', () => {
  it('has a different message for each fault', () => {
    const errors = faultKinds.map((kind) => faulty({ kind, code: '' }).error);
    for (const { reason, message } of errors) {
      expect(reason).toBe('unreachable');
      expect(message).toMatch(sentence);
    }
    expect(new Set(errors.map(({ message }) => message)).size).toBe(faultKinds.length);
  });

  it.each([
    ['ECONNREFUSED', 'the API at api.example refused the connection (ECONNREFUSED)'],
    ['', 'the API at api.example refused the connection'],
  ])('has the code %j', (code, what) => {
    expect(faulty({ kind: 'refused', code }).error.what).toBe(what);
  });

  it('did nothing only if the request never left', () => {
    const fault = { kind: 'broken', code: 'ECONNRESET' } as const;
    for (const mayHaveLeft of [true, false]) {
      expect(faulty(fault, mayHaveLeft)).toEqual({
        error: expect.objectContaining({ reason: 'unreachable' }),
        isFromApi: false,
        didNothing: !mayHaveLeft,
      });
    }
  });
});

describe('a response that is no success', () => {
  it('is one sentence for every status, body and request', () => {
    const messages = ['no', 'not on your current plan', 'Insufficient AI credits'];
    const failures = contexts.flatMap((context) =>
      statuses.flatMap((status) => [
        ...messages.map((message) => refused(status, message, context)),
        ...foreignBodies.map((text) => foreign(status, text, context, '8f2a-FRA')),
      ]),
    );
    for (const { error } of failures) {
      expect(error.message).toMatch(sentence);
    }
  });

  it.each([
    [200, 'unreadable-answer'],
    [299, 'unreadable-answer'],
    [300, 'request-refused'],
    [399, 'request-refused'],
    [400, 'request-refused'],
    [401, 'key-refused'],
    [402, 'forbidden'],
    [403, 'forbidden'],
    [404, 'project-not-found'],
    [418, 'request-refused'],
    [425, 'rate-limited'],
    [429, 'rate-limited'],
    [499, 'request-refused'],
    [500, 'unreachable'],
    [599, 'unreachable'],
  ])('with %d is %s, whoever responded', (status, reason) => {
    expect(refused(status, 'no').error.reason).toBe(reason);
    expect(foreign(status, '').error.reason).toBe(reason);
  });

  // A request for paid work is retried only after such a response.
  it('proves with any 4xx except 408 that nothing was done', () => {
    const proof = between(400, 499).filter((status) => status !== 408);
    expect(statuses.filter((status) => refused(status, 'no').didNothing)).toEqual(proof);
    expect(statuses.filter((status) => foreign(status, '').didNothing)).toEqual(proof);
  });

  it("is the API's own if it is a refusal with a JSON error", () => {
    expect(statuses.filter((status) => refused(status, 'no').isFromApi)).toEqual(between(300, 599));
    expect(statuses.filter((status) => foreign(status, 'no').isFromApi)).toEqual([]);
  });

  it('keeps its status and Retry-After', () => {
    const limited = failureOf(apiResponse(429, { error: 'no' }, 5_000), write);
    expect(limited).toMatchObject({ status: 429, retryAfterMs: 5_000 });
    expect(refused(429, 'no')).not.toHaveProperty('retryAfterMs');
    expect(failureOf(apiResponse(200, {}, 5_000), write)).not.toHaveProperty('retryAfterMs');
  });

  it("quotes the API's message on one line", () => {
    expect(refused(400, 'no\n::error::').error.what).toBe(
      'the API at api.example responded with 400 ("no ::error::")',
    );
  });

  it('is a redirect below 400', () => {
    expect(refused(399, 'no').error.what).toContain('a redirect');
    expect(refused(400, 'no').error.what).not.toContain('redirect');
  });

  it.each([
    [write, 'the API at api.example sent a response that is not an agent job'],
    [
      { ...write, jobId: 'job_1' },
      'the API at api.example sent a response about job job_1 that is not an agent job',
    ],
  ])('is not what was expected', (context, what) => {
    expect(foreign(200, '<p>', context).error.what).toBe(what);
  });

  it('names the job that does not exist, or the project', () => {
    expect(refused(404, 'no', { ...read, jobId: 'job_1' }).error).toMatchObject({
      reason: 'job-not-found',
      advice: expect.stringContaining('no job job_1 in project acme'),
    });
    expect(refused(404, 'no').error.advice).toContain('no access to project acme');
  });

  it('names the hourly limit', () => {
    expect(refused(429, 'no').error.advice).toContain('it takes 5 in an hour');
  });

  it.each([401, 403])('with %d says what is wrong with the key if that is known', (status) => {
    const keyProblem = 'this is an assistant key';
    expect(refused(status, 'no', { ...read, keyProblem }).error.advice).toMatch(
      /^this is an assistant key, so create a new admin key /,
    );
    expect(refused(status, 'no', read).error.advice).not.toContain('assistant');
  });

  it('depends on the scope that the request needs, with 403', () => {
    expect(refused(403, 'Forbidden').error.advice).toMatch(
      /^the API key is read-only, belongs to a different organisation .* create an admin key that can write, without an allow-list/,
    );
    expect(refused(403, 'Forbidden', read).error.advice).toMatch(
      /^the API key belongs to a different organisation .* \(a read-only key is enough for this\)$/,
    );
  });
});

describe('the plan and the credits', () => {
  const plan = /^the agent and the API require Mintlify's Pro or Enterprise plan/;
  const credits = /^the organisation's AI credits, which all its projects share, /;
  const blamesTheKey = /admin key|api key is read-only|allow-list/i;

  it.each([
    ['This feature is not available on your current plan', plan],
    ['Upgrade your PLAN', plan],
    ['Plans: Pro', plan],
    ['Insufficient AI credits', credits],
    ['Not enough credits on this plan', credits],
    ['1 Credit left', credits],
  ])('are recognised in %j', (message, expected) => {
    for (const status of [402, 403]) {
      expect(refused(status, message).error.advice).toMatch(expected);
      expect(refused(status, message).error.advice).not.toMatch(blamesTheKey);
    }
  });

  it.each(['an explanation', 'the planet', 'credited', 'accreditation'])(
    'are not recognised in %j',
    (message) => {
      expect(refused(403, message).error.advice).toMatch(/^the API key is read-only/);
      expect(refused(402, message).error.advice).toMatch(
        /^the organisation's plan or its AI credits/,
      );
    },
  );

  it('are not suggested for other statuses', () => {
    expect(refused(400, 'plan').error.advice).toContain('for that reason');
    expect(refused(401, 'plan').error.advice).toMatch(blamesTheKey);
  });
});

describe("a refusal without the API's JSON error", () => {
  const doubtful = 'the API at api.example, or something in front of it, responded with 403';

  it.each([
    ['', undefined, ''],
    ['  ', '8f2a-FRA', ' (Cloudflare ray "8f2a-FRA")'],
    ['error code: 1010', '8f2a-FRA', ' ("error code: 1010", Cloudflare ray "8f2a-FRA")'],
    ['{"message":"no"}', undefined, ' ("{\\"message\\":\\"no\\"}")'],
    ['no\n::error::', undefined, ' ("no ::error::")'],
    ['<!DOCTYPE html><p>', undefined, ' and a web page'],
    ['\n <html lang="en">', '8f2a-FRA', ' and a web page (Cloudflare ray "8f2a-FRA")'],
  ])('says what was received: %j, ray %j', (text, rayId, received) => {
    expect(foreign(403, text, write, rayId).error.what).toBe(`${doubtful}${received}`);
  });

  it('quotes no more than 100 characters', () => {
    expect(foreign(403, 'x'.repeat(101)).error.what).toBe(`${doubtful} ("${'x'.repeat(99)}…")`);
  });

  it('is doubted, and asks for a look at base-url, the firewall and the proxy first', () => {
    for (const status of between(400, 499)) {
      for (const context of contexts) {
        const { what, advice } = foreign(status, '<p>', context).error;
        expect(what).toContain('or something in front of it');
        expect(advice).toMatch(/^the API itself explains .* so first check base-url, and the f/);
        expect(refused(status, 'no', context).error.message).not.toMatch(/in front|base-url/);
      }
    }
  });

  it.each([
    [401, 'and then the API key'],
    [402, 'then re-run the workflow later or on another runner, and if that does not help'],
    [403, 'then re-run the workflow later or on another runner, and if that does not help'],
    [404, 'and then whether project acme exists, and the key belongs to its organisation'],
    [418, 'and then the inputs of this step'],
    [429, 'then wait a while and re-run the workflow'],
  ])('with %d says what to do after that', (status, last) => {
    expect(foreign(status, '').error.advice).toContain(`this runner and the API, ${last}`);
  });

  it('says all the same what is wrong with the key if that is known', () => {
    const keyProblem = 'this is an assistant key';
    expect(foreign(401, '', { ...write, keyProblem }).error.advice).toMatch(
      /and then the API key \(this is an assistant key\)$/,
    );
  });

  it('does not say of a job that it does not exist', () => {
    expect(foreign(404, '<p>', { ...write, jobId: 'job_1' }).error).toMatchObject({
      reason: 'unreadable-answer',
      advice: expect.stringMatching(/and then whether there is a job job_1 in project acme$/),
    });
  });

  it('is not doubted with another status', () => {
    for (const status of [...between(200, 399), ...between(500, 599)]) {
      expect(foreign(status, '<p>').error.what).not.toContain('in front of it');
    }
  });
});
