/** Somebody that an event names. */
export interface User {
  readonly login: string;
  /** Whether the payload says that this is a bot. */
  readonly isBot: boolean;
}

/** What an event's payload says that matters here. */
export interface EventFacts {
  readonly sender: User | undefined;
  /** Text of the comment that the event is about; empty when it is about none. */
  readonly commentBody: string;
  /** The issue or pull request that the event is about. */
  readonly thread: Thread | undefined;
  /** `owner/name` that a pull request comes from; empty when that repository is gone. */
  readonly headRepository: string | undefined;
  /** The run that a `workflow_run` event is about. */
  readonly upstream: UpstreamRun | undefined;
}

/** An issue or a pull request: GitHub numbers both together, and comments on both alike. */
export interface Thread {
  readonly number: number;
  readonly isPullRequest: boolean;
}

export interface UpstreamRun {
  readonly eventName: string;
  readonly actor: User | undefined;
  readonly triggeringActor: User | undefined;
}

/** What is known of an event whose payload is not read. */
export const noFacts: EventFacts = {
  sender: undefined,
  commentBody: '',
  thread: undefined,
  headRepository: undefined,
  upstream: undefined,
};

/** Events that take write access already. */
const writersEvents: readonly string[] = [
  'workflow_dispatch',
  'repository_dispatch',
  'release',
  'merge_group',
];

/**
 * Nobody stands behind a schedule: it names whoever once touched its line, and they may have left.
 */
export function isNobodysEvent(eventName: string): boolean {
  return eventName === 'schedule';
}

/**
 * Whether strangers have no part in an event: it takes write access already, or nobody stands behind
 * it. What its payload says is not asked for, unless more than write access is required.
 */
export function isTrustedEvent(eventName: string): boolean {
  return isNobodysEvent(eventName) || writersEvents.includes(eventName);
}
