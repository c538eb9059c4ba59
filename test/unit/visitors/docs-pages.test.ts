import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYamlMapping } from '../../../src/common/yaml-input.ts';
import type { Counts } from '../../../src/platform/visitors.ts';
import {
  createPageFinder,
  foldAddresses,
  type SitePages,
} from '../../../src/visitors/docs-pages.ts';
import { topPagesJson } from '../../../src/visitors/outputs.ts';
import type { VisitedPage } from '../../../src/visitors/page-list.ts';
import { heavyRuns } from '../../helpers/heavy-runs.ts';
import { nastyPage, page } from '../../helpers/visitors.ts';

/** A checkout with these files in the folder `docs`. */
function checkout(...files: readonly string[]): SitePages {
  return new Map(
    files.map((file) => {
      const path = `/${file}`.replace(/(?:\/index)?\.mdx?$/, '');
      return [path.toLowerCase(), { path: path || '/', file: `docs/${file}` }];
    }),
  );
}

function fold(rows: readonly VisitedPage[], docs?: SitePages) {
  return foldAddresses(rows, createPageFinder(docs, rows));
}

/** `path: human, ai, total` of each page, then the paths that are of no page. */
function figures(rows: readonly VisitedPage[], docs?: SitePages): readonly string[] {
  const { pages, others } = fold(rows, docs);
  const lines = pages.map(({ path, human, ai, total }) => `${path}: ${human}, ${ai}, ${total}`);
  return [...lines, ...others.map(({ path }) => path)];
}

/** A row with visitors of whom none is counted twice. */
function read(path: string, human: number, ai: number): VisitedPage {
  return page(path, { human, ai, total: human + ai });
}

describe('the addresses of a page in the docs', () => {
  const docs = checkout(
    'index.mdx',
    'quickstart.mdx',
    'api/index.md',
    'guides/déploiement & co.md',
  );

  it.each<[string, string, string]>([
    ['Markdown twin', '/quickstart', '/quickstart.md'],
    ['MDX twin', '/quickstart', '/quickstart.mdx'],
    ['Markdown twin of an index', '/api', '/api.md'],
    ['Markdown twin of an index file', '/api', '/api/index.md'],
    ['Markdown twin of the home page', '/', '/index.md'],
    ['query', '/quickstart', '/quickstart?utm_source=chat&utm_medium=x/y'],
    ['query after a slash', '/quickstart', '/quickstart/?utm_source=chat'],
    ['fragment', '/quickstart', '/quickstart#install'],
    ['other case', '/quickstart', '/Quickstart'],
    ['other case of a Markdown twin', '/quickstart', '/QuickStart.MD'],
    ['slash at the end', '/quickstart', '/quickstart/'],
    ['slashes at the end', '/quickstart', '/quickstart///'],
    ['index', '/api', '/api/index'],
    ['home', '/', '/index'],
    ['query of the home page', '/', '/?utm_source=chat'],
    ['percent-encoded', '/guides/déploiement & co', '/guides/d%C3%A9ploiement%20%26%20co'],
    ['accent as a letter', '/guides/déploiement & co', '/guides/de\u0301ploiement & co.md'],
  ])('%s: one row', (_name, path, twin) => {
    expect(figures([read(path, 300, 10), read(twin, 2, 900)], docs)).toEqual([
      `${path}: 300, 900, 902`,
    ]);
    // Nothing depends on the order of the rows, or on a visit to the page's own address.
    expect(figures([read(twin, 2, 900), read(path, 300, 10)], docs)).toEqual([
      `${path}: 300, 900, 902`,
    ]);
    expect(figures([read(twin, 0, 700)], docs)).toEqual([`${path}: 0, 700, 700`]);
  });

  it('lie below the path that the site is served at', () => {
    const rows = [read('/docs/quickstart', 300, 10), read('/docs/quickstart.md', 0, 900)];
    const twins = [read('/docs', 5, 1), read('/docs/index.md', 0, 7), read('/docs/', 1, 0)];
    expect(figures([...rows, ...twins, read('/blog', 9, 9)], docs)).toEqual([
      '/quickstart: 300, 900, 900',
      '/: 5, 7, 7',
      '/blog',
    ]);
  });

  it('have the name and the file of the checkout, never what visitors wrote', () => {
    const { pages } = fold([read('/Quickstart.md?say=hello#there', 0, 700)], docs);
    expect(pages).toEqual([{ ...read('/quickstart', 0, 700), file: 'docs/quickstart.mdx' }]);
  });

  it('are of no page if none is written like them', () => {
    const visited = [
      '/llms.txt',
      '/quickstart.txt',
      '/quickstart/md',
      '/apiindex',
      '/%E0%A4%A',
      '',
    ];
    expect(
      figures(
        visited.map((path) => read(path, 0, 1)),
        docs,
      ),
    ).toEqual(['/: 0, 1, 1', ...visited.slice(0, -1)]);
  });

  it('can begin with the name of another page', () => {
    const docs = checkout('docs.mdx', 'docs/docs.mdx', 'docs/index-of.mdx');
    const rows = ['/docs', '/docs/docs', '/docs/index-of.md'].map((path) => read(path, 1, 0));
    expect(fold(rows, docs).pages.map(({ path }) => path)).toEqual([
      '/docs',
      '/docs/docs',
      '/docs/index-of',
    ]);
  });
});

