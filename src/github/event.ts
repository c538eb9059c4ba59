import { readFile } from 'node:fs/promises';
import {
  boolean,
  fallback,
  type GenericSchema,
  type InferOutput,
  nullable,
  number,
  object,
  optional,
  pipe,
  string,
  transform,
  unknown,
} from 'valibot';
import { id, parse } from '../text/parse.ts';
import { adviceOnEvents, permissionError } from './errors.ts';

/** A user whom an event names. */
export interface User {
  readonly login: string;
  /** Whether the payload says that the user is a bot. */
  readonly isBot: boolean;
}

/** Who can trigger an event. */
export type Trigger =
  /** A schedule has no actor. GitHub reports the user who last edited it, who may have left. */
  | 'no-actor'
  /** GitHub requires write access. */
  | 'writers'
  /** GitHub requires write access, but bots may have it, so `allow-bots` has to name them. */
  | 'writers-and-bots'
  | 'anyone';

/** All events that only some people can trigger. docs/security.md lists the same events. */
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

/** Whether the users of an event need no check: the event has no users, or GitHub requires write access. */
export function isTrustedEvent(eventName: string): boolean {
  const trigger = triggerOf(eventName);
  return trigger === 'no-actor' || trigger === 'writers';
}

/** The payload of the event that triggered the run, or why there is no payload. */
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
export function lenient<Value>(schema: GenericSchema<unknown, Value>) {
  return fallback(optional(schema), undefined);
}

/** A user, as an event or GitHub's API describes it. */
export const userSchema = pipe(
  object({ login: string(), type: lenient(string()) }),
  transform(({ login, type }): User => ({ login, isBot: type === 'Bot' })),
);
const repository = object({ full_name: string() });

const eventSchema = pipe(
  object({
    sender: lenient(userSchema),
    comment: lenient(object({ body: string(), id: lenient(id) })),
    issue: lenient(object({ number: id, pull_request: optional(unknown()) })),
    pull_request: lenient(
      object({ number: id, head: lenient(object({ repo: lenient(repository) })) }),
    ),
    workflow_run: lenient(
      object({
        event: string(),
        actor: lenient(userSchema),
        triggering_actor: lenient(userSchema),
        run_attempt: lenient(number()),
      }),
    ),
  }),
  transform(({ sender, comment, issue, pull_request: pull, workflow_run: upstream }) => ({
    sender,
    /** The text of the comment that the event is about; empty if the event is not about a comment. */
    commentBody: comment?.body ?? '',
    commentId: comment?.id,
    /** The issue or pull request that the event is about: GitHub numbers both together, and treats comments alike. */
    thread: pull
      ? { number: pull.number, isPullRequest: true }
      : issue && { number: issue.number, isPullRequest: Boolean(issue.pull_request) },
    /** `owner/name` of the repository that a pull request comes from; empty if that repository is gone. */
    headRepository: pull && (pull.head?.repo?.full_name ?? ''),
    /** The run that a `workflow_run` event is about. */
    upstream: upstream && {
      eventName: upstream.event,
      actor: upstream.actor,
      triggeringActor: upstream.triggering_actor,
      attempt: upstream.run_attempt,
    },
  })),
);

/** The fields of an event's payload that the actions use. */
export type RunEvent = Readonly<InferOutput<typeof eventSchema>>;

/** An event whose payload cannot be read. */
export const unreadEvent: RunEvent = {
  sender: undefined,
  commentBody: '',
  commentId: undefined,
  thread: undefined,
  headRepository: undefined,
  upstream: undefined,
};

/** Reads an event's payload; `undefined` when it is not a JSON object. */
export function readEvent(payload: unknown): RunEvent | undefined {
  return Array.isArray(payload) ? undefined : parse(eventSchema, payload);
}

const pushSchema = object({ before: string() });

/** The commit before a push, all zeros if the push created the branch; `undefined` if the event names no commit. */
export function readPushBefore(payload: unknown): string | undefined {
  return parse(pushSchema, payload)?.before;
}

/** A release, as an event or GitHub's list describes it. */
export const releaseSchema = pipe(
  object({
    tag_name: string(),
    prerelease: fallback(boolean(), false),
    published_at: fallback(nullable(string()), null),
  }),
  transform((release) => ({
    tag: release.tag_name,
    isPrerelease: release.prerelease,
    /** Empty for a draft. */
    publishedAt: release.published_at ?? '',
  })),
);

export type Release = InferOutput<typeof releaseSchema>;

const releaseEventSchema = object({ release: releaseSchema });

/** The release that an event is about; `undefined` if the event names no release. */
export function readReleaseOf(payload: unknown): Release | undefined {
  return parse(releaseEventSchema, payload)?.release;
}
