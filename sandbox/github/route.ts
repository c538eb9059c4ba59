import type * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import type { WorkflowAccess } from './permissions.ts';
import type { Shower } from './show.ts';
import { type GitHubState, notFound, type Repository } from './state.ts';

/** The owner of a token. */
export interface Identity {
  readonly login: string;
  readonly isApp: boolean;
  /** Limits a workflow's own token; without it, the token may do what its owner may. */
  readonly access?: WorkflowAccess;
}

/** A request, as it arrived. */
export interface GitHubRequest {
  readonly method: string;
  /** The name of the server and its port, as in the client's header `host`. */
  readonly host: string;
  readonly path: string;
  /** The query with its question mark, or empty. */
  readonly query: string;
  readonly accept: string;
  readonly token: string | undefined;
  readonly identity: Identity | undefined;
  readonly body: string;
}

/** What a handler of a request gets. */
export interface Call {
  readonly request: GitHubRequest;
  readonly state: GitHubState;
  readonly show: Shower;
  /** The repository in the path. @throws {Refusal} without one */
  readonly repository: Repository;
  /** Who sends it; empty without a token. */
  readonly login: string;
  /** The part of the path in the place of `{name}`, decoded. */
  readonly part: (name: string) => string;
  readonly query: URLSearchParams;
  /** @throws {v.ValiError} which is sent as 422 */
  readonly body: <T>(schema: v.GenericSchema<unknown, T>) => T;
  /** @throws {Refusal} if the token may not send such a request */
  readonly allow: (method: string, path: string) => void;
  /** Sends another request with the same token. @throws {Refusal} */
  readonly rest: (method: string, path: string, body?: unknown) => Promise<void>;
}

type Handle = (call: Call) => HttpResponse | Promise<HttpResponse>;

/** Operations of the API by method and path, such as `GET /repos/{repo}/pulls/{number}`. */
export type Routes = Readonly<Record<string, Handle>>;

/** @returns a function that finds the handler of a request, and what stands in its path */
export function router(routes: Routes) {
  const table = Object.entries(routes).map(([route, handle]) => {
    const [method = '', path = ''] = route.split(' ');
    const pattern = path
      .replaceAll('.', '\\.')
      .replaceAll('{repo}', '(?<repo>[^/]+/[^/]+)')
      .replace(/\{(\w+)\+\}/g, '(?<$1>.+)')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    return { method, pattern: new RegExp(`^${pattern}$`), handle };
  });
  return ({ method, path }: Pick<GitHubRequest, 'method' | 'path'>) => {
    for (const route of table) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match !== null) {
        return { handle: route.handle, parts: match.groups ?? {} };
      }
    }
    return undefined;
  };
}

export function ok(body: unknown, status = 200): HttpResponse {
  return { status, body };
}

export const noContent: HttpResponse = { status: 204, body: '' };

/** The number of an issue or a pull request in the path. @throws {Refusal} */
export function numberIn({ part }: Call): number {
  const number = Number(part('number'));
  if (!Number.isInteger(number)) {
    throw notFound();
  }
  return number;
}

/**
 * One page of a list, with links to the others.
 *
 * @param wrap puts the page into the body; the page is the body by default
 */
export function paged<T>(
  { query, request }: Call,
  all: readonly T[],
  wrap: (page: readonly T[]) => unknown = (page) => page,
): HttpResponse {
  const size = Math.min(Number(query.get('per_page') ?? 30) || 30, 100);
  const number = Number(query.get('page') ?? 1) || 1;
  const last = Math.max(Math.ceil(all.length / size), 1);
  const linkTo = (page: number, name: string) => {
    const other = new URLSearchParams(query);
    other.set('page', String(page));
    return `<http://${request.host}${request.path}?${other}>; rel="${name}"`;
  };
  const links = [
    ...(number > 1 ? [linkTo(number - 1, 'prev')] : []),
    ...(number < last ? [linkTo(number + 1, 'next'), linkTo(last, 'last')] : []),
    ...(number > 1 ? [linkTo(1, 'first')] : []),
  ];
  return {
    status: 200,
    body: wrap(all.slice((number - 1) * size, number * size)),
    ...(links.length > 0 && { headers: { Link: links.join(', ') } }),
  };
}
