import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * What a step can know about a fault, which decides what it may do:
 *
 * - `harmless`: the response is still good.
 * - `never-left`: the request provably did not leave this machine.
 * - `lost`: the request may have arrived, and no readable response shows whether it did.
 * - `later`: the API refused it temporarily, with no effect.
 * - `much-later`: the same, but for longer than the step waits.
 * - `status`: a response of this status with a page of a proxy; each request has expectations of its own.
 */
export type Knowledge = 'harmless' | 'never-left' | 'lost' | 'later' | 'much-later' | 'status';

/** The environment of the connection to a server. */
export type Surroundings =
  | 'plain'
  | 'nobody listens'
  | 'plain behind https'
  | 'trusted TLS'
  | 'strange TLS'
  | 'proxy refuses'
  | 'proxy breaks TLS'
  | 'proxy for nothing';

/** A request, as it was received. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A response. A body of text or bytes is sent unchanged, anything else as JSON. */
export interface RawResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface FaultContext {
  /** The response of a working service. */
  readonly good: RawResponse;
  /** Another origin, where nothing may arrive. */
  readonly elsewhere: string;
  /** How many times faster than real time the step's clock runs. */
  readonly speed: number;
  /** The secret that the step sends to this server only. */
  readonly secret: string;
}

export interface Fault {
  readonly name: string;
  readonly knowledge: Knowledge;
  /** Whether it is tried at every request, and not only at one of each client. */
  readonly isOfItsKind: boolean;
  readonly status?: number;
  readonly surroundings?: Surroundings;
  /** Whether only a time-out ends the request. */
  readonly isSilent?: boolean;
  /** Whether even a GET request has to wait longer than the step does. */
  readonly isPutOff?: boolean;
  /** The reason that a retried GET request ends with; `unreachable` by default. */
  readonly told?: 'unreadable-answer' | 'request-refused';
  /** Handles a connection before a request is read. */
  readonly connection?: (socket: Socket) => void;
  /** Handles a complete request; the default is the good response. */
  readonly request?: (socket: Socket, context: FaultContext) => void;
}

/** The bytes of a response after which the connection ends. */
function responseBytes({ status, headers = {}, body = '' }: RawResponse): Buffer {
  const isRaw = Buffer.isBuffer(body) || typeof body === 'string';
  const content = Buffer.from(isRaw ? body : JSON.stringify(body));
  const all = {
    'content-type': 'application/json',
    'content-length': String(content.length),
    connection: 'close',
    ...headers,
  };
  return Buffer.concat([Buffer.from(head(status, all), 'latin1'), content]);
}

/** A status line and header lines, with an empty line at the end. */
function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Whatever'}\r\n${lines.join('')}\r\n`;
}

/** Sends a response and ends the connection. */
export function send(socket: Socket, response: RawResponse): void {
  socket.end(responseBytes(response));
}

/** Writes repeatedly, as fast as the other side reads, until the connection is closed. */
function flood(socket: Socket, bytes: Buffer | string): void {
  const write = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
}

/** Writes one byte at a time. */
function drip(socket: Socket, bytes: Buffer, pauseMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.writable && sent < bytes.length) {
      socket.write(bytes.subarray(sent, sent + 1));
      sent += 1;
    }
  }, pauseMs);
  socket.on('close', () => clearInterval(timer));
}

/** A response but for its last bytes. */
function mostOf(response: RawResponse): Buffer {
  return responseBytes(response).subarray(0, -20);
}

type Request = NonNullable<Fault['request']>;
type Respond = (context: FaultContext) => RawResponse;
type Traits = Partial<Fault>;

const kind: Traits = { isOfItsKind: true };
const responding =
  (respond: Respond): Request =>
  (socket, context) =>
    send(socket, respond(context));

const fault = (name: string, knowledge: Knowledge, traits: Traits = {}): Fault => ({
  name,
  knowledge,
  isOfItsKind: false,
  ...traits,
});
const lost = (name: string, request: Request, traits?: Traits) =>
  fault(name, 'lost', { request, ...traits });
const silent = (name: string, request: Request, traits?: Traits) =>
  lost(name, request, { isSilent: true, ...traits });
const unreadable = (name: string, body: unknown, traits?: Traits) =>
  lost(
    name,
    responding(() => ({ status: 200, body })),
    { told: 'unreadable-answer', ...traits },
  );
