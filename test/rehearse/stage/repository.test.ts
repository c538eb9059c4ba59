import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkoutOf, createRepository, withBaseUrl } from '../../../rehearse/stage/repository.ts';

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
