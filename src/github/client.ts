import type { getOctokit } from '@actions/github';
import {
  createHttp,
  type Http,
  type HttpRequest,
  type HttpResponse,
  type NoResponse,
  type ProxyRoutes,
} from '../network/http.ts';
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
  /** All sessions with a token share their connections. */
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
 * Makes a client that sends a token to the API's own origin only. Nothing is loaded or opened before the
 * first request, because most runs do not need GitHub at all.
 */
export function createGitHub({ apiUrl, graphqlUrl, readProxy }: GitHubOptions): GitHub {
  const api = URL.parse(apiUrl);
  const connections = new Map<string, Connection>();
  const open = (token: string, { origin, href }: URL): Connection => {
    const http = createHttp({ origin, secret: token, proxy: readProxy(), maxResponseBytes });
    const connection = { http, octokit: loadOctokit(token, href) };
    connections.set(token, connection);
    return connection;
  };
  const isSameOrigin = api !== null && URL.parse(graphqlUrl)?.origin === api.origin;
  return {
    as: (token) => ({
      graphqlUrl: isSameOrigin ? graphqlUrl : '',
      async send(request) {
        if (api === null) {
          return { kind: 'no-response', code: 'no-address', neverLeft: true };
        }
        const { octokit, http } = connections.get(token) ?? open(token, api);
        return await send(request, await octokit, http);
      },
    }),
    async close() {
      await Promise.all([...connections.values()].map(({ http }) => http.close()));
    },
  };
}

type Octokit = ReturnType<typeof getOctokit>;

/** What requests with one token share. */
interface Connection {
  readonly octokit: Promise<Octokit>;
  readonly http: Http;
}

/**
 * When `@actions/github` is imported, it reads the event's file, which nobody here asks of it: it throws
 * if that is not JSON, and prints the path if there is none. So it must not find the file.
 */
async function loadOctokit(token: string, apiUrl: string): Promise<Octokit> {
  delete process.env['GITHUB_EVENT_PATH'];
  const github = await import('@actions/github');
  // Octokit prints a server's words about deprecations, and a printed line can be a command.
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const baseUrl = apiUrl.replace(/\/+$/, '');
  return github.getOctokit(token, { baseUrl, userAgent: 'docs-agent-action', log });
}

function ignore(): void {}

/** The options that Octokit passes to its `fetch`. */
type FetchOptions = Pick<HttpRequest, 'method' | 'headers' | 'body'>;

/** Octokit builds the request, and our request function sends it and keeps the response. */
async function send(
  { route, parameters, timeoutMs, signal }: GitHubRequest,
  octokit: Octokit,
  http: Http,
): Promise<GitHubResponse> {
  return await new Promise((resolve, reject) => {
    const fetch = async (address: string, { method, headers, body }: FetchOptions) => {
      const request = { method, url: new URL(address), headers, body, timeoutMs, signal };
      await follow(request, http).then((outcome) => resolve(toResponse(outcome)), reject);
      return new Response(null, { status: 204 });
    };
    const headers = { 'x-github-api-version': '2022-11-28' };
    octokit.request(route, { ...parameters, headers, request: { fetch } }).catch(reject);
  });
}

/** A renamed repository redirects once; more than a few redirects are a loop. */
const maxRedirects = 3;

/** Sends a request, and follows redirects within its own origin, with the same method only. */
async function follow(request: HttpRequest, http: Http): ReturnType<Http['send']> {
  const { origin } = request.url;
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await http.send({ ...request, url });
    const next = outcome.kind === 'response' ? redirectOf(outcome, request.method, url) : undefined;
    if (next?.origin !== origin || redirects === maxRedirects) {
      return outcome;
    }
    url = next;
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

function toResponse(outcome: HttpResponse | NoResponse): GitHubResponse {
  if (outcome.kind === 'no-response') {
    const { kind, code, proxy } = outcome.fault;
    return {
      kind: 'no-response',
      code: kind === 'time-out' ? kind : code,
      ...(proxy !== undefined && { proxy }),
      ...(!outcome.mayHaveLeft && { neverLeft: true }),
    };
  }
  const { status, header, text } = outcome;
  // A success that says that it is not JSON is not GitHub's answer, even if it reads like one.
  const isAnswer = status >= 300 || /\bjson\b/i.test(header('content-type') ?? '');
  const body = isAnswer ? outcome.body : undefined;
  const rateLimit = rateLimitIn(outcome);
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
