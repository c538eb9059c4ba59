import { quoted } from '../text/plain.ts';
import { adviceOnEvents, permissionError } from './errors.ts';
import { hasNoActor, isTrustedEvent, type RunEvent, triggerOf, type User } from './event.ts';
import { botSuffix, isLogin } from './names.ts';
import { isAtLeast, type Role, type Subjects } from './permission.ts';

/** The run, as the runner's variables describe it. */
export interface TriggeredRun {
  readonly eventName: string;
  /** `GITHUB_ACTOR`: who triggered the run first. */
  readonly actor: string;
  /** `GITHUB_TRIGGERING_ACTOR`: who triggered this attempt; empty where the runner does not set it. */
  readonly triggeringActor: string;
}

/**
 * Finds the users whose permission must be checked. For an unknown event, these are all users behind
 * the run. They are also all users if more than write access is required, even for events that need
 * write access.
 *
 * @param required the lowest role that may start a job
 * @throws ActionError if a user who must be checked is missing or has an invalid login
 */
export function findSubjects(run: TriggeredRun, event: RunEvent, required: Role): Subjects {
  if (run.eventName === 'workflow_run' && event.upstream === undefined) {
    throw permissionError('the event names no workflow run', adviceOnEvents);
  }
  const kind = kindOf(originOf(run, event), required);
  if (kind === 'none') {
    return { kind };
  }
  const users =
    run.eventName === 'workflow_run'
      ? findUpstreamUsers(run, event, required)
      : collectUsers({
          'the sender': event.sender,
          'the actor': asUser(run.actor),
          'the triggering actor': asUser(run.triggeringActor),
        });
  return { kind, users };
}

/**
 * The event at the start of a chain of runs. A run that follows another one is checked like that one,
 * because a stranger may have started the first run of the chain.
 */
export function originOf({ eventName }: TriggeredRun, { upstream }: RunEvent): string {
  return eventName === 'workflow_run' ? (upstream?.eventName ?? '') : eventName;
}

function kindOf(origin: string, required: Role): Subjects['kind'] {
  switch (triggerOf(origin)) {
    case 'no-actor':
      return 'none';
    case 'writers':
      return isMoreThanWrite(required) ? 'all' : 'none';
    case 'writers-and-bots':
      return isMoreThanWrite(required) ? 'all' : 'bots';
    case 'anyone':
      return 'all';
  }
}

/**
 * Whether GitHub's own check is not enough: it only guarantees that users who trigger certain events,
 * or re-run a run, have write access.
 */
function isMoreThanWrite(required: Role): boolean {
  return isAtLeast(required, 'maintain');
}

/** The users behind the run that this one follows. */
function findUpstreamUsers(
  { triggeringActor }: TriggeredRun,
  { sender, upstream }: RunEvent,
  required: Role,
): User[] {
  return collectUsers({
    'the sender': sender,
    'the actor': upstream?.actor,
    'the triggering actor': upstream?.triggeringActor,
    ...(isMoreThanWrite(required) && { 'the user who re-ran it': asUser(triggeringActor) }),
  });
}

/** Whether the check needs the sender of an event whose payload is otherwise not read. */
export function needsSender({ eventName }: TriggeredRun, required: Role): boolean {
  return isTrustedEvent(eventName) && !hasNoActor(eventName) && isMoreThanWrite(required);
}

/** Whether a user without any permission on the repository can start such a run. */
export function isOpenToAnyone(run: TriggeredRun, event: RunEvent): boolean {
  return triggerOf(originOf(run, event)) === 'anyone';
}

/** The runner's variables name users without their type. */
function asUser(login: string): User | undefined {
  return login === '' ? undefined : { login, isBot: false };
}

/** The users who may be behind a run. The last two can be missing. */
type UsersByPart = Readonly<
  Record<'the sender' | 'the actor', User | undefined> &
    Partial<Record<'the triggering actor' | 'the user who re-ran it', User | undefined>>
>;

const requiredParts: readonly string[] = [
  'the sender',
  'the actor',
] satisfies readonly (keyof UsersByPart)[];

/** Lists each user once. If one part says that a login is a bot's, it counts as a bot. */
function collectUsers(parts: UsersByPart): User[] {
  const users = new Map<string, User>();
  for (const [part, user] of Object.entries(parts)) {
    if (user !== undefined) {
      const login = readLogin(user.login, part);
      const key = login.toLowerCase();
      const isBot = user.isBot || key.endsWith(botSuffix) || users.get(key)?.isBot === true;
      users.set(key, { login, isBot });
    } else if (requiredParts.includes(part)) {
      throw permissionError(`the event does not name ${part}`, adviceOnEvents);
    }
  }
  return [...users.values()];
}

function readLogin(login: string, part: string): string {
  if (!isLogin(login)) {
    throw permissionError(`${part} is ${quoted(login)}, which is not a login`, adviceOnEvents);
  }
  return login;
}
