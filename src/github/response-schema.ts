import { array, boolean, fallback, nullable, object, optional, picklist, string } from 'valibot';
import { count, id, parse } from '../text/parse.ts';
import { isSameName } from './names.ts';
import { type Permission, type Role, roles } from './permission.ts';

const optionalString = fallback(optional(string()), undefined);

const permissionSchema = object({
  permission: string(),
  role_name: optionalString,
  user: fallback(optional(object({ login: string(), type: optionalString })), undefined),
});

/** Reads "Get repository permissions for a user"; `undefined` when it is not about `login`. */
export function readPermission(body: unknown, login: string): Permission | undefined {
  const found = parse(permissionSchema, body);
  const role = findRole(found?.role_name) ?? findRole(found?.permission);
  const isAboutLogin = isSameName(found?.user?.login ?? login, login);
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
  return parse(viewerSchema, body)?.data.viewer.login;
}

/** Reads "Get the authenticated user". */
export function readUser(body: unknown): string | undefined {
  return parse(userSchema, body)?.login;
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
  return parse(commentsSchema, body)?.map((comment) => ({
    id: comment.id,
    author: comment.user?.login ?? '',
    body: comment.body,
  }));
}

/** Reads the id of a comment that was created or updated. */
export function readCommentId(body: unknown): number | undefined {
  return parse(createdSchema, body)?.id;
}

/** The fields of "Get a pull request" that are used here. */
export interface PullRequestDetails {
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly headSha: string;
  /** Neither merged nor closed, as far as GitHub says. */
  readonly isOpen: boolean;
  /** Whether everyone can read it; false if GitHub does not say. */
  readonly isPublic: boolean;
  readonly changedFiles: number;
  readonly additions: number;
  readonly deletions: number;
}

const pullSchema = object({
  title: string(),
  state: fallback(picklist(['open', 'closed']), 'open'),
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
  const pull = parse(pullSchema, body);
  return (
    pull && {
      title: pull.title,
      branch: pull.head.ref,
      base: pull.base.ref,
      headSha: pull.head.sha,
      isOpen: pull.state === 'open',
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
  return parse(pullStateSchema, body)?.state;
}

const filesSchema = array(object({ filename: string() }));

/** Reads one page of "List pull requests files". */
export function readFileNames(body: unknown): readonly string[] | undefined {
  return parse(filesSchema, body)?.map(({ filename }) => filename);
}
