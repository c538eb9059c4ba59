import { readFile } from 'node:fs/promises';
import {
  boolean,
  fallback,
  type GenericSchema,
  nullable,
  object,
  optional,
  string,
  unknown,
} from 'valibot';
import { id, parse } from '../text/parse.ts';
import { adviceOnEvents, permissionError } from './errors.ts';

/** A user whom an event names. */
export interface User {
  readonly login: string;
  /** Whether the payload says that this is a bot. */
  readonly isBot: boolean;
}

/** The fields of an event's payload that the actions use. */
export interface RunEvent {
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

/** An event whose payload cannot be read. */
export const unreadEvent: RunEvent = {
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

/** Whether the event needs no check of its users: it has none, or GitHub requires write access of them. */
export function isTrustedEvent(eventName: string): boolean {
  const trigger = triggerOf(eventName);
  return trigger === 'no-actor' || trigger === 'writers';
}

/** The payload of the event that triggered the run, or why there is none. */
export type EventPayload =
  | { readonly kind: 'payload'; readonly payload: unknown }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Reads the event's payload from the file that the runner names in `GITHUB_EVENT_PATH`. */
export async function readEventPayload(eventPath: string): Promise<EventPayload> {
  if (eventPath === '') {
    return { kind: 'unreadable', problem: 'the runner named no event file' };
  }
  const text = await readFile(eventPath, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return { kind: 'unreadable', problem: "the event's file cannot be read" };
  }
  try {
    return { kind: 'payload', payload: JSON.parse(text) };
  } catch {
    return { kind: 'unreadable', problem: "the event's file is not JSON" };
  }
}

/**
 * Reads the event that triggered the run.
 * @throws ActionError if there is no readable payload, unless the event needs no check of its users
 */
export async function readRunEvent({
  eventName,
  eventPath,
}: {
  readonly eventName: string;
  readonly eventPath: string;
}): Promise<RunEvent> {
  const file = await readEventPayload(eventPath);
  const event = file.kind === 'payload' ? readEvent(file.payload) : undefined;
  if (event === undefined && !isTrustedEvent(eventName)) {
    throw permissionError(
      file.kind === 'payload' ? "the event's file is not a JSON object" : file.problem,
      adviceOnEvents,
    );
  }
  return event ?? unreadEvent;
}

/** An optional field: an invalid value counts as missing. */
function lenient<Value>(schema: GenericSchema<unknown, Value>) {
  return fallback(optional(schema), undefined);
}

const user = object({ login: string(), type: lenient(string()) });
const repository = object({ full_name: string() });

const eventSchema = object({
  sender: lenient(user),
  comment: lenient(object({ body: string(), id: lenient(id) })),
  issue: lenient(object({ number: id, pull_request: optional(unknown()) })),
  pull_request: lenient(
    object({ number: id, head: lenient(object({ repo: lenient(repository) })) }),
  ),
  workflow_run: lenient(
    object({ event: string(), actor: lenient(user), triggering_actor: lenient(user) }),
  ),
});

/** Reads an event's payload; `undefined` when it is not a JSON object. */
export function readEvent(payload: unknown): RunEvent | undefined {
  const event = parse(eventSchema, payload);
  if (event === undefined || Array.isArray(payload)) {
    return undefined;
  }
  const { sender, comment, issue, pull_request: pull, workflow_run: upstream } = event;
  return {
    sender: toUser(sender),
    commentBody: comment?.body ?? '',
    commentId: comment?.id,
    thread: pull
      ? { number: pull.number, isPullRequest: true }
      : issue && { number: issue.number, isPullRequest: issue.pull_request !== undefined },
    headRepository: pull && (pull.head?.repo?.full_name ?? ''),
    upstream: upstream && {
      eventName: upstream.event,
      actor: toUser(upstream.actor),
      triggeringActor: toUser(upstream.triggering_actor),
    },
  };
}

interface UserFields {
  readonly login: string;
  readonly type?: string | undefined;
}

function toUser(fields: UserFields | undefined): User | undefined {
  return fields && { login: fields.login, isBot: fields.type === 'Bot' };
}

const pushSchema = object({ before: string() });

/** The commit before a push, which is all zeros if it created the branch; `undefined` if none is named. */
export function readPushBefore(payload: unknown): string | undefined {
  return parse(pushSchema, payload)?.before;
}

/** A release, as an event or GitHub's list has it. */
export interface Release {
  readonly tag: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  /** Empty for a draft. */
  readonly publishedAt: string;
}

const releaseSchema = object({
  tag_name: string(),
  draft: fallback(boolean(), false),
  prerelease: fallback(boolean(), false),
  published_at: fallback(nullable(string()), null),
});

const releaseEventSchema = object({ release: releaseSchema });

/** The release that an event is about; `undefined` if it names none. */
export function readReleaseOf(payload: unknown): Release | undefined {
  const event = parse(releaseEventSchema, payload);
  return event && toRelease(event.release);
}

interface ReleaseFields {
  readonly tag_name: string;
  readonly draft: boolean;
  readonly prerelease: boolean;
  readonly published_at: string | null;
}

/** Names the fields of a release as this action does. */
export function toRelease(fields: ReleaseFields): Release {
  return {
    tag: fields.tag_name,
    isDraft: fields.draft,
    isPrerelease: fields.prerelease,
    publishedAt: fields.published_at ?? '',
  };
}
