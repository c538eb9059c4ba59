import {
  array,
  fallback,
  type GenericSchema,
  integer,
  minValue,
  nullable,
  number,
  object,
  optional,
  picklist,
  pipe,
  safeParse,
  string,
  unknown,
} from 'valibot';
import type { GitHubResponse } from './request.ts';
import { type Role, roles } from './role.ts';

const count = pipe(number(), integer(), minValue(0));
const id = pipe(number(), integer(), minValue(1));

const refusalSchema = object({ message: string() });

/** GitHub's own words in the body of a refusal; empty for anybody else's answer. */
export function readRefusal(body: unknown): string {
  return read(refusalSchema, body)?.message ?? '';
}

const thrownAnswerSchema = object({ response: object({ status: number(), data: unknown() }) });
const thrownFaultSchema = object({ cause: object({ code: string() }) });

/** Reads what Octokit throws: an answer that is no success, or a request that came to nothing. */
export function readThrown(error: unknown): GitHubResponse {
  const answer = read(thrownAnswerSchema, error)?.response;
  if (answer !== undefined) {
    return { kind: 'response', status: answer.status, body: answer.data };
  }
  const code = read(thrownFaultSchema, error)?.cause.code ?? '';
  return { kind: 'no-response', code: /^\w{1,60}$/.test(code) ? code : '' };
}

/** What GitHub says of one person and one repository. */
export interface Permission {
  readonly role: Role;
  readonly isBot: boolean;
}

const permissionSchema = object({
  permission: string(),
  role_name: fallback(optional(string()), undefined),
  user: fallback(
    optional(object({ login: string(), type: fallback(optional(string()), undefined) })),
    undefined,
  ),
});

/** Reads "Get repository permissions for a user"; `undefined` when it makes no sense for `login`. */
export function readPermission(body: unknown, login: string): Permission | undefined {
  const answer = read(permissionSchema, body);
  const role = findRole(answer?.role_name) ?? findRole(answer?.permission);
  const isAboutLogin = (answer?.user?.login ?? login).toLowerCase() === login.toLowerCase();
  return role !== undefined && isAboutLogin
    ? { role, isBot: answer?.user?.type === 'Bot' }
    : undefined;
}

/** A role of an organisation's own making has no place in the order of roles. */
function findRole(word: string | undefined): Role | undefined {
  return roles.find((role) => role === word);
}

const viewerSchema = object({ data: object({ viewer: object({ login: string() }) }) });
const userSchema = object({ login: string() });

/** Reads GraphQL's `viewer { login }`. */
export function readViewer(body: unknown): string | undefined {
  return read(viewerSchema, body)?.data.viewer.login;
}

/** Reads "Get the authenticated user". */
export function readUser(body: unknown): string | undefined {
  return read(userSchema, body)?.login;
}

/** A comment on an issue or pull request. */
export interface ListedComment {
  readonly id: number;
  /** Login of the author; empty when the account is gone. */
  readonly author: string;
  readonly body: string;
}

const createdSchema = object({ id });
const commentsSchema = array(
  object({
    id,
    user: fallback(nullable(userSchema), null),
    body: fallback(string(), ''),
  }),
);

/** Reads one page of "List issue comments". */
export function readComments(body: unknown): readonly ListedComment[] | undefined {
  return read(commentsSchema, body)?.map((comment) => ({
    id: comment.id,
    author: comment.user?.login ?? '',
    body: comment.body,
  }));
}

/** Reads the id of a comment that was created or updated. */
export function readCommentId(body: unknown): number | undefined {
  return read(createdSchema, body)?.id;
}

/** What "Get a pull request" tells. */
export interface PullRequestFacts {
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly headSha: string;
  readonly changedFiles: number;
  readonly additions: number;
  readonly deletions: number;
}

const pullSchema = object({
  title: string(),
  head: object({ ref: string(), sha: string() }),
  base: object({ ref: string() }),
  changed_files: count,
  additions: count,
  deletions: count,
});

/** Reads "Get a pull request". */
export function readPull(body: unknown): PullRequestFacts | undefined {
  const pull = read(pullSchema, body);
  return (
    pull && {
      title: pull.title,
      branch: pull.head.ref,
      base: pull.base.ref,
      headSha: pull.head.sha,
      changedFiles: pull.changed_files,
      additions: pull.additions,
      deletions: pull.deletions,
    }
  );
}

const pullStateSchema = object({ state: picklist(['open', 'closed']) });

/** Reads from "Get a pull request" whether it is open. */
export function readPullState(body: unknown): 'open' | 'closed' | undefined {
  return read(pullStateSchema, body)?.state;
}

const filesSchema = array(object({ filename: string() }));

/** Reads one page of "List pull requests files"; none of anything else. */
export function readFileNames(body: unknown): readonly string[] {
  return read(filesSchema, body)?.map(({ filename }) => filename) ?? [];
}

function read<Value>(schema: GenericSchema<unknown, Value>, body: unknown): Value | undefined {
  const parsed = safeParse(schema, body);
  return parsed.success ? parsed.output : undefined;
}
