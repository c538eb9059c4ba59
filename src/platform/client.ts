import { type Dispatcher, request } from 'undici';
import { createDispatcher, type ProxyRoutes } from '../network/dispatcher.ts';
import { joinSignals } from '../network/joined-signal.ts';
import { timeLimit } from '../network/timer.ts';
import { withoutSecret, withoutSecretInside } from '../text/secret.ts';
import { type EdgeSigns, readEdgeSigns } from './edge.ts';
import { canOccurBeforeSending, type Fault, readFault } from './fault.ts';
import { readRetryAfter } from './retry-after.ts';
import { watchForSending } from './sent-watch.ts';

/** A job is about 1 kB, a page of visitors about 50 kB. */
const maxResponseBytes = 4 * 1024 * 1024;

/** One request to the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path segments after the base URL; the client percent-encodes them. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The time limit from connecting to the end of the body. */
  readonly timeoutMs: number;
}

/** The outcome of a request. Nothing is thrown: a cancelled run is also a fault. */
export type ApiResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The parsed JSON; `undefined` when the body was not JSON. */
      readonly body: unknown;
      readonly retryAfterMs: number | undefined;
      /** Hints that something in front of the API sent the response. */
      readonly edgeSigns?: EdgeSigns;
    }
  | {
      readonly kind: 'no-response';
      readonly fault: Fault;
      /** False only if the request provably never left this machine. */
      readonly mayHaveLeft: boolean;
    };

/** The API at one base URL, used with one key. */
export interface Client extends AsyncDisposable {
  send(call: ApiRequest): Promise<ApiResponse>;
  /** Drops open connections, so that Node can exit. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClientOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly cancelled: AbortSignal;
  readonly proxy: ProxyRoutes;
  /** Milliseconds since 1970, for dates in `Retry-After`. */
  readonly todayMs: () => number;
}

/**
 * Creates a client that follows no redirects, sends the key to the base URL's origin only, and keeps the
 * key out of all errors.
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
    const mayHaveLeft = watch.mayHaveLeft() || !canOccurBeforeSending(fault);
    return { kind: 'no-response', fault, mayHaveLeft };
  } finally {
    watch.stop();
    release();
  }
}

/**
 * Rejects as soon as the signal is aborted. undici checks the signal only once it is connected, so a
 * slow name lookup or connection would otherwise block the step for longer than the runner waits.
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