describe('the path that the site is served at', () => {
  const docs = checkout('index.mdx', 'quickstart.mdx', 'api/users.mdx', 'users.mdx');
  const found = (visited: Readonly<Record<string, number>>) => {
    const rows = Object.entries(visited).map(([path, total]) => page(path, { total }));
    const { pages, others } = fold(rows, docs);
    return [...pages.map(({ path }) => path), others.length];
  };

  it('is the one that most visitors come by', () => {
    // A page that is also the end of another one's path.
    expect(found({ '/api/users': 9, '/quickstart': 1 })).toEqual(['/api/users', '/quickstart', 0]);
    const below = { '/docs': 8, '/docs/api/users': 7, '/docs/quickstart.md': 6 };
    expect(found(below)).toEqual(['/', '/api/users', '/quickstart', 0]);
    expect(found({ ...below, '/quickstart': 5, '/blog/users': 4, '/': 3 })).toEqual([
      ...found(below).slice(0, 3),
      3,
    ]);
    // Visits count, not paths, and in doubt the site is served at the root.
    expect(found({ '/quickstart': 9, '/docs/quickstart': 4, '/docs/users': 4 })).toEqual([
      '/quickstart',
      2,
    ]);
    expect(found({ '/docs/users': 4, '/quickstart': 4 })).toEqual(['/quickstart', 1]);
    expect(found({ '/about': 9 })).toEqual([1]);
  });
});

describe('the addresses of a page without a checkout', () => {
  it('are one row, whether or not the page itself was visited', () => {
    const rows = [
      read('/x.md', 0, 700),
      read('/x/?utm_source=chat', 2, 1),
      read('/x', 300, 10),
      read('/api/errors.md', 0, 9),
      read('/index.md', 0, 4),
      read('/Guides', 1, 0),
      read('/guides/', 2, 0),
    ];
    expect(figures(rows)).toEqual([
      '/x: 300, 700, 700',
      '/api/errors: 0, 9, 9',
      '/: 0, 4, 4',
      '/Guides: 1, 0, 1',
      '/guides: 2, 0, 2',
    ]);
    expect(fold(rows).pages.every(({ file }) => file === undefined)).toBe(true);
  });
});

describe('a row of folded addresses', () => {
  const docs = checkout('x.mdx');
  const counts = (human: number, ai: number): Counts => ({ human, ai, total: human + ai });

  it('has the highest figures of the previous period, too', () => {
    const rows = [
      { ...read('/x', 300, 10), previous: counts(5, 90) },
      { ...read('/x/', 0, 0), previous: counts(80, 1) },
    ];
    expect(fold(rows, docs).pages[0]?.previous).toEqual({ human: 80, ai: 90, total: 95 });
  });

  it('has no figures of the previous period if those of one address are not known', () => {
    const rows = [{ ...read('/x', 300, 10), previous: counts(5, 90) }, read('/x.md', 0, 1)];
    expect(fold(rows, docs).pages[0]?.previous).toBeUndefined();
  });

  it('has no figure below that of an address, and no row is lost, for any rows', () => {
    fc.assert(
      fc.property(fc.array(nastyPage, { maxLength: 20 }), (rows) => {
        const find = createPageFinder(undefined, rows);
        const { pages, others } = foldAddresses(rows, find);
        expect(others).toEqual([]);
        for (const row of rows) {
          const found = pages.find(({ path }) => path === find(row.path)?.path);
          expect(found?.human).toBeGreaterThanOrEqual(row.human);
          expect(found?.ai).toBeGreaterThanOrEqual(row.ai);
          expect(found?.total).toBeGreaterThanOrEqual(row.total);
        }
      }),
    );
  });
});

/** The text in the agent's prompt, with the README's `variables: "pages: ${{ … }}"`. */
function throughVariables(output: string): unknown {
  const pages = readYamlMapping('variables', `pages: ${output}`, '').get('pages');
  return JSON.parse(pages ?? '');
}

function entry({ path, human, ai, total }: VisitedPage) {
  return { path, human, ai, total };
}

describe('top-pages', () => {
  it('is a compact JSON array', () => {
    const { json } = topPagesJson([page('/'), page('/a"b', { human: 3, ai: 9, total: 11 })]);
    expect(json).toBe(
      '[{"path":"/","human":10,"ai":0,"total":10},{"path":"/a\\"b","human":3,"ai":9,"total":11}]',
    );
  });

  it('has the file of each page, if the docs are checked out', () => {
    const { json } = topPagesJson([{ ...page('/a'), file: 'docs/a.mdx' }]);
    expect(json).toBe('[{"path":"/a","file":"docs/a.mdx","human":10,"ai":0,"total":10}]');
  });

  it('is parsed as the same pages by the agent, for any paths', () => {
    fc.assert(
      fc.property(fc.array(nastyPage, { maxLength: 20 }), (pages) => {
        const { json } = topPagesJson(pages);
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(json)).toEqual(pages.map(entry));
        expect(throughVariables(json)).toEqual(pages.map(entry));
      }),
      heavyRuns(500),
    );
  });

  it('leaves out pages that do not fit, and never shortens a path', () => {
    const fitting = page(`/${'x'.repeat(999)}`);
    const long = page(`/${'x'.repeat(48 * 1024)}`);
    const lengthOf = (pages: readonly VisitedPage[]) => topPagesJson(pages).json.length;
    const size = lengthOf([fitting, fitting]) - lengthOf([fitting]);
    const pages = [long, ...Array<VisitedPage>(99).fill(fitting)];
    const count = Math.floor((48 * 1024 - 2) / size);
    const { json, leftOut } = topPagesJson(pages);
    expect(JSON.parse(json)).toEqual(Array(count).fill(entry(fitting)));
    expect(leftOut).toBe(100 - count);
  });
});
