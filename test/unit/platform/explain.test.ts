import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/network/http.ts';
import { faultKinds } from '../../../src/network/http.ts';
import {
  findKeyProblem,
  type RequestContext,
  readReply,
  unreadable,
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

function explain(fault: Fault) {
  const reply = readReply({ kind: 'no-response', fault, mayHaveLeft: true }, context);
  if (reply.kind !== 'failure') {
    throw new Error('A request without a response did not fail.');
  }
  return reply.failure.error;
}

describe('a request without a complete response', () => {
  it('has a different message for each fault', () => {
    const messages = faultKinds
      .map((kind) => explain({ kind, code: '' }))
      .map(({ reason, message }) => {
        expect(reason).toBe('unreachable');
        expect(message).toMatch(sentence);
        return message;
      });
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('has the code if there is one', () => {
    expect(explain({ kind: 'refused', code: 'ECONNREFUSED' }).what).toBe(
      'the API at api.example refused the connection (ECONNREFUSED)',
    );
    expect(explain({ kind: 'refused', code: '' }).what).toBe(
      'the API at api.example refused the connection',
    );
  });
});

describe('a success with another body', () => {
  it.each([
    [context, 'the API at api.example sent a response that is not an agent job'],
    [aboutJob, 'the API at api.example sent a response about job job_1 that is not an agent job'],
  ])('is one sentence', (call, what) => {
    const { error } = unreadable(200, 'an agent job', call).failure;
    expect(error).toMatchObject({ reason: 'unreadable-answer', what });
    expect(error.message).toMatch(sentence);
  });
});
