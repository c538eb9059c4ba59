import { expect, it } from 'vitest';
import { runAgainst } from '../helpers/run.ts';
import { created, done } from '../helpers/servers.ts';

it('an argument changes nothing', async () => {
  const preload = new URL('../helpers/with-argument.mjs', import.meta.url).href;
  const { result } = await runAgainst([created, done], { nodeArguments: ['--import', preload] });
  expect(result.stderr).toBe('');
  expect(result.outputs['result']).toBe('pull-request');
});
