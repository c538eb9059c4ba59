import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { closeServer, listen } from '../../sandbox/listen.ts';
import type { Counts } from '../../src/platform/visitors.ts';
import { leaveUnanswered } from './jumping-clock.ts';

/* What is there when an action runs: Mintlify's API, GitHub and proxies, as real servers on loopback. */

/** What a server does with one request. */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string or bytes are sent unchanged, anything else as JSON. */
      readonly body?: unknown;
    }
  /** Anything else, such as to break the connection or not to respond. */
  | ((request: IncomingMessage, response: ServerResponse, body: string) => void);

/** A request that arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A server with scripted replies. */
export interface ScriptedServer {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Such as `GET /path?query`, in order. */
  readonly calls: readonly string[];
  /** Those that start something, or send something. */
  readonly posts: readonly string[];
  close(): Promise<void>;
}

/**
 * Nobody listens there. The port of a server that was closed may be that of another test's server at once,
 * and no server gets this one by chance.
 */
export const closedUrl = 'http://127.0.0.1:9';

async function startServer(choose: (arrival: Arrival) => Reply): Promise<ScriptedServer> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const arrival = { method, path: url, headers, body: await readText(request) };
    arrivals.push(arrival);
    const reply = choose(arrival);
    if (typeof reply === 'function') {
      reply(request, response, arrival.body);
      return;
    }
    const { body = '' } = reply;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  const callOf = ({ method, path }: Arrival) => `${method} ${path}`;
  return {
    url: await listen(server, 0),
    arrivals,
    get calls() {
      return arrivals.map(callOf);
    },
    get posts() {
      return arrivals.filter(({ method }) => method === 'POST').map(callOf);
    },
    close: () => closeServer(server),
  };
}

export function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The requests that cost something, as `posts` has them. */
export const create = 'POST /v2/agent/acme/job';
export const followUp = 'POST /v2/agent/acme/job/job_8f2/message';

/** Breaks the connection without a response. */
export const reset: Reply = (request) => request.socket.destroy();

/** Never responds. */
export const silence: Reply = (request) => leaveUnanswered(request.socket.remotePort);

/** Sends headers, then nothing more. */
export const silentBody: Reply = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
  leaveUnanswered(request.socket.remotePort);
};

/* Mintlify's API */

export type ScriptedApi = ScriptedServer;

/**
 * @param script the replies in order; the last one is used for all later requests
 * @param onArrival called for each request before the response
 */
export function scriptedApi(
  script: readonly Reply[],
  onArrival: (arrival: Arrival, count: number) => void = () => {},
): Promise<ScriptedApi> {
  let count = 0;
  return startServer((arrival) => {
    count += 1;
    onArrival(arrival, count);
    return script[count - 1] ?? script.at(-1) ?? { status: 500 };
  });
}

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

export interface Row extends Counts {
  readonly path: string;
}

/** Visitors of a page: this many, all human. */
export function row(path: string, counts: Partial<Counts> = {}): Row {
  const { total = 10, human = total, ai = 0 } = counts;
  return { path, human, ai, total };
}

export function rows(count: number, prefix = '/page-'): readonly Row[] {
  return Array.from({ length: count }, (_, index) => row(`${prefix}${index}`));
}

export const totals: Counts = { human: 900, ai: 300, total: 1000 };

/** A response with these rows. */
export function batch(visitors: readonly Row[], hasMore = false): Reply {
  return { status: 200, body: { totals, visitors, hasMore } };
}

/** The responses to an export of these rows, 250 in each. */
export function batches(all: readonly Row[]): readonly Reply[] {
  const count = Math.max(1, Math.ceil(all.length / 250));
  return Array.from({ length: count }, (_, index) =>
    batch(all.slice(index * 250, (index + 1) * 250), index + 1 < count),
  );
}

/* GitHub */

/** Replies by `GET /path`, without the query. Several are used in order, the last one repeatedly. */
export type Routes = Readonly<Record<string, Reply | readonly Reply[]>>;

/** Replies by `GET /path`, without the query, and by the request. */
export type Script = (route: string, arrival: Arrival) => Reply;

export type ScriptedGitHub = ScriptedServer;

export const notFound: Reply = { status: 404, body: { message: 'Not Found' } };

/** A GitHub with scripted responses, and 404 for every other request. */
export function scriptedGitHub(script: Routes | Script): Promise<ScriptedGitHub> {
  const counts = new Map<string, number>();
  return startServer((arrival) => {
    const route = `${arrival.method} ${arrival.path.split('?')[0]}`;
    const count = counts.get(route) ?? 0;
    counts.set(route, count + 1);
    const replies = [
      typeof script === 'function' ? script(route, arrival) : (script[route] ?? notFound),
    ].flat();
    const reply = replies[Math.min(count, replies.length - 1)] ?? { status: 500 };
    return typeof reply === 'function' ? reply : { body: {}, ...reply };
  });
}

const repository = '/repos/acme/product';

/** GitHub's responses about users, by login: a role, or 404. */
export function permissions(roles: Readonly<Record<string, string | 404>>): Routes {
  const coarse: Record<string, string> = { maintain: 'write', triage: 'read' };
  return Object.fromEntries(
    Object.entries(roles).map(([login, role]) => [
      `GET ${repository}/collaborators/${login}/permission`,
      role === 404
        ? { status: 404, body: { message: `${login} is not a user` } }
        : {
            status: 200,
            body: {
              permission: coarse[role] ?? role,
              role_name: role,
              user: { login, type: 'User' },
            },
          },
    ]),
  );
}

export const bot = 'github-actions[bot]';

/** An installation token: only GraphQL returns its login. */
export const installation: Routes = {
  'POST /graphql': { status: 200, body: { data: { viewer: { login: bot } } } },
  'GET /user': { status: 403, body: { message: 'Resource not accessible by integration' } },
};

export const commentsPath = `${repository}/issues/7/comments`;

/** An issue without comments, for which every request succeeds. */
export const quietIssue: Routes = {
  [`GET ${commentsPath}`]: { status: 200, body: [] },
  [`POST ${commentsPath}`]: { status: 201, body: { id: 501 } },
  [`GET ${repository}/issues/comments/501`]: { status: 200, body: { id: 501 } },
  [`PATCH ${repository}/issues/comments/501`]: { status: 200, body: { id: 501 } },
};

/** A scripted GitHub and a scripted API, which are closed after the test. */
export async function startBoth(
  routes: Routes,
  scriptOf: (github: ScriptedGitHub) => readonly Reply[],
): Promise<{ github: ScriptedGitHub; api: ScriptedApi }> {
  const github = await scriptedGitHub(routes);
  const api = await scriptedApi(scriptOf(github));
  onTestFinished(async () => {
    await Promise.all([github.close(), api.close()]);
  });
  return { github, api };
}

/* Proxies */

/** A proxy that records its requests, and handles the connection with a function. */
export interface Proxy {
  readonly url: string;
  /** The first line of each request: `CONNECT host:port HTTP/1.1`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Refuses every request with 403. */
export function refuse(socket: Socket): void {
  socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
}

/** Accepts a CONNECT, then breaks the connection during the TLS handshake. */
export function acceptThenBreak(socket: Socket): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.once('data', () => socket.destroy());
}

export async function startProxy(handle: (socket: Socket) => void): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      asked.push(bytes.toString('latin1').split('\r\n')[0] ?? '');
      handle(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
