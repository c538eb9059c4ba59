import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { standInForCheckout, standInForOthers } from '../../rehearse/stand-ins.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, [script], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

it('actions of others are stood in for by something that says so', () => {
  const root = join(folder, 'others');
  const uses = ['a/b@v1', 'a/b/sub@v1', 'c/d/.github/workflows/e.yml@v1', 'e/f/../../../g@v1', 'x'];
  const standIns = standInForOthers(root, uses);
  expect(Object.keys(standIns)).toEqual(['a/b@v1', 'c/d@v1']);
  const first = standIns['a/b@v1'] ?? '';
  expect(parse(readFileSync(join(first, 'sub/action.yml'), 'utf8'))).toMatchObject({
    runs: { using: 'node24', main: 'main.cjs' },
  });
  expect(run(join(first, 'main.cjs'))).toBe(
    '::notice::npm run try leaves a/b@v1 out: it plays no actions of others.\n',
  );
  const workflow = join(standIns['c/d@v1'] ?? '', '.github/workflows/e.yml');
  expect(parse(readFileSync(workflow, 'utf8'))).toMatchObject({ on: { workflow_call: {} } });
  expect(readdirSync(folder)).toEqual(['others']);
});

it('a checkout of this repository is played whatever it is called, and of no other one', () => {
  const repository = mkdtempSync(join(folder, 'repository-'));
  writeFileSync(join(repository, 'a.txt'), 'a\n');
  const standIns = standInForCheckout(
    join(folder, 'checkout'),
    ['actions/checkout@v7'],
    repository,
  );
  const script = join(standIns['actions/checkout@v7'] ?? '', 'main.cjs');
  const env = { GITHUB_REPOSITORY: 'acme/product', GITHUB_WORKSPACE: join(folder, 'work') };
  expect(run(script, { ...env, INPUT_REPOSITORY: 'acme/other' })).toContain('leaves the checkout');
  expect(existsSync(join(folder, 'work'))).toBe(false);
  const ours = { INPUT_REPOSITORY: 'acme/product', INPUT_REF: 'next', INPUT_PATH: 'sub' };
  expect(run(script, { ...env, ...ours })).toContain('it stands for next, too');
  expect(readFileSync(join(folder, 'work/sub/a.txt'), 'utf8')).toBe('a\n');
});
