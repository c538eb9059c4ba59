/** One request to GitHub. */
export interface GitHubRequest {
  /** Method and path, such as `GET /repos/{owner}/{repo}`; the names in braces are parameters. */
  readonly route: string;
  /** Fill the path, percent-encoded; what is left over becomes the query or the body. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** One limit over connecting, headers and body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of a call. Nothing is thrown: a call that was broken off is one without an answer. */
export type GitHubResponse =
  | { readonly kind: 'response'; readonly status: number; readonly body: unknown }
  /** `code` is the error's, such as `ECONNREFUSED`, or `time-out`, or `no-address`; it may be empty. */
  | { readonly kind: 'no-response'; readonly code: string };

/** GitHub for the holder of one token. */
export interface Session {
  exchange(call: GitHubRequest): Promise<GitHubResponse>;
}
