import { describe, expect, it, onTestFinished } from 'vitest';
import { annotations, runAgent, startAttempts } from '../helpers/run.ts';
import { jobBody, ok, prLink, type Reply, scriptedApi } from '../helpers/servers.ts';

/** The API's description says only that an id is a string. */
const ids: readonly (readonly [name: string, id: string])[] = [
  ['in base 64', 'am9i=+/'],
  ['with marks', 'job~@,#|1'],
  ['with what URLs know', 'one "job" & 90%?x=1'],
  ['with a blank and ü', 'für alle'],
  ['in Chinese', '任务'],
  ['like a path', '../../v1/other'],
  ['like an encoded path', '%2e%2e'],
  ['of 200 letters', 'x'.repeat(200)],
  ['of 100 letters with 2 bytes each', 'Ö'.repeat(100)],
  ['of 200 quotation marks', '"'.repeat(200)],
  ['of 50 emoji', '😀'.repeat(50)],
];

const notIds: readonly (readonly [name: string, id: string])[] = [
  ['an empty text', ''],
  ['a dot', '.'],
  ['two dots', '..'],
  ['a text with a blank before it', ' job'],
  ['a text with a blank behind it', 'job\u00a0'],
  ['two lines', 'a\nb'],
  ['two lines of Unicode', 'a\u2028b'],
  ['a text that rings', 'a\u0007b'],
  ['a text with a zero-width space', 'a\u200bb'],
  ['a text that turns round', 'a\u202eb'],
  ['half a character', 'a\ud800b'],
  ['201 letters', 'x'.repeat(201)],
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

describe.each(ids)('a job id %s', (_name, id) => {
  const { created, done } = job(id);

  it('is an output, and a re-run finds its record', async () => {
    const { attempt, api, cache } = await startAttempts([created, done]);
    const first = await attempt(1, { inputs: { 'wait-minutes': '0' } });
    expect(first.outputs).toMatchObject({ result: 'running', 'job-id': id });
    expect(annotations(first, 'warning')).toEqual([]);
    expect(cache.keys[0]?.length).toBeLessThanOrEqual(512);
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': id });
    expect(new Set(api.calls)).toEqual(new Set(['POST /v2/agent/acme/job', `GET ${pathOf(id)}`]));
  });

  it('can be given as job-id', async () => {
    const api = await scriptedApi([done]);
    onTestFinished(() => api.close());
    const inputs = { prompt: '', 'job-id': id };
    const result = await runAgent({ baseUrl: api.url, inputs });
    expect(result.outputs).toMatchObject({ result: 'pull-request', 'job-id': id });
    expect(new Set(api.calls)).toEqual(new Set([`GET ${pathOf(id)}`]));
  });
});

it.each(notIds)('%s is no job id', async (_name, id) => {
  const api = await scriptedApi([job(id).created]);
  onTestFinished(() => api.close());
  const result = await runAgent({ baseUrl: api.url });
  expect(result.outputs).toMatchObject({ result: 'error', reason: 'job-may-exist' });
  expect(result.outputs['job-id'] ?? '').toBe('');
});
