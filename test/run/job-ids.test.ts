import { expect, it } from 'vitest';
import { annotations, runAgainst, startAttempts } from '../helpers/run.ts';
import { create, jobBody, ok, prLink, type Reply } from '../helpers/servers.ts';

/** The API's description says only that an id is a string. */
const ids: readonly (readonly [name: string, id: string])[] = [
  ['in base 64', 'am9i=+/'],
  ['with what URLs know', 'one "job" & 90%?x=1'],
  ['with a blank and ü', 'für alle'],
  ['like a path', '../../v1/other'],
  ['of 48 letters with 2 bytes each', 'Ö'.repeat(48)],
  ['of 96 quotation marks', '"'.repeat(96)],
];

/** Besides those of test/unit/platform/schema.test.ts. */
const notIds: readonly (readonly [name: string, id: string])[] = [
  ['a text with a blank before it', ' job'],
  ['a text with a blank behind it', 'job\u00a0'],
  ['two lines of Unicode', 'a\u2028b'],
  ['a text that rings', 'a\u0007b'],
  ['a text with a zero-width space', 'a\u200bb'],
  ['a text that turns round', 'a\u202eb'],
  ['half a character', 'a\ud800b'],
  ['101 letters with 2 bytes each', 'ö'.repeat(101)],
];

/** A job with the id, as a response that starts it, and as one that says how it ended. */
function job(id: string): { readonly created: Reply; readonly done: Reply } {
  return {
    created: { status: 201, body: jobBody({ id }) },
    done: ok(jobBody({ id, status: 'completed', prLink })),
  };
}

function pathOf(id: string): string {
  return `/v2/agent/acme/job/${encodeURIComponent(id)}`;
}

it.each(ids)('a job id %s is an output, finds its record, and can be given', async (_name, id) => {
  const { created, done } = job(id);
  const { attempt, api, cache } = await startAttempts([created, done]);
  const first = await attempt(1, { inputs: { 'wait-minutes': '0' } });
  expect(first.outputs).toMatchObject({ result: 'running', 'job-id': id });
  expect(annotations(first, 'warning')).toEqual([]);
  expect(cache.keys[0]?.length).toBeLessThanOrEqual(512);
  const again = await attempt(2);
  expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': id });
  const given = await attempt(1, { inputs: { prompt: '', 'job-id': id } });
  expect(given.outputs).toMatchObject({ 'job-source': 'attached', 'job-id': id });
  expect(new Set(api.calls)).toEqual(new Set([create, `GET ${pathOf(id)}`]));
});

it.each(notIds)('%s is no job id', async (_name, id) => {
  const { result } = await runAgainst([job(id).created]);
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-may-exist' });
  expect(result.outputs['job-id'] ?? '').toBe('');
});
