import { readFile } from 'node:fs/promises';

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
