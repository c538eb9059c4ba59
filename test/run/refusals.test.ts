import { describe, expect, it } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { annotations, runAgainst, runVisitors } from '../helpers/run.ts';
import { active, created, type Reply, scriptedApi } from '../helpers/servers.ts';

/** Requests that the API refuses: a new job, a follow-up, a poll, a batch of visitors. */
const requests = {
  create: (reply: Reply) => runAgent([reply]),
  'follow-up': (reply: Reply) => runAgent([active, reply], { 'job-id': 'job_8f2' }),
  poll: (reply: Reply) => runAgent([reply], { prompt: '', 'job-id': 'job_8f2' }),
  visitors: runExport,
} as const;

type RequestName = keyof typeof requests;

const names = ['create', 'follow-up', 'poll', 'visitors'] as const;

async function runAgent(script: readonly Reply[], inputs: Readonly<Record<string, string>> = {}) {
  const { result, api } = await runAgainst(script, { inputs });
  return { result, calls: api.calls };
}

async function runExport(reply: Reply) {
  const api = await scriptedApi([reply]);
  try {
    const result = await runVisitors({ baseUrl: api.url });
    return { result, calls: api.calls };
  } finally {
    await api.close();
  }
}

/** The sentence that the step ends with, which is the same in its annotation. */
function sentenceOf(result: StepResult): string {
  expect(result.outputs['result']).toBe('error');
  expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  return (result.outputs['message'] ?? '').replace(/127\.0\.0\.1:\d+/g, 'HOST');
}

async function sentenceAfter(name: RequestName, reply: Reply): Promise<string> {
  const { result } = await requests[name](reply);
  return sentenceOf(result);
}

const forbidden: Reply = { status: 403, body: { error: 'Forbidden' } };

describe('403 with a message of the API', () => {
  const said = 'The API at HOST responded with 403 ("Forbidden"): the API key';
  const otherKey =
    'belongs to a different organisation than the project, or has an IP allow-list, which GitHub-hosted runners match only if they are larger ones with fixed addresses, so create';

  it.each(['create', 'follow-up'] as const)('asks for a key that can write: %s', async (name) => {
    expect(await sentenceAfter(name, forbidden)).toBe(
      `${said} is read-only, ${otherKey} an admin key that can write, without an allow-list, in the project's organisation.`,
    );
  });

  it.each(['poll', 'visitors'] as const)(
    'does not ask for a key that can write: %s',
    async (name) => {
      expect(await sentenceAfter(name, forbidden)).toBe(
        `${said} ${otherKey} another admin key, without an allow-list, in the project's organisation (a read-only key is enough for this).`,
      );
    },
  );

  it.each(['create', 'visitors'] as const)('about the plan blames the plan: %s', async (name) => {
    const reply = { status: 403, body: { error: 'Not available on your current plan' } };
    expect(await sentenceAfter(name, reply)).toBe(
      'The API at HOST responded with 403 ("Not available on your current plan"): the agent and the API require Mintlify\'s Pro or Enterprise plan, so change the organisation\'s plan in the dashboard, or use a project of an organisation that has one.',
    );
  });
});

describe('402', () => {
  const credits: Reply = { status: 402, body: { error: 'Insufficient AI credits' } };

  it.each(names)('about credits blames the credits, and is not repeated: %s', async (name) => {
    const { result, calls } = await requests[name](credits);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
    expect(calls).toHaveLength(name === 'follow-up' ? 2 : 1);
    expect(sentenceOf(result)).toBe(
      'The API at HOST responded with 402 ("Insufficient AI credits"): the organisation\'s AI credits, which all its projects share, do not cover this, so check the usage in the dashboard, and add credits, switch on overages (by default they are off), or wait until the credits are renewed.',
    );
  });

  it('that mentions neither the plan nor the credits gets advice on both', async () => {
    const sentence = await sentenceAfter('create', { status: 402, body: { error: 'Pay first' } });
    expect(sentence).toBe(
      'The API at HOST responded with 402 ("Pay first"): the organisation\'s plan or its AI credits do not cover this, so check both in the dashboard (the agent and the API require a Pro or Enterprise plan, all projects share the credits, and overages are off by default).',
    );
  });
});

