import {
  createHttp,
  type Http,
  type HttpRequest,
  type HttpResponse,
  type NoResponse,
  type ProxyRoutes,
} from '../network/http.ts';
import {
  checkNetwork,
  RequestFailedError,
  type RequestFailure,
  type RequestLimits,
  type Session,
} from './request.ts';

/** A hundred comments of 65,536 characters, at up to four bytes each. */
const maxResponseBytes = 32 * 1024 * 1024;

/** GitHub's API at the address that the runner names. */
export interface GitHub {
  /** Starts a session with a token. Sessions with the same token share their connections. */
  as(token: string): Session;
  /** Closes open connections, so that Node can end. */
  close(): Promise<void>;
}

interface GitHubOptions {
  /** As in `GITHUB_API_URL`, such as `https://ghe.example/api/v3`. */
  readonly apiUrl: string;
  /** @throws ActionError when a proxy variable cannot be used */
  readonly readProxy: () => ProxyRoutes;
}

/**
 * Makes a client that sends a token to the API's own origin only. Nothing is loaded or opened before the
 * first request, because most runs do not need GitHub at all.
 */
export function createGitHub({ apiUrl, readProxy }: GitHubOptions): GitHub {
  const api = URL.parse(apiUrl);
  const servers = new Map<string, Http>();
  return {
    as: (token) => ({
      async open(limits) {
        if (api === null) {
          throw cannotAsk('the variable GITHUB_API_URL holds no URL', inWorkflow);
        }
        if (token === '') {
          const advice = "leave the input out, which gives it the workflow's own token";
          throw cannotAsk('github-token is empty', advice);
        }
        const { origin, href } = api;
        const http =
          servers.get(token) ??
          createHttp({ origin, secret: token, proxy: readProxy(), maxResponseBytes });
        servers.set(token, http);
        // When `@actions/github` is imported, it reads the event's file.
        const { getOctokit } = await import('@actions/github').catch(() => {
          throw cannotAsk("GitHub's client cannot read the event's file", inWorkflow);
        });
        return getOctokit(token, {
          baseUrl: href.replace(/\/+$/, ''),
          userAgent: 'docs-agent-action',
          request: { fetch: fetchWith(http, limits) },
        });
      },
    }),
    async close() {
      await Promise.all([...servers.values()].map((http) => http.close()));
    },
  };
}

const inWorkflow = 'run this step in a workflow that GitHub starts';

/** The error if a request cannot even be made. */
function cannotAsk(problem: string, advice: string): RequestFailedError {
  return new RequestFailedError({ problem, advice, isRefusal: false });
}

/** The options that Octokit passes to its `fetch`. */
type FetchOptions = Pick<HttpRequest, 'method' | 'headers' | 'body'>;

/** Makes the `fetch` of an Octokit, which throws `RequestFailedError`. */
function fetchWith(http: Http, limits: RequestLimits) {
  return async (address: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const withVersion = { ...headers, 'x-github-api-version': '2022-11-28' };
    const url = new URL(address);
    const outcome = await follow({ method, url, headers: withVersion, body, ...limits }, http);
    if (outcome.kind === 'no-response') {
      throw new RequestFailedError(failureOf(outcome));
    }
    return toResponse(outcome);
  };
}

/** A renamed repository redirects once; more than a few redirects are a loop. */
const maxRedirects = 3;

/** Sends a request, and follows redirects within its own origin, with the same method only. */
async function follow(
  request: HttpRequest,
  http: Http,
  redirects = maxRedirects,
): ReturnType<Http['send']> {
  const outcome = await http.send(request);
  const url = outcome.kind === 'response' ? redirectOf(outcome, request) : null;
  return url?.origin === request.url.origin && redirects > 0
    ? await follow({ ...request, url }, http, redirects - 1)
    : outcome;
}

/** The address to which a response redirects the same request; null if the response is no such redirect. */
function redirectOf({ status, header }: HttpResponse, { method, url }: HttpRequest): URL | null {
  const keepsMethod = status === 307 || status === 308;
  const changesMethod = status === 301 || status === 302;
  const location = keepsMethod || (changesMethod && method === 'GET') ? header('location') : '';
  return location ? URL.parse(location, url.href) : null;
}

/** @throws RequestFailedError for a response that is neither success nor error: Octokit takes it for a success */
function toResponse({ status, header, body, text }: HttpResponse): Response {
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && (status < 400 || status > 599)) {
    const problem = `GitHub responded with ${status}`;
    throw new RequestFailedError({ problem, advice: checkNetwork, isRefusal: false, status });
  }
  // GitHub sends an object or a list. A success that is not JSON comes from something else, such as a proxy.
  const mayBeJson = !isSuccess || /\bjson\b/i.test(header('content-type') ?? '');
  const isJson = mayBeJson && typeof body === 'object' && body !== null;
  const content = isJson ? JSON.stringify(body) : text;
  const headers = keptHeaders.flatMap((name): [string, string][] => {
    const value = header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Response([204, 205].includes(status) ? null : content, {
    status,
    headers: [['content-type', isJson ? 'application/json' : 'text/plain'], ...headers],
  });
}

/** The other headers are left out, because Octokit prints what they say about deprecations. */
const keptHeaders = ['link', 'retry-after', 'x-ratelimit-remaining'];

function failureOf({ fault: { kind, code }, mayHaveLeft }: NoResponse): RequestFailure {
  const what =
    kind === 'proxy' ? 'GitHub could not be reached through the proxy' : 'GitHub did not respond';
  const detail = code === '' ? '' : ` (${code})`;
  return {
    problem: `${what}${kind === 'time-out' ? ' in time' : detail}`,
    isRefusal: false,
    mayHaveHappened: mayHaveLeft,
    retryAfterMs: 0,
  };
}
