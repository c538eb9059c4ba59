import { type Dispatcher, request } from 'undici';

/** The options that Octokit passes to its `fetch`. */
interface FetchOptions {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** A renamed repository redirects once; more than a few redirects are a loop. */
const maxRedirects = 3;

/** A response with such a status has no body. */
const statusesWithoutBody: readonly number[] = [204, 205, 304];

/**
 * Makes a `fetch` for Octokit that respects the limits of its dispatcher, and sends the token to the
 * API's own origin only.
 *
 * It follows redirects within that origin only, and only with the same method. Node's own `fetch`
 * would follow them anywhere, include a malformed token in its error, and decompress a response without
 * a limit.
 */
export function createSafeFetch(
  origin: string,
  dispatcher: Dispatcher,
): (address: string, options: FetchOptions) => Promise<Response> {
  return async (address, { method, headers, body, signal }) => {
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      if (url.origin !== origin) {
        throw new Error('The token is sent to the origin of the API only.');
      }
      const response = await request(url, {
        method,
        headers,
        dispatcher,
        body: body ?? null,
        ...(signal && { signal }),
      });
      const target = redirectOf(response, method, url);
      if (target?.origin !== origin || redirects === maxRedirects) {
        return toResponse(response);
      }
      await response.body.dump();
      url = target;
    }
  };
}

function redirectOf(
  { statusCode, headers }: Dispatcher.ResponseData,
  method: Dispatcher.HttpMethod,
  url: URL,
): URL | undefined {
  const keepsMethod = statusCode === 307 || statusCode === 308;
  const changesMethod = statusCode === 301 || statusCode === 302;
  const location = [headers['location']].flat()[0];
  return location !== undefined && (keepsMethod || (changesMethod && method === 'GET'))
    ? (URL.parse(location, url.href) ?? undefined)
    : undefined;
}

/** The headers that anyone reads: what the body is, and what a rate limit asks for. */
const keptHeaders = ['content-type', 'retry-after', 'x-ratelimit-remaining'];

async function toResponse({
  statusCode,
  headers,
  body,
}: Dispatcher.ResponseData): Promise<Response> {
  const text = await body.text();
  const kept = keptHeaders.flatMap((name) => {
    const value = [headers[name]].flat()[0];
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Response(statusesWithoutBody.includes(statusCode) ? null : text, {
    status: statusCode,
    headers: Object.fromEntries(kept),
  });
}
