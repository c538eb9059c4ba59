import { describe, expect, it } from 'vitest';
import { annotations, runAgainst, runAgent, runVisitors } from '../helpers/run.ts';
import { created } from '../helpers/servers.ts';

const nodeArguments = ['--import', new URL('../helpers/old-node.mjs', import.meta.url).href];

const message =
  'This action runs on Node 24, and this is Node 20.20.2: use a runner of version 2.327.1 or later, and if the runner takes Node from PATH or from an image, install Node 24 there.';

describe('a Node that is too old', () => {
  it('starts nothing', async () => {
    const { api, result } = await runAgainst([created], { nodeArguments });
    expect(api.calls).toEqual([]);
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toBe(`::error::${message}\n`);
    expect(result.outputs).toEqual({ result: 'error', reason: 'bad-input', message });
  });

  it('is reported if there is no file for outputs', async () => {
    const step = await runAgent({ nodeArguments, env: { GITHUB_OUTPUT: undefined } });
    expect(step.exitCode).toBe(1);
    expect(annotations(step, 'error')).toEqual([message]);
  });

  it('exports nothing', async () => {
    const step = await runVisitors({ nodeArguments });
    expect(step.exitCode).toBe(1);
    expect(step.outputs).toEqual({ result: 'error', reason: 'bad-input', message });
    expect(step.files).toEqual({});
  });
});
