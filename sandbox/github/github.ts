import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type HttpResponse, send } from '../http.ts';
import { closeServer, listen } from '../listen.ts';
import { applyEffect, type Fault, faultFinder } from './faults.ts';
import { gitRoutes } from './git-routes.ts';
import { graphqlRoutes } from './graphql.ts';
import { otherRoutes } from './other-routes.ts';
import { refusalOf, roleRefusal } from './permissions.ts';
import { type GitHubRequest, type Identity, router } from './route.ts';
import { type Shower, shower } from './show.ts';
import {
  type GitHubState,
  newState,
  notFound,
  Refusal,
  type Repository,
  repositoryOf,
} from './state.ts';
import { threadRoutes } from './thread-routes.ts';

interface GitHubOptions {
  readonly repositories: readonly Repository[];
  /** See `GitHubState`; nobody by default. */
  readonly roles?: GitHubState['roles'];
  /** The owners of tokens; other tokens are refused. By default every token is a workflow's own. */
  readonly identities?: ReadonlyMap<string, Identity>;
  /** 0, the default, for any free port. */
  readonly port?: number;
  readonly faults?: readonly Fault[];
  /** The base URL of links to web pages; that of this GitHub by default. */
  readonly serverUrl?: string;
  /** Waited before each response; 0 by default. */
  readonly latencyMs?: number;
  /**
   * GitHub gives up a query of GraphQL after ten seconds or some effort, which it does not publish. Here a
   * query whose texts have more bytes than this gets 502; no limit by default.
   */
  readonly maxTextBytes?: number;
}

/** A request, and what came of it. */
export interface SeenRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly body: string;
  readonly token: string | undefined;
  /** The login of the token's owner; undefined for no token or an unknown one. */
  readonly login: string | undefined;
  /** 0 without a response. */
  readonly status: number;
}

/** A GitHub on this machine: repositories of git, and everything else in memory. */
export interface GitHub extends GitHubState {
  /** The base URL of the API, without a slash at the end. */
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Shows what is stored as the API does. */
  readonly show: Shower;
  /** Closes the repositories, too. */
  close(): Promise<void>;
}

const workflow: Identity = { login: 'github-actions[bot]', isApp: true };

export async function startGitHub(options: GitHubOptions): Promise<GitHub> {
  const { repositories, identities, roles = {}, latencyMs = 0 } = options;
  const state = newState(repositories, roles);
  const requests: SeenRequest[] = [];
  const effectOn = faultFinder(options.faults ?? []);
  const find = router({
    ...otherRoutes,
    ...gitRoutes,
    ...threadRoutes,
    ...graphqlRoutes(options.maxTextBytes),
  });
  /** Set as soon as the server listens, because it needs the server's address. */
  let show: Shower;
  let changes: Promise<unknown> = Promise.resolve();

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, identities);
    const { method, path, query, token, body, identity } = request;
    const effect = effectOn(`${method} ${path}${query}\n${path === '/graphql' ? body : ''}`);
    await sleep(effect?.kind === 'late' ? effect.delayMs : 0);
    const response = applyEffect(effect, await respondInTurn(request), outgoing);
    const status = response?.status ?? 0;
    requests.push({ method, path: path + query, body, token, login: identity?.login, status });
    await sleep(latencyMs);
    if (response !== undefined) {
      send(outgoing, response);
    }
  }

  /** Handles requests that change something one after the other, since each may take several commands of git. */
  function respondInTurn(request: GitHubRequest): Promise<HttpResponse> {
    if (request.method === 'GET') {
      return respond(request);
    }
    const response = changes.then(() => respond(request));
    changes = response;
    return response;
  }

  async function respond(request: GitHubRequest): Promise<HttpResponse> {
    try {
      refuse(request);
      return await route(request);
    } catch (error) {
      if (error instanceof Refusal) {
        return { status: error.status, body: { message: error.message } };
      }
      const isInvalid = error instanceof v.ValiError || error instanceof SyntaxError;
      return { status: isInvalid ? 422 : 500, body: { message: String(error) } };
    }
  }

  /** @throws {Refusal} */
  async function route(request: GitHubRequest): Promise<HttpResponse> {
    const found = find(request);
    // As `gh pr diff` asks for it.
    if (/\.(?:diff|patch)\b/.test(request.accept)) {
      throw new Refusal(415, 'This stand-in for GitHub has no diffs as text');
    }
    if (found === undefined) {
      throw notFound();
    }
    const { handle: respondTo, parts } = found;
    return await respondTo({
      ...{ request, state, show },
      login: request.identity?.login ?? '',
      get repository() {
        return repositoryOf(state, parts['repo'] ?? '');
      },
      part: (name) => decodeURIComponent(parts[name] ?? ''),
      query: new URLSearchParams(request.query),
      body: (schema) => v.parse(schema, request.body === '' ? {} : JSON.parse(request.body)),
      allow: (method, path) => refuse({ ...request, method, path }),
      async rest(method, path, body) {
        const other = { ...request, method, path, query: '', body: JSON.stringify(body ?? {}) };
        refuse(other);
        await route(other);
      },
    });
  }

  /** @throws {Refusal} of a request that its token does not allow */
  function refuse(request: GitHubRequest): void {
    const { identity, token, path } = request;
    if (token !== undefined && identity === undefined) {
      throw new Refusal(401, 'Bad credentials');
    }
    const [, name] = /^\/repos\/([^/]+\/[^/]+)/.exec(path) ?? [];
    const isPull = (number: number) =>
      state.threads.some((each) => each.repository === name && each.number === number && each.pull);
    const refusal =
      identity?.access === undefined
        ? roleRefusal(request, roles[identity?.login ?? ''])
        : refusalOf(request, identity.access, isPull);
    if (refusal !== undefined) {
      throw refusal;
    }
  }

  // If the server closes a connection at the moment of the next request, fetch reports a failure.
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    void handle(incoming, outgoing);
  });
  const url = await listen(server, options.port ?? 0);
  show = shower(state, options.serverUrl ?? url, url);
  return {
    ...state,
    url,
    requests,
    show,
    async close() {
      await closeServer(server);
      await Promise.all(repositories.map(({ git }) => git.close()));
    },
  };
}

async function readRequest(
  incoming: IncomingMessage,
  identities: GitHubOptions['identities'],
): Promise<GitHubRequest> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { pathname, search } = new URL(url, 'http://loopback');
  const token = /^(?:Bearer|token) (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const identity = identities === undefined ? workflow : identities.get(token ?? '');
  return {
    ...{ method, path: pathname, query: search, token },
    host: headers.host ?? '',
    accept: headers.accept ?? '',
    identity: token === undefined ? undefined : identity,
    body: await text(incoming),
  };
}
