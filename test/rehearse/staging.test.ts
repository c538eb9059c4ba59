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
import { checkoutOf } from '../../rehearse/checkout.ts';
import { stageRepository } from '../../rehearse/staging.ts';
import { type TrappedCheckout, trapCheckout } from '../../rehearse/trapped-checkout.ts';

const PATH = '.github/workflows/docs.yml';
const files = {
  [PATH]: 'on: push\n',
  'src/a.ts': 'a\n',
  '.gitignore': 'ignored/\n',
  'ignored/b.ts': 'b\n',
  '.env': 'A=1\n',
};

// Trying a workflow takes Linux or macOS.
describe.skipIf(process.platform === 'win32')('a checkout in which everything is a trap', () => {
  let base: string;
  let trapped: TrappedCheckout;
  let staged: string;

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'trapped-'));
    trapped = trapCheckout(base, files);
    for (const [name, value] of Object.entries(trapped.env)) {
      vi.stubEnv(name, value);
    }
    const workflow = join(trapped.folder, PATH);
    const checkout = checkoutOf(workflow);
    expect(checkout).toBe(trapped.folder);
    const home = join(base, 'run');
    stageRepository(home, { workflow, ...(checkout === undefined ? {} : { checkout }) });
    vi.unstubAllEnvs();
    staged = join(home, 'repository');
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('is copied without running any of it', () => {
    expect(trapped.sprung()).toEqual([]);
  });

  it('is copied without what it ignores, and without what its index claims', () => {
    const found = readdirSync(staged, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(relative(staged, entry.parentPath), entry.name))
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
    expect(existsSync(join(staged, '.git/hooks'))).toBe(false);
    expect(readdirSync(join(staged, '..'))).toEqual(['repository']);
  });

  it('has links that lead where they did, and none out of it', () => {
    expect(lstatSync(join(staged, 'link-inside')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(staged, 'link-inside'), 'utf8')).toBe('* filter=trap\n');
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

  it('is staged even where the checkout ignores it', () => {
    const base = folder();
    const { folder: checkout } = trapCheckout(base, { '.gitignore': '.github/\n' });
    const workflow = join(checkout, 'docs.yml');
    writeFileSync(workflow, 'on: push\n');
    const path = stageRepository(join(base, 'run'), { workflow, checkout });
    expect(readFileSync(join(base, 'run/repository', path), 'utf8')).toBe('on: push\n');
  });

  it('is never written through a link of the checkout', () => {
    const base = folder();
    const { folder: checkout } = trapCheckout(base, { 'README.md': 'kept\n' });
    rmSync(join(checkout, '.github'), { recursive: true });
    symlinkSync('.', join(checkout, '.github'));
    symlinkSync('.', join(checkout, 'workflows'));
    const workflow = join(base, 'README.md');
    writeFileSync(workflow, 'on: push\n');
    stageRepository(join(base, 'run'), { workflow, checkout });
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toBe('kept\n');
  });

  it('belongs to no checkout where GitHub would not look for it', () => {
    const base = folder();
    const { folder: checkout } = trapCheckout(base, { 'sub/.github/workflows/docs.yml': '' });
    expect(checkoutOf(join(checkout, 'sub/.github/workflows/docs.yml'))).toBeUndefined();
    expect(checkoutOf(join(checkout, 'docs.yml'))).toBeUndefined();
  });
});