type Response = readonly [name: string, reply: Reply, received: string];

describe('a refusal without a JSON error of the API', () => {
  const ray = { 'cf-ray': '8f2a1b3c4d5e6f70-FRA', server: 'cloudflare' };
  const html = { 'content-type': 'text/html; charset=UTF-8' };
  const advice =
    "the API itself explains a refusal in JSON, so check base-url, and the firewall and the proxy between this runner and the API, and re-run the workflow later or on another runner; if that does not help, check the other inputs of this step, such as api-key and project-id, or contact Mintlify's support.";
  const responses: readonly [Response, ...Response[]] = [
    [
      'Cloudflare’s 1010 as text',
      {
        status: 403,
        headers: { ...ray, 'content-type': 'text/plain; charset=UTF-8' },
        body: 'error code: 1010',
      },
      ' ("error code: 1010", Cloudflare ray "8f2a1b3c4d5e6f70-FRA")',
    ],
    [
      'Cloudflare’s 1010 as JSON',
      { status: 403, headers: ray, body: { error_code: 1010, cloudflare_error: true } },
      ' ("{\\"error_code\\":1010,\\"cloudflare_error\\":true}", Cloudflare ray "8f2a1b3c4d5e6f70-FRA")',
    ],
    [
      'a page with a ray',
      { status: 403, headers: { ...ray, ...html }, body: '<!DOCTYPE html><title>Just a moment' },
      ' and a web page (Cloudflare ray "8f2a1b3c4d5e6f70-FRA")',
    ],
    ['nothing but a status', { status: 403 }, ''],
    [
      'a page of somebody’s proxy',
      { status: 403, headers: html, body: '<html><h1>Blocked by policy' },
      ' and a web page',
    ],
  ];
  const says = (received: string) =>
    `The API at HOST, or something in front of it, responded with 403${received}: ${advice}`;

  it.each(responses)('%s: is quoted, and blames the key last', async (_name, reply, received) => {
    const { result } = await requests.create(reply);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
    expect(sentenceOf(result)).toBe(says(received));
  });

  it.each(['follow-up', 'poll', 'visitors'] as const)('is told apart in a %s too', async (name) => {
    const [[, reply, received]] = responses;
    expect(await sentenceAfter(name, reply)).toBe(says(received));
  });

  it('is the API’s own if it has the API’s message, with a ray or without', async () => {
    const sentence = await sentenceAfter('create', { ...forbidden, headers: ray });
    expect(sentence).toMatch(/^The API at HOST responded with 403 \("Forbidden"\): the API key /);
  });

  it('with 401 keeps the reason of its status', async () => {
    expect(await sentenceAfter('create', { status: 401, headers: html, body: '<h1>Sign in' })).toBe(
      `The API at HOST, or something in front of it, responded with 401 and a web page: ${advice}`,
    );
  });

  it('has its ray named with a 502 too, for questions to the support', async () => {
    const { result } = await runAgent([created, { status: 502, headers: { ...ray, ...html } }], {
      'wait-minutes': '1',
    });
    expect(annotations(result, 'warning')[0]).toContain(
      ' responded with 502 (Cloudflare ray "8f2a1b3c4d5e6f70-FRA")',
    );
  });

  it('that limits requests does not blame the limit of the project', async () => {
    const reply = { status: 429, headers: ray, body: 'error code: 1015' };
    const { result } = await runAgent([reply], { 'wait-minutes': '0' });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(sentenceOf(result)).toBe(
      `The API at HOST, or something in front of it, responded with 429 ("error code: 1015", Cloudflare ray "8f2a1b3c4d5e6f70-FRA"): ${advice}`,
    );
  });
});
