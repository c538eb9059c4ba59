import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '../../sandbox/listen.ts';
import type { Arrival, Reply as PlainReply } from './scripted-api.ts';

/** How GitHub responds to one request; a function also gets the body. */
export type Reply =
  | Exclude<PlainReply, (...all: never[]) => unknown>
  | ((request: IncomingMessage, response: ServerResponse, body: string) => void);

/** Replies by `GET /path`, without the query. Several are used in order, the last one repeatedly. */
export type Routes = Readonly<Record<string, Reply | readonly Reply[]>>;

/** Replies by `GET /path`, without the query, and by the request. */
export type Script = (route: string, arrival: Arrival) => Reply;

/** A GitHub with scripted responses, and 404 for every other request. */
export interface ScriptedGitHub {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Such as `GET /path?query`, in order. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

export async function scriptedGitHub(script: Routes | Script): Promise<ScriptedGitHub> {
  const arrivals: Arrival[] = [];
  const given = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const arrival = { method, path: url, headers, body };
    arrivals.push(arrival);
    const route = `${method} ${url.split('?')[0]}`;
    const count = given.get(route) ?? 0;
    given.set(route, count + 1);
    const replies = [
      typeof script === 'function' ? script(route, arrival) : (script[route] ?? notFound),
    ].flat();
    const reply = replies[Math.min(count, replies.length - 1)] ?? { status: 500 };
    if (typeof reply === 'function') {
      reply(request, response, body);
      return;
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
  });
  const url = await listen(server, 0);
  return {
    url,
    arrivals,
    get calls() {
      return arrivals.map(({ method, path }) => `${method} ${path}`);
    },
    close: () => closeServer(server),
  };
}

export const notFound: Reply = { status: 404, body: { message: 'Not Found' } };

const repository = '/repos/acme/product';

/** GitHub's responses about users, by login: a role, or 404. */
export function permissions(roles: Readonly<Record<string, string | 404>>): Routes {
  const coarse: Record<string, string> = { maintain: 'write', triage: 'read' };
  return Object.fromEntries(
    Object.entries(roles).map(([login, role]) => [
      `GET ${repository}/collaborators/${login}/permission`,
      role === 404
        ? { status: 404, body: { message: `${login} is not a user` } }
        : {
            status: 200,
            body: {
              permission: coarse[role] ?? role,
              role_name: role,
              user: { login, type: 'User' },
            },
          },
    ]),
  );
}

export const bot = 'github-actions[bot]';

/** An installation token: only GraphQL returns its login. */
export const installation: Routes = {
  'POST /graphql': { status: 200, body: { data: { viewer: { login: bot } } } },
  'GET /user': { status: 403, body: { message: 'Resource not accessible by integration' } },
};

export const commentsPath = `${repository}/issues/7/comments`;

/** An issue without comments, for which every request succeeds. */
export const quietIssue: Routes = {
  [`GET ${commentsPath}`]: { status: 200, body: [] },
  [`POST ${commentsPath}`]: { status: 201, body: { id: 501 } },
  [`PATCH ${repository}/issues/comments/501`]: { status: 200, body: { id: 501 } },
};
