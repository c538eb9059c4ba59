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
  thread: undefined,
  headRepository: undefined,
  upstream: undefined,
};

/** GitHub requires write access to trigger these. */
const eventsOfWriters: readonly string[] = [
  'workflow_dispatch',
  'repository_dispatch',
  'release',
  'merge_group',
];

/** A schedule has no actor. GitHub reports the user who last edited it, who may have left. */
export function hasNoActor(eventName: string): boolean {
  return eventName === 'schedule';
}

/**
 * Whether a user without write access cannot trigger an event. Its payload is not read, unless more
 * than write access is required.
 */
export function isTrustedEvent(eventName: string): boolean {
  return hasNoActor(eventName) || eventsOfWriters.includes(eventName);
}
