import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AgentRun, annotations, apiKey, runAgent } from '../helpers/run-agent.ts';
import {
  created,
  done,
  ended,
  type ScriptedService,
  scriptedService,
} from '../helpers/scripted-service.ts';

let service: ScriptedService;
let outside: string;

beforeAll(async () => {
  service = await scriptedService([created, done]);
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'secret.txt'), 'not for the service');
});

afterAll(async () => {
  await service.close();
  rmSync(outside, { recursive: true });
});

interface Case {
  readonly name: string;
  readonly inputs: Record<string, string>;
  readonly step?: AgentRun;
}

const list: readonly (readonly [Case['name'], Case['inputs'], Case['step']?])[] = [
  ['neither prompt nor prompt-file', { prompt: '' }],
  ['both prompt and prompt-file', { 'prompt-file': 'a.md' }, { files: { 'a.md': 'Do it' } }],
  ['a blank prompt', { prompt: ' \n\t ' }],
  ['a blank prompt-file', { prompt: '', 'prompt-file': 'a.md' }, { files: { 'a.md': '\n' } }],
  ['a prompt-file that is missing', { prompt: '', 'prompt-file': 'missing.md' }],
  [
    'a prompt-file that is a folder',
    { prompt: '', 'prompt-file': 'docs' },
    { files: { 'docs/a.md': 'x' } },
  ],
  ['a prompt-file outside the workspace', { prompt: '', 'prompt-file': '../event.json' }],
  ['a placeholder file that is missing', { prompt: 'See {{file:missing.txt}}' }],
  ['a placeholder file outside the workspace', { prompt: 'See {{file:/etc/hostname}}' }],
  ['variables that are no mapping', { variables: '- a' }],
  ['variables with an alias', { variables: 'a: &x 1\nb: *x' }],
  ['variables with a reserved name', { variables: 'event: 1' }],
  ['an event path that leads nowhere', { prompt: '{{event.issue.body}}' }],
  ['a field of the event without its beginning', { prompt: '{{ issue.title }}' }],
  ['a field of the event as an expression has it', { prompt: '{{github.event.issue.title}}' }],
  ['a value of the run', { prompt: '{{ github.actor }}' }],
  ['no key', { 'api-key': '' }],
  ['a key with a space', { 'api-key': 'mint_one two' }],
  ['a key of two lines', { 'api-key': 'mint_one\nmint_two' }],
  ['a key in quotes', { 'api-key': `"${apiKey}"` }],
  ['a key beyond ASCII', { 'api-key': 'mint_schlüssel' }],
  ['no project-id', { 'project-id': '' }],
  ['a project-id with a slash', { 'project-id': '../other' }],
  ['a project-id of dots', { 'project-id': '..' }],
  ['a base-url without https', { 'base-url': 'http://api.example' }],
  ['a base-url that is no URL', { 'base-url': 'api.example' }],
  ['a base-url with user info', { 'base-url': 'https://user:pass@api.example' }],
  ['a base-url without https, with user info', { 'base-url': 'http://user:pass@api.example' }],
  ['a base-url with a query', { 'base-url': 'https://api.example?x=1' }],
  ['a base-url with a fragment', { 'base-url': 'https://api.example#x' }],
  ['an empty job-id', { 'job-id': '' }],
  ['a job-id with a slash', { 'job-id': 'a/b' }],
  ['a wait that is no number', { 'wait-minutes': 'soon' }],
  ['a negative wait', { 'wait-minutes': '-1' }],
  ['an absurd wait', { 'wait-minutes': '99999' }],
  ['a wait with an exponent', { 'wait-minutes': '1e3' }],
  ['an interval of zero', { 'poll-interval-seconds': '0' }],
  ['an absurd interval', { 'poll-interval-seconds': '301' }],
  ['an unknown word in fail-on', { 'fail-on': 'failed, sometimes' }],
  ['none beside another word in fail-on', { 'fail-on': 'none, failed' }],
  [
    'a proxy without a scheme',
    { 'base-url': 'https://api.example' },
    { env: { HTTPS_PROXY: 'user:secret@proxy:3128' } },
  ],
  [
    'a proxy that is an address alone',
    { 'base-url': 'https://api.example' },
    { env: { https_proxy: '10.0.0.1:3128' } },
  ],
];

const cases: readonly Case[] = list.map(([name, inputs, step = {}]) => ({ name, inputs, step }));

