import { object, picklist } from 'valibot';
import type { ActionError } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { quoted } from '../text/plain.ts';
import { adviceOnEvents, adviceOnFailure, permissionError } from './errors.ts';
import { lenient, type RunEvent, triggerOf, type User, userSchema } from './event.ts';
import { botSuffix, isLogin, isSameName, ownerAndRepo } from './names.ts';
import { ask, type RepositoryDeps, type RequestFailure } from './request.ts';

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

/** The run, as the runner's variables describe it. */
export interface TriggeredRun {
  readonly eventName: string;
  /** `GITHUB_ACTOR`: who triggered the run first. */
  readonly actor: string;
  /** `GITHUB_TRIGGERING_ACTOR`: who triggered this attempt; empty where the runner does not set it. */
  readonly triggeringActor: string;
  /** 1 for the first attempt, and more for each re-run. */
  readonly attempt: number;
}

/**
 * Finds the users whose permission must be checked:
 * - Anyone can trigger the event: all users behind the run are checked.
 * - The event is a push: only bots are checked. People who push have write access, but a bot's push must be
 *   allowed, or jobs could trigger jobs.
 * - GitHub requires write access for the event, or nobody triggered the run: no user is checked.
 *
 * If more than write access is required, GitHub's own check is not enough. Then all users are checked, and for a
 * schedule, the people who re-ran it.
 *
 * @param required the lowest role that may start a job
 * @throws ActionError if a user who must be checked is missing or has an invalid login
 */
export function findCheckedUsers(
  run: TriggeredRun,
  event: RunEvent,
  required: Role,
): readonly User[] {
  const isFollowing = run.eventName === 'workflow_run';
  if (isFollowing && event.upstream === undefined) {
    throw permissionError('the event names no workflow run', adviceOnEvents);
  }
  const trigger = triggerOf(startingEventOf(run, event));
  // GitHub only guarantees that people who trigger certain events, or re-run a run, have write access.
  const isStrict = isAtLeast(required, 'maintain');
  if (trigger === 'no-actor') {
    return isStrict ? findReRunners(run, event) : [];
  }
  if (trigger === 'writers' && !isStrict) {
    return [];
  }
  const reRunner = asUser(run.triggeringActor);
  const users = collectUsers(
    {
      'the sender': event.sender,
      'the actor': isFollowing ? event.upstream?.actor : asUser(run.actor),
    },
    {
      'the triggering actor': isFollowing ? event.upstream?.triggeringActor : reRunner,
      ...(isStrict && { 'the user who re-ran it': reRunner }),
    },
  );
  return trigger === 'writers-and-bots' && !isStrict ? users.filter(({ isBot }) => isBot) : users;
}

/**
 * Finds who re-ran a scheduled run, or a run that follows one. A schedule itself has no actor, but everyone
 * with write access can re-run it.
 */
function findReRunners(
  { eventName, attempt, triggeringActor }: TriggeredRun,
  { upstream }: RunEvent,
): readonly User[] {
  const isReRun = eventName === 'workflow_run' && upstream?.attempt !== 1;
  return collectUsers({
    ...(attempt > 1 && { 'the user who re-ran it': asUser(triggeringActor) }),
    ...(isReRun && { 'the user who re-ran the run before it': upstream?.triggeringActor }),
  });
}

/**
 * The event of the run that this run follows, or else of this run itself. A run that follows another run is checked
 * like that other run, because a stranger may have started it.
 */
export function startingEventOf({ eventName }: TriggeredRun, { upstream }: RunEvent): string {
  return eventName === 'workflow_run' ? (upstream?.eventName ?? '') : eventName;
}

/** Whether a user without any permission on the repository can start such a run. */
export function isOpenToAnyone(run: TriggeredRun, event: RunEvent): boolean {
  return triggerOf(startingEventOf(run, event)) === 'anyone';
}

/** Makes a user of a login in the runner's variables, which do not say whether the user is a bot. */
function asUser(login: string): User | undefined {
  return login === '' ? undefined : { login, isBot: false };
}

/** The users behind a run, by their part in it, such as the user who re-ran it. */
type UsersByPart = Readonly<Record<string, User | undefined>>;

