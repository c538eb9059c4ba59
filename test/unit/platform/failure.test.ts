import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../../src/platform/client.ts';
import { type Failure, readReply, unreadable } from '../../../src/platform/failure.ts';

const context = {
  host: 'api.example',
  projectId: 'acme',
  scope: 'write',
  hourlyLimit: 'it is limited',
} as const;
const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);

/** Every status from `first` to `last`. */
function between(first: number, last: number): number[] {
  return statuses.filter((status) => status >= first && status <= last);
}

function read(response: ApiResponse, reason?: string) {
  return readReply(
    response.kind === 'response' && reason !== undefined
      ? { ...response, body: { error: reason } }
      : response,
    context,
  );
}

function response(status: number, retryAfterMs?: number) {
  return { kind: 'response', status, body: { a: 1 }, retryAfterMs } satisfies ApiResponse;
}

function failureOf(response: ApiResponse, reason?: string): Failure | undefined {
  const reply = read(response, reason);
  return reply.kind === 'failure' ? reply.failure : undefined;
}

describe('a reply', () => {
  it('is a success only from 200 to 299', () => {
    const good = statuses.filter((status) => read(response(status)).kind === 'success');
    expect(good).toEqual(between(200, 299));
    expect(read(response(201))).toEqual({ kind: 'success', status: 201, body: { a: 1 } });
  });

  // A request for paid work is retried only after such a reply.
  it('proves with any 4xx except 408 that nothing was done', () => {
    for (const reason of ['no', undefined]) {
      const proofs = statuses.filter((status) => failureOf(response(status), reason)?.didNothing);
      expect(proofs).toEqual(between(400, 499).filter((status) => status !== 408));
    }
  });

  it('that is missing proves it only if the request never left', () => {
    const fault = { kind: 'broken', code: 'ECONNRESET' } as const;
    for (const mayHaveLeft of [true, false]) {
      expect(failureOf({ kind: 'no-response', fault, mayHaveLeft })).toEqual({
        error: expect.objectContaining({ reason: 'unreachable' }),
        isFromApi: false,
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
        isFromApi: false,
        didNothing: false,
      },
    });
  });

  it("is the API's own if its message could be parsed", () => {
    expect(failureOf(response(403), 'no')?.isFromApi).toBe(true);
    expect(failureOf(response(403))?.isFromApi).toBe(false);
  });

  it("is not the API's own if it contains an error of Cloudflare", () => {
    const reply = read({ ...response(403), edgeSigns: { cloudflareCode: '1010' } }, 'no');
    expect(reply).toMatchObject({
      failure: {
        isFromApi: false,
        error: {
          what: 'Cloudflare, in front of the API at api.example, responded with 403 (error 1010)',
        },
      },
    });
  });

  it('has the ray only without a message from the API', () => {
    const refusal: ApiResponse = {
      ...response(403),
      edgeSigns: { rayId: '8f2a-FRA', body: 'html' },
    };
    expect(failureOf(refusal)?.error.what).toContain('(Cloudflare ray 8f2a-FRA)');
    expect(failureOf(refusal, 'no')?.error.what).toBe(
      'the API at api.example responded with 403 ("no")',
    );
  });

  it('keeps its status and Retry-After', () => {
    expect(failureOf(response(429, 5_000))).toMatchObject({ status: 429, retryAfterMs: 5_000 });
    expect(failureOf(response(429))).not.toHaveProperty('retryAfterMs');
  });
});
