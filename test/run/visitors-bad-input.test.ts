import { realpathSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { annotations, newWorkspace, runVisitors } from '../helpers/run.ts';
import { batch, type ScriptedApi, scriptedApi } from '../helpers/servers.ts';

let api: ScriptedApi;

beforeAll(async () => {
  api = await scriptedApi([batch([])]);
});

afterAll(() => api.close());

const dates = { 'date-from': '2026-01-01', 'date-to': '2026-02-01' };

type Inputs = Readonly<Record<string, string>>;

const list: readonly (readonly [name: string, inputs: Inputs, sentence: string])[] = [
  [
    'no key',
    { 'api-key': '' },
    'Input api-key is empty: store an API key (the scope read is enough) as a secret, pass that secret to this input, and check the spelling of its name, because GitHub passes an empty string for a secret that does not exist.',
  ],
  [
    '30 February',
    { 'date-to': '2026-02-30' },
    'Input date-to is "2026-02-30", which is no day: write it as YYYY-MM-DD.',
  ],
  [
    'a docs-root outside the workspace',
    { 'docs-root': '..' },
    'Input docs-root names "..", which is outside the workspace: give the path of a file inside it.',
  ],
  [
    'period and dates',
    { ...dates, period: 'last-month' },
    'Input period and input date-from are both given: give a period or dates, not both.',
  ],
  [
    'period and one date',
    { 'date-to': '2026-02-01', period: 'last-month' },
    'Input period and input date-to are both given: give a period or dates, not both.',
  ],
  [
    'a period in the future',
    { 'date-from': '9999-01-01', 'date-to': '9999-02-01' },
    'Input date-from is 9999-01-01, which is in the future: give a day that has begun, in UTC.',
  ],
  [
    'an unknown period',
    { period: 'last-year' },
    'Input period is "last-year": it takes last-7-days, last-30-days, last-90-days, last-month, this-month or all.',
  ],
  ['an unknown format', { format: 'xlsx' }, 'Input format is "xlsx": it takes csv or json.'],
  [
    'a comparison without an end',
    { compare: 'true', 'date-from': '2026-01-01' },
    'Input compare is true, but the period has no start or no end: give a period other than all, or both date-from and date-to.',
  ],
  [
    'a date with a time',
    { 'date-from': '2026-02-01T08:00:00Z' },
    'Input date-from is "2026-02-01T08:00:00Z", which is no day: write it as YYYY-MM-DD.',
  ],
  [
    'an end on the start',
    { 'date-from': '2026-02-01', 'date-to': '2026-02-01' },
    'Input date-to is 2026-02-01, which is not after date-from, 2026-02-01: date-to is not included, so it must be after date-from.',
  ],
  [
    'a comparison with one request',
    { compare: 'true', 'max-requests': '1' },
    'Input max-requests is 1: a comparison needs at least two requests.',
  ],
  ['top of 0', { top: '0' }, 'Input top is "0": it takes a whole number from 1 to 100.'],
  ['top of 101', { top: '101' }, 'Input top is "101": it takes a whole number from 1 to 100.'],
  [
    'max-requests in words',
    { 'max-requests': 'ten\n::error::x' },
    'Input max-requests is "ten ::error::x": it takes a whole number from 1 to 600.',
  ],
  [
    'more requests than fit into a job',
    { 'max-requests': '601' },
    'Input max-requests is "601": it takes a whole number from 1 to 600.',
  ],
  [
    'a file outside the workspace',
    { 'output-file': '../visitors.csv' },
    'Input output-file names "../visitors.csv", which is outside the workspace: give the path of a file inside it.',
  ],
];

describe('bad input', () => {
  it.each(list)('%s: the step fails, and sends nothing', async (_name, inputs, sentence) => {
    const workspace = newWorkspace({ 'file.txt': 'x' });
    const result = await runVisitors({ baseUrl: api.url, workspace, inputs });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toEqual({ result: 'error', reason: 'bad-input', message: sentence });
    expect(annotations(result, 'error')).toEqual([sentence]);
    expect(result.stderr).toBe('');
    expect(Object.keys(result.files)).toEqual(['file.txt']);
    expect(api.calls).toEqual([]);
  });

  it.each<[string, string]>([
    ['.', '/w'],
    ['code', '/w/code'],
    ['missing', '/w/missing'],
  ])('a docs-root without pages, %s: says what was looked into', async (docsRoot, folder) => {
    const workspace = newWorkspace({ LICENSE: '', 'code/x.ts': '' });
    const inputs = { 'docs-root': docsRoot };
    const { outputs } = await runVisitors({ baseUrl: api.url, workspace, inputs });
    expect(outputs['message']?.replace(realpathSync(workspace), '/w')).toBe(
      `Input docs-root names "${docsRoot}", and there is no .md or .mdx file in "${folder}": check out the docs in an earlier step, and give their folder.`,
    );
    expect(api.calls).toEqual([]);
  });

  it('a missing workspace: the step fails, and sends nothing', async () => {
    const env = { GITHUB_WORKSPACE: '/nowhere/at/all' };
    const result = await runVisitors({ baseUrl: api.url, env });
    const message =
      'Environment variable GITHUB_WORKSPACE names a folder that does not exist: check that no earlier step removed the workspace, and that a container mounts it.';
    expect(result.outputs).toEqual({ result: 'error', reason: 'bad-input', message });
    expect(api.calls).toEqual([]);
  });

  it.each([
    { top: '100', 'max-requests': '600' },
    { top: '1', 'max-requests': '2', compare: 'true' },
    { compare: 'true', 'date-from': '0001-01-03', 'date-to': '0001-01-05' },
    { 'date-from': '2026-02-05' },
  ])('is none at the limits: %j', async (inputs) => {
    const server = await scriptedApi([batch([])]);
    onTestFinished(() => server.close());
    const today = '2026-02-05T00:00:00Z';
    const result = await runVisitors({ baseUrl: server.url, inputs, today });
    expect(result.outputs['result']).toBe('exported');
  });
});
