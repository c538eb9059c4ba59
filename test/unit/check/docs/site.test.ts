import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeInSettings, readSite, type Site } from '../../../../src/check/docs/site.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { read } from './sites.ts';

const problemsOf = ({ problems }: Site) => problems.map(({ what }) => plainOf(what));
const pagesOf = ({ pages }: Site) => [...pages];
const siteOf = (navigation: unknown) => read({ navigation }).site;

describe('the navigation', () => {
  it('names the pages of every container that Mintlify knows', () => {
    const site = siteOf({
      languages: [
        {
          language: 'en',
          versions: [
            {
              version: 'v2',
              tabs: [
                {
                  tab: 'Guides',
                  menu: [
                    {
                      item: 'Start',
                      groups: [
                        { group: 'A', root: 'root', pages: ['a', { group: 'B', pages: ['b'] }] },
                      ],
                    },
                  ],
                },
                { tab: 'Products', products: [{ product: 'P', pages: ['p'] }] },
                {
                  tab: 'Anchors',
                  anchors: [{ anchor: 'N', dropdowns: [{ dropdown: 'D', pages: ['d'] }] }],
                },
              ],
            },
          ],
        },
      ],
    });
    expect(pagesOf(site)).toEqual(['root', 'a', 'b', 'p', 'd']);
    expect(site.languages).toEqual(['en']);
    expect(site.problems).toEqual([]);
  });

  it('finds pages in a container that is not known yet', () => {
    expect(
      pagesOf(siteOf({ shelves: [{ shelf: 'S', pages: ['a'] }], box: { pages: ['b'] } })),
    ).toEqual(['a', 'b']);
  });

  it('takes the names in other settings for no pages', () => {
    const banner = { content: 'x', pages: ['no'] };
    expect(
      pagesOf(siteOf({ languages: [{ language: 'en', banner, pages: ['a'], keywords: ['no'] }] })),
    ).toEqual(['a']);
  });

  it('tells groups, pages, links and endpoints in their order', () => {
    const site = siteOf({
      tabs: [
        { tab: 'Guides', pages: ['a', 'https://example.com'] },
        { tab: 'Blog', href: 'https://example.com/blog' },
        { tab: 'API', openapi: 'api.json', pages: ['GET /users'] },
      ],
    });
    expect(site.navigation.map(({ kind, label, trail }) => `${trail}: ${kind} ${label}`)).toEqual([
      'Guides: group Guides',
      'Guides: page a',
      'Guides: link https://example.com',
      'Blog: group Blog',
      'Blog: link https://example.com/blog',
      'API: group API',
      'API: api api.json',
      'API: api GET /users',
    ]);
    expect(pagesOf(site)).toEqual(['a']);
  });

  it.each([
    '/guides/setup',
    'guides/setup.mdx',
    './guides/setup.md',
    'guides//setup/',
    ' guides/setup ',
  ])('normalises %j', (page) => {
    expect(pagesOf(siteOf({ pages: [page] }))).toEqual(['guides/setup']);
  });

  it.each([
    'GET /users',
    'delete /users/{id}',
    'openapi.json POST /plants',
    'https://example.com/openapi.yaml GET /x',
    'openapi.json webhook orderPaid',
    'events.yaml orders',
  ])('takes %j for an endpoint', (entry) => {
    const site = siteOf({ pages: [entry] });
    expect(pagesOf(site)).toEqual([]);
    expect(site.apiFolders).toEqual(['api-reference']);
  });

  it.each(['get started/first', 'my page', 'patch notes'])('takes %j for a page', (entry) => {
    expect(pagesOf(siteOf({ pages: [entry] }))).toEqual([entry]);
  });

  it('puts the default language first', () => {
    const languages = [{ language: 'fr' }, { language: 'en', default: true }];
    expect(siteOf({ languages }).languages).toEqual(['en', 'fr']);
  });

  it('tells folders of API descriptions', () => {
    const site = read(
      {
        api: { openapi: [{ source: '/specs/a.yaml', directory: '/admin-api/' }] },
        navigation: {
          tabs: [
            { tab: 'A', openapi: ['b.json', 'https://example.com/c.json'] },
            { tab: 'B', asyncapi: { source: 'events.yaml', directory: 'events' } },
            { tab: 'C', graphql: 'schema.graphql' },
          ],
        },
      },
      'docs/docs.json',
    ).site;
    expect(site.apiFolders).toEqual(['admin-api', 'api-reference', 'events', 'graphql-reference']);
  });
});

