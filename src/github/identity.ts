import type { Session } from './request.ts';
import { isSuccess, type Pause, sendAgain } from './send.ts';

export interface IdentityWorld {
  readonly session: Session;
  /** Address for GraphQL queries; empty for none. */
  readonly graphqlUrl: string;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

const timeoutMs = 10_000;

/**
 * Who writes with this token; `undefined` when GitHub does not tell.
 *
 * GraphQL knows it of every token. REST refuses it to the token of an app, which the workflow's own
 * token is, but may answer where something in between lets no GraphQL through.
 */
export async function readIdentity(world: IdentityWorld): Promise<string | undefined> {
  const { session, graphqlUrl, pause, signal } = world;
  const read = await import('./response-schema.ts');
  if (graphqlUrl !== '') {
    const parameters = { query: '{ viewer { login } }' };
    const call = { route: `POST ${graphqlUrl}`, parameters, timeoutMs, signal };
    const exchange = await sendAgain(session, call, pause);
    const login = isSuccess(exchange) ? read.readViewer(exchange.body) : undefined;
    if (login !== undefined) {
      return login;
    }
  }
  const exchange = await sendAgain(session, { route: 'GET /user', timeoutMs, signal }, pause);
  return isSuccess(exchange) ? read.readUser(exchange.body) : undefined;
}