describe('bad input', () => {
  it.each(cases)('$name', async ({ inputs, step }) => {
    const before = service.calls.length;
    const result = await runAgent({ baseUrl: service.url, ...step, inputs });
    const sentence = result.outputs['message'] ?? '';
    expect(sentence).toMatchSnapshot();
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(annotations(result, 'error')).toEqual([sentence]);
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/^ +at /m);
    expect(service.calls.length).toBe(before);
    expectNoSecret(result.stdout, inputs['api-key']);
  });

  it('a prompt-file through a symbolic link out of the workspace', async () => {
    const workspace = mkdtempSync(join(tmpdir(), 'workspace-'));
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    symlinkSync(outside, join(workspace, 'link'));
    const result = await runAgent({
      baseUrl: service.url,
      inputs: { prompt: '', 'prompt-file': 'link/secret.txt' },
      env: { GITHUB_WORKSPACE: workspace },
    });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.outputs['message']).toBe(
      'Input prompt-file names "link/secret.txt", which lies outside the workspace: give the path of a file inside it.',
    );
  });
});

/** The key stands in the masking commands alone, and in no other line. */
function expectNoSecret(stdout: string, key = apiKey): void {
  const secrets = key.split('\n').filter((line) => line !== '');
  for (const secret of secrets) {
    expect(stdout).toContain(`::add-mask::${secret}`);
    expect(stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(secret);
  }
}

describe('input that is good', () => {
  it('a prompt of 300 kB from a file goes through whole', async () => {
    const text = 'Ä prompt of many characters. '.repeat(10_000);
    const good = await scriptedService([created, done]);
    const result = await runAgent({
      baseUrl: good.url,
      speed: 20,
      inputs: { prompt: '', 'prompt-file': 'docs/prompt.md' },
      files: { 'docs/prompt.md': text },
    });
    await good.close();
    expect(result.exitCode).toBe(0);
    expect(JSON.parse(good.arrivals[0]?.body ?? '')).toEqual({ prompt: text });
  });

  it('every optional input may be empty', async () => {
    const good = await scriptedService([created, done]);
    const result = await runAgent({
      baseUrl: good.url,
      speed: 20,
      inputs: {
        'prompt-file': '',
        variables: '',
        'wait-minutes': '',
        'poll-interval-seconds': '',
        'fail-on': '',
      },
    });
    await good.close();
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('a job-id that no runner passed on is "new"', async () => {
    const good = await scriptedService([created, done]);
    const env = { 'INPUT_JOB-ID': undefined };
    const result = await runAgent({ baseUrl: good.url, speed: 20, env });
    await good.close();
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('every character of an identifier arrives, below the path of base-url', async () => {
    const id = 'a-b_c.d:e';
    const good = await scriptedService([ended('failed', { id })]);
    const result = await runAgent({
      baseUrl: `${good.url}/docs/`,
      inputs: { prompt: '', 'project-id': id, 'job-id': id },
    });
    await good.close();
    expect(good.calls).toEqual(['GET /docs/v2/agent/a-b_c.d%3Ae/job/a-b_c.d%3Ae']);
    expect(result.outputs).toMatchObject({ result: 'failed', 'job-id': id });
  });

  it('variables without a prompt are warned of', async () => {
    const good = await scriptedService([done]);
    const inputs = { prompt: '', 'job-id': 'job_8f2', variables: 'a: 1' };
    const result = await runAgent({ baseUrl: good.url, inputs });
    await good.close();
    expect(annotations(result, 'warning')).toEqual([
      'Input variables is not used: without a prompt nothing is sent.',
    ]);
  });

  it('white space around the key is taken off, as for every input', async () => {
    const good = await scriptedService([created, done]);
    const inputs = { 'api-key': ` ${apiKey}\n` };
    const result = await runAgent({ baseUrl: good.url, speed: 20, inputs });
    await good.close();
    expect(result.stdout).toContain(`::add-mask::${apiKey}\n`);
    expect(good.arrivals[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it.each([
    ['level: 1', '{{audiance}} and {{ files:a.txt }}'],
    ['', '{{audiance}}, {{level}} and {{ files:a.txt }}'],
  ])(
    'placeholders that nothing fills are warned of, with variables %j',
    async (variables, named) => {
      const good = await scriptedService([created, done]);
      const result = await runAgent({
        baseUrl: good.url,
        speed: 20,
        inputs: { prompt: 'For {{audiance}} and {{ level }} {{ files:a.txt }} {{}}', variables },
      });
      await good.close();
      expect(annotations(result, 'warning')).toEqual([
        `The prompt still holds ${named}, which nothing fills: check the spelling, or give a value in variables.`,
      ]);
    },
  );

  it('an unused variable is warned of', async () => {
    const good = await scriptedService([created, done]);
    const result = await runAgent({ baseUrl: good.url, speed: 20, inputs: { variables: 'a: 1' } });
    await good.close();
    expect(annotations(result, 'warning')).toEqual([
      'Input variables has a, but the prompt has no placeholder {{a}}.',
    ]);
  });
});
