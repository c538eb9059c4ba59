import { createHttp, type NoResponse, type ProxyRoutes } from '../network/http.ts';
import { readRetryAfter } from '../network/retry.ts';

/** A job is about 1 kB, a page of visitors about 50 kB. */
const maxResponseBytes = 4 * 1024 * 1024;

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
      readonly text: string;
      readonly retryAfterMs: number | undefined;
      /**
       * The id that Cloudflare, in front of the API, gave to the request. Mintlify's support finds the
       * request by it.
       */
      readonly rayId: string | undefined;
    }
  | NoResponse;

/** The API at one base URL, used with one key. */
export interface Client extends AsyncDisposable {
  /** Host of the base URL, with the port if it is not the default. */
  readonly host: string;
  send(request: ApiRequest): Promise<ApiResponse>;
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
export function createClient({ baseUrl, apiKey, cancelled, proxy }: ClientOptions): Client {
  const http = createHttp({ origin: baseUrl.origin, secret: apiKey, proxy, maxResponseBytes });
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
  return {
    host: baseUrl.host,
    async send({ path, query, body, ...call }) {
      const url = new URL(baseUrl.origin);
      const base = baseUrl.pathname.replace(/\/+$/, '');
      url.pathname = [base, ...path.map(encodeURIComponent)].join('/');
      url.search = new URLSearchParams(query).toString();
      const request = { ...call, url, headers, body: JSON.stringify(body), signal: cancelled };
      const outcome = await http.send(request);
      if (outcome.kind === 'no-response') {
        return outcome;
      }
      const { header, ...response } = outcome;
      const retryAfterMs = readRetryAfter(header('retry-after'));
      return { ...response, retryAfterMs, rayId: header('cf-ray') };
    },
    [Symbol.asyncDispose]: http.close,
  };
}
