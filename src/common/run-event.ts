import { adviceOnEvents, permissionError } from '../github/errors.ts';
import { type EventFacts, isTrustedEvent, noFacts, type User } from '../github/event.ts';
import { readEventFacts } from '../github/event-schema.ts';
import type { Environment } from '../runner/environment.ts';
import { readEventPayload } from '../runner/event.ts';

/**
 * Reads the payload of the event that triggered the run, unless the event requires write access.
 * @throws ActionError if there is no readable payload
 */
export async function readRunEvent(environment: Environment): Promise<EventFacts> {
  return isTrustedEvent(environment.eventName) ? noFacts : await readEvent(environment);
}

/**
 * Reads the sender of any event.
 * @throws ActionError if there is no readable payload
 */
export async function readSender(environment: Environment): Promise<User | undefined> {
  const { sender } = await readEvent(environment);
  return sender;
}

async function readEvent({ eventPath }: Environment): Promise<EventFacts> {
  const event = await readEventPayload(eventPath);
  const facts = event.kind === 'payload' ? readEventFacts(event.payload) : undefined;
  if (facts === undefined) {
    throw permissionError(
      event.kind === 'payload' ? "the event's file is not a JSON object" : event.problem,
      adviceOnEvents,
    );
  }
  return facts;
}
