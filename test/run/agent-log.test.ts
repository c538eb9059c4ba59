import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { outputLine } from '../../src/text/output.ts';
import { annotations, runAgent } from '../helpers/run.ts';
import {
  active,
  apiKey,
  created,
  ended,
  jobBody,
  ok,
  type Reply,
  scriptedApi,
} from '../helpers/servers.ts';
import { echo, findKeyTraces } from '../hostile/oracles.ts';

/** Commands in the forms that the runner executes, and Markdown with an effect: `test/hostile` has more. */
const hostile = [
  'x\n::set-output name=pr-link::https://evil.example\r::add-mask::a\u2028::stop-commands::x',
  'x ##[add-mask]a ##[set-output name=status;]completed',
  '| a | b |\n|---|---|\n# heading @octocat #1 closes #2 https://evil.example www.evil.example\n`code` *bold* [a](https://evil.example) ![i](https://evil.example/x.png) <img src=x><script>alert(1)</script>\u202E',
];

/** The commands that this action itself prints. */
const ownCommands = /^::(?:add-mask|debug|notice|warning|error)::/;

async function run(script: readonly Reply[], inputs: Record<string, string> = {}) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  return runAgent({ baseUrl: api.url, inputs });
}

describe('text from the API is data', () => {
  it.each(hostile)('%j', async (text) => {
    const fields = { model: text, source: { repository: text, ref: text } };
    const script: readonly Reply[] = [
      { status: 429, body: { error: text } },
      { status: 201, body: jobBody(fields) },
      { status: 500, body: { error: text } },
      { status: 500, body: { error: text } },
      ok(jobBody({ ...fields, status: text })),
      ended('failed', fields),
    ];
    const result = await run(script);
    const lines = `${result.stdout}\n${result.stderr}`.split(/\r\n|\r|\n/);
    const commands = lines.filter((line) => /^\s*::/.test(line));
    expect(commands.filter((line) => !ownCommands.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('##['))).toEqual([]);
    expect(annotations(result, 'error')).toHaveLength(1);
    const output = outputLine(text);
    expect(result.outputs).toMatchObject({ result: 'failed', model: output, repository: output });
    expect(echo(result.outputs)).toEqual({ commands: [], broken: {} });
    expect(result.outputs['pr-link'] ?? '').toBe('');
    expectPlainSummary(result.summary);
  });

  it('an endless word is cut', async () => {
    const result = await run([created, ended('x'.repeat(90)), ended('failed')]);
    expect(Math.max(...result.stdout.split('\n').map((line) => line.length))).toBeLessThan(400);
  });
});

/** Only our own headings, tables and elements. */
function expectPlainSummary(summary: string): void {
  const tags = summary.match(/<[^>]*>/g) ?? [];
  expect(
    tags.filter((tag) => !/^<\/?(?:code|details|summary)>$|^<a href="[^"<>]*">$|^<\/a>$/.test(tag)),
  ).toEqual([]);
  expect(summary.match(/^#/gm)).toHaveLength(1);
  const inCode = /<code>[^<]*<\/code>/g;
  const outside = summary.replace(inCode, '');
  expect(outside).not.toMatch(/evil|octocat|closes/);
  for (const element of summary.match(inCode) ?? []) {
    expect(element).not.toMatch(/[@#`*_[\]|](?!\d+;)|https?:\/\/|www\./);
  }
}

describe('the key', () => {
  it('is masked before anything else, and is nowhere else', async () => {
    const echo: Reply = (request, response) => {
      const { authorization } = request.headers;
      response.writeHead(400, { 'content-type': 'application/json' });
      // Long enough for the sentence to be cut in the middle of the key.
      response.end(JSON.stringify({ error: `${'x'.repeat(280)} ${authorization}` }));
    };
    const result = await run([echo]);
    expect(result.stdout.split('\n')[0]).toBe(`::add-mask::${apiKey}`);
    const rest = [result.stdout.split('\n').slice(1), result.stderr, result.summary];
    expect(JSON.stringify([rest, result.outputs])).not.toContain(apiKey.slice(0, 6));
    expect(result.outputs['message']).toContain('Bearer ***');
  });

  /** A search of the raw text does not find the key in this form. */
  const escapedKey = [...apiKey]
    .map((unit) => `\\u00${unit.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .join('');

  it.each<[string, readonly Reply[], string]>([
    [
      'an error',
      [{ status: 400, body: `{"error":"Bad key ${escapedKey}","details":[]}` }],
      '("Bad key ***")',
    ],
    [
      'the details of an error',
      [{ status: 400, body: `{"error":"No","details":[{"message":"Bad ${escapedKey}"}]}` }],
      '("No: Bad ***")',
    ],
    [
      'a job',
      [
        created,
        ok(
          JSON.stringify({
            ...jobBody({ status: 'completed', model: 'KEY', source: { ref: 'a KEY' } }),
            prLink: 'https://evil.example/KEY?x=KEY',
          }).replaceAll('KEY', escapedKey),
        ),
      ],
      'https://evil.example/%2A%2A%2A?x=%2A%2A%2A',
    ],
  ])('is taken out of %s that contains it in escapes', async (_name, script, told) => {
    const result = await run(script);
    const rest = [result.stdout.split('\n').slice(1), result.stderr, result.summary];
    expect(findKeyTraces(JSON.stringify([rest, result.outputs]), apiKey)).toEqual([]);
    expect(result.outputs['message']).toContain(told);
  });
});

describe('outputs that cannot be written', () => {
  // Only Linux has such a file.
  const full = '/dev/full';

  it.skipIf(!existsSync(full))('on a full disk fail the step once the job has ended', async () => {
    const api = await scriptedApi([created, ended('failed')]);
    onTestFinished(() => api.close());
    const result = await runAgent({ baseUrl: api.url, env: { GITHUB_OUTPUT: full } });
    expect(result.exitCode).toBe(1);
    const [outputs, job, ...more] = annotations(result, 'error');
    expect(outputs).toContain('The outputs could not be written');
    expect(outputs).toContain('ENOSPC');
    expect(job).toContain('failed');
    expect(more).toEqual([]);
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/^ +at /m);
  });

  it('at the very end make a step fail that would have passed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'output-'));
    const output = join(folder, 'output');
    writeFileSync(output, '');
    // After the first poll nothing can be written, and nothing needs to be until the end.
    const api = await scriptedApi([created, active], (_arrival, count) => {
      if (count === 2) rmSync(output);
    });
    onTestFinished(async () => {
      await api.close();
      rmSync(folder, { recursive: true });
    });
    const result = await runAgent({
      baseUrl: api.url,
      inputs: { 'wait-minutes': '0.05', 'poll-interval-seconds': '300', 'fail-on': 'none' },
      env: { GITHUB_OUTPUT: output },
    });
    expect(result.stdout).toContain('The outputs could not be written');
    expect(annotations(result, 'warning')).toHaveLength(1);
    expect(result.exitCode).toBe(1);
  });

  it('a summary that cannot be written changes nothing', async () => {
    const api = await scriptedApi([created, ended('archived')]);
    onTestFinished(() => api.close());
    const result = await runAgent({
      baseUrl: api.url,
      env: { GITHUB_STEP_SUMMARY: '/nowhere/summary' },
    });
    expect([result.exitCode, annotations(result, 'warning').length]).toEqual([0, 1]);
    expect(result.outputs['result']).toBe('archived');
  });
});