describe('included files', () => {
  const including = (texts: Record<string, string | undefined>) =>
    readSite('docs/docs.json', new Map(Object.entries(texts)));

  it('are asked for until all are there', () => {
    const top = '{"navigation": {"$ref": "./nav/all.json"}}';
    const middle = '{\n"groups": [\n{"group": "A", "pages": ["a"]},\n{"$ref": "../b.json"}]}';
    expect(including({ 'docs/docs.json': top }).missing).toEqual(['docs/nav/all.json']);
    expect(including({ 'docs/docs.json': top, 'docs/nav/all.json': middle }).missing).toEqual([
      'docs/b.json',
    ]);
    const last = '{"group": "B",\n"pages": ["b"]}';
    const { site, missing } = including({
      'docs/docs.json': top,
      'docs/nav/all.json': middle,
      'docs/b.json': last,
    });
    expect(missing).toEqual([]);
    expect(site.problems).toEqual([]);
    expect([...site.files.keys()]).toEqual(['docs/docs.json', 'docs/nav/all.json', 'docs/b.json']);
    expect(pagesOf(site)).toEqual(['a', 'b']);
    expect(placeInSettings(site, 'a')).toEqual({ file: 'docs/nav/all.json', line: 3 });
    expect(placeInSettings(site, 'b')).toEqual({ file: 'docs/b.json', line: 2 });
  });

  it('give way to the keys beside them, unless they are arrays', () => {
    const top = {
      navigation: { $ref: 'n.json', pages: ['own'] },
      redirects: { $ref: 'r.json', x: 1 },
    };
    const { site } = including({
      'docs/docs.json': JSON.stringify(top),
      'docs/n.json': '{"pages": ["included"]}',
      'docs/r.json': '[{"source": "/a", "destination": "/b"}]',
    });
    expect(pagesOf(site)).toEqual(['own']);
    expect(site.redirects).toEqual([{ source: '/a', destination: '/b' }]);
  });

  it.each([
    ['is not there', 'gone.json'],
    ['lies outside of the docs', '../nav.json'],
    ['has an absolute path', '/etc/passwd'],
  ])('are a problem where one %s', (_what, $ref) => {
    const { site } = including({
      'docs/docs.json': `{"name": "x",\n"navigation": {"$ref": ${JSON.stringify($ref)}}}`,
      'docs/gone.json': undefined,
      'nav.json': '{"pages": ["secret"]}',
    });
    expect(site.problems[0]?.file).toBe('docs/docs.json');
    expect(problemsOf(site)).toEqual([`includes a file that the docs do not have: ${$ref}`]);
    expect(pagesOf(site)).toEqual([]);
  });

  it('are a problem where they nest too deep or grow without end', () => {
    const chain = Array.from({ length: 120 }, (_, index) => [
      `docs/${index}.json`,
      `{"$ref": "${index + 1}.json"}`,
    ]);
    const deep = including({
      'docs/docs.json': '{"navigation": {"$ref": "0.json"}}',
      ...Object.fromEntries(chain),
    });
    expect(problemsOf(deep.site)[0]).toContain('nested more than 100 levels');

    const cycle = including({ 'docs/docs.json': '{"navigation": [{"$ref": "docs.json"}, "x"]}' });
    expect(problemsOf(cycle.site)).toEqual(['is nested more than 100 levels deep']);

    const bomb = Array.from({ length: 10 }, (_, index) => [
      `docs/${index}.json`,
      JSON.stringify(Array(20).fill(index === 9 ? 'x' : { $ref: `${index + 1}.json` })),
    ]);
    const wide = including({
      'docs/docs.json': '{"navigation": {"$ref": "0.json"}}',
      ...Object.fromEntries(bomb),
    });
    expect(problemsOf(wide.site)).toEqual(['is larger than 5 MB with what it includes']);
  });
});

