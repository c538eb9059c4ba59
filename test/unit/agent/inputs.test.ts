import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readAgentInputs } from '../../../src/agent/inputs.ts';
import { InputError } from '../../../src/runner/errors.ts';
import type { Inputs } from '../../../src/runner/inputs.ts';

/** What a runner passes on for a step with these inputs. */
function passed(values: Readonly<Record<string, string>>): Inputs {
  const all = new Map(
    Object.entries({ prompt: 'Do it', 'api-key': 'mint_key', 'project-id': 'acme', ...values }),
  );
  const read = (name: string) => all.get(name) ?? '';
  return { read, isPassed: (name) => all.has(name), readSecret: read };
}

describe('the inputs', () => {
  it.each([
    [{}],
    [{ 'base-url': '', 'wait-minutes': '', 'poll-interval-seconds': '', 'fail-on': ' ' }],
  ])('have their defaults with %j', (values) => {
    expect(readAgentInputs(passed(values))).toEqual({
      service: {
        apiKey: 'mint_key',
        projectId: 'acme',
        baseUrl: new URL('https://api.mintlify.com'),
      },
      request: { kind: 'create', prompt: { input: 'prompt', text: 'Do it' } },
      variables: '',
      waitMs: 30 * 60_000,
      pollIntervalMs: undefined,
      failOn: new Set(['failed', 'timed-out']),
    });
  });

  it.each([
    ['0', 0],
    ['0.5', 30_000],
    ['7200', 432_000_000],
  ])('take a wait of %s minutes', (minutes, waitMs) => {
    expect(readAgentInputs(passed({ 'wait-minutes': minutes }))).toMatchObject({ waitMs });
  });

  it.each([
    ['1', 1_000],
    ['1.5', 1_500],
    ['300', 300_000],
  ])('take an interval of %s seconds', (seconds, pollIntervalMs) => {
    const inputs = passed({ 'poll-interval-seconds': seconds });
    expect(readAgentInputs(inputs)).toMatchObject({ pollIntervalMs });
  });

  it.each([
    ['none', []],
    ['archived', ['archived']],
    [
      'failed archived,timed-out\nno-pull-request, skipped',
      ['failed', 'archived', 'timed-out', 'no-pull-request', 'skipped'],
    ],
  ])('take %j for fail-on', (words, failOn) => {
    expect(readAgentInputs(passed({ 'fail-on': words })).failOn).toEqual(new Set(failOn));
  });

  it.each([
    ['wait-minutes', '7200.1'],
    ['wait-minutes', '-0'],
    ['wait-minutes', '0x10'],
    ['wait-minutes', 'Infinity'],
    ['wait-minutes', '٣'],
    ['poll-interval-seconds', '0.9'],
    ['poll-interval-seconds', '300.5'],
    ['fail-on', 'none none'],
    ['fail-on', 'error'],
    ['job-id', ' '],
    ['job-id', '.'],
    ['job-id', 'x'.repeat(201)],
    ['project-id', '.'],
    ['base-url', 'https://user@api.example'],
    ['base-url', 'https://:pass@api.example'],
    ['base-url', 'https://api.example/?'],
    ['base-url', 'https://api.example/#'],
    ['base-url', 'http://127.0.0.1.example'],
    ['base-url', 'ftp://127.0.0.1'],
  ])('refuse %s: %j', (name, value) => {
    const read = () =>
      readAgentInputs(passed({ [name]: name === 'job-id' ? value.trim() : value }));
    expect(read).toThrow(InputError);
    expect(read).toThrow(`Input ${name} `);
  });

  it.each(['wait-minutes', 'poll-interval-seconds'])(
    'say in action.yml how large %s can be',
    (name) => {
      const manifest = readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8');
      const { description } = parse(manifest).inputs[name];
      const [, largest = 'no limit'] =
        /from \S+ to (\d+)/.exec(sentenceOf({ [name]: '999999' })) ?? [];
      expect(description).toContain(largest);
    },
  );
});

/** How inputs that cannot be used are refused. */
function sentenceOf(values: Readonly<Record<string, string>>): string {
  try {
    readAgentInputs(passed(values));
    return '';
  } catch (error) {
    return String(error);
  }
}
