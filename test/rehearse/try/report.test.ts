import { expect, it } from 'vitest';
import { noteOnEvent } from '../../../rehearse/try/report.ts';
import { readEventFields } from '../../../src/agent/prompt/event-placeholders.ts';

it("says that a made-up event is smaller than GitHub's, for the action's own error", async () => {
  const event = { kind: 'payload', payload: { release: {} } } as const;
  const { signal } = new AbortController();
  const error = await readEventFields([['release', 'x']], 'prompt', event, signal).catch(String);
  expect(noteOnEvent(`| ${error}\n`)).toMatch(/^This event is made up, .* -- --event FILE\.$/);
  expect(noteOnEvent('The job has failed.')).toBeUndefined();
});
