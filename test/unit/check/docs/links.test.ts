import { describe, expect, it } from 'vitest';
import { linksOf } from '../../../../src/check/docs/links.ts';
import { entry, version } from './sites.ts';

const redirect = (source: string, destination: string) => ({ source, destination });

const docs = version(
  [
    ...['docs/index.mdx', 'docs/quickstart.mdx', 'docs/guides/setup.mdx', 'docs/guides/index.mdx'],
    ...[
      'docs/guides/deep/first.md',
      'docs/guides/deep/both.mdx',
      'docs/v1.2/notes.mdx',
      'docs/both/index.mdx',
      'docs/both.mdx',
      'docs/twin.mdx',
      'docs/twin/index.mdx',
    ],
    ...['docs/images/a b.png', 'docs/snippets/s.mdx', 'docs/README.md', 'docs/openapi.json'],
    ...['docs/Guides-Old.mdx', 'README.md', 'src/main.ts'],
  ],
  {
    seo: { metatags: { canonical: 'https://Example.com/help' } },
    navigation: {
      pages: [{ group: 'API', openapi: { source: 'openapi.json', directory: 'api' } }],
    },
    redirects: [
      redirect('/old', '/guides/setup'),
      redirect('/old-part', '/guides/setup#part'),
      redirect('/beta/:slug*', '/guides/:slug*'),
      redirect('/first', '/second'),
      redirect('/second', '/third'),
      redirect('/third', '/quickstart'),
      redirect('/moved/index', '/quickstart'),
      redirect('/a', '/b'),
      redirect('/b', '/a'),
      redirect('/out', 'https://example.org/x'),
      redirect('/round', 'https://example.com/help/round'),
      redirect('/to-api', '/api/users/list'),
      redirect('/lost', '/nothing'),
      redirect('/open/*', '/:what*'),
      redirect('/help/with-base', '/help/quickstart'),
    ],
  },
  'docs/docs.json',
);
const resolve = (target: string, from = 'docs/guides/deep/first.md') =>
  linksOf(docs).resolve(target, from);

const page = (file: string, anchor?: string) => ({ kind: 'page', file, anchor });

describe('a link to the root of the docs', () => {
  it('leads to the first page of the navigation, where no page has that address', () => {
    const site = version(
      ['docs/guide/start.mdx'],
      { navigation: { pages: ['guide/start'] } },
      'docs/docs.json',
    );
    const kinds = ['/', '/#top', '/?from=mail', '../', '/docs/'].map(
      (target) => linksOf(site).resolve(target, 'docs/guide/start.mdx').kind,
    );
    expect(new Set(kinds)).toEqual(new Set(['unknown']));
    expect(linksOf(site).resolve('/x', 'docs/guide/start.mdx').kind).toBe('nowhere');
  });
});

describe('a link to a page', () => {
  it.each([
    ['docs/index.mdx', '/ /index'],
    [
      'docs/quickstart.mdx',
      '/quickstart /quickstart/ /quickstart.mdx /quickstart.md /quickstart?tab=x /QuickStart /guides/../quickstart /help/quickstart quickstart ../../quickstart',
    ],
    ['docs/Guides-Old.mdx', '/guides-old'],
    ['docs/guides/index.mdx', '/guides /guides/index'],
    ['docs/guides/setup.mdx', '/guides/%73etup /docs/guides/setup ../setup'],
    ['docs/v1.2/notes.mdx', '/v1.2/notes'],
    ['docs/both.mdx', '/both'],
    ['docs/twin.mdx', '/twin'],
    ['docs/guides/deep/both.mdx', './both both'],
    ['docs/guides/deep/first.md', './first first.md'],
  ])('leads to %s', (file, targets) => {
    const ends = targets.split(' ').map((target) => resolve(target));
    expect(ends).toEqual(ends.map(() => page(file)));
  });

  it('keeps its anchor', () => {
    expect(resolve('/quickstart?x#a%20b')).toEqual(page('docs/quickstart.mdx', 'a b'));
    expect(resolve('#part')).toEqual(page('docs/guides/deep/first.md', 'part'));
    expect(resolve('/quickstart#')).toEqual(page('docs/quickstart.mdx'));
    expect(resolve('/quickstart#a#b?c')).toEqual(page('docs/quickstart.mdx', 'a#b?c'));
  });

  it('goes by the page too, from an index and from outside of the docs', () => {
    expect(resolve('./setup', 'docs/guides/index.mdx')).toEqual(page('docs/guides/setup.mdx'));
    expect(resolve('docs/guides/setup.mdx', 'README.md')).toEqual(page('docs/guides/setup.mdx'));
  });
});

