import type { GitHubRequest, Session } from '../../src/github/request.ts';

/** A session that really sends its requests, without Octokit, which takes long to load. */
export function fetchSession(url: string, token = 'token'): Session {
  return {
    graphqlUrl: `${url}/graphql`,
    async send({ route, parameters = {}, signal }: GitHubRequest) {
      const [method = '', path = ''] = route.split(' ');
      const rest = new Map(Object.entries(parameters));
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = String(rest.get(name));
        rest.delete(name);
        return encodeURIComponent(value);
      });
      const address = new URL(filled, url);
      for (const [name, value] of method === 'GET' ? rest : []) {
        address.searchParams.set(name, String(value));
      }
      try {
        const response = await fetch(address, {
          method,
          headers: { authorization: `Bearer ${token}` },
          signal,
          ...(method === 'GET' ? {} : { body: JSON.stringify(Object.fromEntries(rest)) }),
        });
        return { kind: 'response', status: response.status, body: await response.json() };
      } catch {
        return { kind: 'no-response', code: 'ECONNRESET' };
      }
    },
  };
}
