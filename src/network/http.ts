import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { addAbortListener } from 'node:events';
import type { Dispatcher } from 'undici';
import { parseJsonWithout, withoutSecret } from '../text/secret.ts';
import { isLoopback } from '../text/url.ts';
import { timeLimit } from './timer.ts';

/** The proxies for https and http, and the hosts that need no proxy, separated by commas; each may be empty. */
export interface ProxyRoutes {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

export interface HttpRequest {
  readonly method: Dispatcher.HttpMethod;
  /** An address with the server's own origin. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; `undefined` for a request without a body. */
  readonly body?: string | undefined;
  /** One limit for connecting, headers and body together. */
  readonly timeoutMs: number;
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** A response of any status. The secret does not occur in it. */
export interface HttpResponse {
  readonly kind: 'response';
  readonly status: number;
  /** The value of a header, or the first of several values. The name is given in lower case. */
  header(name: string): string | undefined;
  /** The parsed JSON; `undefined` if the body is not JSON. */
  readonly body: unknown;
  readonly text: string;
}

/** Why there was no complete response. */
export const faultKinds = [
  'name',
  'connection',
  'certificate',
  'encryption',
  'proxy',
  'time-out',
  'too-large',
  'broken',
  'cancelled',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The error's code, such as `ENOTFOUND`; empty if the error has no code. */
  readonly code: string;
}

/** There is no complete response. */
export interface NoResponse {
  readonly kind: 'no-response';
  readonly fault: Fault;
  /** False only if the request provably never left this machine. */
  readonly mayHaveLeft: boolean;
}

/** One server, used with one secret. */
export interface Http {
  /** Never rejects: a cancelled run is also a fault. */
  send(request: HttpRequest): Promise<HttpResponse | NoResponse>;
  /** Drops open connections, so that Node can exit. */
  close(): Promise<void>;
}

interface HttpOptions {
  /** The server. The secret goes nowhere else. */
  readonly origin: string;
  /** Replaced by `***` in everything that the server sends. */
  readonly secret: string;
  readonly proxy: ProxyRoutes;
  readonly maxResponseBytes: number;
}

/** Creates a client for one server, which follows no redirects. */
export function createHttp(options: HttpOptions): Http {
  const { origin, proxy, maxResponseBytes } = options;
  let opened: Promise<Dispatcher> | undefined;
  const open = async (): Promise<Dispatcher> => {
    const { Agent, EnvHttpProxyAgent } = await import('undici');
    const settings = { allowH2: false, maxResponseSize: maxResponseBytes };
    // A request to a loopback address uses no proxy: the request can be plain http, so a proxy would see the secret.
    return isLoopback(new URL(origin).hostname)
      ? new Agent(settings)
      : new EnvHttpProxyAgent({ ...settings, ...proxy });
  };
  return {
    async send(call) {
      const timeout = timeLimit(call.timeoutMs);
      const signal = AbortSignal.any([timeout, call.signal]);
      const watch = watchForSending(call.method, call.url);
      try {
        if (call.url.origin !== origin) {
          throw new Error('The secret is sent to its own server only.');
        }
        signal.throwIfAborted();
        opened ??= open();
        const response = opened.then((dispatcher) =>
          perform({ ...call, signal }, options.secret, dispatcher),
        );
        // undici checks the signal only once it is connected, so a slow name lookup or connection would
        // otherwise block the step for longer than the runner waits. The listener is removed with the
        // request: as long as a combined signal has a listener, Node keeps the signal, and with it the
        // response.
        const aborted = Promise.withResolvers<never>();
        using _listener = addAbortListener(signal, () => aborted.reject(signal.reason));
        return await Promise.race([response, aborted.promise]);
      } catch (error) {
        const fault = nameFault(error, timeout, call.signal);
        const mayHaveLeft = watch.mayHaveLeft() || !canOccurBeforeSending(fault);
        return { kind: 'no-response', fault, mayHaveLeft };
      } finally {
        watch.stop();
      }
    },
    close: async () => (await opened?.catch(() => undefined))?.destroy(),
  };
}

async function perform(
  { method, url, headers, body, signal }: HttpRequest,
  secret: string,
  dispatcher: Dispatcher,
): Promise<HttpResponse> {
  const response = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      'user-agent': 'docs-agent-action',
      // A body that is compressed all the same cannot be read, and counts as one that is not JSON.
      'accept-encoding': 'identity',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body ?? null,
    signal,
  });
  const header = (name: string): string | undefined => [response.headers[name]].flat()[0];
  const text = await response.body.text();
  return {
    kind: 'response',
    status: response.statusCode,
    header: (name) => withoutSecret(header(name) ?? '', secret) || undefined,
    body: parseJsonWithout(text, secret),
    text: withoutSecret(text, secret),
  };
}

function nameFault(error: unknown, timeout: AbortSignal, cancelled: AbortSignal): Fault {
  if (cancelled.aborted) {
    return { kind: 'cancelled', code: '' };
  }
  return timeout.aborted ? { kind: 'time-out', code: '' } : readFault(error);
}

const kinds: readonly (readonly [pattern: RegExp, kind: FaultKind])[] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'name'],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    'connection',
  ],
  [/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/, 'certificate'],
  [/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, 'encryption'],
  // undici throws UND_ERR_ABORTED if a proxy responds to CONNECT with anything but 200.
  [/^(?:UND_ERR_PRX_\w+|UND_ERR_ABORTED)$/, 'proxy'],
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, 'time-out'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'too-large'],
];

/** Codes of a connection that broke, either before or after the request was sent. */
const brokenConnection = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/;

/** Classifies an error of the HTTP client by its code. Its message could contain secrets. */
export function readFault(error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'broken';
  return { kind, code: /^\w{1,60}$/.test(code) ? code : '' };
}

/** Whether a fault can occur before anything is sent. An unknown fault is assumed to occur later. */
export function canOccurBeforeSending({ kind, code }: Fault): boolean {
  return kind !== 'too-large' && (kind !== 'broken' || brokenConnection.test(code));
}

/** The channel where undici publishes a request when it writes the request's headers to a socket, and not earlier. */
const sendHeaders = 'undici:client:sendHeaders';

/**
 * Watches whether a request may have left this machine.
 *
 * Error codes do not show this, because a connection can be reset before or after the request. Requests
 * that are clearly different, such as `CONNECT` to a proxy, are ignored. Any other counts as ours,
 * because an unnecessary error is better than a second job.
 */
export function watchForSending(method: string, url: URL) {
  let left = false;
  const listen = (message: unknown): void => {
    left ||= !isAnotherRequest(message, method, url);
  };
  subscribe(sendHeaders, listen);
  return { mayHaveLeft: () => left, stop: () => unsubscribe(sendHeaders, listen) };
}

function isAnotherRequest(message: unknown, method: string, url: URL): boolean {
  const sent = property(message, 'request');
  const itsMethod = property(sent, 'method');
  const itsPath = property(sent, 'path');
  if (typeof itsMethod !== 'string' || typeof itsPath !== 'string') {
    return false;
  }
  const path = `${url.pathname}${url.search}`;
  // A request to a plain http proxy has the absolute URL as its path.
  return itsMethod !== method || (itsPath !== path && itsPath !== `${url.origin}${path}`);
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
