import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { annotations, judge, runAgainst, runVisitors } from '../helpers/run.ts';
import { batch, created, ended, rows, scriptedApi } from '../helpers/servers.ts';

type Env = Readonly<Record<string, string | undefined>>;

const actions = {
  async agent(env: Env) {
    const { result, api } = await runAgainst([created, ended('archived')], { env });
    return { result, requests: api.calls };
  },
  async visitors(env: Env) {
    const api = await scriptedApi([batch(rows(1))]);
    onTestFinished(() => api.close());
    return { result: await runVisitors({ baseUrl: api.url, env }), requests: api.calls };
  },
  async check(env: Env) {
    const files = { 'docs.json': '{"navigation":{"pages":["index"]}}', 'index.mdx': 'Hi.' };
    const after = { ...files, 'index.mdx': 'Hello.' };
    const { requests, ...result } = await judge({ before: files, after, env });
    return { result, requests };
  },
};

describe.each(['agent', 'visitors', 'check'] as const)('the action %s', (action) => {
  const run = actions[action];

  it.each([
    ['is missing', () => '/nowhere/output', 'ENOENT'],
    [
      'is a folder',
      () => {
        const folder = mkdtempSync(`${tmpdir()}/outputs-`);
        onTestFinished(() => rmSync(folder, { recursive: true }));
        return folder;
      },
      'EISDIR',
    ],
  ])('sends nothing if the file of its outputs %s', async (_name, path, code) => {
    const { result, requests } = await run({ GITHUB_OUTPUT: path() });
    expect(result.exitCode).toBe(1);
    expect(annotations(result, 'error')).toEqual([
      `Environment variable GITHUB_OUTPUT names a file that cannot be written (${code}), so later steps would get no outputs: check that no earlier step removes the file, and in a container, that its user may write to the files of the runner.`,
    ]);
    expect(annotations(result, 'warning')).toEqual([]);
    expect(requests).toEqual([]);
  });

  it.each(['', undefined])('prints its outputs where there is no such file: %j', async (path) => {
    const { result, requests } = await run({ GITHUB_OUTPUT: path });
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain('::set-output name=result::');
    expect(requests).not.toEqual([]);
  });
});