describe('the settings', () => {
  it('are all keys but the navigation and the redirects', () => {
    const settings = { name: 'X', colors: { b: 1, a: 2 }, navigation: {}, redirects: [] };
    expect([...read(settings).site.settings]).toEqual([
      ['name', '"X"'],
      ['colors', '{"a":2,"b":1}'],
    ]);
  });

  it('have a place where a text, or a key, stands for the first time', () => {
    const text = [
      '{"pages": ["fr/old",',
      '"/guides/old.mdx"],',
      '"logo": "old",',
      '"redirects": [{"source": "/new", "destination": "/old"},',
      '{"source": "/old/",',
      '"destination": "/x"}]}',
    ].join('\n');
    const files = new Map([
      ['docs.json', '{}'],
      ['all.json', text],
    ]);
    const lineOf = (text: string) => placeInSettings({ files }, text).line;
    expect(lineOf('guides/old')).toBe(2);
    expect(lineOf('old')).toBe(3);
    expect(lineOf('redirects')).toBe(4);
    expect(placeInSettings({ files }, 'unknown')).toEqual({ file: 'docs.json' });
  });

  it('tell the address of the site', () => {
    const seo = { metatags: { canonical: 'https://example.com/docs' } };
    expect(read({ navigation: {}, seo }).site.address).toBe('https://example.com/docs/');
    expect(
      read({ navigation: {}, seo: { metatags: { canonical: 'x' } } }).site.address,
    ).toBeUndefined();
  });

  it.each([
    ['no object', '[]'],
    ['no navigation', '{"name": "x"}'],
  ])('are a problem where there is %s', (_what, text) => {
    const { site } = readSite('docs.json', new Map([['docs.json', text]]));
    expect(problemsOf(site)).toEqual(['has no navigation']);
  });

  it('have redirects that are no plain ones', () => {
    const plain = { source: '/a', destination: '/b', permanent: false };
    const odd = [{ source: '/c', destination: '/d', when: 'x' }, { source: '/e' }, 'f'];
    const { redirects, settings } = read({ navigation: {}, redirects: [plain, ...odd] }).site;
    expect(redirects.map(({ source }) => source)).toEqual(['/a', '/c']);
    expect(JSON.parse(settings.get('redirects') ?? '')).toEqual(odd);
  });

  it('are a problem where the file is gone', () => {
    const { site, missing } = readSite('docs.json', new Map([['docs.json', undefined]]));
    expect(problemsOf(site)).toEqual(['does not exist']);
    expect(missing).toEqual([]);
  });

  it('can have any shape', () => {
    const key = fc.constantFrom(
      'navigation',
      'pages',
      'groups',
      '$ref',
      'href',
      'openapi',
      'api',
      'redirects',
      'seo',
      'metatags',
      'x',
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('node')),
        fc.dictionary(key, tie('node')),
      ),
    }));
    fc.assert(
      fc.property(node, fc.constantFrom('docs.json', 'a/docs.json'), (settings, file) => {
        expect(() => read(settings, file)).not.toThrow();
      }),
    );
  });

  it('mean the same whatever the order of their keys', () => {
    const settings = {
      name: 'x',
      navigation: {
        global: { anchors: [{ anchor: 'Blog', href: 'https://example.com' }] },
        tabs: [
          {
            tab: 'A',
            icon: 'x',
            openapi: 'a.json',
            groups: [{ group: 'G', root: 'r', pages: ['a', 'GET /a'] }],
          },
          { tab: 'B', shelf: [{ name: 'S', pages: ['b'] }], box: { pages: ['c'] } },
        ],
      },
    };
    const facts = (value: unknown) => {
      const { pages, navigation, apiFolders } = read(value).site;
      const entries = navigation.map((entry) => JSON.stringify(entry)).toSorted();
      return { pages: [...pages].toSorted(), entries, apiFolders };
    };
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (stream) => {
        expect(facts(shuffled(settings, stream))).toEqual(facts(settings));
      }),
    );
  });
});

