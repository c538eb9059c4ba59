/** A user whom an event names. */
export interface User {
  readonly login: string;
  /** Whether the payload says that this is a bot. */
  readonly isBot: boolean;
}

/** The fields of an event's payload that the actions use. */
export interface EventFacts {
  readonly sender: User | undefined;
  /** Text of the comment that the event is about; empty without one. */
  readonly commentBody: string;
  /** Id of that comment. */
  readonly commentId: number | undefined;
  /** The issue or pull request that the event is about. */
  readonly thread: Thread | undefined;
  /** `owner/name` that a pull request comes from; empty when that repository is gone. */
  readonly headRepository: string | undefined;
  /** The run that a `workflow_run` event is about. */
  readonly upstream: UpstreamRun | undefined;
}

/** An issue or a pull request: GitHub numbers both together, and comments on both alike. */
interface Thread {
  readonly number: number;
  readonly isPullRequest: boolean;
}

interface UpstreamRun {
  readonly eventName: string;
  readonly actor: User | undefined;
  readonly triggeringActor: User | undefined;
}

/** The facts of an event whose payload is not read. */
export const noFacts: EventFacts = {
  sender: undefined,
  commentBody: '',
  commentId: undefined,
  thread: undefined,
  headRepository: undefined,
  upstream: undefined,
};

/** Who can trigger an event. */
export type Trigger =
  /** A schedule has no actor. GitHub reports the user who last edited it, who may have left. */
  | 'no-actor'
  /** GitHub requires write access. */
  | 'writers'
  /** GitHub requires write access, but bots may have it, so `allow-bots` has to name them. */
  | 'writers-and-bots'
  | 'anyone';

/** All events that not anyone can trigger. docs/security.md lists the same ones. */
export const restrictedEvents: ReadonlyMap<string, Exclude<Trigger, 'anyone'>> = new Map([
  ['schedule', 'no-actor'],
  ['workflow_dispatch', 'writers'],
  ['repository_dispatch', 'writers'],
  ['release', 'writers'],
  ['merge_group', 'writers'],
  ['push', 'writers-and-bots'],
]);

export function triggerOf(eventName: string): Trigger {
  return restrictedEvents.get(eventName) ?? 'anyone';
}

export function hasNoActor(eventName: string): boolean {
  return triggerOf(eventName) === 'no-actor';
}

/**
 * Whether nobody needs to be checked who triggered an event, so that its payload is not read, unless
 * more than write access is required.
 */
export function isTrustedEvent(eventName: string): boolean {
  const trigger = triggerOf(eventName);
  return trigger === 'no-actor' || trigger === 'writers';
}
