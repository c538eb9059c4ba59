import {
  fallback,
  type GenericSchema,
  integer,
  minValue,
  number,
  object,
  optional,
  pipe,
  safeParse,
  string,
  unknown,
} from 'valibot';
import type { EventFacts, User } from './event.ts';

/** An optional field: an invalid value counts as missing. */
function lenient<Value>(schema: GenericSchema<unknown, Value>) {
  return fallback(optional(schema), undefined);
}

const threadNumber = pipe(number(), integer(), minValue(1));
const user = object({ login: string(), type: lenient(string()) });
const repository = object({ full_name: string() });

const eventSchema = object({
  sender: lenient(user),
  comment: lenient(object({ body: string() })),
  issue: lenient(object({ number: threadNumber, pull_request: optional(unknown()) })),
  pull_request: lenient(
    object({ number: threadNumber, head: lenient(object({ repo: lenient(repository) })) }),
  ),
  workflow_run: lenient(
    object({ event: string(), actor: lenient(user), triggering_actor: lenient(user) }),
  ),
});

/** Reads an event's payload; `undefined` when it is not a JSON object. */
export function readEventFacts(payload: unknown): EventFacts | undefined {
  const parsed = safeParse(eventSchema, payload);
  if (!parsed.success || Array.isArray(payload)) {
    return undefined;
  }
  const { sender, comment, issue, pull_request: pull, workflow_run: upstream } = parsed.output;
  return {
    sender: toUser(sender),
    commentBody: comment?.body ?? '',
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
