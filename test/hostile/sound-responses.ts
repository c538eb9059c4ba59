import * as v from 'valibot';
import { bot, jobBody, prLink, row, totals } from '../helpers/servers.ts';
import { isPost } from './call.ts';
import type { RawResponse } from './http-bytes.ts';
import type { RawRequest } from './raw-server.ts';

/** The responses of a server without faults. */
export type Sound = (request: RawRequest) => RawResponse;

/** An API whose job is completed at the first poll. Before a follow-up, it had another pull request. */
export function startService(): Sound {
  let link = `${prLink}1`;
  return (request) => {
    link = isPost(request) ? prLink : link;
    return respondAsService(request, link);
  };
}

function respondAsService(request: RawRequest, link: string): RawResponse {
  if (request.path.includes('/analytics/')) {
    return { status: 200, body: { totals, visitors: [row('/'), row('/start')], hasMore: false } };
  }
  const isCreate = isPost(request) && request.path.endsWith('/job');
  const end = isPost(request) ? {} : { status: 'completed', prLink: link };
  return { status: isCreate ? 201 : 200, body: jobBody(end) };
}

const postedComment = v.object({ body: v.string() });

const goodResponses: readonly (readonly [route: RegExp, response: RawResponse])[] = [
  [
    /^GET \S+\/collaborators\/owner\/permission/,
    {
      status: 200,
      body: { permission: 'admin', role_name: 'admin', user: { login: 'owner', type: 'User' } },
    },
  ],
  [/^POST \/graphql/, { status: 200, body: { data: { viewer: { login: bot } } } }],
  [/^PATCH \S+\/comments\/501/, { status: 200, body: { id: 501 } }],
  [/^GET \/repos\/acme\/product /, { status: 200, body: { full_name: 'acme/product' } }],
];

/**
 * A GitHub where an owner labels an issue without comments. It stores and lists new comments even if the
 * response is lost, so a step that does not search for its comment would leave two.
 */
export function startGitHub(): Sound {
  const comments: object[] = [];
  return ({ method, path, body }) => {
    if (/\/issues\/7\/comments/.test(path) && method === 'GET') {
      return { status: 200, body: comments };
    }
    if (path.endsWith('/issues/7/comments') && method === 'POST') {
      const id = 501 + comments.length;
      comments.push({ id, user: { login: bot }, ...v.parse(postedComment, JSON.parse(body)) });
      return { status: 201, body: { id } };
    }
    const found = goodResponses.find(([route]) => route.test(`${method} ${path} `));
    return found?.[1] ?? { status: 404, body: { message: 'Not Found' } };
  };
}
