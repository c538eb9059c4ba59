import { describe, expect, it } from 'vitest';
import { runAgainst } from '../helpers/run-against.ts';
import { annotations } from '../helpers/run-agent.ts';
import { runVisitors } from '../helpers/run-visitors.ts';
import { active, created, type Reply, scriptedApi } from '../helpers/scripted-api.ts';

/** What is asked for: a new job, a follow-up, a poll, or visitors. */
const questions = {
  create: (reply: Reply) => runAgent([reply]),
  'follow-up': (reply: Reply) => runAgent([active, reply], { 'job-id': 'job_8f2' }),
  poll: (reply: Reply) => runAgent([reply], { prompt: '', 'job-id': 'job_8f2' }),
  visitors: runExport,
} as const;

type Question = keyof typeof questions;

async function runAgent(script: readonly Reply[], inputs: Readonly<Record<string, string>> = {}) {
  const { result, api } = await runAgainst(script, { inputs });
  return { result, calls: api.calls };
}

async function runExport(reply: Reply) {
  const api = await scriptedApi([reply]);
  try {
    const result = await runVisitors({ baseUrl: api.url, speed: 30 });
    return { result, calls: api.calls };
  } finally {
    await api.close();
  }
}

/** The sentence that the step ends with, the same in the annotation. */
async function sentenceAfter(question: Question, reply: Reply): Promise<string> {
  const { result } = await questions[question](reply);
  expect(result.outputs['result']).toBe('error');
  expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  return (result.outputs['message'] ?? '').replace(/127\.0\.0\.1:\d+/g, 'HOST');
}

const writes: readonly Question[] = ['create', 'follow-up'];
const reads: readonly Question[] = ['poll', 'visitors'];
const all: readonly Question[] = [...writes, ...reads];

const forbidden: Reply = { status: 403, body: { error: 'Forbidden' } };

describe('403 in the words of the API', () => {
  it.each(writes)('advises a key that may write after a %s', async (question) => {
    const sentence = await sentenceAfter(question, forbidden);
    expect(sentence).toContain('may only read');
    expect(sentence).toContain('admin key that may write');
    expect(sentence).not.toContain('another project');
  });

  it.each(reads)('finds nothing wrong with a key that may only read after %s', async (question) => {
    const sentence = await sentenceAfter(question, forbidden);
    expect(sentence).toContain('another organisation');
    expect(sentence).toContain('IP allow-list');
    expect(sentence).toContain('a key that may only read is enough');
    expect(sentence).not.toContain('read-only');
    expect(sentence).not.toContain('may write');
  });

  it.each(all)('about the plan blames the plan, not the key, after %s', async (question) => {
    const reply = { status: 403, body: { error: 'Not available on your current plan' } };
    const sentence = await sentenceAfter(question, reply);
    expect(sentence).toContain('Pro or Enterprise');
    expect(sentence).not.toContain('key');
  });
});

describe('402', () => {
  const reply: Reply = { status: 402, body: { error: 'Insufficient AI credits' } };

  it.each(all)('tells of credits, and is not asked for again, after %s', async (question) => {
    const { result, calls } = await questions[question](reply);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'request-refused' });
    expect(calls).toHaveLength(question === 'follow-up' ? 2 : 1);
    expect(result.outputs['message']).toContain('AI credits');
    expect(result.outputs['message']).toContain('which all its projects share');
  });

  it('about the plan tells of the plan', async () => {
    const sentence = await sentenceAfter('create', {
      status: 402,
      body: { error: 'Please upgrade your plan' },
    });
    expect(sentence).toContain('Pro or Enterprise');
  });
});

describe('an answer of what stands in front of the API', () => {
  const ray = { 'cf-ray': '8f2a1b3c4d5e6f70-FRA', server: 'cloudflare' };
  const html = { 'content-type': 'text/html; charset=UTF-8' };
  const answers: readonly (readonly [name: string, reply: Reply, says: string])[] = [
    [
      'Cloudflare’s 1010 as text',
      {
        status: 403,
        headers: { ...ray, 'content-type': 'text/plain; charset=UTF-8' },
        body: 'error code: 1010',
      },
      'Cloudflare in front of the API at HOST responded with 403 (error 1010, ray 8f2a1b3c4d5e6f70-FRA)',
    ],
    [
      'Cloudflare’s 1010 as JSON, which it sends to whoever accepts JSON',
      {
        status: 403,
        headers: ray,
        body: { title: 'Error 1010: Access denied', error_code: 1010, cloudflare_error: true },
      },
      'Cloudflare in front of the API at HOST responded with 403 (error 1010, ray 8f2a1b3c4d5e6f70-FRA)',
    ],
    [
      'a page with a ray',
      { status: 403, headers: { ...ray, ...html }, body: '<!DOCTYPE html><title>Just a moment' },
      'Something in front of the API at HOST responded with 403 with a web page (Cloudflare ray 8f2a1b3c4d5e6f70-FRA)',
    ],
    [
      'nothing but a ray',
      { status: 403, headers: ray },
      'Something in front of the API at HOST responded with 403 (Cloudflare ray 8f2a1b3c4d5e6f70-FRA)',
    ],
    [
      'a page of somebody’s proxy',
      { status: 403, headers: html, body: '<html><h1>Blocked by policy' },
      'Something in front of the API at HOST responded with 403 with a web page',
    ],
  ];

  describe.each(all)('after %s', (question) => {
    it.each(answers)('%s: says so, and does not blame the key', async (_name, reply, says) => {
      const { result } = await questions[question](reply);
      const sentence = (result.outputs['message'] ?? '').replace(/127\.0\.0\.1:\d+/g, 'HOST');
      expect(result.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
      expect(sentence.startsWith(`${says}: this says nothing about the API key, `)).toBe(true);
      expect(sentence).not.toMatch(/make an? (?:new )?admin key|read-only|allow-list/);
    });
  });

  it('is the API’s own where it has the API’s words, ray or not', async () => {
    const sentence = await sentenceAfter('create', { ...forbidden, headers: ray });
    expect(sentence).toMatch(/^The API at HOST responded with 403 \("Forbidden"\): the API key /);
  });

  it.each([
    '::error::x',
    'x ##[error]y',
    'a b',
    `${'a'.repeat(200)}-FRA`,
    '8f2a1b3c4d5e6f70-FRA</code>',
  ])('has no ray %j, which is none', async (value) => {
    const reply = { status: 403, headers: { 'cf-ray': value }, body: 'error code: 1010' };
    const sentence = await sentenceAfter('create', reply);
    expect(sentence).toMatch(
      /^Cloudflare in front of the API at HOST responded with 403 \(error 1010\): /,
    );
  });

  it('names the ray of a 502 too, for whoever asks the support', async () => {
    const { result } = await runAgent([created, { status: 502, headers: { ...ray, ...html } }], {
      'wait-minutes': '1',
    });
    expect(annotations(result, 'warning')[0]).toContain(
      'responded with 502 (Cloudflare ray 8f2a1b3c4d5e6f70-FRA)',
    );
  });

  it('that limits requests does not blame the project’s hundred an hour', async () => {
    const reply = { status: 429, headers: ray, body: 'error code: 1015' };
    const { result } = await runAgent([reply], { 'wait-minutes': '0' });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(result.outputs['message']).toContain('responded with 429 (error 1015, ray ');
    expect(result.outputs['message']).not.toContain('100');
  });
});
