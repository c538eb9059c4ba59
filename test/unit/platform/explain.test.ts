import { describe, expect, it } from 'vitest';
import {
  type CallContext,
  explainFault,
  explainRefusal,
  explainUnreadable,
  findKeyProblem,
} from '../../../src/platform/explain.ts';
import { faultKinds } from '../../../src/platform/fault.ts';

const context: CallContext = {
  host: 'api.example',
  projectId: 'acme',
  hourlyLimit: 'it takes 5 in an hour',
};
const aboutJob: CallContext = { ...context, jobId: 'job_1' };

/** What happened, then after a colon what to do; both are there. */
const sentence = /^(?!.*undefined)The service at api\.example [^:]*[^:\s]: [^:\s][^:]*[^:\s]\.$/;

const doubt = 'check base-url and the proxy too';

describe('a refusal', () => {
  it.each([
    [302, 'request-refused'],
    [399, 'request-refused'],
    [400, 'request-refused'],
    [401, 'key-refused'],
    [403, 'forbidden'],
    [404, 'project-not-found'],
    [418, 'request-refused'],
    [425, 'rate-limited'],
    [429, 'rate-limited'],
    [499, 'request-refused'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('with %d is %s', (status, reason) => {
    expect(explainRefusal(status, undefined, context).reason).toBe(reason);
  });

  it('is one sentence, whatever its status, with or without words', () => {
    const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
    for (const status of statuses) {
      for (const call of [context, aboutJob]) {
        expect(explainRefusal(status, undefined, call).message).toMatch(sentence);
        expect(explainRefusal(status, 'no', call).message).toMatch(sentence);
      }
    }
  });

  it("quotes the service's own words, on one line", () => {
    expect(explainRefusal(400, 'no\n::error::', context).what).toBe(
      'the service at api.example answered 400 ("no ::error::")',
    );
    expect(explainRefusal(400, undefined, context).what).toBe(
      'the service at api.example answered 400',
    );
  });

  it.each([401, 403, 404])(
    'with %d doubts whose it is only where it has no such words',
    (status) => {
      for (const call of [context, aboutJob]) {
        expect(explainRefusal(status, undefined, call).advice).toContain(doubt);
        expect(explainRefusal(status, 'no', call).advice).toMatch(/[a-z]$/);
        expect(explainRefusal(status, 'no', call).advice).not.toContain(doubt);
      }
    },
  );

  it('points to its words only where it has some', () => {
    expect(explainRefusal(400, 'no', context).advice).toContain('go by its words');
    expect(explainRefusal(400, undefined, context).advice).not.toContain('words');
  });

  it('is a redirect below 400', () => {
    expect(explainRefusal(399, undefined, context).what).toContain('a redirect');
    expect(explainRefusal(400, undefined, context).what).not.toContain('redirect');
  });

  it('names the job that is not there, or the project', () => {
    expect(explainRefusal(404, 'no', aboutJob)).toMatchObject({
      reason: 'job-not-found',
      advice: expect.stringContaining('no job job_1 in project acme'),
    });
    expect(explainRefusal(404, 'no', context).advice).toContain('no project acme');
  });

  it('names the hourly limit', () => {
    expect(explainRefusal(429, 'no', context).advice).toContain('it takes 5 in an hour');
  });

  it('says what is wrong with the key where it is known', () => {
    const keyProblem = 'this is an assistant key';
    const [known, unknown] = [{ ...context, keyProblem }, context].map(
      (call) => explainRefusal(401, 'no', call).advice,
    );
    expect(known).toMatch(/^this is an assistant key, so /);
    expect(unknown).toMatch(/^it does not accept the API key, so /);
  });
});

describe('the kind of a key', () => {
  it.each([
    ['mint_dsc_x', 'an assistant key'],
    ['mint_us_x', 'an index key'],
  ])('of %s is told by its prefix', (key, kind) => {
    expect(findKeyProblem(key)).toContain(kind);
  });

  it.each(['', 'mint_x', 'x_mint_dsc_', 'x_mint_us_', 'MINT_DSC_X'])('%j is fine', (key) => {
    expect(findKeyProblem(key)).toBeUndefined();
  });
});

describe('a call without a whole answer', () => {
  it('is one sentence of its own, whatever went wrong', () => {
    const messages = faultKinds
      .map((kind) => explainFault({ kind, code: '' }, context))
      .map(({ reason, message }) => {
        expect(reason).toBe('unreachable');
        expect(message).toMatch(sentence);
        return message;
      });
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('names its code where there is one', () => {
    expect(explainFault({ kind: 'refused', code: 'ECONNREFUSED' }, context).what).toBe(
      'the service at api.example refused the connection (ECONNREFUSED)',
    );
    expect(explainFault({ kind: 'refused', code: '' }, context).what).toBe(
      'the service at api.example refused the connection',
    );
  });
});

describe('a success that holds something else', () => {
  it.each([
    [context, 'the service at api.example sent an answer that is no agent job'],
    [aboutJob, 'the service at api.example sent an answer about job job_1 that is no agent job'],
  ])('is one sentence', (call, what) => {
    const error = explainUnreadable('agent job', call);
    expect(error).toMatchObject({ reason: 'unreadable-answer', what });
    expect(error.message).toMatch(sentence);
  });
});