const readable = (name: string, respond: Respond, traits?: Traits) =>
  fault(name, 'harmless', { request: responding(respond), ...traits });
/** The good response, with another body. */
const changed = (change: (json: string) => unknown): Respond => {
  return ({ good }) => ({ ...good, body: change(JSON.stringify(good.body)) });
};
const inside = (extra: (json: string) => string) =>
  changed((json) => `${json.slice(0, -1)},${extra(json)}}`);
const garbled = (name: string, change: (json: string) => unknown) =>
  lost(name, responding(changed(change)), { told: 'unreadable-answer' });
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** A connection that breaks, stalls or sends nonsense. */
const brokenConnections: readonly Fault[] = [
  fault('refused', 'never-left', { surroundings: 'nobody listens', ...kind }),
  fault('accepted and closed', 'lost', { connection: (socket) => socket.destroy(), ...kind }),
  lost('reset after the request', (socket) => socket.resetAndDestroy(), kind),
  lost('closed after the request', (socket) => socket.end()),
  lost('half headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty')),
  lost('half body', (socket, { good }) => socket.end(mostOf(good))),
  silent('silence before the headers', () => undefined, kind),
  silent('silence in the body', (socket, { good }) => socket.write(mostOf(good))),
  silent('one byte a second', (socket, { good, speed }) =>
    drip(socket, responseBytes(good), 1000 / speed),
  ),
  lost('garbage instead of HTTP', (socket) =>
    socket.end(Buffer.concat([Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), Buffer.alloc(999, 0xfe)])),
  ),
];

const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n';
const chunked = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
const lengthAndChunks = { 'content-length': '2', 'transfer-encoding': 'chunked' };

