import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { refuseOldNode } from '../../../src/runner/node-guard.ts';

/** What a process with this version of Node prints, writes and ends with. */
function guarded(node: string, hasOutputs = true) {
  const folder = mkdtempSync(join(tmpdir(), 'node-guard-'));
  const outputs = join(folder, 'outputs');
  const log = join(folder, 'log');
  writeFileSync(outputs, '');
  const fd = openSync(log, 'w');
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const exitCodes: unknown[] = [];
  const fake = {
    versions: { ...process.versions, node },
    env: hasOutputs ? { GITHUB_OUTPUT: outputs } : {},
    stdout: { ...process.stdout, fd },
    exit: (code: unknown) => exitCodes.push(code),
  };
  refuseOldNode(Object.create(process, Object.getOwnPropertyDescriptors(fake)));
  return { log: readFileSync(log, 'utf8'), outputs: readFileSync(outputs, 'utf8'), exitCodes };
}

const message =
  'This action runs on Node 24, and this is Node 23.11.1: use a runner of version 2.327.1 or later, and if the runner takes Node from PATH or from an image, install Node 24 there.';

it.each(['24.0.0', '26.1.0'])('Node %s is new enough', (version) => {
  expect(guarded(version)).toEqual({ log: '', outputs: '', exitCodes: [] });
});

it('an older one ends the process, and the outputs say why', () => {
  expect(guarded('23.11.1')).toEqual({
    log: `::error::${message}\n`,
    outputs: `result=error\nreason=bad-input\nmessage=${message}\n`,
    exitCodes: [1],
  });
});

it('it does so without a file for outputs, too', () => {
  expect(guarded('23.11.1', false)).toMatchObject({ outputs: '', exitCodes: [1] });
});
