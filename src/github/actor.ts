import { quoted } from '../text/plain.ts';
import { adviceOnEvents, PermissionCheckError } from './errors.ts';
import { type EventFacts, isNobodysEvent, isTrustedEvent, type User } from './event.ts';
import { isAtLeast, type Role } from './role.ts';

/** The run, as the runner's variables tell of it. */
export interface TriggeredRun {
  readonly eventName: string;
  /** `GITHUB_ACTOR`: who triggered the run first. */
  readonly actor: string;
  /** `GITHUB_TRIGGERING_ACTOR`: who triggered this attempt; empty where the runner does not tell. */
  readonly triggeringActor: string;
}

/** Who must pass before the run may start a job. */
export type Judged =
  /** GitHub already asked for write access, which is enough, or nobody is there. */
  | { readonly kind: 'nobody' }
  /** Whoever pushes has write access; but a bot's push may be the work of our own last job. */
  | { readonly kind: 'bots'; readonly users: readonly User[] }
  | { readonly kind: 'everybody'; readonly users: readonly User[] };

/**
 * Decides whom an event puts before the check. Events that we never heard of put everybody there,
 * and so do those that take write access where more than that is required.
 *
 * @param required the least role that starts a job
 * @throws PermissionCheckError when somebody who must be judged is not named, or by no login
 */
export function whoIsJudged(run: TriggeredRun, facts: EventFacts, required: Role): Judged {
  if (run.eventName === 'workflow_run' && facts.upstream === undefined) {
    throw new PermissionCheckError('the event names no workflow run', adviceOnEvents);
  }
  const kind = kindOf(originOf(run, facts), required);
  if (kind === 'nobody') {
    return { kind };
  }
  const users =
    run.eventName === 'workflow_run'
      ? peopleBefore(run, facts, required)
      : gather({
          'the sender': facts.sender,
          'the actor': asUser(run.actor),
          'the triggering actor': asUser(run.triggeringActor),
        });
  return { kind, users };
}

/**
 * The event that a run goes back to: one that follows on another is judged as that one, since
 * anybody can start the first of a chain.
 */
export function originOf({ eventName }: TriggeredRun, { upstream }: EventFacts): string {
  return eventName === 'workflow_run' ? (upstream?.eventName ?? '') : eventName;
}

function kindOf(origin: string, required: Role): Judged['kind'] {
  if (isNobodysEvent(origin)) {
    return 'nobody';
  }
  if (isMoreThanWrite(required)) {
    return 'everybody';
  }
  if (origin === 'push') {
    return 'bots';
  }
  return isTrustedEvent(origin) ? 'nobody' : 'everybody';
}

/**
 * Whether people are to be judged of whom GitHub asked for write access: whoever triggered an event
 * that takes it, and whoever started a run again.
 */
function isMoreThanWrite(required: Role): boolean {
  return isAtLeast(required, 'maintain');
}

/** Those behind the run that this one follows on. */
function peopleBefore(
  { triggeringActor }: TriggeredRun,
  { sender, upstream }: EventFacts,
  required: Role,
): User[] {
  return gather({
    'the sender': sender,
    'the actor': upstream?.actor,
    'the triggering actor': upstream?.triggeringActor,
    ...(isMoreThanWrite(required) && { 'whoever started it again': asUser(triggeringActor) }),
  });
}

/** Whether a run needs the sender of an event whose payload is otherwise not asked for. */
export function needsSender({ eventName }: TriggeredRun, required: Role): boolean {
  return isTrustedEvent(eventName) && !isNobodysEvent(eventName) && isMoreThanWrite(required);
}

/** Whether somebody without any rights in the repository can start such a run. */
export function isOpenToStrangers(run: TriggeredRun, facts: EventFacts): boolean {
  const origin = originOf(run, facts);
  return origin !== 'push' && !isTrustedEvent(origin);
}

/** The runner's variables name people without a type. */
function asUser(login: string): User | undefined {
  return login === '' ? undefined : { login, isBot: false };
}

/** Everybody who may stand behind a run. The last two are not always told. */
type Parts = Readonly<
  Record<'the sender' | 'the actor', User | undefined> &
    Partial<Record<'the triggering actor' | 'whoever started it again', User | undefined>>
>;

const alwaysTold: readonly string[] = [
  'the sender',
  'the actor',
] satisfies readonly (keyof Parts)[];

/** Everybody once; a login that is a bot's anywhere is a bot's everywhere. */
function gather(parts: Parts): User[] {
  const users = new Map<string, User>();
  for (const [part, user] of Object.entries(parts)) {
    if (user !== undefined) {
      const login = readLogin(user.login, part);
      const key = login.toLowerCase();
      const isBot = user.isBot || key.endsWith('[bot]') || users.get(key)?.isBot === true;
      users.set(key, { login, isBot });
    } else if (alwaysTold.includes(part)) {
      throw new PermissionCheckError(`the event does not name ${part}`, adviceOnEvents);
    }
  }
  return [...users.values()];
}

function readLogin(login: string, part: string): string {
  if (!isLogin(login)) {
    throw new PermissionCheckError(
      `${part} is ${quoted(login)}, which is no login`,
      adviceOnEvents,
    );
  }
  return login;
}

/** What GitHub gives out as a login; with `_` for accounts that a company manages. */
export function isLogin(text: string): boolean {
  return /^[A-Za-z\d][\w-]{0,99}(?:\[bot\])?$/.test(text);
}