/** Responses that HTTP forbids, or that never end. */
const strangeHttp: readonly Fault[] = [
  silent('a storm of 103', (socket) => flood(socket, hint.repeat(200))),
  fault('one 103, then good', 'harmless', {
    request: (socket, { good }) => {
      socket.write(hint);
      send(socket, good);
    },
  }),
  lost('101 that nobody asked for', (socket) =>
    socket.end(head(101, { connection: 'upgrade', upgrade: 'websocket' })),
  ),
  lost('chunks without end', (socket) => {
    socket.write(chunked);
    flood(socket, `10000\r\n${' '.repeat(0x10000)}\r\n`);
  }),
  lost('headers without end', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, `x-${'y'.repeat(1000)}: z\r\n`);
  }),
  lost('a chunk of a length that is none', (socket) =>
    socket.end(`${chunked}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
  ),
  lost('a length and chunks at once', (socket) =>
    socket.end(`${head(200, lengthAndChunks)}2\r\n{}\r\n0\r\n\r\n`),
  ),
  lost('two lengths', (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x'),
  ),
  fault('a second response behind the first', 'harmless', {
    request: (socket, { good }) =>
      socket.end(Buffer.concat([responseBytes(good), responseBytes({ status: 500 })])),
  }),
];

/** Complete responses with a good status and a strange body. */
const oddBodies: readonly Fault[] = [
  lost(
    'gzip bomb',
    responding(() => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(52_428_800)),
    })),
    { told: 'unreadable-answer', ...kind },
  ),
  readable('wrong content type', ({ good }) => ({
    ...good,
    headers: { 'content-type': 'image/png; charset=utf-16' },
  })),
  unreadable('a web page', '<!doctype html><title>Sign in</title>', kind),
  unreadable('empty body', ''),
  unreadable('null', 'null'),
  unreadable('a number', '1e999'),
  unreadable('a list', []),
  unreadable('an object of another kind', { jobs: [], visitors: 'many' }),
  unreadable('fields of other types', { id: 7, status: ['completed'], totals: null }),
  unreadable('100,000 lists inside each other', nested(100_000)),
  readable(
    'deep nesting beside the response',
    inside(() => `"x":${nested(500)}`),
  ),
  readable(
    'every key twice',
    inside((json) => json.slice(1, -1)),
    kind,
  ),
  readable(
    'huge numbers',
    inside(() => `"x":1e999,"y":${'9'.repeat(5000)}`),
  ),
  garbled('all of it below __proto__', (json) => `{"__proto__":${json}}`),
  readable(
    '__proto__ beside it',
    inside(() => '"__proto__":{"prLink":7}'),
  ),
  readable(
    'a byte order mark',
    changed((json) => `\uFEFF${json}`),
  ),
  garbled('UTF-16', (json) => Buffer.from(json, 'utf16le')),
  garbled('cut in the middle', (json) => json.slice(0, -9)),
];

const redirects = [302, 308].map((status) =>
  lost(
    `${status} to another origin`,
    responding(({ elsewhere }) => ({
      status,
      headers: { location: `${elsewhere}/stolen`, refresh: `0; url=${elsewhere}` },
    })),
    { told: 'request-refused', isOfItsKind: status === 302 },
  ),
);

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

/** Of a response: a date says nothing without the response's own. */
const headersFor = (retryAfter: string) => ({ 'retry-after': retryAfter, date: inSeconds(0) });

const limited = (name: string, value: () => string, knowledge: Knowledge, traits?: Traits) =>
  fault(`429, Retry-After: ${name}`, knowledge, {
    request: responding(() => ({
      status: 429,
      headers: headersFor(value()),
      body: { error: 'slow down' },
    })),
    ...traits,
  });

/** A server that is not there now: the header is read as for 429, so only what it changes is repeated. */
const unavailable = (name: string, value: () => string, traits?: Traits) =>
  lost(
    `503, Retry-After: ${name}`,
    responding(() => ({ status: 503, headers: headersFor(value()) })),
    traits,
  );

const delays: readonly Fault[] = [
  limited('seconds', () => '3', 'later', kind),
  limited('zero', () => '0', 'later'),
  limited('a date', () => inSeconds(30), 'later'),
  limited('a date that is past', () => inSeconds(-86_400), 'later'),
  limited('absurd', () => '999999999999', 'much-later', kind),
  limited('too long for a number', () => '9'.repeat(400), 'later'),
  limited('negative', () => '-5', 'later'),
  limited('nonsense', () => '::error::soon', 'later'),
  unavailable('seconds', () => '3'),
  unavailable('absurd', () => '999999999999', { isPutOff: true, ...kind }),
  unavailable('nonsense', () => '::error::soon'),
];

const encryption: readonly Fault[] = [
  fault('TLS, unknown authority', 'never-left', { surroundings: 'strange TLS' }),
  fault('TLS, private authority that is trusted', 'harmless', { surroundings: 'trusted TLS' }),
  fault('https, but no TLS there', 'never-left', { surroundings: 'plain behind https' }),
  fault('proxy that refuses CONNECT', 'never-left', { surroundings: 'proxy refuses' }),
  fault('proxy that breaks TLS', 'never-left', { surroundings: 'proxy breaks TLS' }),
  fault('proxy set, API on loopback', 'harmless', { surroundings: 'proxy for nothing', ...kind }),
];

const echoed = lost(
  '500 that repeats the secret',
  responding(({ secret }) => {
    const words = `Bearer ${secret}`;
    // Once complete, and once where the sentence is cut.
    const text = `${'x'.repeat(55)} ${words} ${'x'.repeat(195)} ${words}`;
    return { status: 500, headers: { 'x-echo': words }, body: { error: text, message: text } };
  }),
  kind,
);

/**
 * Statuses with all that an action tells apart: those that servers, proxies and CDNs really send, and the
 * last of each hundred, which is no registered one.
 */
const statuses: readonly number[] = [
  ...[200, 201, 202, 204, 205, 206, 299, 300, 301, 303, 304, 307, 399],
  ...[400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 422, 424, 425, 426, 429, 431, 451, 499],
  ...[500, 501, 502, 503, 504, 520, 599],
];
const toldApart = new Set([204, 304, 400, 401, 403, 404, 408, 425, 429, 503]);

const proxyPages = statuses.map((status) =>
  fault(`page with status ${status}`, 'status', {
    status,
    isOfItsKind: toldApart.has(status),
    request: responding(() => ({
      status,
      headers: { 'content-type': 'text/html', server: 'proxy' },
      body: `<html><head><title>${status}</title></head><body>::error::${status}</body></html>`,
    })),
  }),
);

export const faults: readonly Fault[] = [
  ...brokenConnections,
  ...strangeHttp,
  ...oddBodies,
  ...redirects,
  ...delays,
  ...encryption,
  echoed,
  ...proxyPages,
];
