import { expect, it } from 'vitest';
import { countPaid, describeResults, noteOnEvent } from '../../../rehearse/try/report.ts';
import { sentenceOf } from '../../../sandbox/command-line.ts';
import { readEventField } from '../../../src/agent/prompt/event-text.ts';

it("says that a made-up event is smaller than GitHub's, for the action's own error", async () => {
  const event = { kind: 'payload', payload: { release: {} } } as const;
  const error = await readEventField(['release', 'x'], 'prompt', event).catch(String);
  expect(noteOnEvent(`| ${error}\n`)).toMatch(/^This event is made up, .* -- --event FILE\.$/);
  expect(noteOnEvent('The job has failed.')).toBeUndefined();
});

it('counts the jobs and the follow-ups that cost credits', () => {
  const request = (method: string, path: string, status: number) => ({ method, path, status });
  const job = request('POST', '/v1/agent/docs/job', 201);
  const followUp = request('POST', '/v1/agent/docs/job/1/message', 200);
  const unpaid = [
    request('GET', '/v1/agent/docs/job/1', 200),
    request('POST', '/v1/agent/docs/job', 429),
    request('POST', '/v1/agent/docs/job/1/message', 409),
  ];
  expect(countPaid([job, ...unpaid], 1)).toEqual(['1 agent job with 1 pull request']);
  expect(countPaid([...unpaid, followUp], 0)).toEqual(['0 agent jobs', '1 follow-up']);
});

it('shows the text of a thread that the run opened, and not one that was there', () => {
  const issue = {
    ...{ name: 'acme/docs#1', title: 'Report', login: 'owner', body: 'One.', state: 'open' },
    ...{ isAgentPull: false, comments: [] },
  };
  const shown = (before: readonly (typeof issue)[], after: readonly (typeof issue)[]) =>
    describeResults('Green', [], before, after).join('\n');
  expect(shown([], [issue])).toContain('\nReport (open)\n┌ owner\n│ One.\n└\n');
  expect(shown([issue], [{ ...issue, state: 'closed' }])).toContain('\nReport (closed)\n\n━━');
  expect(shown([], [{ ...issue, body: '' }])).toContain('\nReport (open)\n\n━━');
  expect(shown([], [{ ...issue, isAgentPull: true }])).toContain('\nReport (open)\n\n━━');
});

it.each([
  ['docs.yml does not exist', 'docs.yml does not exist.'],
  ['go is missing. See https://go.dev.', 'go is missing. See https://go.dev.'],
  ['it has errors:\n  line 1', 'it has errors:\n  line 1'],
])('ends an error with one full stop: %s', (message, sentence) => {
  expect(sentenceOf(new Error(message))).toBe(sentence);
});
