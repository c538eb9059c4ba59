import { endpoint } from '@octokit/endpoint';
import { createHttp, type Http, type HttpResponse, type ProxyRoutes } from '../network/http.ts';
import {
  type GitHubRequest,
  type GitHubResponse,
  messageIn,
  type RateLimit,
  type Session,
} from './request.ts';

/** A hundred comments of 65,536 characters, at up to four bytes each. */
const maxResponseBytes = 32 * 1024 * 1024;

/** GitHub's API at the addresses that the runner names. */
export interface GitHub {
  /** The address for GraphQL queries; empty where it has another origin than the API. */
  readonly graphqlUrl: string;
  as(token: string): Session;
  /** Closes open connections, so that Node can end. */
  close(): Promise<void>;
}

interface GitHubOptions {
  /** As in `GITHUB_API_URL`, such as `https://ghe.example/api/v3`. */
  readonly apiUrl: string;
  /** As in `GITHUB_GRAPHQL_URL`. */
  readonly graphqlUrl: string;
  /** @throws ActionError when a proxy variable cannot be used */
  readonly readProxy: () => ProxyRoutes;
}

/**
 * Makes a client that sends a token to the API's own origin only. Nothing is opened before the first
 * request, because most runs do not need GitHub at all.
 */
export function createGitHub({ apiUrl, graphqlUrl, readProxy }: GitHubOptions): GitHub {
  const api = URL.parse(apiUrl);
  const opened: Http[] = [];
  return {
    graphqlUrl: api !== null && URL.parse(graphqlUrl)?.origin === api.origin ? graphqlUrl : '',
    as(token) {
      let http: Http | undefined;
      return {
        async send(request) {
          if (api === null) {
            return { kind: 'no-response', code: 'no-address' };
          }
          if (http === undefined) {
            const { origin } = api;
            http = createHttp({ origin, secret: token, proxy: readProxy(), maxResponseBytes });
            opened.push(http);
          }
          return await send(request, api, token, http);
        },
      };
    },
    close: async () => void (await Promise.all(opened.map((http) => http.close()))),
  };
}

/** A renamed repository redirects once; more than a few redirects are a loop. */
const maxRedirects = 3;

async function send(
  { route, parameters, timeoutMs, signal }: GitHubRequest,
  api: URL,
  token: string,
  http: Http,
): Promise<GitHubResponse> {
  const { method, url, headers, body } = endpoint(route, {
    ...parameters,
    baseUrl: api.href.replace(/\/+$/, ''),
    headers: {
      authorization: `token ${token}`,
      'user-agent': 'docs-agent-action',
      'x-github-api-version': '2022-11-28',
    },
  });
  const texts = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  );
  let target = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await http.send({
      method,
      url: target,
      headers: texts,
      body,
      timeoutMs,
      signal,
    });
    if (outcome.kind === 'no-response') {
      const { kind, code } = outcome.fault;
      return { kind: 'no-response', code: kind === 'time-out' ? kind : code };
    }
    const next = redirectOf(outcome, method, target);
    if (next?.origin !== api.origin || redirects === maxRedirects) {
      return toResponse(outcome);
    }
    target = next;
  }
}

/** Where a response sends the same request. */
function redirectOf({ status, header }: HttpResponse, method: string, url: URL): URL | undefined {
  const keepsMethod = status === 307 || status === 308;
  const changesMethod = status === 301 || status === 302;
  const location = header('location');
  return location !== undefined && (keepsMethod || (changesMethod && method === 'GET'))
    ? (URL.parse(location, url.href) ?? undefined)
    : undefined;
}

function toResponse(response: HttpResponse): GitHubResponse {
  const { status, body, text } = response;
  const rateLimit = rateLimitIn(response);
  return { kind: 'response', status, body: body ?? text, ...(rateLimit && { rateLimit }) };
}

/** GitHub answers 429, or 403 as for a missing permission. */
function rateLimitIn({ status, header, body }: HttpResponse): RateLimit | undefined {
  const retryAfter = header('retry-after');
  const isNamed = () =>
    retryAfter !== undefined ||
    header('x-ratelimit-remaining') === '0' ||
    /\brate limit\b/i.test(messageIn(body));
  return status === 429 || (status === 403 && isNamed())
    ? { retryAfterMs: /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : undefined }
    : undefined;
}