describe('settings as JSON', () => {
  const readText = (text: string) => readSite('docs.json', new Map([['docs.json', text]])).site;
  const whole = '"navigation": {}';

  it.each([
    ['a trailing comma', '{"a": [\n[\n1\n        ],\n        [\n12345678,\n        ]\n]}', 7],
    ['a comment', '{\n// x\n"a": 1}', 2],
    ['a missing comma', '{"a": 1\n"b": 2}', 2],
    ['nothing', '', 1],
    ['text after the end', '{}\n{}', 2],
  ])('refuse %s, with its line', (_what, text, line) => {
    expect(readText(text).problems[0]).toMatchObject({ line });
    expect(problemsOf(readText(text))[0]).toContain('not valid JSON');
  });

  it('are empty after a mistake', () => {
    const { settings, problems } = readText(`{"a": [1,], "b": 2, ${whole}}`);
    expect(settings.size).toBe(0);
    expect(problems).toHaveLength(1);
  });

  it('count the last value of a key that occurs twice, as Mintlify does', () => {
    const { problems, settings } = readText(`{"a": 1,\n"b": {"a": 2},\n"a": 3, ${whole}}`);
    expect(problems).toEqual([]);
    expect(settings.get('a')).toBe('3');
  });

  it('may have a key with the name of a method', () => {
    const { settings } = readText(`{"__proto__": {"x": 1}, "constructor": 2, ${whole}}`);
    expect([...settings].map(([key, json]) => key + json)).toEqual([
      '__proto__{"x":1}',
      'constructor2',
    ]);
  });

  it.each(['[', '{"a":', '[}', '[{"a":[}'])('refuse a nest of %s', (open) => {
    expect(readText(open.repeat(100_000)).problems).not.toEqual([]);
  });

  it('may not nest deeper than real ones', () => {
    const nest = (depth: number) => `{"x": ${'['.repeat(depth)}${']'.repeat(depth)}, ${whole}}`;
    expect(readText(nest(90)).problems).toEqual([]);
    expect(problemsOf(readText(nest(110)))[0]).toContain('levels');
  });

  it('refuse what is too large', () => {
    const large = `"${'x'.repeat(5_000_001)}"`;
    expect(problemsOf(readText(large))).toEqual(['is larger than 5 MB with what it includes']);
  });

  it('are read as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.boolean(), (text, isSpread) => {
        const value: unknown = JSON.parse(text);
        const { settings, problems } = readText(
          `{"x": ${isSpread ? JSON.stringify(value, undefined, 2) : text}, ${whole}}`,
        );
        expect(problems).toEqual([]);
        expect(JSON.parse(settings.get('x') ?? '')).toEqual(value);
      }),
    );
  });

  it('refuse what JSON.parse refuses, and never throw', () => {
    const mistake = fc.constantFrom(',', '}', ']', '"', '//', '[', '{', ':', '\\', '\n', 'x', '1');
    const broken = fc.tuple(fc.json(), fc.nat(), mistake).map(([text, at, what]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + what + text.slice(cut);
    });
    fc.assert(
      fc.property(broken, (text) => {
        const isRefused = problemsOf(readText(text)).some((what) => what.includes('not valid'));
        expect(isRefused).toBe(!parses(text));
      }),
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shuffled(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, numbers));
  if (typeof value !== 'object' || value === null) return value;
  const ranked = Object.entries(value).map(([key, item]) => ({
    rank: numbers.next().value,
    key,
    item,
  }));
  const entries = ranked.toSorted((a, b) => a.rank - b.rank);
  return Object.fromEntries(entries.map(({ key, item }) => [key, shuffled(item, numbers)]));
}
