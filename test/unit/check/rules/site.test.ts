import { describe, expect, it } from 'vitest';
import type { RuleName } from '../../../../src/check/finding.ts';
import { gapsOf } from '../../../../src/check/rules/gaps.ts';
import { changeOf, docsJson, findingsOf, page, type Texts } from '../../../helpers/change.ts';

const text = page('Text');
const files = { 'a.mdx': text, 'b.mdx': text };

/** What a rule finds in a change of the settings and of some files. */
function found(rule: RuleName, before: string, after: string, extra: Texts = {}) {
  const parts = {
    before: { ...files, 'docs.json': before },
    after: { ...files, ...extra, 'docs.json': after },
  };
  return findingsOf(parts, rule).map(({ file, what }) => `${file} ${what}`);
}

describe('page-not-in-navigation', () => {
  const rule = 'page-not-in-navigation';

  it('finds a page that left it', () => {
    expect(found(rule, docsJson(['a', 'b']), docsJson(['a']))).toEqual([
      'b.mdx is not in the navigation any more',
    ]);
    expect(found(rule, docsJson(['a']), docsJson(['a']))).toEqual([]);
    expect(found(rule, docsJson(['a', 'b']), docsJson(['b', 'a']))).toEqual([]);
  });

  it('finds a new page that it lacks', () => {
    const settings = docsJson(['a', 'b']);
    expect(found(rule, settings, settings, { 'c.mdx': text })).toEqual([
      'c.mdx is new and not in the navigation',
    ]);
    expect(found(rule, settings, docsJson(['a', 'b', 'c']), { 'c.mdx': text })).toEqual([]);
  });

  it.each([
    ['c.mdx', page('Text', 'hidden: true')],
    ['c.mdx', page('Text', 'noindex: true')],
    ['snippets/c.mdx', 'Text'],
    ['README.md', 'Text'],
    ['AGENTS.md', 'Text'],
  ])('lets pass %s, which is not meant to be there', (path, body) => {
    const settings = docsJson(['a', 'b']);
    expect(found(rule, settings, settings, { [path]: body })).toEqual([]);
  });

  it('lets pass what pages import, wherever it lies', () => {
    const settings = docsJson(['a', 'b']);
    const extra = { 'shared/c.mdx': 'Text', 'a.mdx': page("import C from '/shared/c.mdx'") };
    expect(found(rule, settings, settings, extra)).toEqual([]);
  });
});

describe('navigation-without-page', () => {
  const rule = 'navigation-without-page';

  it('finds a new entry without a page', () => {
    expect(found(rule, docsJson(['a']), docsJson(['a', 'c']))).toEqual([
      'docs.json its navigation names c, which does not exist',
    ]);
    expect(found(rule, docsJson(['a']), docsJson(['a', 'b']))).toEqual([]);
  });

  it('lets pass an entry that had no page before either, and endpoints', () => {
    expect(found(rule, docsJson(['a', 'c']), docsJson(['a', 'c', 'b']))).toEqual([]);
    expect(found(rule, docsJson(['a']), docsJson(['a', 'GET /users']))).toEqual([]);
    const api = { api: { openapi: { source: '/openapi.json', directory: 'api' } } };
    expect(found(rule, docsJson(['a'], api), docsJson(['a', 'api/users/get'], api))).toEqual([]);
  });

  it('finds an entry whose page went', () => {
    const settings = { 'docs.json': docsJson(['a', 'b']) };
    const parts = { before: { ...files, ...settings }, after: { 'a.mdx': text, ...settings } };
    expect(findingsOf(parts, rule)).toHaveLength(1);
  });
});

