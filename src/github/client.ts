import type { Octokit } from '@octokit/core';
import type { Dispatcher } from 'undici';
import { createDispatcher, type ProxyRoutes } from '../network/dispatcher.ts';
import { timeLimit } from '../network/timer.ts';
import { withoutSecretInside } from '../text/secret.ts';
import type { GitHubRequest, GitHubResponse, Session } from './request.ts';
import { createSafeFetch } from './safe-fetch.ts';

/** A hundred comments of 65,536 characters, at up to four bytes each. */
const maxResponseBytes = 32 * 1024 * 1024;

/** GitHub's API at the addresses that the runner names. */
export interface GitHub {
  /** The address for queries in GraphQL; empty where it has another origin than the API. */
  readonly graphqlUrl: string;
  as(token: string): Session;
  /** Drops open connections, so that Node can end. */
  close(): Promise<void>;
}

export interface GitHubOptions {
  /** As in `GITHUB_API_URL`, such as `https://ghe.example/api/v3`. */
  readonly apiUrl: string;
  /** As in `GITHUB_GRAPHQL_URL`. */
  readonly graphqlUrl: string;
  /** @throws EnvironmentError when a proxy variable cannot be used */
  readonly readProxy: () => ProxyRoutes;
}

/**
 * Makes a client that sends a token to the API's origin alone.
 *
 * Nothing is loaded or opened before the first call: most runs need no GitHub at all, and Octokit
 * takes longer to load than everything else together.
 */
export function createGitHub({ apiUrl, graphqlUrl, readProxy }: GitHubOptions): GitHub {
  const api = URL.parse(apiUrl);
  let dispatcher: Dispatcher | undefined;
  return {
    graphqlUrl: api !== null && URL.parse(graphqlUrl)?.origin === api.origin ? graphqlUrl : '',
    as(token) {
      let octokit: Promise<Octokit> | undefined;
      return {
        async exchange(call) {
          if (api === null) {
            return { kind: 'no-response', code: 'no-address' };
          }
          dispatcher ??= createDispatcher(api, readProxy(), maxResponseBytes);
          octokit ??= loadOctokit(token, api, dispatcher);
          return withoutToken(await exchange(await octokit, call), token);
        },
      };
    },
    close: async () => dispatcher?.destroy(),
  };
}

async function loadOctokit(token: string, api: URL, dispatcher: Dispatcher): Promise<Octokit> {
  const { Octokit } = await import('@octokit/core');
  // Octokit prints what a server says of deprecations, and a printed line can be a command.
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  return new Octokit({
    auth: token,
    baseUrl: api.href.replace(/\/+$/, ''),
    userAgent: 'docs-agent-action',
    log: silent,
    request: { fetch: createSafeFetch(api.origin, dispatcher), log: silent },
  });
}

function ignore(): void {}

async function exchange(octokit: Octokit, call: GitHubRequest): Promise<GitHubResponse> {
  const timeout = timeLimit(call.timeoutMs);
  try {
    const { status, data } = await octokit.request(call.route, {
      ...call.parameters,
      headers: { 'x-github-api-version': '2022-11-28' },
      request: { signal: AbortSignal.any([timeout, call.signal]) },
    });
    return { kind: 'response', status, body: data };
  } catch (error) {
    const { readThrown } = await import('./response-schema.ts');
    return timeout.aborted ? { kind: 'no-response', code: 'time-out' } : readThrown(error);
  }
}

/** Octokit has parsed the answer, whatever it was, so no escape hides the token any more. */
function withoutToken(exchange: GitHubResponse, token: string): GitHubResponse {
  return exchange.kind === 'response'
    ? { ...exchange, body: withoutSecretInside(exchange.body, token) }
    : exchange;
}
