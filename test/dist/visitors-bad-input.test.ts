import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotations } from '../helpers/run-agent.ts';
import { newWorkspace, runVisitors } from '../helpers/run-visitors.ts';
import { type ScriptedApi, scriptedApi } from '../helpers/scripted-api.ts';
import { batch } from '../helpers/visitors-replies.ts';

let api: ScriptedApi;
let outside: string;

beforeAll(async () => {
  api = await scriptedApi([batch([])]);
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
});

afterAll(async () => {
  await api.close();
  rmSync(outside, { recursive: true });
});

const dates = { 'date-from': '2026-01-01', 'date-to': '2026-02-01' };

const list: readonly (readonly [name: string, inputs: Record<string, string>])[] = [
  ['no key', { 'api-key': '' }],
  ['no project-id', { 'project-id': '' }],
  ['a base-url without https', { 'base-url': 'http://api.example' }],
  ['30 February', { 'date-from': '2026-02-30' }],
  ['a date in words', { 'date-to': 'yesterday' }],
  ['an end before the start', { 'date-from': '2026-02-01', 'date-to': '2026-01-01' }],
  ['an end on the start', { 'date-from': '2026-02-01', 'date-to': '2026-02-01' }],
  ['period and dates', { ...dates, period: 'last-month' }],
  ['period and one date', { 'date-to': '2026-02-01', period: 'last-month' }],
  ['an unknown period', { period: 'last-year' }],
  ['an unknown format', { format: 'xlsx' }],
  ['a comparison that is neither true nor false', { compare: 'yes' }],
  ['a comparison without an end', { compare: 'true', 'date-from': '2026-01-01' }],
  ['a comparison from an offset on', { compare: 'true', offset: '250' }],
  ['a comparison with one request', { compare: 'true', 'max-requests': '1' }],
  ['top of 0', { top: '0' }],
  ['top of 2.5', { top: '2.5' }],
  ['top of 101', { top: '101' }],
  ['an offset of -1', { offset: '-1' }],
  ['an offset in words', { offset: 'ten\n::error::x' }],
  ['max-requests of 0', { 'max-requests': '0' }],
  ['max-requests of 1e3', { 'max-requests': '1e3' }],
  ['a file outside the workspace', { 'output-file': '../visitors.csv' }],
  ['a file behind a link to outside', { 'output-file': 'link/visitors.csv' }],
  ['a folder for a file', { 'output-file': 'folder' }],
  ["a file in git's folder", { 'output-file': '.git/config' }],
  ['a file below a file', { 'output-file': 'file.txt/visitors.csv' }],
];

describe('bad input', () => {
  it.each(list)('%s: one sentence, exit 1, no request', async (_name, inputs) => {
    const workspace = newWorkspace({ 'file.txt': 'x' });
    mkdirSync(join(workspace, 'folder'));
    symlinkSync(outside, join(workspace, 'link'));
    const result = await runVisitors({ baseUrl: api.url, workspace, inputs });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
    expect(result.outputs['message']).toMatchSnapshot();
    expect(result.stderr).toBe('');
    expect(Object.keys(result.files)).toEqual(['file.txt']);
    expect(api.calls).toEqual([]);
  });
});
