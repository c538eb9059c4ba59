import { describe, expect, it } from 'vitest';
import type { RuleName } from '../../../../src/check/old-finding.ts';
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

describe('docs that a build makes pages of', () => {
  const made = (count: number) => Array.from({ length: count }, (_, index) => `built/${index}`);
  const whats = (count: number) => {
    const names = ['a', 'b', ...made(count)];
    const before = { ...files, 'docs.json': docsJson(names) };
    const after = {
      'a.mdx': page('[x](/built/other) [y](/nowhere)'),
      'new.mdx': 'New',
      'docs.json': docsJson([...names, 'built/other']),
    };
    return findingsOf({ before, after }).map(({ rule, what }) => `${rule}: ${what}`);
  };

  it('may name pages that are no files, if they did so before', () => {
    expect(whats(7)).toEqual(
      expect.arrayContaining([
        'navigation-without-page: its navigation names built/other, which does not exist',
        'page-not-in-navigation: is new and not in the navigation',
        'broken-link: links to /built/other, which does not exist',
      ]),
    );
    const left = whats(10);
    expect(left.filter((what) => /built\/other, which does not|is new/u.test(what))).toEqual([]);
    expect(left).toContain('broken-link: links to /nowhere, which does not exist');
    expect(left).toContain('navigation-without-page: its navigation names b, which does not exist');
  });
});

describe('navigation-changed', () => {
  const group = (name: string, pages: readonly unknown[], others = {}) => ({
    group: name,
    pages,
    ...others,
  });

  it.each<[readonly unknown[], readonly unknown[], string]>([
    [['a'], ['a', 'b'], 'adds b, which existed before'],
    [['a'], [], 'removes a'],
    [['a'], ['b'], 'adds b, which existed before and removes a'],
    [['a', 'b'], ['b', 'a'], 'moves 1 entry'],
    [['a'], ['a', 'GET /x', 'https://one.dev'], 'adds GET /x and https://one.dev'],
    [['a'], ['a', 'c', 'd', 'e', 'f'], 'adds 4 entries'],
    [['a'], ['a', group('New', ['b'])], 'adds the group New and adds b, which existed before'],
    [
      [group('One', ['a', 'b'])],
      [group('Two', ['a', 'b'])],
      'adds the group Two, removes the group One and moves 2 entries',
    ],
    [[group('One', ['a'])], [group('One', ['a'], { icon: 'x' })], 'changes the icon of One'],
    [
      [group('One', ['a'], { tag: 'x', icon: 'x' }), 'b'],
      ['b', group('One', ['a'], { icon: 'y' })],
      'moves 1 entry and changes the icon and tag of One',
    ],
    [
      [{ openapi: { source: 'x.json', directory: 'x' }, group: 'API' }],
      [{ openapi: { source: 'x.json', directory: 'y' }, group: 'API' }],
      'changes the openapi of API',
    ],
    [
      ['a', { pages: ['b'] }],
      ['a', { pages: ['b'], hidden: true }],
      'has other settings, or names a page in an unusual way',
    ],
  ])('says what differs: %j becomes %j', (before, after, what) => {
    expect(found('navigation-changed', docsJson(before), docsJson(after))).toEqual([
      `docs.json its navigation ${what}`,
    ]);
  });

  it('names the changed file, which docs.json may include', () => {
    const included = (pages: readonly string[]) => ({
      ...files,
      'docs.json': '{"navigation": {"$ref": "navigation.json"}}',
      'navigation.json': JSON.stringify({ pages }),
    });
    const parts = { before: included(['a', 'b']), after: included(['b', 'a']) };
    expect(findingsOf(parts, 'navigation-changed')).toMatchObject([{ file: 'navigation.json' }]);
  });

  it('says nothing of new pages where something else differs as well', () => {
    const [before, after] = [[group('One', ['a'])], [group('One', ['a', 'c'], { icon: 'x' })]];
    expect(
      found('navigation-changed', docsJson(before), docsJson(after), { 'c.mdx': text }),
    ).toEqual(['docs.json its navigation changes the icon of One']);
  });

  it('lets an entry pass for a page that the change adds, where nothing else differs', () => {
    const extra = { 'c.mdx': text };
    const before = docsJson(['a', 'b']);
    expect(found('navigation-changed', before, docsJson(['a', 'c', 'b']), extra)).toEqual([]);
    expect(found('navigation-changed', before, docsJson(['b', 'c', 'a']), extra)).toHaveLength(1);
    expect(found('navigation-changed', before, docsJson(['a', 'c']), extra)).toHaveLength(1);
    expect(found('navigation-changed', before, docsJson(['a', 'b', 'd']), extra)).toHaveLength(1);
  });

  it('lets a new group pass that has only pages which the change adds', () => {
    const extra = { 'c.mdx': text };
    const before = docsJson(['a', 'b']);
    const passes = (entry: unknown) =>
      found('navigation-changed', before, docsJson(['a', entry, 'b']), extra).length === 0;
    expect(passes(group('New', ['c']))).toBe(true);
    expect(passes(group('New', [group('Inner', ['c'])], { icon: 'book', expanded: true }))).toBe(
      true,
    );
    expect(passes(group('New', ['c', 'https://evil.com']))).toBe(false);
    expect(passes(group('New', ['c'], { icon: 'https://evil.com/x.svg' }))).toBe(false);
    expect(passes(group('New', ['c'], { openapi: 'x.json' }))).toBe(false);
    const moved = docsJson(['a', group('New', ['b', 'c'])]);
    expect(found('navigation-changed', before, moved, extra)).toHaveLength(1);
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
