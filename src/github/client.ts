import type { getOctokit } from '@actions/github';
import type { Dispatcher } from 'undici';
import { createDispatcher, type ProxyRoutes } from '../network/dispatcher.ts';
import { timeLimit } from '../network/timer.ts';
import { withoutSecretInside } from '../text/secret.ts';
import { type GitHubRequest, type GitHubResponse, noResponse, type Session } from './request.ts';
import { createSafeFetch } from './safe-fetch.ts';

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
  /** Whether the file in `GITHUB_EVENT_PATH` can be parsed; see `loadOctokit`. */
  readonly isEventReadable: () => Promise<boolean>;
}

/**
 * Makes a client that sends a token to the API's own origin only.
 *
 * Nothing is loaded or opened before the first request: most runs do not need GitHub at all, and
 * `@actions/github` takes longer to load than everything else together.
 */
export function createGitHub(options: GitHubOptions): GitHub {
  const { graphqlUrl, readProxy, isEventReadable } = options;
  const api = URL.parse(options.apiUrl);
  let dispatcher: Dispatcher | undefined;
  return {
    graphqlUrl: api !== null && URL.parse(graphqlUrl)?.origin === api.origin ? graphqlUrl : '',
    as(token) {
      let octokit: Promise<Octokit> | undefined;
      return {
        async send(request) {
          if (api === null) {
            return noResponse('no-address');
          }
          if (octokit === undefined && !(await isEventReadable())) {
            return noResponse('no-event');
          }
          dispatcher ??= createDispatcher(api, readProxy(), maxResponseBytes);
          octokit ??= loadOctokit(token, api, dispatcher);
          return withoutToken(await send(request, octokit), token);
        },
      };
    },
    close: async () => dispatcher?.destroy(),
  };
}

type Octokit = ReturnType<typeof getOctokit>;

/**
 * Loads `@actions/github`, which reads the event's file as soon as it is imported: it throws if that
 * is not JSON, and prints the path if there is none. So the file is checked first.
 */
async function loadOctokit(token: string, api: URL, dispatcher: Dispatcher): Promise<Octokit> {
  const { getOctokit } = await import('@actions/github');
  // Octokit prints a server's words about deprecations, and a printed line can be a command.
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  return getOctokit(token, {
    baseUrl: api.href.replace(/\/+$/, ''),
    userAgent: 'docs-agent-action',
    log: silent,
    request: { fetch: createSafeFetch(api.origin, dispatcher), log: silent },
  });
}

function ignore(): void {}

async function send(request: GitHubRequest, loading: Promise<Octokit>): Promise<GitHubResponse> {
  const octokit = await loading.catch(() => undefined);
  if (octokit === undefined) {
    return noResponse('not-loaded');
  }
  const timeout = timeLimit(request.timeoutMs);
  try {
    const { status, data } = await octokit.request(request.route, {
      ...request.parameters,
      headers: { 'x-github-api-version': '2022-11-28' },
      request: { signal: AbortSignal.any([timeout, request.signal]) },
    });
    return { kind: 'response', status, body: data };
  } catch (error) {
    const { readThrown } = await import('./response-schema.ts');
    return timeout.aborted ? noResponse('time-out') : readThrown(error);
  }
}

/** Octokit has parsed the body, so no escape sequence hides the token. */
function withoutToken(response: GitHubResponse, token: string): GitHubResponse {
  return response.kind === 'response'
    ? { ...response, body: withoutSecretInside(response.body, token) }
    : response;
}