describe('a link', () => {
  it.each([
    ['/images/a%20b.png', 'docs/images/a b.png'],
    ['../../images/a b.png', 'docs/images/a b.png'],
    ['/snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['../../README.md', 'docs/README.md'],
    ['../../../src/main.ts', 'src/main.ts'],
  ])('%s leads to a file', (target, file) => {
    expect(resolve(target)).toEqual({ kind: 'file', file });
  });

  it.each(['docs.mdx', 'docs/setup.mdx'])('that begins with %s has no prefix', (file) => {
    const site = version([file, 'guide.mdx'], { navigation: { pages: ['guide'] } });
    expect(linksOf(site).resolve('/docs/guide', 'guide.mdx').kind).toBe('nowhere');
  });

  it('of a language has no redirect if all redirects begin with a wildcard', () => {
    const redirects = [{ source: '/:lang/old', destination: '/:lang/guide' }];
    const site = version(['guide.mdx'], { navigation: { pages: ['guide'] }, redirects });
    expect(linksOf(site).resolve('/old', 'guide.mdx').kind).toBe('nowhere');
  });

  it('to another host, a placeholder, or what Mintlify serves, cannot be told', () => {
    const targets = `https://example.org/{id} HTTPS://EXAMPLE.org:8443/ //cdn.example.org/x https://
      https://example.com/help/nothing mailto:a@example.com vscode://x ?tab=x /quickstart/{id}
      $BASE/x <url> /api /api/users/list /help/api/users /guides/deep /llms.txt /llms-full.txt
      /robots.txt /sitemap.xml /skill.md /mcp /login /logout /feedback /openapi-specs.download
      /.well-known/x /_next/x /_mintlify/x /favicon.ico /rss.xml /guides/rss.xml /quickstart.html`;
    const kindOf = (target: string) => resolve(target).kind;
    expect(targets.split(/\s+/u).filter((target) => kindOf(target) !== 'unknown')).toEqual([]);
    expect(['', ' '].map(kindOf)).toEqual(['unknown', 'unknown']);
    const nowhere = `/nothing ./nothing nothing /apis /images/none.png /help/nothing /snippets/s
      /README /Images/a%20b.png /%zz ../../../../../../etc $%20/x /rss.xml/x /mcp/x /xrobots.txt
      /favicon.`;
    expect(nowhere.split(/\s+/u).filter((target) => kindOf(target) !== 'nowhere')).toEqual([]);
  });

  it('in a snippet depends on the page, where it is relative', () => {
    expect(resolve('./nothing', 'docs/snippets/s.mdx').kind).toBe('unknown');
    expect(resolve('#part', 'docs/snippets/s.mdx').kind).toBe('unknown');
    expect(resolve('/no-page', 'docs/snippets/s.mdx').kind).toBe('nowhere');
  });

  it('through a symlink or a submodule cannot be told', () => {
    const { tree, site } = docs;
    const linked = {
      site,
      tree: new Map([
        ...tree,
        ['docs/shared', entry('symlink', 'docs/shared')],
        ['docs/sub', entry('submodule', 'docs/sub')],
      ]),
    };
    expect(linksOf(linked).resolve('/shared/a.png', 'docs/index.mdx').kind).toBe('unknown');
    expect(linksOf(linked).resolve('/sub/deep/a', 'docs/index.mdx').kind).toBe('unknown');
    expect(linksOf(linked).resolve('/sub', 'docs/index.mdx').kind).toBe('file');
    expect(linksOf(linked).resolve('/shareda', 'docs/index.mdx').kind).toBe('nowhere');
  });
});

describe('a redirect', () => {
  it.each([
    ['/old#x', page('docs/guides/setup.mdx', 'x')],
    ['/old-part#x', page('docs/guides/setup.mdx', 'part')],
    ['/old.mdx', page('docs/guides/setup.mdx')],
    ['/first', page('docs/quickstart.mdx')],
    ['/moved/index', page('docs/quickstart.mdx')],
    ['/beta/setup', page('docs/guides/setup.mdx')],
    ['/beta', page('docs/guides/index.mdx')],
    ['/with-base', page('docs/quickstart.mdx')],
    ['/out', { kind: 'unknown' }],
    ['/round', { kind: 'unknown' }],
    ['/to-api', { kind: 'unknown' }],
    ['/open/x', { kind: 'unknown' }],
    ['/lost', { kind: 'nowhere' }],
    ['/a', { kind: 'nowhere' }],
  ])('takes %s further', (target, end) => {
    expect(resolve(target)).toEqual(end);
  });

  it('of a page that is gone leads somewhere, or another page has its address', () => {
    const leadsOn = (path: string) => linksOf(docs).leadsOn(`docs/${path}`);
    const led =
      'old.mdx moved/index.mdx beta/setup.mdx beta/index.mdx with-base.mdx out.mdx to-api.mdx quickstart.md quickstart/index.mdx';
    expect(led.split(' ').filter((path) => !leadsOn(path))).toEqual([]);
    const gone = 'gone.mdx lost.mdx a.mdx api/users/list.mdx QuickStart.mdx guides-old.mdx';
    expect(gone.split(' ').filter(leadsOn)).toEqual([]);
    // Another page has the address in another case, and still the address itself is taken.
    const other = version(['A.mdx', 'a/index.mdx']);
    expect(linksOf(other).leadsOn('a.mdx')).toBe(true);
  });

  it('is followed twenty times, as browsers do', () => {
    const chain = (length: number) => {
      const redirects = Array.from({ length }, (_, index) =>
        redirect(`/${index}`, index + 1 === length ? '/end' : `/${index + 1}`),
      );
      return linksOf(version(['end.mdx'], { redirects })).resolve('/0', '').kind;
    };
    expect([chain(20), chain(21)]).toEqual(['page', 'nowhere']);
  });

  it('of a site below a path has it only if all redirects share a segment that is no folder', () => {
    const baseOf = (...redirects: readonly (readonly [string, string])[]) => {
      const settings = { redirects: redirects.map((one) => redirect(...one)) };
      return linksOf(version(['a/b.mdx'], settings)).resolve('/x', '').kind;
    };
    expect(baseOf(['/base/x', '/base/a/b'])).toBe('page');
    expect(baseOf(['/base/x', '/base/a/b'], ['/y', '/z/y'])).toBe('nowhere');
    expect(baseOf(['/a/x', '/a/b'])).toBe('nowhere');
  });

  it('hides a page below a path only if all redirects share that path', () => {
    const seo = { metatags: { canonical: 'https://example.com/base' } };
    const hiding = (...redirects: readonly (readonly [string, string])[]) => {
      const settings = { seo, redirects: redirects.map((one) => redirect(...one)) };
      return linksOf(version(['a/b.mdx'], settings)).redirectOf('a/b.mdx')?.source;
    };
    expect(hiding(['/a/b', '/c'])).toBe('/a/b');
    expect(hiding(['/base/a/b', '/base/c'])).toBe('/base/a/b');
    expect(hiding(['/base/a/b', '/base/c'], ['/d', '/c'])).toBeUndefined();
  });
});

describe('an import', () => {
  it.each([
    ['/snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['../../snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['//snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['first.md', 'docs/guides/deep/first.md'],
    ['/first.md', undefined],
    ['/snippets/none.mdx', undefined],
    ['react', undefined],
  ])('of %s means %s', (source, file) => {
    expect(linksOf(docs).resolveImport(source, 'docs/guides/deep/first.md')).toBe(file);
  });

  it('of an older site lies in _snippets', () => {
    const old = version(['_snippets/s.mdx', 'a/b.mdx'], {}, 'docs.json');
    expect(linksOf(old).resolveImport('/snippets/s.mdx', 'a/b.mdx')).toBe('_snippets/s.mdx');
  });
});

it('pages of the navigation have no file, unless an API description makes them', () => {
  const pages = ['a', 'b', 'c', 'api', 'api/x', 'apis', { group: 'API', openapi: 'x.json' }];
  const settings = {
    api: { openapi: { source: 'x.json', directory: 'api' } },
    navigation: { pages },
  };
  const site = version(['d/a.mdx', 'd/b.md'], settings, 'd/docs.json');
  const kinds = [...site.site.pages].map((name) => linksOf(site).resolve(name, '', 'page').kind);
  expect(kinds).toEqual(['page', 'page', 'nowhere', 'unknown', 'unknown', 'nowhere']);
});

it('a redirect whose source has a million segments takes no more memory than its text', () => {
  const site = version(['a.mdx'], {
    navigation: { pages: ['a'] },
    redirects: [redirect('/a'.repeat(1_000_000), '/a')],
  });
  expect(linksOf(site).resolve('/a', 'a.mdx').kind).toBe('page');
});
