import { expect, it, vi } from 'vitest';
import { runSlowly } from '../../scripts/tools.ts';

const node = (script: string) =>
  runSlowly('building act', process.execPath, ['--eval', script], {}, 1);

it('says now and then that a program still runs', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  await node('');
  expect(print).toHaveBeenCalledWith(expect.stringMatching(/^Still building act, for \d+ s …$/));
  print.mockRestore();
});

it('fails if the program fails', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  await expect(node('process.exitCode = 3')).rejects.toThrow(
    /--eval process\.exitCode = 3 failed\.$/,
  );
  print.mockRestore();
});
