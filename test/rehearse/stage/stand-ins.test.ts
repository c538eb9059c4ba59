import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createCheckoutStandIn, createStandIns } from '../../../rehearse/stage/stand-ins.ts';

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

it('replaces third-party actions with a notice', () => {
  const root = join(folder, 'others');
  const uses = ['a/b@v1', 'a/b/sub@v1', 'c/d/.github/workflows/e.yml@v1', 'e/f/../../../g@v1', 'x'];
  const standIns = createStandIns(root, uses);
  expect(Object.keys(standIns)).toEqual(['a/b@v1', 'c/d@v1']);
  const first = standIns['a/b@v1'] ?? '';
  expect(parse(readFileSync(join(first, 'sub/action.yml'), 'utf8'))).toMatchObject({
    runs: { using: 'node24', main: 'main.cjs' },
  });
  expect(run(join(first, 'main.cjs'))).toBe(
    '::notice::npm run try skips a/b@v1, because it does not run third-party actions.\n',
  );
  const workflow = join(standIns['c/d@v1'] ?? '', '.github/workflows/e.yml');
  expect(parse(readFileSync(workflow, 'utf8'))).toMatchObject({ on: { workflow_call: {} } });
  expect(readdirSync(folder)).toEqual(['others']);
});

it("checks out the workflow's own repository by any ref, and skips others", () => {
  const repository = mkdtempSync(join(folder, 'repository-'));
  writeFileSync(join(repository, 'a.txt'), 'a\n');
  const standIns = createCheckoutStandIn(
    join(folder, 'checkout'),
    ['actions/checkout@v7'],
    repository,
  );
  const script = join(standIns['actions/checkout@v7'] ?? '', 'main.cjs');
  const env = { GITHUB_REPOSITORY: 'acme/product', GITHUB_WORKSPACE: join(folder, 'work') };
  expect(run(script, { ...env, INPUT_REPOSITORY: 'acme/other' })).toContain(
    'skips the checkout of acme/other',
  );
  expect(existsSync(join(folder, 'work'))).toBe(false);
  const ours = { INPUT_REPOSITORY: 'acme/product', INPUT_REF: 'next', INPUT_PATH: 'sub' };
  expect(run(script, { ...env, ...ours })).toContain('checks it out for next.');
  expect(readFileSync(join(folder, 'work/sub/a.txt'), 'utf8')).toBe('a\n');
});
