import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { drip, flood, head, type RawResponse, responseBytes, send } from './http-bytes.ts';

/**
 * What a step can know about a fault, which decides what it may do:
 *
 * - `harmless`: the response is still good.
 * - `never-left`: the request provably did not leave this machine.
 * - `lost`: the request may have arrived, and no readable response shows whether it did.
 * - `later`: the API refused it temporarily, with no effect.
 * - `much-later`: the same, but for longer than the step waits.
 */
export type Knowledge = 'harmless' | 'never-left' | 'lost' | 'later' | 'much-later';

/** The environment of the connection to the API. */
export type Surroundings =
  | 'plain'
  | 'nobody listens'
  | 'the name is lost'
  | 'plain behind https'
  | 'trusted TLS'
  | 'strange TLS'
  | 'proxy refuses'
  | 'proxy breaks TLS'
  | 'proxy for nothing';

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

type Respond = (context: FaultContext) => RawResponse;

const responding =
  (respond: Respond) =>
  (socket: Socket, context: FaultContext): void =>
    send(socket, respond(context));

const lost = (name: string, request: Fault['request']): Fault => ({
  name,
  knowledge: 'lost',
  ...(request && { request }),
});

const silent = (name: string, request: Fault['request']): Fault => ({
  ...lost(name, request),
  isSilent: true,
});

/** A connection that breaks, stalls or sends nonsense. */
const brokenConnections: readonly Fault[] = [
  { name: 'refused', knowledge: 'never-left', surroundings: 'nobody listens' },
  { name: 'name that does not resolve', knowledge: 'never-left', surroundings: 'the name is lost' },
  { name: 'accepted and closed', knowledge: 'lost', connection: (socket) => socket.destroy() },
  lost('reset after the request', (socket) => socket.resetAndDestroy()),
  lost('closed after the request', (socket) => socket.end()),
  lost('half headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty')),
  lost('half body', (socket, { good }) => {
    const bytes = responseBytes(good);
    socket.end(bytes.subarray(0, bytes.length - 20));
  }),
  silent('silence before the headers', () => undefined),
  silent('silence in the body', (socket, { good }) => {
    const bytes = responseBytes(good);
    socket.write(bytes.subarray(0, bytes.length - 20));
  }),
  silent('one byte a second', (socket, { good, speed }) =>
    drip(socket, responseBytes(good), 1000 / speed),
  ),
  lost('garbage instead of HTTP', (socket) =>
    socket.end(Buffer.concat([Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), Buffer.alloc(999, 0xfe)])),
  ),
];

const hints = Buffer.from(
  'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'.repeat(200),
);
const chunked = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });

/** Responses that HTTP forbids, or that never end. */
const strangeHttp: readonly Fault[] = [
  silent('a storm of 103', (socket) => flood(socket, hints)),
  {
    name: 'one 103, then good',
    knowledge: 'harmless',
    request: (socket, { good }) => {
      socket.write(hints.subarray(0, hints.length / 200));
      send(socket, good);
    },
  },
  lost('101 that nobody asked for', (socket) =>
    socket.end(head(101, { connection: 'upgrade', upgrade: 'websocket' })),
  ),
  lost('chunks without end', (socket) => {
    socket.write(chunked);
    flood(socket, Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`));
  }),
  lost('headers without end', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    flood(socket, Buffer.from(`x-${'y'.repeat(1000)}: z\r\n`));
  }),
  lost('a chunk of a length that is none', (socket) =>
    socket.end(`${chunked}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
  ),
  lost('a length and chunks at once', (socket) =>
    socket.end(
      `${head(200, { 'content-length': '2', 'transfer-encoding': 'chunked' })}2\r\n{}\r\n0\r\n\r\n`,
    ),
  ),
  lost('two lengths', (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x'),
  ),
  {
    name: 'a second response behind the first',
    knowledge: 'harmless',
    request: (socket, { good }) =>
      socket.end(Buffer.concat([responseBytes(good), responseBytes({ status: 500 })])),
  },
];

const gzipBomb = gzipSync(Buffer.alloc(52_428_800));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const asBody =
  (body: unknown): Respond =>
  () => ({ status: 200, body });
const changed =
  (change: (json: string) => unknown): Respond =>
  ({ good }) => ({ ...good, body: change(JSON.stringify(good.body)) });
const inside = (json: string, extra: string) => `${json.slice(0, -1)},${extra}}`;

const unreadable = (name: string, respond: Respond): Fault => ({
  ...lost(name, responding(respond)),
  told: 'unreadable-answer',
});
const readable = (name: string, respond: Respond): Fault => ({
  name,
  knowledge: 'harmless',
  request: responding(respond),
});

/** Complete responses with a good status and a strange body. */
const oddBodies: readonly Fault[] = [
  lost(
    'gzip bomb',
    responding(() => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipBomb,
    })),
  ),
  readable('gzip', ({ good }) => ({
    ...good,
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(good.body)),
  })),
  unreadable('HTML with 200', () => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!doctype html><title>Sign in</title><script>location="/"</script>',
  })),
  readable('wrong content type', ({ good }) => ({
    ...good,
    headers: { 'content-type': 'image/png; charset=utf-16' },
  })),
  unreadable('empty body', asBody('')),
  unreadable('null', asBody('null')),
  unreadable('a number', asBody('1e999')),
  unreadable('a list', asBody([])),
  unreadable('an object of another kind', asBody({ jobs: [], visitors: 'many' })),
  unreadable('fields of other types', asBody({ id: 7, status: ['completed'], totals: null })),
  unreadable('100,000 lists inside each other', asBody(nested(100_000))),
  readable(
    'deep nesting beside the response',
    changed((json) => inside(json, `"x":${nested(500)}`)),
  ),
  readable(
    'every key twice',
    changed((json) => inside(json, json.slice(1, -1))),
  ),
  readable(
    'huge numbers',
    changed((json) => inside(json, `"x":1e999,"y":${'9'.repeat(5000)}`)),
  ),
  unreadable(
    'all of it below __proto__',
    changed((json) => `{"__proto__":${json}}`),
  ),
  readable(
    '__proto__ beside it',
    changed((json) => inside(json, '"__proto__":{"prLink":7}')),
  ),
  readable(
    'a byte order mark',
    changed((json) => `\uFEFF${json}`),
  ),
  unreadable(
    'UTF-16',
    changed((json) => Buffer.from(json, 'utf16le')),
  ),
  unreadable(
    'cut in the middle',
    changed((json) => json.slice(0, -9)),
  ),
];

