import { integer, literal, maxValue, minValue, number, object, pipe } from 'valibot';
import {
  createHttp,
  type HttpResponse,
  type NoResponse,
  type ProxyRoutes,
} from '../network/http.ts';
import { readRetryAfter } from '../network/retry.ts';
import { parse } from '../text/parse.ts';

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
  | NoResponse;

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
}

/** Creates a client that sends the key to the base URL's origin only. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, cancelled, proxy } = options;
  const http = createHttp({ origin: baseUrl.origin, secret: apiKey, proxy, maxResponseBytes });
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
  return {
    async send({ path, query, body: value, ...call }) {
      const url = new URL(baseUrl.origin);
      const base = baseUrl.pathname.replace(/\/+$/, '');
      url.pathname = [base, ...path.map(encodeURIComponent)].join('/');
      url.search = new URLSearchParams(query).toString();
      const request = { ...call, url, headers, signal: cancelled };
      const outcome = await http.send(
        value === undefined ? request : { ...request, body: JSON.stringify(value) },
      );
      if (outcome.kind === 'no-response') {
        return outcome;
      }
      const { kind, status, body, header } = outcome;
      const retryAfterMs = readRetryAfter(header('retry-after'), header('date'));
      return { kind, status, body, retryAfterMs, edgeSigns: readEdgeSigns(outcome) };
    },
    [Symbol.asyncDispose]: http.close,
  };
}

/** Hints whether a response came from the API, or from something in front of it. */
export interface EdgeSigns {
  /** Cloudflare's id of the request; every response that passes through Cloudflare has one. */
  readonly rayId?: string;
  /** The kind of body, if it is not JSON. */
  readonly body?: 'html' | 'text';
  /** The code of Cloudflare's own error, such as `1010`. */
  readonly cloudflareCode?: string;
}

/**
 * Hexadecimal digits and the airport code of a data centre. Any other text is ignored, because the id is
 * logged, and a server that received the key could send it back here.
 */
const rayId = /^[0-9a-f]{4,40}(?:-[A-Z]{3})?$/i;

const cloudflareText = /^\s{0,9}error code: (\d{3,5})\s{0,9}$/i;

/** Cloudflare's own errors, as it sends them to a client that accepts JSON. */
const cloudflareErrorSchema = object({
  cloudflare_error: literal(true),
  error_code: pipe(number(), integer(), minValue(1), maxValue(99_999)),
});

/** Reads who may have sent a response. */
export function readEdgeSigns({
  header,
  body,
  text,
}: Pick<HttpResponse, 'header' | 'body' | 'text'>): EdgeSigns {
  const ray = header('cf-ray') ?? '';
  const cloudflareCode =
    cloudflareText.exec(text)?.[1] ?? parse(cloudflareErrorSchema, body)?.error_code.toString();
  return {
    ...(rayId.test(ray) && { rayId: ray }),
    ...(body === undefined && { body: isHtml(header('content-type'), text) ? 'html' : 'text' }),
    ...(cloudflareCode !== undefined && { cloudflareCode }),
  };
}

function isHtml(contentType: string | undefined, text: string): boolean {
  return /^\s*text\/html\b/i.test(contentType ?? '') || /^\s{0,99}<(?:!doctype|html)\b/i.test(text);
}
