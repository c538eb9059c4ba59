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

/** One request to the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Segments after the base URL, percent-encoded here. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** One limit over connecting, headers and body. */
  readonly timeoutMs: number;
}

/** What a request came to. Nothing is thrown: a cancelled run is a fault like any other. */
export type ApiResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The parsed JSON; `undefined` when the body was not JSON. */
      readonly body: unknown;
      readonly retryAfterMs: number | undefined;
      /** What tells whether something in front of the API gave it. */
      readonly edgeSigns?: EdgeSigns;
    }
  | {
      readonly kind: 'no-response';
      readonly fault: Fault;
      /** False only where it is proven that the request never left this machine. */
      readonly mayHaveLeft: boolean;
    };

/** The API, reachable under one base URL with one key. */
export interface Client extends AsyncDisposable {
  send(call: ApiRequest): Promise<ApiResponse>;
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
    send: (call) => send(call, options, dispatcher),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

async function send(
  call: ApiRequest,
  options: ClientOptions,
  dispatcher: Dispatcher,
): Promise<ApiResponse> {
  const url = addressOf(call, options.baseUrl);
  const timeout = timeLimit(call.timeoutMs);
  const watch = watchForSending(call.method, url);
  const { signal, release } = joinSignals([timeout, options.cancelled]);
  try {
    return await Promise.race([perform(call, url, options, dispatcher, signal), abortion(signal)]);
  } catch (error) {
    const fault = nameFault(error, timeout, options.cancelled);
    const mayHaveLeft = watch.mayHaveLeft() || !canStrikeBeforeSending(fault);
    return { kind: 'no-response', fault, mayHaveLeft };
  } finally {
    watch.stop();
    release();
  }
}

/**
 * Rejects as soon as the signal is aborted. undici itself heeds a signal only once a connection
 * stands: a silent server or name lookup would hold the request for longer than the runner waits.
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

async function perform(
  call: ApiRequest,
  url: URL,
  options: ClientOptions,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<ApiResponse> {
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
    kind: 'response',
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

function addressOf(call: ApiRequest, baseUrl: URL): URL {
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
