import { describe, expect, it } from 'vitest';
import { faultKinds } from '../../../src/network/fault.ts';
import {
  explainFault,
  explainUnreadable,
  findKeyProblem,
  type RequestContext,
} from '../../../src/platform/failure.ts';

const context: RequestContext = {
  host: 'api.example',
  projectId: 'acme',
  scope: 'write',
  hourlyLimit: 'it takes 5 in an hour',
};
const aboutJob: RequestContext = { ...context, jobId: 'job_1' };

/** What happened, a colon, and what to do. */
const sentence = /^(?!.*undefined)The API at api\.example [^:]*[^:\s]: [^:\s][^:]*[^:\s]\.$/;

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

describe('a request without a complete response', () => {
  it('has a different message for each fault', () => {
    const messages = faultKinds
      .map((kind) => explainFault({ kind, code: '' }, context))
      .map(({ reason, message }) => {
        expect(reason).toBe('unreachable');
        expect(message).toMatch(sentence);
        return message;
      });
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('has the code if there is one', () => {
    expect(explainFault({ kind: 'refused', code: 'ECONNREFUSED' }, context).what).toBe(
      'the API at api.example refused the connection (ECONNREFUSED)',
    );
    expect(explainFault({ kind: 'refused', code: '' }, context).what).toBe(
      'the API at api.example refused the connection',
    );
  });
});

describe('a success with another body', () => {
  it.each([
    [context, 'the API at api.example sent a response that is not an agent job'],
    [aboutJob, 'the API at api.example sent a response about job job_1 that is not an agent job'],
  ])('is one sentence', (call, what) => {
    const error = explainUnreadable('an agent job', call);
    expect(error).toMatchObject({ reason: 'unreadable-answer', what });
    expect(error.message).toMatch(sentence);
  });
});