const redirects: readonly Fault[] = [302, 308].map((status) => ({
  ...lost(
    `${status} to another origin`,
    responding(({ elsewhere }) => ({
      status,
      headers: { location: `${elsewhere}/stolen`, refresh: `0; url=${elsewhere}` },
    })),
  ),
  told: 'request-refused',
}));

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

const retryAfters: readonly (readonly [name: string, value: () => string, Knowledge])[] = [
  ['seconds', () => '3', 'later'],
  ['zero', () => '0', 'later'],
  ['a date', () => inSeconds(30), 'later'],
  ['a date that is past', () => inSeconds(-86_400), 'later'],
  ['a date far away', () => inSeconds(86_400_000), 'much-later'],
  ['absurd', () => '999999999999', 'much-later'],
  ['too long for a number', () => '9'.repeat(400), 'later'],
  ['negative', () => '-5', 'later'],
  ['nonsense', () => '::error::soon', 'later'],
];

/** Of a response: a date says nothing without the response's own. */
const headersFor = (retryAfter: string) => ({ 'retry-after': retryAfter, date: inSeconds(0) });

const rateLimits: readonly Fault[] = retryAfters.map(([name, value, knowledge]) => ({
  name: `429, Retry-After: ${name}`,
  knowledge,
  request: responding(() => ({
    status: 429,
    headers: headersFor(value()),
    body: { error: 'slow down' },
  })),
}));

/** The header is read as for 429, so only what it changes is repeated. */
const unavailable: readonly Fault[] = retryAfters
  .filter(([name]) => ['seconds', 'a date far away', 'nonsense'].includes(name))
  .map(([name, value, knowledge]) => ({
    ...lost(
      `503, Retry-After: ${name}`,
      responding(() => ({ status: 503, headers: headersFor(value()) })),
    ),
    isPutOff: knowledge === 'much-later',
  }));

const encryption: readonly Fault[] = [
  { name: 'TLS, unknown authority', knowledge: 'never-left', surroundings: 'strange TLS' },
  {
    name: 'TLS, private authority that is trusted',
    knowledge: 'harmless',
    surroundings: 'trusted TLS',
  },
  { name: 'https, but no TLS there', knowledge: 'never-left', surroundings: 'plain behind https' },
  { name: 'proxy that refuses CONNECT', knowledge: 'never-left', surroundings: 'proxy refuses' },
  { name: 'proxy that breaks TLS', knowledge: 'never-left', surroundings: 'proxy breaks TLS' },
  {
    name: 'proxy set, API on loopback',
    knowledge: 'harmless',
    surroundings: 'proxy for nothing',
  },
];

const echoes: readonly Fault[] = [
  lost(
    '500 that repeats the secret',
    responding(({ secret }) => {
      const words = `Bearer ${secret}`;
      // Once complete, and once where the sentence is cut.
      const text = `${'x'.repeat(55)} ${words} ${'x'.repeat(195)} ${words}`;
      return { status: 500, headers: { 'x-echo': words }, body: { error: text, message: text } };
    }),
  ),
];

/** All faults except responses that differ only in their status. */
export const faults: readonly Fault[] = [
  ...brokenConnections,
  ...strangeHttp,
  ...oddBodies,
  ...redirects,
  ...rateLimits,
  ...unavailable,
  ...encryption,
  ...echoes,
];
