import type { GitHubRequest, GitHubResponse, Session } from '../../src/github/request.ts';

/** A call as a test reads it: the route with its names filled in. */
export interface SeenCall {
  /** `GET /repos/acme/product/collaborators/octocat/permission` and so on. */
  readonly request: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

export interface FakeSession extends Session {
  readonly seen: SeenCall[];
}

export function answered(status: number, body: unknown = {}): GitHubResponse {
  return { kind: 'response', status, body };
}

export const unanswered: GitHubResponse = { kind: 'no-response', code: 'ECONNRESET' };

/** A session whose answers a function gives, without any network. */
export function fakeSession(
  answer: (call: SeenCall, count: number) => GitHubResponse,
): FakeSession {
  const seen: SeenCall[] = [];
  return {
    seen,
    async exchange({ route, parameters = {} }: GitHubRequest) {
      const request = route.replace(/\{(\w+)\}/g, (_, name) => String(parameters[name]));
      const call = { request, parameters };
      seen.push(call);
      return answer(call, seen.length);
    },
  };
}

/** A pause that takes no time. */
export async function noPause(): Promise<void> {}

export const noSignal = new AbortController().signal;
