import type { ApiResponse, Client } from '../../src/platform/client.ts';

/** The API of `api.example`, without a server. */
export function fakeClient(send: Client['send']): Client {
  return {
    host: 'api.example',
    send,
    async [Symbol.asyncDispose]() {},
  };
}

/** A response with a JSON body; without one, it is empty. */
export function apiResponse(status: number, body?: unknown, retryAfterMs?: number) {
  const text = body === undefined ? '' : JSON.stringify(body);
  return {
    kind: 'response',
    status,
    body,
    text,
    retryAfterMs,
    rayId: undefined,
  } satisfies ApiResponse;
}
