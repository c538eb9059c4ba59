import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpResponse, send } from '../../http.ts';
import { closeServer, listen } from '../../listen.ts';
import { type CommitReports, checkRunRoutes, noReports, reportRoutes } from '../checks.ts';
import { executeQuery } from '../git/execute-query.ts';
import { notFound, objectRoutes } from '../git/object-routes.ts';
import type { GitStore } from '../git/store.ts';
import { refusalOf } from '../permissions.ts';
import type { Identity, ProxiedRequest, Route } from '../route.ts';
import { applyEffect, type Fault, faultFinder } from './faults.ts';
import { type DeclaredPull, pullRoutes } from './pulls.ts';
import { noThreads, type Threads, threadRoutes } from './threads.ts';

/** A repository that the stand-in serves. */
export interface ServedRepository {
  /** `owner/name` */
  readonly name: string;
  readonly store: GitStore;
  /** Callers may add to it. */
  readonly pulls: readonly DeclaredPull[];
  readonly defaultBranch?: string;
  /** A private repository is not found without a token that is in `identities`. */
  readonly isPrivate?: boolean;
}

interface StandInOptions {
  readonly repositories: readonly ServedRepository[];
  /** The owners of tokens; other tokens are refused. By default every token is a workflow's own. */
  readonly identities?: ReadonlyMap<string, Identity>;
  readonly faults?: readonly Fault[];
  /** The base URL of links to web pages; that of the stand-in by default. */
  readonly serverUrl?: string;
  /** Waited before each response; 0 by default. */
  readonly latencyMs?: number;
  /** See `QuerySource`. */
  readonly maxTextBytes?: number;
}

/** A request, as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  readonly token: string | undefined;
  /** 0 without a response. */
  readonly status: number;
}

/** A GitHub with the repositories and pull requests that the caller declares. It changes no repository. */
export interface StandIn extends CommitReports, Threads {
  readonly url: string;
  /** Oldest first. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

const workflow: Identity = { login: 'github-actions[bot]', isApp: true };

/** Starts the stand-in on a free port. `close` leaves the stores open. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { repositories, identities, latencyMs = 0 } = options;
  const reports = noReports();
  const threads = noThreads();
  const requests: SeenRequest[] = [];
  const effectOn = faultFinder(options.faults ?? []);
  let routes: readonly Route[] = [];

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, identities);
    const { method, path, query, token, body } = request;
    const effect = effectOn(`${method} ${path}${query}\n${path === '/graphql' ? body : ''}`);
    const response = applyEffect(effect, await respond(request), outgoing);
    requests.push({ method, path: path + query, body, token, status: response?.status ?? 0 });
    await sleep(latencyMs);
    if (response !== undefined) {
      send(outgoing, response);
    }
  }

  async function respond(request: ProxiedRequest): Promise<HttpResponse> {
    if (request.token !== undefined && request.identity === undefined) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    const visible = new Map(
      repositories
        .filter(({ isPrivate }) => isPrivate !== true || request.identity !== undefined)
        .map((repository) => [repository.name, withDefaults(repository)]),
    );
    if (request.path === '/graphql') {
      return query(request, visible);
    }
    const access = request.identity?.access;
    // All threads here are those of pull requests.
    const refusal = access && (await refusalOf(request, access, async () => true));
    if (refusal !== undefined) {
      return refusal;
    }
    const [, repository] = /^\/repos\/([^/]+\/[^/]+)/.exec(request.path) ?? [];
    if (repository !== undefined && !visible.has(repository)) {
      return notFound;
    }
    return dispatch(routes, request).catch((error) => ({
      status: 500,
      body: { message: String(error) },
    }));
  }

  async function query(
    { identity, body }: ProxiedRequest,
    visible: ReadonlyMap<string, ReturnType<typeof withDefaults>>,
  ): Promise<HttpResponse> {
    if (identity === undefined) {
      return { status: 401, body: { message: 'This endpoint requires you to be authenticated.' } };
    }
    const { login } = identity;
    const { maxTextBytes } = options;
    return executeQuery(body, { repository: (name) => visible.get(name), login, maxTextBytes });
  }

  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  const url = await listen(server, 0);
  const find = (name: string) => {
    const repository = repositories.find((each) => each.name === name);
    return repository && withDefaults(repository);
  };
  routes = [
    userRoute,
    ...pullRoutes(options.serverUrl ?? url, find),
    ...objectRoutes((name) => find(name)?.store),
    ...checkRunRoutes(reports),
    ...reportRoutes(reports),
    ...threadRoutes(threads),
  ];
  return { url, requests, ...reports, ...threads, close: () => closeServer(server) };
}

function withDefaults(repository: ServedRepository) {
  const { defaultBranch = 'main', isPrivate = false } = repository;
  return { ...repository, defaultBranch, isPrivate };
}

const userRoute: Route = {
  method: 'GET',
  path: /^\/user$/,
  handle: ({ identity }) =>
    identity === undefined || identity.isApp
      ? { status: 403, body: { message: 'Resource not accessible by integration' } }
      : { status: 200, body: { login: identity.login } },
};

async function dispatch(routes: readonly Route[], request: ProxiedRequest): Promise<HttpResponse> {
  for (const { method, path, handle } of routes) {
    const match = method === request.method ? path.exec(request.path) : null;
    if (match !== null) {
      return handle(request, match.slice(1));
    }
  }
  return notFound;
}

async function readRequest(
  incoming: IncomingMessage,
  identities: ReadonlyMap<string, Identity> | undefined,
): Promise<ProxiedRequest> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { pathname, search } = new URL(url, 'http://loopback');
  const token = /^(?:Bearer|token) (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const identity = identities === undefined ? workflow : identities.get(token ?? '');
  return {
    method,
    path: pathname,
    query: search,
    headers: {},
    token,
    identity: token === undefined ? undefined : identity,
    body: await text(incoming),
  };
}
