import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readLocalFiles } from '../../../rehearse/try/workflow.ts';

const checkout = mkdtempSync(join(tmpdir(), 'local-files-'));
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
  return text;
}

const using = (...uses: string[]) =>
  `runs: { using: composite, steps: [${uses.map((each) => `{ uses: ${each} }`).join(', ')}] }`;

it('reads every local action and workflow once, also those that others use', () => {
  const own = write('.github/actions/own/action.yml', using('./.github/actions/next', './own.yml'));
  const next = write('.github/actions/next/action.yaml', using('./.github/actions/own'));
  const called = write('.github/workflows/called.yml', 'on: workflow_call\njobs: {}');
  const workflow = `on: push
jobs:
  one: { steps: [{ uses: ./.github/actions/own }, { uses: ./missing }, { uses: a/b@v1 }] }
  two: { uses: ./.github/workflows/called.yml }`;
  const texts = readLocalFiles(checkout, workflow);
  expect([...texts].sort()).toEqual([own, next, called].sort());
});
