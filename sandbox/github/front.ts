import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { type Answer, send } from '../service/http.ts';
import { autoMerge } from './auto-merge.ts';
import { GitHubError } from './client.ts';
import { graphqlRules } from './graphql.ts';
import { pullRules } from './pulls.ts';
import type { Call, GitHubRequest, Identity, PassOn, Rule } from './rule.ts';
import { runRules, type WorkflowRun } from './runs.ts';

export interface FrontOptions {
  /** The public address. */
  readonly front: string;
  /** Where emulate listens. */
  readonly behind: string;
  /** By token; every other token is refused, which emulate would not do. */
  readonly identities: ReadonlyMap<string, Identity>;
  readonly runs: readonly WorkflowRun[];
  /** Told every request with its answer's status. */
  readonly onRequest: (request: GitHubRequest) => void;
}

/**
 * Answers as GitHub does where `emulate` does otherwise, and passes everything else on to it.
 */
export function answerAsGitHub({
  front,
  behind,
  identities,
  runs,
  onRequest,
}: FrontOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const passOn: PassOn = async ({ method, path, query, headers, body }) => {
    const response = await fetch(behind + path + query, {
      method,
      headers,
      ...(body === '' ? {} : { body }),
    });
    const link = response.headers.get('link');
    return {
      status: response.status,
      body: Buffer.from(await response.arrayBuffer()),
      headers: {
        'Content-Type': response.headers.get('content-type') ?? 'application/json',
        ...(link === null ? {} : { Link: link }),
      },
    };
  };
  const rules = [
    ...identityRules(passOn),
    ...graphqlRules(autoMerge(front, behind, passOn)),
    ...pullRules(behind, passOn),
    ...runRules(runs),
  ];

  async function answer(request: IncomingMessage, token?: string): Promise<Answer> {
    const identity = identities.get(token ?? '');
    if (token !== undefined && identity === undefined) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    try {
      return await follow(rules, await readCall(request, token, identity), passOn);
    } catch (error) {
      const status = error instanceof GitHubError ? error.status : 500;
      return { status, body: { message: String(error) } };
    }
  }

  return async (request, response) => {
    const { method = '', url = '' } = request;
    const token = /^(?:Bearer|token) (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const given = await answer(request, token);
    const login = identities.get(token ?? '')?.login;
    onRequest({ method, path: url, status: given.status, login });
    send(response, given);
  };
}

async function follow(rules: readonly Rule[], call: Call, passOn: PassOn): Promise<Answer> {
  const rule = rules.find(({ method, path }) => method === call.method && path.test(call.path));
  if (rule === undefined) {
    return passOn(call);
  }
  const [, ...groups] = rule.path.exec(call.path) ?? [];
  return rule.answer(call, groups);
}

async function readCall(
  request: IncomingMessage,
  token: string | undefined,
  identity: Identity | undefined,
): Promise<Call> {
  const { method = 'GET', url = '/', headers } = request;
  const { pathname, search } = new URL(url, 'http://loopback');
  const passed = ['authorization', 'accept', 'content-type'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    method,
    path: pathname,
    query: search,
    headers: Object.fromEntries(passed),
    token,
    identity,
    body: await text(request),
  };
}

function identityRules(passOn: PassOn): Rule[] {
  return [
    {
      // The token of an app has no user.
      method: 'GET',
      path: /^\/user$/,
      answer: (call) =>
        call.identity?.isApp === true
          ? { status: 403, body: { message: 'Resource not accessible by integration' } }
          : passOn(call),
    },
    {
      method: 'GET',
      path: /^(\/repos\/[^/]+\/[^/]+)\/collaborators\/([^/]+)\/permission$/,
      answer: async (call, [repository = '', login = '']) => {
        const found = await passOn(call);
        if (found.status === 200) {
          return inGitHubsWords(found);
        }
        // Asked first: in a repository that is not there, nobody may read.
        const there = await passOn({ ...call, path: repository });
        return there.status === 200
          ? readableByEverybody(await passOn({ ...call, path: `/users/${login}` }))
          : there;
      },
    },
  ];
}

const permissionBody = v.looseObject({ permission: v.string() });
const OLD_WORDS: Readonly<Record<string, string>> = {
  push: 'write',
  maintain: 'write',
  triage: 'read',
  pull: 'read',
};

/** `permission` knows only four words; the fine ones stand in `role_name`. */
function inGitHubsWords({ body, ...answer }: Answer): Answer {
  const found = v.parse(permissionBody, JSON.parse(String(body)));
  const permission = OLD_WORDS[found.permission] ?? found.permission;
  return { ...answer, body: { ...found, permission } };
}

/** Both repositories are public, so that whoever exists may read them. */
function readableByEverybody(user: Answer): Answer {
  if (user.status !== 200) {
    return user;
  }
  const body = { permission: 'read', role_name: 'read', user: JSON.parse(String(user.body)) };
  return { status: 200, body };
}
