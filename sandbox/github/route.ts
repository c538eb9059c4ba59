import type { HttpResponse } from '../http.ts';
import type { WorkflowAccess } from './permissions.ts';

/** The owner of a token. */
export interface Identity {
  readonly login: string;
  readonly isApp: boolean;
  /** Limits a workflow's own token; without it, the token may do what its owner may. */
  readonly access?: WorkflowAccess;
}

/** A request on its way to emulate. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  /** With the question mark, or empty. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  readonly identity: Identity | undefined;
  readonly body: string;
}

/** An operation of GitHub's API that emulate lacks, or where it differs from GitHub. */
export interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** @param groups The text of the groups in `path`. */
  readonly handle: (
    request: ProxiedRequest,
    groups: readonly string[],
  ) => HttpResponse | Promise<HttpResponse>;
}

/** Sends a request to emulate. */
export type Forward = (request: ProxiedRequest) => Promise<HttpResponse>;

/** A request that the local GitHub received. */
export interface GitHubRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  /** The login of the token's owner; undefined for no token or an unknown one. */
  readonly login: string | undefined;
}
