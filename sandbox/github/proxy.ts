import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { type HttpResponse, send } from '../http.ts';
import { activityRoutes } from './activity.ts';
import { autoMerge } from './auto-merge.ts';
import { type CommitReports, reportRoutes } from './checks.ts';
import { GitHubError } from './client.ts';
import { graphqlRoutes } from './graphql.ts';
import { refusalOf, roleRefusal } from './permissions.ts';
import { pullRoutes } from './pulls.ts';
import { pullsAsIssuesRoutes } from './pulls-as-issues.ts';
import type { Forward, GitHubRequest, Identity, ProxiedRequest, Route } from './route.ts';
import { type Dispatch, runRoutes, type WorkflowRun } from './runs.ts';
import { PEOPLE, ROLES } from './seed.ts';

interface ProxyOptions {
  /** The address of the proxy. */
  readonly url: string;
  /** The address of emulate. */
  readonly emulateUrl: string;
  /** The owners of all tokens. Other tokens are refused, which emulate would not do. */
  readonly identities: ReadonlyMap<string, Identity>;
  readonly runs: readonly WorkflowRun[];
  readonly dispatches: Dispatch[];
  readonly reports: Omit<CommitReports, 'checkRuns'>;
  /** Called for each request, with the status of its response. */
  readonly onRequest: (request: GitHubRequest) => void;
}

/**
 * Creates the request handler of a proxy in front of `emulate`. It handles the requests where emulate
 * differs from GitHub, and forwards all others.
 */
export function createProxy({
  url,
  emulateUrl,
  identities,
  runs,
  dispatches,
  reports,
  onRequest,
}: ProxyOptions): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const forward: Forward = async ({ method, path, query, headers, body }) => {
    const response = await fetch(emulateUrl + path + query, {
      method,
      headers: { ...headers, Connection: 'close' },
      ...(body === '' ? {} : { body }),
    });
    const link = response.headers.get('link');
    return {
      status: response.status,
      body: Buffer.from(await response.arrayBuffer()),
      headers: {
        'Content-Type': response.headers.get('content-type') ?? 'application/json',
        ...(link === null ? {} : { Link: link }),
      },
    };
  };
  const routes = [
    ...identityRoutes(forward),
    ...graphqlRoutes(autoMerge(url, emulateUrl, forward), emulateUrl),
    ...pullRoutes(emulateUrl, forward),
    ...pullsAsIssuesRoutes(forward),
    ...activityRoutes(forward),
    ...runRoutes(runs, dispatches),
    ...reportRoutes(reports),
  ];

  async function respond(incoming: IncomingMessage, token?: string): Promise<HttpResponse> {
    const identity = identities.get(token ?? '');
    if (token !== undefined && identity === undefined) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    try {
      const request = await readRequest(incoming, token, identity);
      const refusal = await refuse(request, forward);
      return refusal ?? (await handle(routes, request, forward));
    } catch (error) {
      const status = error instanceof GitHubError ? error.status : 500;
      return { status, body: { message: String(error) } };
    }
  }

  return async (incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming;
    const token = /^(?:Bearer|token) (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
    const response = await respond(incoming, token);
    const login = identities.get(token ?? '')?.login;
    onRequest({ method, path, status: response.status, login });
    send(outgoing, response);
  };
}

/** What a token is refused for what it may not do, which emulate does not look at. */
async function refuse(
  request: ProxiedRequest,
  forward: Forward,
): Promise<HttpResponse | undefined> {
  const { login, access } = request.identity ?? {};
  if (access === undefined) {
    const person = PEOPLE.find((each) => each === login);
    return roleRefusal(request, person && ROLES[person]);
  }
  return await refusalOf(request, access, async (number) => {
    const path = `/repos/${access.repository}/pulls/${number}`;
    return (await forward({ ...request, method: 'GET', path, query: '', body: '' })).status === 200;
  });
}

async function handle(
  routes: readonly Route[],
  request: ProxiedRequest,
  forward: Forward,
): Promise<HttpResponse> {
  const route = routes.find(
    ({ method, path }) => method === request.method && path.test(request.path),
  );
  if (route === undefined) {
    return forward(request);
  }
  const [, ...groups] = route.path.exec(request.path) ?? [];
  return route.handle(request, groups);
}

async function readRequest(
  incoming: IncomingMessage,
  token: string | undefined,
  identity: Identity | undefined,
): Promise<ProxiedRequest> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { pathname, search } = new URL(url, 'http://loopback');
  const forwarded = ['authorization', 'accept', 'content-type'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    method,
    path: pathname,
    query: search,
    headers: Object.fromEntries(forwarded),
    token,
    identity,
    body: await text(incoming),
  };
}

function identityRoutes(forward: Forward): Route[] {
  return [
    {
      // An app's token has no user.
      method: 'GET',
      path: /^\/user$/,
      handle: (request) =>
        request.identity?.isApp === true
          ? { status: 403, body: { message: 'Resource not accessible by integration' } }
          : forward(request),
    },
    {
      method: 'GET',
      path: /^(\/repos\/[^/]+\/[^/]+)\/collaborators\/([^/]+)\/permission$/,
      handle: async (request, [repositoryPath = '', login = '']) => {
        const permission = await forward(request);
        if (permission.status === 200) {
          return withBasePermission(permission);
        }
        const repository = await forward({ ...request, path: repositoryPath });
        return repository.status === 200
          ? readPermission(await forward({ ...request, path: `/users/${login}` }))
          : repository;
      },
    },
  ];
}

const permissionBody = v.looseObject({ permission: v.string() });
const BASE_PERMISSIONS: Readonly<Record<string, string>> = {
  push: 'write',
  maintain: 'write',
  triage: 'read',
  pull: 'read',
};

/** GitHub's field `permission` has only four values. All others are only in `role_name`. */
function withBasePermission({ body, ...response }: HttpResponse): HttpResponse {
  const found = v.parse(permissionBody, JSON.parse(String(body)));
  const permission = BASE_PERMISSIONS[found.permission] ?? found.permission;
  return { ...response, body: { ...found, permission } };
}

/** All repositories are public, so every existing user can read them. */
function readPermission(user: HttpResponse): HttpResponse {
  if (user.status !== 200) {
    return user;
  }
  const body = { permission: 'read', role_name: 'read', user: JSON.parse(String(user.body)) };
  return { status: 200, body };
}
