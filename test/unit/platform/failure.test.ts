import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/platform/client.ts';
import { type Failure, readReply, unreadable } from '../../../src/platform/failure.ts';

const context = { host: 'api.example', projectId: 'acme', hourlyLimit: 'it is limited' };
const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);

/** Every status from `first` to `last`. */
function between(first: number, last: number): number[] {
  return statuses.filter((status) => status >= first && status <= last);
}

function read(exchange: Exchange, reason?: string) {
  return readReply(exchange, context, () => reason);
}

function answer(status: number, retryAfterMs?: number): Exchange {
  return { kind: 'answer', status, body: { a: 1 }, retryAfterMs };
}

function failureOf(exchange: Exchange, reason?: string): Failure | undefined {
  const reply = read(exchange, reason);
  return reply.kind === 'failure' ? reply.failure : undefined;
}

describe('a reply', () => {
  it('is a success from 200 to 299, and nowhere else', () => {
    const good = statuses.filter((status) => read(answer(status)).kind === 'success');
    expect(good).toEqual(between(200, 299));
    expect(read(answer(201))).toEqual({ kind: 'success', status: 201, body: { a: 1 } });
  });

  // A request for paid work is sent again only after such a reply.
  it('proves that nothing was done with 4xx but 408, whoever answers', () => {
    for (const reason of ['no', undefined]) {
      const proofs = statuses.filter((status) => failureOf(answer(status), reason)?.didNothing);
      expect(proofs).toEqual(between(400, 499).filter((status) => status !== 408));
    }
  });

  it('that is none proves it only where the request never left', () => {
    const fault = { kind: 'broken', code: 'ECONNRESET' } as const;
    for (const mayHaveLeft of [true, false]) {
      expect(failureOf({ kind: 'no-answer', fault, mayHaveLeft })).toEqual({
        error: expect.objectContaining({ reason: 'unreachable' }),
        isFromService: false,
        didNothing: !mayHaveLeft,
      });
    }
  });

  it('that is good, but cannot be read, proves nothing', () => {
    expect(unreadable(200, 'agent job', context)).toEqual({
      kind: 'failure',
      failure: {
        status: 200,
        error: expect.objectContaining({ reason: 'unreadable-answer' }),
        isFromService: false,
        didNothing: false,
      },
    });
  });

  it("is the service's own where its reason could be read", () => {
    expect(failureOf(answer(403), 'no')?.isFromService).toBe(true);
    expect(failureOf(answer(403))?.isFromService).toBe(false);
  });

  it('keeps its status, and what it says of when to come back', () => {
    expect(failureOf(answer(429, 5_000))).toMatchObject({ status: 429, retryAfterMs: 5_000 });
    expect(failureOf(answer(429))).not.toHaveProperty('retryAfterMs');
  });
});
