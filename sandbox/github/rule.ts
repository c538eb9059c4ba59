import type { Answer } from '../service/http.ts';

/** Who a token belongs to. */
export interface Identity {
  readonly login: string;
  readonly isApp: boolean;
}

/** One request on its way to emulate. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** With the question mark, or empty. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  readonly identity: Identity | undefined;
  readonly body: string;
}

/** One thing that GitHub answers otherwise than emulate. */
export interface Rule {
  readonly method: string;
  readonly path: RegExp;
  /** @param groups What the groups of `path` caught. */
  readonly answer: (call: Call, groups: readonly string[]) => Answer | Promise<Answer>;
}

/** Sends a call on to emulate. */
export type PassOn = (call: Call) => Promise<Answer>;

/** One request that the local GitHub received. */
export interface GitHubRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  /** Who asked; undefined without a token, or with an unknown one. */
  readonly login: string | undefined;
}
