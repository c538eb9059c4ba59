import {
  array,
  boolean,
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
  regex,
  safeParse,
  string,
  unknown,
} from 'valibot';
import { type Permission, type Role, roles } from './permission.ts';
import type { GitHubResponse } from './request.ts';

const count = pipe(number(), integer(), minValue(0));
const id = pipe(number(), integer(), minValue(1));

const refusalSchema = object({ message: string() });

/** GitHub's own message in the body of a refusal; empty for any other body. */
export function readRefusal(body: unknown): string {
  return read(refusalSchema, body)?.message ?? '';
}

const thrownResponseSchema = object({ response: object({ status: number(), data: unknown() }) });
const thrownErrorSchema = object({ cause: object({ code: string() }) });

/** Reads what Octokit throws: for a response that is not a success, and for a request without one. */
export function readThrown(error: unknown): GitHubResponse {
  const response = read(thrownResponseSchema, error)?.response;
  if (response !== undefined) {
    return { kind: 'response', status: response.status, body: response.data };
  }
  const code = read(thrownErrorSchema, error)?.cause.code ?? '';
  return { kind: 'no-response', code: /^\w{1,60}$/.test(code) ? code : '' };
}

const permissionSchema = object({
  permission: string(),
  role_name: fallback(optional(string()), undefined),
  user: fallback(
    optional(object({ login: string(), type: fallback(optional(string()), undefined) })),
    undefined,
  ),
});

/** Reads "Get repository permissions for a user"; `undefined` when it is not about `login`. */
export function readPermission(body: unknown, login: string): Permission | undefined {
  const found = read(permissionSchema, body);
  const role = findRole(found?.role_name) ?? findRole(found?.permission);
  const isAboutLogin = (found?.user?.login ?? login).toLowerCase() === login.toLowerCase();
  return role !== undefined && isAboutLogin
    ? { role, isBot: found?.user?.type === 'Bot' }
    : undefined;
}

/** `undefined` for custom roles, which have no place in the order of roles. */
function findRole(name: string | undefined): Role | undefined {
  return roles.find((role) => role === name);
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

/** The fields of "Get a pull request" that are used here. */
export interface PullRequestDetails {
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly headSha: string;
  /** Whether everyone can read it; false if GitHub does not say. */
  readonly isPublic: boolean;
  readonly changedFiles: number;
  readonly additions: number;
  readonly deletions: number;
}

const pullSchema = object({
  title: string(),
  head: object({ ref: string(), sha: string() }),
  base: object({
    ref: string(),
    repo: fallback(nullable(object({ private: boolean() })), null),
  }),
  changed_files: count,
  additions: count,
  deletions: count,
});

/** Reads "Get a pull request". */
export function readPull(body: unknown): PullRequestDetails | undefined {
  const pull = read(pullSchema, body);
  return (
    pull && {
      title: pull.title,
      branch: pull.head.ref,
      base: pull.base.ref,
      headSha: pull.head.sha,
      isPublic: pull.base.repo?.private === false,
      changedFiles: pull.changed_files,
      additions: pull.additions,
      deletions: pull.deletions,
    }
  );
}

const pullStateSchema = object({ state: picklist(['open', 'closed']) });

/** Reads the state of "Get a pull request". */
export function readPullState(body: unknown): 'open' | 'closed' | undefined {
  return read(pullStateSchema, body)?.state;
}

const filesSchema = array(object({ filename: string() }));

/** Reads one page of "List pull requests files"; any other body has none. */
export function readFileNames(body: unknown): readonly string[] {
  return read(filesSchema, body)?.map(({ filename }) => filename) ?? [];
}

/** An open pull request in a list of issues. */
export interface LabelledPull {
  readonly number: number;
  /** Link to its page; its repository may have been renamed since the request named it. */
  readonly url: string;
}

const issuesSchema = array(
  object({ number: id, html_url: string(), pull_request: optional(unknown()) }),
);

/** Reads the pull requests of "List repository issues". */
export function readLabelled(body: unknown): readonly LabelledPull[] | undefined {
  return read(issuesSchema, body)
    ?.filter(({ pull_request: pull }) => pull !== undefined && pull !== null)
    .map(({ number: pullNumber, html_url: url }) => ({ number: pullNumber, url }));
}

/** A commit, as git names it. Commands contain it, so it must be nothing else. */
const commit = pipe(string(), regex(/^[\da-f]{40,64}$/));

/** The state of a pull request between two rounds. */
export interface PullHead {
  readonly headSha: string;
  readonly url: string;
  /** When it was opened, milliseconds since 1970; `undefined` if GitHub does not say. */
  readonly openedMs: number | undefined;
}

const pullHeadSchema = object({
  head: object({ sha: commit }),
  html_url: fallback(string(), ''),
  created_at: fallback(string(), ''),
});

/** Reads the state of "Get a pull request". */
export function readPullHead(body: unknown): PullHead | undefined {
  const pull = read(pullHeadSchema, body);
  const openedMs = Date.parse(pull?.created_at ?? '');
  return (
    pull && {
      headSha: pull.head.sha,
      url: pull.html_url,
      openedMs: Number.isNaN(openedMs) ? undefined : openedMs,
    }
  );
}

/** What one commit has that another has not. */
export interface Comparison {
  /** Whether the earlier commit is still part of the later one's history. */
  readonly keepsHistory: boolean;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

const comparisonSchema = object({
  status: picklist(['ahead', 'behind', 'diverged', 'identical']),
  files: fallback(
    array(object({ additions: fallback(count, 0), deletions: fallback(count, 0) })),
    [],
  ),
});

/** Reads "Compare two commits". */
export function readComparison(body: unknown): Comparison | undefined {
  const found = read(comparisonSchema, body);
  const sum = (field: 'additions' | 'deletions'): number =>
    found?.files.reduce((total, file) => total + file[field], 0) ?? 0;
  return (
    found && {
      keepsHistory: found.status === 'ahead' || found.status === 'identical',
      files: found.files.length,
      additions: sum('additions'),
      deletions: sum('deletions'),
    }
  );
}

function read<Value>(schema: GenericSchema<unknown, Value>, body: unknown): Value | undefined {
  const parsed = safeParse(schema, body);
  return parsed.success ? parsed.output : undefined;
}
