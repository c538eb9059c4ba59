import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createTrappedCheckout,
  type TrappedCheckout,
} from '../../../rehearse/scenarios/trapped-checkout.ts';
import { checkoutOf } from '../../../rehearse/stage/checkout.ts';
import { createRepository, withBaseUrl } from '../../../rehearse/stage/repository.ts';

const PATH = '.github/workflows/docs.yml';
const files = {
  [PATH]: 'on: push\n',
  'src/a.ts': 'a\n',
  '.gitignore': 'ignored/\n',
  'ignored/b.ts': 'b\n',
  '.env': 'A=1\n',
};

// npm run try needs Linux or macOS.
describe.skipIf(process.platform === 'win32')('a malicious checkout', () => {
  let base: string;
  let trapped: TrappedCheckout;
  let copy: string;

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'trapped-'));
    trapped = createTrappedCheckout(base, files);
    for (const [name, value] of Object.entries(trapped.env)) {
      vi.stubEnv(name, value);
    }
    const workflow = join(trapped.folder, PATH);
    const checkout = checkoutOf(workflow);
    expect(checkout).toBe(trapped.folder);
    const home = join(base, 'run');
    createRepository(home, { workflow, ...(checkout === undefined ? {} : { checkout }) });
    vi.unstubAllEnvs();
    copy = join(home, 'repository');
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('is copied without running any of its programs', () => {
    expect(trapped.triggered()).toEqual([]);
  });

  it('is copied without ignored files, and without files that only its index names', () => {
    const found = readdirSync(copy, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(relative(copy, entry.parentPath), entry.name))
      .filter((path) => !path.startsWith('.git/'));
    expect(found.sort()).toEqual([
      '.env',
      '.gitattributes',
      '.github/workflows/HEAD',
      '.github/workflows/config',
      PATH,
      '.gitignore',
      'link-inside',
      'src/a.ts',
    ]);
    expect(existsSync(join(copy, '.git/hooks'))).toBe(false);
    expect(readdirSync(join(copy, '..'))).toEqual(['repository']);
  });

  it('is copied with links to its own files, and without other links', () => {
    expect(lstatSync(join(copy, 'link-inside')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(copy, 'link-inside'), 'utf8')).toBe('* filter=trap\n');
  });
});

describe.skipIf(process.platform === 'win32')('a workflow of a checkout', () => {
  const folders: string[] = [];
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'staging-'));
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
  });

  it('is committed even if the checkout ignores it', () => {
    const base = folder();
    const { folder: checkout } = createTrappedCheckout(base, { '.gitignore': '.github/\n' });
    const workflow = join(checkout, 'docs.yml');
    writeFileSync(workflow, 'on: push\n');
    const path = createRepository(join(base, 'run'), { workflow, checkout });
    expect(readFileSync(join(base, 'run/repository', path), 'utf8')).toBe('on: push\n');
  });

  it('is never written through a link of the checkout', () => {
    const base = folder();
    const { folder: checkout } = createTrappedCheckout(base, { 'README.md': 'kept\n' });
    rmSync(join(checkout, '.github'), { recursive: true });
    symlinkSync('.', join(checkout, '.github'));
    symlinkSync('.', join(checkout, 'workflows'));
    const workflow = join(base, 'README.md');
    writeFileSync(workflow, 'on: push\n');
    createRepository(join(base, 'run'), { workflow, checkout });
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toBe('kept\n');
  });

  it('belongs to no checkout if it is outside .github/workflows', () => {
    const base = folder();
    const { folder: checkout } = createTrappedCheckout(base, {
      'sub/.github/workflows/docs.yml': '',
    });
    expect(checkoutOf(join(checkout, 'sub/.github/workflows/docs.yml'))).toBeUndefined();
    expect(checkoutOf(join(checkout, 'docs.yml'))).toBeUndefined();
  });
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
