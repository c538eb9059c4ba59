import {
  boolean,
  fallback,
  type GenericSchema,
  type InferOutput,
  nullable,
  object,
  optional,
  string,
  unknown,
} from 'valibot';
import { id, parse } from '../text/parse.ts';
import type { EventFacts, User } from './event.ts';

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
export function readEventFacts(payload: unknown): EventFacts | undefined {
  const facts = parse(eventSchema, payload);
  if (facts === undefined || Array.isArray(payload)) {
    return undefined;
  }
  const { sender, comment, issue, pull_request: pull, workflow_run: upstream } = facts;
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

export const releaseSchema = object({
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

/** Converts what the schema of a release returns. */
export function toRelease(fields: InferOutput<typeof releaseSchema>): Release {
  return {
    tag: fields.tag_name,
    isDraft: fields.draft,
    isPrerelease: fields.prerelease,
    publishedAt: fields.published_at ?? '',
  };
}

interface UserFields {
  readonly login: string;
  readonly type?: string | undefined;
}

function toUser(fields: UserFields | undefined): User | undefined {
  return fields && { login: fields.login, isBot: fields.type === 'Bot' };
}
