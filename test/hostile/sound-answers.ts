import { bot } from '../helpers/scripted-github.ts';
import { jobBody, prLink } from '../helpers/scripted-service.ts';
import { row, totals } from '../helpers/visitors-service.ts';
import { isPost } from './call.ts';
import type { Answer } from './http-bytes.ts';
import type { RawRequest } from './raw-server.ts';

/** A service where a job is completed at the first look. */
export function soundService(request: RawRequest): Answer {
  if (request.path.includes('/analytics/')) {
    return { status: 200, body: { totals, visitors: [row('/'), row('/start')], hasMore: false } };
  }
  const isCreate = isPost(request) && request.path.endsWith('/job');
  const end = isPost(request) ? {} : { status: 'completed', prLink };
  return { status: isCreate ? 201 : 200, body: jobBody(end) };
}

const goodAnswers: readonly (readonly [route: RegExp, answer: Answer])[] = [
  [
    /^GET \S+\/collaborators\/owner\/permission/,
    {
      status: 200,
      body: { permission: 'admin', role_name: 'admin', user: { login: 'owner', type: 'User' } },
    },
  ],
  [/^POST \/graphql/, { status: 200, body: { data: { viewer: { login: bot } } } }],
  [/^GET \S+\/comments/, { status: 200, body: [] }],
  [/^POST \S+\/comments/, { status: 201, body: { id: 501 } }],
  [/^PATCH \S+\/comments\/501/, { status: 200, body: { id: 501 } }],
  [/^GET \/repos\/acme\/product /, { status: 200, body: { full_name: 'acme/product' } }],
];

/** A GitHub where an owner labels an issue that has no comments. */
export function soundGitHub({ method, path }: RawRequest): Answer {
  const found = goodAnswers.find(([route]) => route.test(`${method} ${path} `));
  return found?.[1] ?? { status: 404, body: { message: 'Not Found' } };
}
