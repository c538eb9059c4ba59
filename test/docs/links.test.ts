import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { describe, expect, it } from 'vitest';
import { actions, readmeOf } from '../../scripts/actions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const found = globSync(['*.md', '{docs,sandbox}/*.md'], { cwd: root });
const documents = [...new Set([...found, ...actions.map(readmeOf)])];

/** Whether the file of a relative link exists, and has the heading after the `#`. */
function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? from : join(dirname(from), file);
  if (heading === undefined || !existsSync(join(root, target))) {
    return existsSync(join(root, target));
  }
  const headings = read(target).matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, text = '']) => slug(text) === heading);
}

describe('a document', () => {
  it.each(documents)('has no broken links: %s', (path) => {
    const links = [...read(path).matchAll(/\]\(([^):]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(path, link))).toEqual([]);
  });
});

it('the recipes in CONTRIBUTING.md name files that exist', () => {
  const paths = [
    ...read('CONTRIBUTING.md').matchAll(/`((?:src|test|sandbox|scripts|bench)\/[\w./-]+)`/g),
  ];
  const named = paths.map(([, path = '']) => path).filter((path) => !path.includes('NAME'));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('each row of the threat model in SECURITY.md links to a test', () => {
  const rows = read('SECURITY.md')
    .split('\n')
    .filter((line) => /^\|(?! Who | ---)/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !/\]\((?:test|rehearse|scripts)\//.test(row))).toEqual([]);
});
