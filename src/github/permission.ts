import type { ActionError } from '../text/error.ts';
import { permissionError } from './errors.ts';
import type { User } from './event.ts';
import { ask, type RequiredDeps } from './reading.ts';
import {
  describeResponse,
  type GitHubResponse,
  isRefusal,
  isSuccess,
  isTemporary,
} from './request.ts';
import { readPermission } from './response-schema.ts';

/** What a user may do in a repository, from least to most. */
export const roles = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;

export type Role = (typeof roles)[number];

/** Whether `role` is enough where `required` is needed. */
export function isAtLeast(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/** GitHub's response about one user and one repository. */
export interface Permission {
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

const timeoutMs = 10_000;

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
  const request = { route, parameters: { username: login }, timeoutMs };
  const response = await ask(request, permissionError, deps);
  if (response.kind === 'response' && response.status === 404) {
    return await explainNotFound(response, deps);
  }
  if (!isSuccess(response)) {
    throw await checkFailed(response, deps);
  }
  const permission = readPermission(response.body, login);
  if (permission === undefined) {
    throw permissionError(
      `GitHub's response about ${login} is not a permission on ${deps.repository}`,
      'check whether a proxy responds instead of GitHub',
    );
  }
  return permission;
}

/** A 404 means a user without any permission, or a token that cannot see the repository at all. */
async function explainNotFound(notFound: GitHubResponse, deps: RequiredDeps): Promise<Permission> {
  const request = { route: 'GET /repos/{owner}/{repo}', timeoutMs };
  const repository = await ask(request, permissionError, deps);
  if (isSuccess(repository)) {
    return { role: 'none', isBot: false };
  }
  const isHidden = repository.kind === 'response' && repository.status === 404;
  throw await checkFailed(isHidden ? notFound : repository, deps);
}

async function checkFailed(
  response: GitHubResponse,
  { repository }: RequiredDeps,
): Promise<ActionError> {
  return permissionError(describeResponse(response), adviceOn(response, repository));
}

function adviceOn(response: GitHubResponse, repository: string): string {
  if (isRefusal(response)) {
    return `give github-token the workflow's own token, which may always read the metadata of ${repository} (metadata: read), or another token with push access to it`;
  }
  return isTemporary(response)
    ? 're-run the workflow later'
    : 'run this step in a workflow that GitHub starts';
}
