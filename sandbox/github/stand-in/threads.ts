import * as v from 'valibot';
import type { HttpResponse } from '../../http.ts';
import { notFound } from '../git/object-routes.ts';
import type { ProxiedRequest, Route } from '../route.ts';

/** A comment of the conversation of a pull request. */
export interface ThreadComment {
  readonly id: number;
  readonly repository: string;
  readonly number: number;
  readonly login: string;
  readonly body: string;
}

/** Comments and labels. Callers may add to them. */
export interface Threads {
  readonly comments: ThreadComment[];
  /** By `owner/name#number`. */
  readonly labels: Map<string, readonly string[]>;
}

export function noThreads(): Threads {
  return { comments: [], labels: new Map() };
}

const commentBody = v.object({ body: v.string() });
const labelsBody = v.object({ labels: v.array(v.string()) });

/** GitHub's limit of a comment. */
const maxCommentLength = 65_536;

const issuePath = '^/repos/([^/]+/[^/]+)/issues';

/** Lists, creates and updates comments; lists, adds and removes labels. */
export function threadRoutes({ comments, labels }: Threads): Route[] {
  return [...commentRoutes(comments), ...labelRoutes(labels)];
}

function commentRoutes(comments: ThreadComment[]): Route[] {
  return [
    {
      method: 'GET',
      path: new RegExp(`${issuePath}/(\\d+)/comments$`),
      handle: ({ query }, [repository, number]) => {
        const wanted = new URLSearchParams(query);
        const pageSize = Math.min(Number(wanted.get('per_page') ?? 30), 100);
        const start = (Number(wanted.get('page') ?? 1) - 1) * pageSize;
        const found = comments.filter(
          (each) => each.repository === repository && each.number === Number(number),
        );
        return { status: 200, body: found.slice(start, start + pageSize).map(showComment) };
      },
    },
    {
      method: 'POST',
      path: new RegExp(`${issuePath}/(\\d+)/comments$`),
      handle: (request, [repository = '', number]) => {
        const id = comments.length + 501;
        const login = request.identity?.login ?? '';
        return writeComment(request, (body) => {
          const comment = { id, repository, number: Number(number), login, body };
          comments.push(comment);
          return { status: 201, body: showComment(comment) };
        });
      },
    },
    {
      method: 'PATCH',
      path: new RegExp(`${issuePath}/comments/(\\d+)$`),
      handle: (request, [repository, id]) => {
        const index = comments.findIndex(
          (each) => each.repository === repository && each.id === Number(id),
        );
        const old = comments[index];
        return old === undefined
          ? notFound
          : writeComment(request, (body) => {
              const comment = { ...old, body };
              comments[index] = comment;
              return { status: 200, body: showComment(comment) };
            });
      },
    },
  ];
}

function writeComment(
  { body }: ProxiedRequest,
  write: (body: string) => HttpResponse,
): HttpResponse {
  const comment = v.parse(commentBody, JSON.parse(body)).body;
  return comment.trim() === '' || comment.length > maxCommentLength
    ? { status: 422, body: { message: 'Validation Failed' } }
    : write(comment);
}

function showComment({ id, login, body }: ThreadComment) {
  return { id, user: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' }, body };
}

function labelRoutes(labels: Map<string, readonly string[]>): Route[] {
  const list = (key: string) => ({
    status: 200,
    body: (labels.get(key) ?? []).map((name) => ({ name })),
  });
  return [
    {
      method: 'GET',
      path: new RegExp(`${issuePath}/(\\d+)/labels$`),
      handle: (_, [repository, number]) => list(`${repository}#${number}`),
    },
    {
      method: 'POST',
      path: new RegExp(`${issuePath}/(\\d+)/labels$`),
      handle: ({ body }, [repository, number]) => {
        const key = `${repository}#${number}`;
        const added = v.parse(labelsBody, JSON.parse(body)).labels;
        labels.set(key, [...new Set([...(labels.get(key) ?? []), ...added])]);
        return list(key);
      },
    },
    {
      method: 'DELETE',
      path: new RegExp(`${issuePath}/(\\d+)/labels/([^/]+)$`),
      handle: (_, [repository, number, name = '']) => {
        const key = `${repository}#${number}`;
        const rest = (labels.get(key) ?? []).filter((each) => each !== decodeURIComponent(name));
        if (rest.length === (labels.get(key) ?? []).length) {
          return { status: 404, body: { message: 'Label does not exist' } };
        }
        labels.set(key, rest);
        return list(key);
      },
    },
  ];
}
