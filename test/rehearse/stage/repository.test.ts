import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkoutOf,
  copyActions,
  createRepository,
  withBaseUrl,
} from '../../../rehearse/stage/repository.ts';

const PATH = '.github/workflows/docs.yml';

// npm run try needs Linux or macOS.
it.skipIf(process.platform === 'win32')('copies a checkout without what it ignores', () => {
  const base = mkdtempSync(join(tmpdir(), 'checkout-'));
  try {
    const checkout = join(base, 'checkout');
    const files = {
      [PATH]: 'on: push\n',
      'src/a.ts': 'a\n',
      '.gitignore': 'ignored/\n.github/\n',
      'ignored/b.ts': 'b\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      writeFileSync(join(checkout, path), text);
    }
    symlinkSync('src/a.ts', join(checkout, 'link'));
    execFileSync('git', ['init', '--quiet'], { cwd: checkout });
    // A setting that names a program, which git would run.
    execFileSync('git', ['config', 'core.fsmonitor', 'touch ../ran'], { cwd: checkout });

    const workflow = join(checkout, PATH);
    expect(checkoutOf(workflow)).toBe(checkout);
    expect(checkoutOf(join(checkout, 'docs.yml'))).toBeUndefined();
    createRepository(join(base, 'run'), { workflow, checkout });
    const copy = join(base, 'run/repository');
    const found = readdirSync(copy, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(relative(copy, entry.parentPath), entry.name))
      .filter((path) => !path.startsWith('.git/'));
    // The workflow is there, although the checkout ignores its folder.
    expect(found.sort()).toEqual([PATH, '.gitignore', 'link', 'src/a.ts'].sort());
    expect(readdirSync(base).sort()).toEqual(['checkout', 'run']);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

describe("the copy of an action's file", () => {
  const withAddress = 'inputs:\n  base-url:\n    default: https://api.mintlify.com\n';
  const without = 'inputs:\n  pull-request:\n    default: the one of the event\n';
  const copy = (text: string) => withBaseUrl(text, 'NAME/action.yml', 'http://127.0.0.1:4100');

  it('has the address of the sandbox', () => {
    expect(copy(withAddress)).toBe('inputs:\n  base-url:\n    default: http://127.0.0.1:4100\n');
  });

  it('is unchanged without an API address', () => {
    expect(copy(without)).toBe(without);
  });

  it.each([
    withAddress + withAddress,
    withAddress.replace('default', 'value'),
    'inputs:\n  base-url: {}\n',
  ])('is refused if its requests could go to the real API: %j', (text) => {
    expect(() => copy(text)).toThrow("NAME/action.yml should have the API's address exactly once.");
  });
});

describe('the copy of an action', () => {
  const base = mkdtempSync(join(tmpdir(), 'actions-'));
  const sandboxUrl = 'http://127.0.0.1:1';
  beforeAll(() => copyActions(base, sandboxUrl));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const run = (action: string, variables: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, [join(base, `dist/${action}/index.js`)], {
      encoding: 'utf8',
      // Without a key and an event, no action sends anything.
      env: { 'INPUT_BASE-URL': sandboxUrl, GITHUB_API_URL: 'http://localhost:2', ...variables },
    }).stdout;
  const refusal = 'npm run try sends requests to this machine only';

  it.each([
    ['agent', 'INPUT_BASE-URL', 'https://api.mintlify.com/v2'],
    ['agent', 'INPUT_BASE-URL', ' https://127.0.0.1:80@api.example '],
    ['agent', 'INPUT_BASE-URL', 'http://localhost.example'],
    ['agent', 'INPUT_BASE-URL', 'no address'],
    ['agent', 'GITHUB_API_URL', ''],
    ['visitors', 'INPUT_BASE-URL', 'https://api.mintlify.com/v2'],
    ['check', 'GITHUB_API_URL', 'https://api.github.com'],
  ])('of %s stops before it sends anything with %s "%s"', (action, name, value) => {
    const input = name.replace('INPUT_BASE-URL', 'base-url');
    expect(run(action, { [name]: value })).toBe(
      `::error::${refusal}, and ${input} is "${value}": leave it out in a copy of the workflow\n`,
    );
  });

  it.each([
    ['agent', {}],
    ['agent', { 'INPUT_BASE-URL': 'http://[::1]:4100/v1' }],
    ['visitors', { 'INPUT_BASE-URL': '' }],
    ['check', {}],
  ])('of %s starts with %j', (action, variables) => {
    const printed = run(action, variables);
    expect(printed).toContain('::error');
    expect(printed).not.toContain(refusal);
  });
});