describe('navigation-changed', () => {
  it.each([
    [['a', 'b'], 'adds 1 page'],
    [[], 'removes 1 page'],
    [['b'], 'adds 1 page and removes 1 page'],
  ])('finds entries that differ: %j', (pages, what) => {
    expect(found('navigation-changed', docsJson(['a']), docsJson(pages))).toEqual([
      `docs.json its navigation ${what}`,
    ]);
  });

  it('lets an entry pass for a page that the change adds, where nothing else differs', () => {
    const extra = { 'c.mdx': text };
    const before = docsJson(['a', 'b']);
    expect(found('navigation-changed', before, docsJson(['a', 'c', 'b']), extra)).toEqual([]);
    expect(found('navigation-changed', before, docsJson(['b', 'c', 'a']), extra)).toHaveLength(1);
    expect(found('navigation-changed', before, docsJson(['a', 'c']), extra)).toHaveLength(1);
    expect(found('navigation-changed', before, docsJson(['a', 'b', 'd']), extra)).toHaveLength(1);
    const group = docsJson(['a', 'b', { group: 'New', pages: ['c'] }]);
    expect(found('navigation-changed', before, group, extra)).toHaveLength(1);
  });

  it('finds another order, and lets other white space pass', () => {
    const settings = docsJson(['a', 'b']);
    expect(found('navigation-changed', settings, docsJson(['b', 'a']))).toHaveLength(1);
    const compact = JSON.stringify(JSON.parse(settings));
    expect(found('navigation-changed', settings, compact)).toEqual([]);
  });
});

describe('settings-changed', () => {
  const rule = 'settings-changed';
  const settings = docsJson(['a'], { theme: 'mint', scripts: ['x'] });

  it('finds each key that differs', () => {
    expect(found(rule, settings, docsJson(['a'], { theme: 'maple', custom: true }))).toEqual([
      'docs.json has no "scripts" any more',
      'docs.json changes "theme" to "maple"',
      'docs.json sets "custom" to true',
    ]);
  });

  it('lets navigation and redirects pass', () => {
    const redirects = [{ source: '/x', destination: '/a' }];
    const others = { theme: 'mint', scripts: ['x'], redirects };
    expect(found(rule, settings, docsJson(['a', 'b'], others))).toEqual([]);
  });

  it('finds a key that stands there twice, and settings that cannot be read', () => {
    const twice = settings.replace('"theme": "mint"', '"theme": "mint", "theme": "mint"');
    expect(found(rule, settings, twice)).toHaveLength(1);
    expect(found(rule, twice, `${twice}\n`)).toEqual([]);
    expect(found(rule, settings, '{')).not.toEqual([]);
  });

  it('finds settings that are gone', () => {
    const parts = { before: { 'docs.json': settings }, after: { 'docs.json': '[]' } };
    expect(findingsOf(parts, rule)).not.toEqual([]);
  });
});

describe('a gap', () => {
  it('is what cannot be parsed or read', () => {
    const before = { 'docs.json': docsJson(['a']), 'a.mdx': text };
    const broken = { ...before, 'a.mdx': page('<Card>') };
    expect(gapsOf(changeOf({ before, after: broken }))).toEqual([
      { file: 'a.mdx', line: 6, what: expect.stringMatching(/^the page is not valid MDX/u) },
    ]);
    expect(gapsOf(changeOf({ before: broken, after: before }))).toEqual([]);
    expect(gapsOf(changeOf({ before, after: { ...before, 'docs.json': '{' } }))).not.toEqual([]);
    expect(gapsOf(changeOf({ before, after: before }))).toEqual([]);
    const plain = (path: string, text: string) =>
      gapsOf(changeOf({ before, after: { ...before, [path]: text } }));
    expect(plain('notes/a.md', '# For us\n\n<br> and {x')).toEqual([]);
    expect(plain('notes/a.mdx', '# For us\n\n<br> and {x')).toHaveLength(1);
    expect(plain('notes/a.md', '---\ntitle: Us\n---\n\n<br> and {x')).toHaveLength(1);
    expect(plain('notes/a.md', '> '.repeat(60))).toHaveLength(1);
  });
});

describe('redirect-to-other-host', () => {
  const settings = (destination?: string) =>
    docsJson(['a'], {
      seo: { metatags: { canonical: 'https://docs.example.org' } },
      redirects: destination === undefined ? [] : [{ source: '/x', destination }],
    });
  const rule = 'redirect-to-other-host';

  it.each([
    'https://elsewhere.example.com/x',
    '//elsewhere.example.com',
    'http:\\\\elsewhere.example.com',
  ])('finds a new one to %s', (destination) => {
    expect(found(rule, settings(), settings(destination))).toHaveLength(1);
    expect(found(rule, settings(destination), `${settings(destination)} `)).toEqual([]);
  });

  it.each(['/a', 'a', 'https://docs.example.org/a'])('lets pass one to %s', (destination) => {
    expect(found(rule, settings(), settings(destination))).toEqual([]);
  });
});
