import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer, listen } from '../../sandbox/listen.ts';

/** What the API does with one request. */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string or bytes are sent unchanged, anything else as JSON. */
      readonly body?: unknown;
    }
  /** Anything else, such as to break the connection or not to respond. */
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A request that arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A real HTTP server on loopback that follows a script. */
export interface ScriptedApi {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Such as `POST /v2/agent/p/job`, in order. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

/**
 * Nobody listens there. The port of a server that was closed may be that of another test's server at once,
 * and no server gets this one by chance.
 */
export const closedUrl = 'http://127.0.0.1:9';

/**
 * @param script the replies in order; the last one is used for all later requests
 * @param onArrival called for each request before the response
 */
export async function scriptedApi(
  script: readonly Reply[],
  onArrival: (arrival: Arrival, count: number) => void = () => {},
): Promise<ScriptedApi> {
  const arrivals: Arrival[] = [];
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const { method = '', url = '', headers } = request;
    const arrival = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    arrivals.push(arrival);
    calls.push(`${method} ${url}`);
    onArrival(arrival, arrivals.length);
    const reply = script[arrivals.length - 1] ?? script.at(-1);
    answer(reply ?? { status: 500 }, request, response);
  });
  return {
    url: await listen(server, 0),
    arrivals,
    calls,
    close: () => closeServer(server),
  };
}

export function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function answer(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  if (typeof reply === 'function') {
    reply(request, response);
    return;
  }
  const { body = '' } = reply;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(isRaw ? body : JSON.stringify(body));
}

/** Breaks the connection without a response. */
export const reset: Reply = (request) => request.socket.destroy();

/** Never responds. */
export const silence: Reply = () => {};

/** Sends headers and half a body, then breaks the connection. */
export const halfAnswer: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":', () => response.socket?.destroy());
};

/** Sends headers, then nothing more. */
export const silentBody: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
};

/** An agent job, as the API returns it. */
export function jobBody(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 'job_8f2',
    status: 'active',
    source: { repository: 'acme/docs', ref: 'docs-agent/job_8f2' },
    model: 'model-1',
    prLink: null,
    createdAt: '2026-01-05T08:00:00Z',
    archivedAt: null,
    ...fields,
  };
}

export const created: Reply = { status: 201, body: jobBody() };
export const active: Reply = { status: 200, body: jobBody() };
export const prLink = 'https://github.com/acme/docs/pull/12';
export const done: Reply = { status: 200, body: jobBody({ status: 'completed', prLink }) };

export function ended(status: string, fields: Readonly<Record<string, unknown>> = {}): Reply {
  return { status: 200, body: jobBody({ status, ...fields }) };
}

export function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: { error: `refused with ${status}` } };
}
