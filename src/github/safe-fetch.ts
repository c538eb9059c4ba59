import { type Dispatcher, request } from 'undici';

/** What Octokit hands to a `fetch` of one's own. */
interface FetchOptions {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** A renamed repository answers with one redirect; more than a few are a loop. */
const maxRedirects = 3;

/** Statuses of an answer that may have no body. */
const bodiless: readonly number[] = [204, 205, 304];

/**
 * A `fetch` for Octokit that knows the limits of its dispatcher and keeps the token at home.
 *
 * Redirects are followed inside the API's own origin alone, and repeated with their own method or
 * not at all. Node's own `fetch` would follow them anywhere, show a malformed token in its error,
 * and unpack an answer beyond any limit.
 */
export function createSafeFetch(
  origin: string,
  dispatcher: Dispatcher,
): (address: string, options: FetchOptions) => Promise<Response> {
  return async (address, { method, headers, body, signal }) => {
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      if (url.origin !== origin) {
        throw new Error('A token is sent to the origin of the API alone.');
      }
      const answer = await request(url, {
        method,
        headers,
        dispatcher,
        body: body ?? null,
        ...(signal && { signal }),
      });
      const target = redirectOf(answer, method, url);
      if (target?.origin !== origin || redirects === maxRedirects) {
        return toResponse(answer);
      }
      await answer.body.dump();
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

async function toResponse({
  statusCode,
  headers,
  body,
}: Dispatcher.ResponseData): Promise<Response> {
  const text = await body.text();
  const type = [headers['content-type']].flat()[0];
  return new Response(bodiless.includes(statusCode) ? null : text, {
    status: statusCode,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}
