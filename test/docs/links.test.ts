import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { actions, readmeOf } from '../../scripts/actions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const found = globSync(['*.md', '{docs,sandbox}/*.md'], { cwd: root });
const documents = [...new Set([...found, ...actions.map(readmeOf)])];

describe('a document', () => {
  it.each(documents)('has no broken links: %s', (path) => {
    const links = [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
      ([, link = '']) => link,
    );
    expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });
});

describe('the threat model', () => {
  const proofs = [...read('SECURITY.md').matchAll(/\[[^\]]+\]\(([^)]+)\) "([^"]+)"/g)];

  it('names a test in each row', () => {
    const rows = read('SECURITY.md')
      .split('\n')
      .filter((line) => /^\|(?! Who | ---)/.test(line));
    expect(rows.filter((row) => !/\]\([^)]+\) "/.test(row))).toEqual([]);
  });

  it.each(proofs.map(([, path = '', title = '']) => [path, title]))(
    'names a test that exists: %s, %s',
    (path, title) => {
      expect(read(path)).toContain(title);
    },
  );
});
