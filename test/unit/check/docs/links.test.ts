import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksOf } from '../../../../src/check/docs/links.ts';
import { entry, version } from './sites.ts';

const redirect = (source: string, destination: string) => ({ source, destination });

const docs = version(
  [
    ...['docs/index.mdx', 'docs/quickstart.mdx', 'docs/guides/setup.mdx', 'docs/guides/index.mdx'],
    ...['docs/guides/deep/first.md', 'docs/v1.2/notes.mdx', 'docs/both/index.mdx', 'docs/both.mdx'],
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
    for (const target of ['/', '/#top', '/?from=mail', '../', '/docs/']) {
      expect(linksOf(site).resolve(target, 'docs/guide/start.mdx').kind, target).toBe('unknown');
    }
    expect(linksOf(site).resolve('/x', 'docs/guide/start.mdx').kind).toBe('nowhere');
  });
});

describe('a link to a page', () => {
  it.each([
    ['/', 'docs/index.mdx'],
    ['/index', 'docs/index.mdx'],
    ['/quickstart', 'docs/quickstart.mdx'],
    ['/quickstart/', 'docs/quickstart.mdx'],
    ['/quickstart.mdx', 'docs/quickstart.mdx'],
    ['/quickstart.md', 'docs/quickstart.mdx'],
    ['/quickstart?tab=x', 'docs/quickstart.mdx'],
    ['/QuickStart', 'docs/quickstart.mdx'],
    ['/guides-old', 'docs/Guides-Old.mdx'],
    ['/guides', 'docs/guides/index.mdx'],
    ['/guides/index', 'docs/guides/index.mdx'],
    ['/guides/../quickstart', 'docs/quickstart.mdx'],
    ['/guides/%73etup', 'docs/guides/setup.mdx'],
    ['/v1.2/notes', 'docs/v1.2/notes.mdx'],
    ['/both', 'docs/both.mdx'],
    ['/help/quickstart', 'docs/quickstart.mdx'],
    ['/docs/guides/setup', 'docs/guides/setup.mdx'],
    ['../setup', 'docs/guides/setup.mdx'],
    ['./first', 'docs/guides/deep/first.md'],
    ['first.md', 'docs/guides/deep/first.md'],
    ['quickstart', 'docs/quickstart.mdx'],
    ['../../quickstart', 'docs/quickstart.mdx'],
  ])('may be written %s', (target, file) => {
    expect(resolve(target)).toEqual(page(file));
  });

  it('keeps its anchor', () => {
    expect(resolve('/quickstart?x#a%20b')).toEqual(page('docs/quickstart.mdx', 'a b'));
    expect(resolve('#part')).toEqual(page('docs/guides/deep/first.md', 'part'));
    expect(resolve('/quickstart#')).toEqual(page('docs/quickstart.mdx'));
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

  it.each([
    ...['https://example.org/x', 'HTTPS://EXAMPLE.org:8443/', '//cdn.example.org/x'],
    ...['https://example.org/{id}', 'https://example.com/help'],
    ...['https://example.com/help/nothing', 'https://example.com/help/lost'],
  ])('%s on another host cannot be told', (target) => {
    expect(resolve(target)).toEqual({ kind: 'unknown' });
  });

  it.each([
    ...['', ' ', 'mailto:a@example.com', 'tel:+1', 'vscode://x', 'javascript:x', 'https://'],
    ...['/{{version}}/setup', '/users/{id}', '$BASE/x', '<url>', '?tab=x'],
    ...[
      '/api',
      '/api/users/list',
      '/help/api/users',
      '/llms.txt',
      '/guides/rss.xml',
      '/quickstart.html',
      '/guides/deep',
    ],
  ])('%j cannot be told', (target) => {
    expect(resolve(target).kind).toBe('unknown');
  });

  it.each([
    ...[
      '/nothing',
      '/guides/nothing',
      './nothing',
      'nothing',
      '/apis',
      '/images/none.png',
      '/help/nothing',
    ],
    ...['/snippets/s', '/README', '/Images/a%20b.png', '/%zz', '../../../../../../etc'],
  ])('%s leads nowhere', (target) => {
    expect(resolve(target).kind).toBe('nowhere');
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
      tree: new Map([...tree, ['docs/shared', entry('symlink')], ['docs/sub', entry('submodule')]]),
    };
    expect(linksOf(linked).resolve('/shared/a.png', 'docs/index.mdx').kind).toBe('unknown');
    expect(linksOf(linked).resolve('/sub/deep/a', 'docs/index.mdx').kind).toBe('unknown');
    expect(linksOf(linked).resolve('/shareda', 'docs/index.mdx').kind).toBe('nowhere');
  });

  it('has an end whatever its text', () => {
    const odd = fc.array(
      fc.constantFrom(
        '/',
        '.',
        '..',
        '#',
        '?',
        '%',
        ':',
        '*',
        'a',
        'beta',
        'open',
        '\\',
        'help',
        ' ',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          odd.map((all) => all.join('')),
        ),
        (target) => {
          expect(() => resolve(target)).not.toThrow();
        },
      ),
    );
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

  it.each([
    ['docs/old.mdx', true],
    ['docs/moved/index.mdx', true],
    ['docs/beta/setup.mdx', true],
    ['docs/beta/index.mdx', true],
    ['docs/with-base.mdx', true],
    ['docs/out.mdx', true],
    ['docs/to-api.mdx', true],
    ['docs/quickstart.md', true],
    ['docs/quickstart/index.mdx', true],
    ['docs/gone.mdx', false],
    ['docs/lost.mdx', false],
    ['docs/a.mdx', false],
    ['docs/api/users/list.mdx', false],
  ])('of %s, which is gone: %s', (path, isRedirected) => {
    expect(linksOf(docs).isRedirected(path)).toBe(isRedirected);
  });

  it('covers every page that moves with one', () => {
    const segment = fc.stringMatching(/^[a-zA-Z\d._-]{1,8}$/).filter((text) => !/^\.+$/.test(text));
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
    const root = fc.constantFrom('', 'docs');
    fc.assert(
      fc.property(root, path, path, fc.boolean(), (folder, from, to, hasSlash) => {
        const below = (name: string) => (folder === '' ? name : `${folder}/${name}`);
        const slash = hasSlash ? '/' : '';
        const moved = version(
          [below(`${to}.mdx`)],
          { redirects: [redirect(`/${from}${slash}`, `${slash}${to}`)] },
          below('docs.json'),
        );
        fc.pre(linksOf(moved).resolve(`/${to}`, '').kind === 'page');
        expect(linksOf(moved).isRedirected(below(`${from}.mdx`))).toBe(true);
      }),
    );
  });
});

describe('an import', () => {
  it.each([
    ['/snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['../../snippets/s.mdx', 'docs/snippets/s.mdx'],
    ['snippets/s.mdx', 'docs/snippets/s.mdx'],
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
