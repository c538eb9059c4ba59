import { describe, expect, test } from 'vitest';
import { ENDINGS, REFUSALS, readWords, TIMES, WORDS } from '../../../sandbox/service/words.ts';
import { API_KEY, startServiceUnderTest } from '../../helpers/sandbox-service.ts';

const JOBS = '/v2/agent/ours/job';
const examples = WORDS.map(([example]) => example);
const names = [...ENDINGS, ...REFUSALS, ...Object.keys(TIMES), 'garbled'];

describe('a word', () => {
  test.each(names)('has a row in WORDS: %s', (name) => {
    expect(examples.filter((example) => example.split(/[ \]]/)[1] === name)).toHaveLength(1);
  });

  test.each(examples)('of WORDS is understood: %s', (example) => {
    expect(readWords(example)).not.toEqual(readWords(''));
  });

  test.each(ENDINGS)('that is an ending ends the job: %s', async (name) => {
    await using service = await startServiceUnderTest();
    await service.request('POST', JOBS, { prompt: `Change it [sandbox: ${name}]` });
    service.time.pass(1000);
    await service.settled();
    const { body } = await service.request('GET', `${JOBS}/job_1`);
    expect(body).not.toMatchObject({ status: 'active' });
  });

  test.each(REFUSALS)('that is a refusal starts no job: %s', async (name) => {
    await using service = await startServiceUnderTest();
    const { ok } = await fetch(`${service.url}${JOBS}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${API_KEY}` },
      body: JSON.stringify({ prompt: `[sandbox: ${name}]` }),
    });
    expect(ok).toBe(false);
    expect(service.store.listJobs()).toEqual([]);
  });
});