/**
 * Lists each user once. If one part says that a login is a bot's, it counts as a bot.
 *
 * @param needed users who must be there
 * @param others users who can be missing
 * @throws ActionError
 */
function collectUsers(needed: UsersByPart, others: UsersByPart = {}): User[] {
  const users = new Map<string, User>();
  for (const [part, user] of Object.entries({ ...needed, ...others })) {
    if (user === undefined) {
      if (part in needed) {
        throw permissionError(`the event does not name ${part}`, adviceOnEvents);
      }
      continue;
    }
    const { login } = user;
    if (!isLogin(login)) {
      throw permissionError(`${part} is ${quoted(login)}, which is not a login`, adviceOnEvents);
    }
    const key = login.toLowerCase();
    const isBot = user.isBot || key.endsWith(botSuffix) || users.get(key)?.isBot === true;
    users.set(key, { login, isBot });
  }
  return [...users.values()];
}

/** What users need in order to start a job. */
export interface Requirement {
  readonly role: Role;
  /** Logins of the bots that may start jobs, spelled as in the workflow. */
  readonly allowBots: readonly string[];
}

/** Whether the run may start a job; if not, the first user who may not start one. */
export type PermissionCheck =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'bot-not-named'; readonly login: string }
  | { readonly kind: 'role-too-low'; readonly login: string; readonly role: Role };

/**
 * Checks the permission of each of these users. Bots come first, because they need no request.
 *
 * @throws ActionError if a permission cannot be read: the check fails closed
 * @throws the signal's reason when the step has to stop
 */
export async function checkPermission(
  users: readonly User[],
  requirement: Requirement,
  deps: RepositoryDeps,
): Promise<PermissionCheck> {
  const isNamed = (login: string): boolean =>
    requirement.allowBots.some((name) => isSameName(name, login));
  const bot = users.find(({ login, isBot }) => isBot && !isNamed(login));
  if (bot !== undefined) {
    return { kind: 'bot-not-named', login: bot.login };
  }
  for (const { login } of users.filter(({ isBot }) => !isBot)) {
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

async function getPermission(login: string, deps: RepositoryDeps): Promise<Permission> {
  const asked = { ...ownerAndRepo(deps.repository), username: login };
  const outcome = await ask(
    deps,
    ({ rest }) => rest.repos.getCollaboratorPermissionLevel(asked),
    (body: unknown) => readPermission(body, login),
  );
  if (outcome.kind === 'ok') {
    return outcome.value;
  }
  if (outcome.status === 404) {
    return await explainNotFound(outcome, deps);
  }
  throw checkFailure(outcome, deps.repository);
}

/** A 404 means a user without any permission, or a token that cannot see the repository at all. */
async function explainNotFound(
  notFound: RequestFailure,
  deps: RepositoryDeps,
): Promise<Permission> {
  const repository = await ask(
    deps,
    ({ rest }) => rest.repos.get(ownerAndRepo(deps.repository)),
    () => true,
  );
  if (repository.kind === 'ok') {
    return { role: 'none', isBot: false };
  }
  throw checkFailure(repository.status === 404 ? notFound : repository, deps.repository);
}

function checkFailure(failure: RequestFailure, repository: string): ActionError {
  const permissions =
    'the workflow\'s own token, or another one with the permission "metadata: read"';
  const token = { repository, input: 'github-token', isStandIn: false } as const;
  return permissionError(failure.problem, adviceOnFailure(failure, permissions, token));
}

const permissionSchema = object({
  permission: picklist(roles),
  /** The finer role. Custom roles count as missing, because they have no place in the order of roles. */
  role_name: lenient(picklist(roles)),
  user: lenient(userSchema),
});

/** Reads "Get repository permissions for a user"; `undefined` if the response is not about `login`. */
function readPermission(body: unknown, login: string): Permission | undefined {
  const found = parse(permissionSchema, body);
  return found && isSameName(found.user?.login ?? login, login)
    ? { role: found.role_name ?? found.permission, isBot: found.user?.isBot === true }
    : undefined;
}
