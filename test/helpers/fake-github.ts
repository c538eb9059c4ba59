import type { GitHubRequest, GitHubResponse, Session } from '../../src/github/request.ts';

/** A request, with the parameters filled into the route. */
export interface SeenRequest {
  /** Such as `GET /repos/acme/product/collaborators/octocat/permission`. */
  readonly request: string;
  readonly parameters: NonNullable<GitHubRequest['parameters']>;
}

interface FakeSession extends Session {
  readonly seen: SeenRequest[];
}

export function githubResponse(status: number, body: unknown = {}): GitHubResponse {
  return { kind: 'response', status, body };
}

export const noResponse: GitHubResponse = { kind: 'no-response', code: 'ECONNRESET' };

/** A session that gets its responses from a function, without a network. */
export function fakeSession(
  respond: (request: SeenRequest, count: number) => GitHubResponse,
): FakeSession {
  const seen: SeenRequest[] = [];
  return {
    seen,
    graphqlUrl: 'https://api.example/graphql',
    async send({ route, parameters = {} }: GitHubRequest) {
      const request = route.replace(/\{(\w+)\}/g, (_, name) => String(parameters[name]));
      seen.push({ request, parameters });
      return respond({ request, parameters }, seen.length);
    },
  };
}

/** A signal that is never aborted. */
export const noSignal = new AbortController().signal;
