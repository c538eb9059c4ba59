import { type Dispatcher, request } from 'undici';
import { createDispatcher, type ProxyRoutes } from '../network/dispatcher.ts';
import { joinSignals } from '../network/joined-signal.ts';
import { timeLimit } from '../network/timer.ts';
import { withoutSecret, withoutSecretInside } from '../text/secret.ts';
import { type EdgeSigns, readEdgeSigns } from './edge.ts';
import { canStrikeBeforeSending, type Fault, readFault } from './fault.ts';
import { readRetryAfter } from './retry-after.ts';
import { watchForSending } from './sent-watch.ts';

/** A job is about 1 kB, a page of visitors about 50 kB. */
const maxResponseBytes = 4 * 1024 * 1024;

/** One request to the service. */
export interface Call {
  readonly method: 'GET' | 'POST';
  /** Segments after the base URL, percent-encoded here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** One limit over connecting, headers and body. */
  readonly timeoutMs: number;
}

/** What came of a call. Nothing is thrown: a cancelled run is a fault like any other. */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The parsed JSON; `undefined` when the body was not JSON. */
      readonly body: unknown;
      readonly retryAfterMs: number | undefined;
      /** What tells whether something in front of the API gave it. */
      readonly edgeSigns?: EdgeSigns;
    }
  | {
      readonly kind: 'no-answer';
      readonly fault: Fault;
      /** False only where it is proven that the request never left this machine. */
      readonly mayHaveLeft: boolean;
    };

/** The service, reachable under one base URL with one key. */
export interface Client extends AsyncDisposable {
  exchange(call: Call): Promise<Exchange>;
  /** Drops open connections, so that Node can end. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClientOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly cancelled: AbortSignal;
  readonly proxy: ProxyRoutes;
  /** Milliseconds since 1970, to read a `Retry-After` date. */
  readonly todayMs: () => number;
}

/**
 * Makes a client that follows no redirect, sends the key to the base URL's origin alone, and keeps
 * it out of every error.
 */
export function createClient(options: ClientOptions): Client {
  const dispatcher = createDispatcher(options.baseUrl, options.proxy, maxResponseBytes);
  return {
    exchange: (call) => exchange(call, options, dispatcher),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

async function exchange(
  call: Call,
  options: ClientOptions,
  dispatcher: Dispatcher,
): Promise<Exchange> {
  const url = addressOf(call, options.baseUrl);
  const timeout = timeLimit(call.timeoutMs);
  const watch = watchForSending(call.method, url);
  const { signal, release } = joinSignals([timeout, options.cancelled]);
  try {
    return await Promise.race([send(call, url, options, dispatcher, signal), abortion(signal)]);
  } catch (error) {
    const fault = nameFault(error, timeout, options.cancelled);
    const mayHaveLeft = watch.mayHaveLeft() || !canStrikeBeforeSending(fault);
    return { kind: 'no-answer', fault, mayHaveLeft };
  } finally {
    watch.stop();
    release();
  }
}

/**
 * Rejects as soon as the signal is aborted. undici itself heeds a signal only once a connection
 * stands: a silent server or name lookup would hold the call for longer than the runner's patience.
 */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    if (signal.aborted) {
      abort();
    }
  });
}

function nameFault(error: unknown, timeout: AbortSignal, cancelled: AbortSignal): Fault {
  if (cancelled.aborted) {
    return { kind: 'cancelled', code: '' };
  }
  return timeout.aborted ? { kind: 'time-out', code: '' } : readFault(error);
}

async function send(
  call: Call,
  url: URL,
  options: ClientOptions,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Exchange> {
  const response = await request(url, {
    method: call.method,
    dispatcher,
    signal,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${options.apiKey}`,
      'user-agent': 'docs-agent-action',
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    },
    body: call.body === undefined ? null : JSON.stringify(call.body),
  });
  const header = (name: string): string | undefined => [response.headers[name]].flat()[0];
  const text = await response.body.text();
  const body = withoutSecretInside(parseJson(text), options.apiKey);
  return {
    kind: 'answer',
    status: response.statusCode,
    body,
    retryAfterMs: readRetryAfter(header('retry-after'), options.todayMs()),
    edgeSigns: readEdgeSigns(
      withoutSecret(header('cf-ray') ?? '', options.apiKey),
      header('content-type'),
      body === undefined ? text : undefined,
    ),
  };
}

function addressOf(call: Call, baseUrl: URL): URL {
  const base = baseUrl.pathname.replace(/\/+$/, '');
  const url = new URL(baseUrl.origin);
  url.pathname = [base, ...call.path.map(encodeURIComponent)].join('/');
  url.search = new URLSearchParams(call.query).toString();
  return url;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
