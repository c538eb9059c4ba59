import { fallback, object, optional, string } from 'valibot';
import { parse } from '../text/parse.ts';
import { permissionError } from './errors.ts';
import type { User } from './event.ts';
import { isSameName } from './names.ts';
import {
  isSuccessStatus,
  type RequestFailure,
  type RequiredDeps,
  readRequired,
} from './request.ts';

/** What a user may do in a repository, from least to most. */
const roles = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;

export type Role = (typeof roles)[number];

/** Whether `role` is enough where `required` is needed. */
export function isAtLeast(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/** GitHub's response about one user and one repository. */
interface Permission {
  readonly role: Role;
  readonly isBot: boolean;
}

/** The users who need permission before the run may start a job. */
export type Subjects =
  /** GitHub has checked their write access, which is enough, or the event has no actor. */
  | { readonly kind: 'none' }
  /** People who push have write access. A bot's push must be allowed, or jobs could trigger jobs. */
  | { readonly kind: 'bots'; readonly users: readonly User[] }
  | { readonly kind: 'all'; readonly users: readonly User[] };

/** What users need in order to start a job. */
export interface Requirement {
  readonly role: Role;
  /** Logins of the bots that may start jobs, in lower case. */
  readonly allowBots: ReadonlySet<string>;
}

/** Whether the run may start a job, and the first user who may not. */
export type PermissionCheck =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'bot-not-named'; readonly login: string }
  | { readonly kind: 'role-too-low'; readonly login: string; readonly role: Role };

/**
 * Checks the permission of every subject. Bots come first, because they need no request.
 *
 * @throws ActionError if a permission cannot be read: the check fails closed
 * @throws the signal's reason when the step has to stop
 */
export async function checkPermission(
  subjects: Subjects,
  requirement: Requirement,
  deps: RequiredDeps,
): Promise<PermissionCheck> {
  if (subjects.kind === 'none') {
    return { kind: 'allowed' };
  }
  const isNamed = (login: string): boolean => requirement.allowBots.has(login.toLowerCase());
  const bot = subjects.users.find(({ login, isBot }) => isBot && !isNamed(login));
  if (bot !== undefined) {
    return { kind: 'bot-not-named', login: bot.login };
  }
  const people = subjects.kind === 'all' ? subjects.users.filter(({ isBot }) => !isBot) : [];
  for (const { login } of people) {
    const { role, isBot } = await getPermission(login, deps);
    if (isBot && !isNamed(login)) {
      return { kind: 'bot-not-named', login };
    }
    if (!isBot && !isAtLeast(role, requirement.role)) {
      return { kind: 'role-too-low', login, role };
    }
  }
  return { kind: 'allowed' };
}

async function getPermission(login: string, deps: RequiredDeps): Promise<Permission> {
  const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
  const question = { route, parameters: { username: login } };
  const read = (body: unknown) => readPermission(body, login);
  const reading = await readRequired(question, deps, read, permissionError);
  if (reading.kind === 'read') {
    return reading.value;
  }
  if (reading.status === 404) {
    return await explainNotFound(reading, deps);
  }
  if (isSuccessStatus(reading.status)) {
    throw permissionError(
      `GitHub's response about ${login} is not a permission on ${deps.repository}`,
      'check whether a proxy responds instead of GitHub',
    );
  }
  throw permissionError(reading.problem, adviceOn(reading, deps.repository));
}

/** A 404 means a user without any permission, or a token that cannot see the repository at all. */
async function explainNotFound(notFound: RequestFailure, deps: RequiredDeps): Promise<Permission> {
  const question = { route: 'GET /repos/{owner}/{repo}' };
  const repository = await readRequired(question, deps, () => true, permissionError);
  if (repository.kind === 'read') {
    return { role: 'none', isBot: false };
  }
  const failure = repository.status === 404 ? notFound : repository;
  throw permissionError(failure.problem, adviceOn(failure, deps.repository));
}

function adviceOn({ isRefusal, isTemporary }: RequestFailure, repository: string): string {
  if (isRefusal) {
    return `give github-token the workflow's own token, which may always read the metadata of ${repository} (metadata: read), or another token with push access to it`;
  }
  return isTemporary === true
    ? 're-run the workflow later'
    : 'run this step in a workflow that GitHub starts';
}

const optionalString = fallback(optional(string()), undefined);

const permissionSchema = object({
  permission: string(),
  role_name: optionalString,
  user: fallback(optional(object({ login: string(), type: optionalString })), undefined),
});

/** Reads "Get repository permissions for a user"; `undefined` when it is not about `login`. */
function readPermission(body: unknown, login: string): Permission | undefined {
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
