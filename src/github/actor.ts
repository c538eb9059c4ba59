import { quoted } from '../text/plain.ts';
import { adviceOnEvents, PermissionCheckError } from './errors.ts';
import { type EventFacts, isTrustedEvent, type UpstreamRun, type User } from './event.ts';

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
  /** GitHub already asked for write access, or nobody is there. */
  | { readonly kind: 'nobody' }
  /** Whoever pushes has write access; but a bot's push may be the work of our own last job. */
  | { readonly kind: 'bots'; readonly users: readonly User[] }
  | { readonly kind: 'everybody'; readonly users: readonly User[] };

/**
 * Decides whom an event puts before the check. Events that we never heard of put everybody there.
 *
 * @throws PermissionCheckError when somebody who must be judged is not named, or by no login
 */
export function whoIsJudged(run: TriggeredRun, facts: EventFacts): Judged {
  if (isTrustedEvent(run.eventName)) {
    return { kind: 'nobody' };
  }
  if (run.eventName === 'workflow_run') {
    return judgeUpstream(facts);
  }
  const users = gather({
    'the sender': facts.sender,
    'the actor': asUser(run.actor),
    'the triggering actor': asUser(run.triggeringActor),
  });
  return { kind: run.eventName === 'push' ? 'bots' : 'everybody', users };
}

/** A run that follows on another is judged as that one: anybody can start the first of a chain. */
function judgeUpstream({ sender, upstream }: EventFacts): Judged {
  if (upstream === undefined) {
    throw new PermissionCheckError('the event names no workflow run', adviceOnEvents);
  }
  return isTrustedEvent(upstream.eventName)
    ? { kind: 'nobody' }
    : {
        kind: upstream.eventName === 'push' ? 'bots' : 'everybody',
        users: involved(upstream, sender),
      };
}

function involved({ actor, triggeringActor }: UpstreamRun, sender: User | undefined): User[] {
  return gather({
    'the sender': sender,
    'the actor': actor,
    'the triggering actor': triggeringActor,
  });
}

/** Whether somebody without any rights in the repository can start such a run. */
export function isOpenToStrangers({ eventName }: TriggeredRun, { upstream }: EventFacts): boolean {
  const origin = eventName === 'workflow_run' ? (upstream?.eventName ?? '') : eventName;
  return origin !== 'push' && !isTrustedEvent(origin);
}

/** The runner's variables name people without a type. */
function asUser(login: string): User | undefined {
  return login === '' ? undefined : { login, isBot: false };
}

type Part = 'the sender' | 'the actor' | 'the triggering actor';

/** Everybody once; a login that is a bot's anywhere is a bot's everywhere. */
function gather(parts: Readonly<Record<Part, User | undefined>>): User[] {
  const users = new Map<string, User>();
  for (const [part, user] of Object.entries(parts)) {
    if (user !== undefined) {
      const login = readLogin(user.login, part);
      const key = login.toLowerCase();
      const isBot = user.isBot || key.endsWith('[bot]') || users.get(key)?.isBot === true;
      users.set(key, { login, isBot });
    } else if (part !== 'the triggering actor') {
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
