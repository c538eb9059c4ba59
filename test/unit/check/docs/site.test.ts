import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { includedBy } from '../../../../src/check/docs/settings.ts';
import {
  addressOf,
  belowRoot,
  hasReadableNavigation,
  isInNavigation,
  readSite,
  type Site,
} from '../../../../src/check/docs/site.ts';
import type { Place } from '../../../../src/check/finding.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';
import { read } from './sites.ts';

const siteOf = (navigation: unknown) => read({ navigation });
const pagesOf = ({ pages }: Site) => [...pages];
const problemsOf = ({ problems }: Site) =>
  problems.map(({ file, line, what }) => `${file}${line ? `:${line}` : ''} ${plainOf(what)}`);
const entriesOf = ({ navigation }: Site) =>
  navigation.map(({ kind, label, trail }) => `${trail}: ${kind} ${label}`);

describe('the navigation', () => {
  it('names groups, pages, links, endpoints and settings of every container, in their order', () => {
    const site = siteOf({
      languages: [
        {
          language: 'fr',
          versions: [{ version: 'v2', products: [{ product: 'P', pages: ['p'] }] }],
          banner: { content: 'x', pages: ['no'] },
          keywords: ['no'],
        },
        {
          language: 'en',
          default: true,
          tabs: [
            {
              tab: 'Guides',
              menu: [{ item: 'Start', groups: [{ group: 'A', root: 'r', pages: ['a', ''] }] }],
            },
            { tab: 'API', openapi: 'api.json', pages: ['GET /users', 'https://b.dev', 'tel:1'] },
            { tab: 'Blog', href: 'blog/page' },
            {
              tab: 'More',
              anchors: [{ anchor: 'N', dropdowns: [{ dropdown: 'D', pages: ['d'] }] }],
            },
          ],
        },
        {
          language: 'fr',
          shelves: [{ shelf: 'S', pages: ['s'] }],
          box: { pages: ['b'], hidden: true },
        },
      ],
      global: { tag: '', empty: {}, none: [] },
    });
    expect(entriesOf(site)).toEqual([
      'fr: group fr',
      'fr › v2: group v2',
      'fr › v2 › P: group P',
      'fr › v2 › P: page p',
      'fr: setting banner: {"content":"x","pages":["no"]}',
      'fr: setting keywords: "no"',
      'en: group en',
      'en: setting default: true',
      'en › Guides: group Guides',
      'en › Guides › Start: group Start',
      'en › Guides › Start › A: group A',
      'en › Guides › Start › A: page r',
      'en › Guides › Start › A: page a',
      'en › Guides › Start › A: setting pages: ""',
      'en › API: group API',
      'en › API: api api.json',
      'en › API: api GET /users',
      'en › API: link https://b.dev',
      'en › API: link tel:1',
      'en › Blog: group Blog',
      'en › Blog: link blog/page',
      'en › More: group More',
      'en › More › N: group N',
      'en › More › N › D: group D',
      'en › More › N › D: page d',
      'fr: group fr',
      'fr: setting shelf: "S"',
      'fr: page s',
      'fr: page b',
      'fr: setting hidden: true',
      ': setting tag: ""',
    ]);
    expect(pagesOf(site)).toEqual(['p', 'r', 'a', 'd', 's', 'b']);
    expect(site.languages).toEqual(['en', 'fr']);
    expect(site.apiFolders).toEqual(['api-reference']);
    expect(site.problems).toEqual([]);
  });

  it('has no endless trails', () => {
    const nest = (depth: number): object =>
      depth === 0 ? {} : { group: 'x'.repeat(120), pages: [nest(depth - 1)] };
    const trails = siteOf({ pages: [nest(40)] }).navigation.map(({ trail }) => trail.length);
    expect([trails[0], Math.max(...trails)]).toEqual([100, 20 * 100 + 19 * 3]);
  });

  it.each([
    [' /guides//setup/ ', 'guides/setup'],
    ['./guides\\setup.md', 'guides/setup'],
    ['guides/setup.MDX', 'guides/setup'],
    ['guides/index', 'guides/index'],
    ['get started/first', 'get started/first'],
    ['patch notes', 'patch notes'],
  ])('names by %j the page %s', (written, page) => {
    expect(pagesOf(siteOf({ pages: [written] }))).toEqual([page]);
  });

  it.each([
    ...['GET /users', 'x.json post /x', 'PUT /x', 'patch /x', 'DELETE /x/{id}', 'HEAD /x'],
    ...['OPTIONS /x', 'trace /x', 'query /x', 'https://a.dev/openapi.yaml GET /x'],
    ...['webhook x', 'openapi.json webhook orderPaid', 'events.yaml orders', 'events.yml orders'],
  ])('takes %j for an endpoint', (entry) => {
    const { navigation, apiFolders } = siteOf({ pages: [entry] });
    expect(navigation).toMatchObject([{ kind: 'api', label: entry, trail: '' }]);
    expect(apiFolders).toEqual(['api-reference']);
  });

  it('says in which folders pages are made of API descriptions', () => {
    const api = { openapi: [{ source: '/specs/a.yaml', directory: '/admin-api/' }], asyncapi: 7 };
    const tabs = [
      { tab: 'A', openapi: ['b.json', 'https://example.com/c.json', { directory: 'no' }] },
      { tab: 'B', asyncapi: { source: 'events.yaml', directory: 'events' } },
      { tab: 'C', graphql: 'schema.graphql', sdk: 'sdk.json' },
    ];
    const site = read({ api, navigation: { tabs } }, 'docs/docs.json');
    expect(site.apiFolders).toEqual([
      ...['admin-api', 'api-reference', 'events', 'graphql-reference', 'sdk-reference'],
    ]);
    expect(entriesOf(site)).toContain('B: api {"directory":"events","source":"events.yaml"}');
    expect(entriesOf(site).filter((entry) => entry.startsWith('A: api'))).toHaveLength(2);
  });
});

const tooLarge = 'has more than 5 MB, or more than 180,000 lines and marks, with what it includes';

describe('included files', () => {
  const including = (texts: Record<string, string | undefined>) =>
    readSite('docs/docs.json', new Map(Object.entries(texts)));

  it('are read as if they stood in place of $ref', () => {
    const top = { 'docs/docs.json': '{"navigation": {"$ref": "./nav/all.json"}}' };
    const middle = {
      'docs/nav/all.json':
        '{\n"groups": [\n{"group": "A", "pages": ["a"]},\n{"$ref": "../b.json"}]}',
    };
    const last = { 'docs/b.json': '\uFEFF{"group": "B",\n"pages": ["b"]}' };
    const site = including({ ...top, ...middle, ...last });
    expect([site.problems, pagesOf(site)]).toEqual([[], ['a', 'b']]);
    expect([...site.files.keys()]).toEqual(['docs/docs.json', 'docs/nav/all.json', 'docs/b.json']);
    expect(site.references.map(({ target, place }) => [target, place])).toEqual([
      ['a', { file: 'docs/nav/all.json', line: 3 }],
      ['b', { file: 'docs/b.json', line: 2 }],
    ]);
  });

  it('give way to the keys beside them, unless they are arrays', () => {
    const site = including({
      'docs/docs.json': JSON.stringify({
        navigation: { $ref: 'n.json', pages: ['own'], $$ref: { $ref: 7 } },
        redirects: { $ref: 'r.json', x: 1 },
      }),
      'docs/n.json': '{"pages": ["included"], "root": "also"}',
      'docs/r.json': '[{"source": "/a", "destination": "/b"}]',
    });
    expect(pagesOf(site)).toEqual(['own', 'also']);
    expect(entriesOf(site)).toContain(': setting $ref: 7');
    const place = { file: 'docs/r.json', line: 1 };
    expect(site.redirects).toEqual([{ source: '/a', destination: '/b', place }]);
  });

  it.each([
    ['is not there', 'gone.json'],
    ['lies outside of the docs', '../nav.json'],
    ['has an absolute path', '/etc/passwd'],
  ])('are a problem where one %s', (_what, $ref) => {
    const site = including({
      'docs/docs.json': `{"name": "x",\n"navigation": {"pages": ["a"], "$ref": "${$ref}"}}`,
      'docs/gone.json': undefined,
      'nav.json': '{"pages": ["secret"], "root": "secret"}',
    });
    expect(problemsOf(site)).toEqual([
      `docs/docs.json includes a file that the docs do not have: ${$ref}`,
    ]);
    expect([pagesOf(site), hasReadableNavigation({ site })]).toEqual([['a'], true]);
  });

  it('leave nothing known where one is no JSON', () => {
    const site = including({
      'docs/docs.json': '{"name": "x", "navigation": {"pages": ["a"]}, "seo": {"$ref": "b.json"}}',
      'docs/b.json': '{\n',
    });
    expect(problemsOf(site)).toHaveLength(1);
    expect([site.settings.size, pagesOf(site), hasReadableNavigation({ site })]).toEqual([
      0,
      [],
      false,
    ]);
  });

  it('are a problem where they grow without end', () => {
    const cycle = including({ 'docs/docs.json': '{"navigation": [{"$ref": "docs.json"}, "x"]}' });
    expect(problemsOf(cycle)).toEqual(['docs/docs.json includes itself by $ref']);
    const longer = including({
      'docs/docs.json': '{"navigation": {"$ref": "a.json"}, "seo": {"$ref": "b.json"}}',
      'docs/a.json': '{"pages": [{"$ref": "b.json"}]}',
      'docs/b.json': '{"pages": [{"$ref": "a.json"}]}',
    });
    expect(problemsOf(longer)).toEqual(['docs/a.json includes itself by $ref']);
    const bomb = Array.from({ length: 10 }, (_, index) => [
      `docs/${index}.json`,
      JSON.stringify(Array(20).fill(index === 9 ? 'x' : { $ref: `${index + 1}.json` })),
    ]);
    const top = { 'docs/docs.json': '{"navigation": {"$ref": "0.json"}}' };
    expect(problemsOf(including({ ...top, ...Object.fromEntries(bomb) }))).toEqual([
      `docs/docs.json ${tooLarge}`,
    ]);
  });

  it('are known from the file that includes them', () => {
    const text =
      '\uFEFF{"a": [{"$ref": "./a.json"}, {"$ref": 1}], "$ref": "../b.json", "b": "c.json"}';
    expect(includedBy('docs/nav/all.json', text)).toEqual(['docs/nav/a.json', 'docs/b.json']);
    expect(includedBy('docs.json', '{"$ref": "a.json"')).toEqual([]);
  });
});

describe('the settings', () => {
  const readText = (text: string) => readSite('docs.json', new Map([['docs.json', text]]));

  it('are all keys but the navigation and plain redirects', () => {
    const plain = { source: '/a', destination: '/b', permanent: false };
    const odd = [
      { source: '/c', destination: '/d', when: 'x' },
      { source: '/e' },
      { source: '/f', destination: '/g', permanent: 'no' },
      'h',
    ];
    const colors = { b: [{ d: 1, c: 2 }], a: null };
    const { redirects, settings } = read({
      colors,
      navigation: {},
      redirects: [plain, ...odd],
    });
    expect(redirects.map(({ source }) => source)).toEqual(['/a', '/c', '/f']);
    expect([...settings.keys()]).toEqual(['colors', 'redirects']);
    expect(settings.get('colors')?.json).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
    expect(JSON.parse(settings.get('redirects')?.json ?? '')).toEqual(odd);
    expect([...read({ navigation: {}, redirects: [plain] }).settings]).toEqual([]);
    expect([...read({ navigation: {}, redirects: plain }).redirects]).toHaveLength(1);
  });

  it('have the place of each part, in whichever file it stands', () => {
    const top = `{
      "navigation": { "$ref": "all.json", "tags": ["x", "y"], "hidden": true,
        "__proto__": { "pages": ["p"] } },
      "a\\"b": "{ \\"name\\": [",
      "logo": "x", "redirects": [{
        "destination": "/b",
        "source": "/a" }],
      "logo": "y"
    }`;
    const all =
      '\uFEFF{"group": "G",\r\n"pages": [\n"a", ["b",\n"c"]], "tags": "gone", "hidden": false}';
    const files = { 'docs.json': top, 'all.json': all };
    const site = readSite('docs.json', new Map(Object.entries(files)));
    const lineOf = ({ file, line }: Place) => `${file}:${line}`;
    expect(site.navigation.map(({ label, place }) => `${label} ${lineOf(place)}`)).toEqual([
      'G all.json:1',
      ...['a all.json:3', 'b all.json:3', 'c all.json:4', 'tags: "x" docs.json:2'],
      ...['tags: "y" docs.json:2', 'hidden: true docs.json:2', 'p docs.json:3'],
    ]);
    expect([...site.settings].map(([key, { place }]) => `${key} ${lineOf(place)}`)).toEqual([
      ...['a"b docs.json:4', 'logo docs.json:8'],
    ]);
    expect(site.redirects.map(({ place }) => lineOf(place))).toEqual(['docs.json:7']);
    expect(lineOf(site.navigationPlace)).toBe('docs.json:2');
  });

  it.each([
    [{ canonical: 'https://example.com/docs', 'og:url': 'https://no.com/x' }, 'docs'],
    [{ canonical: 'x', 'og:url': 'https://example.com/help/center/' }, 'help/center'],
    [{ canonical: 'https://example.com/', 'og:url': 'https://no.com/x' }, ''],
    [{ canonical: 'x' }, ''],
  ])('tell the path that the site is served at: %j', (metatags, path) => {
    expect(read({ navigation: {}, seo: { metatags } }).basePath).toBe(path);
  });

  it.each([
    ['[]', 'has no navigation'],
    ['{"name": "x"}', 'has no navigation'],
    ['{"navigation": null}', 'has no navigation'],
    ['{"navigation": "a"}', 'has no navigation'],
    [undefined, 'does not exist'],
    ['"x"', 'has no navigation'],
  ])('have no navigation: %s', (text, problem) => {
    const site = readSite('docs.json', new Map([['docs.json', text]]));
    expect(problemsOf(site)).toEqual([`docs.json ${problem}`]);
    expect(hasReadableNavigation({ site })).toBe(false);
  });

  it('can have any shape', () => {
    const key = fc.constantFrom(
      ...'navigation pages groups $ref href openapi api redirects seo metatags x'.split(' '),
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
      fc.property(node, (settings) => {
        expect(() => read(settings, 'a/docs.json')).not.toThrow();
      }),
      heavyRuns(30),
    );
  });

  it.each([
    [
      '\uFEFF{\n// x\n"a": 1}',
      "Expected property name or '}' in JSON at position 2 (line 2 column 1)",
      ':2',
    ],
    ['', 'Unexpected end of JSON input', ''],
  ])('are no JSON, in the words of the parser: %j', (text, mistake, line) => {
    const site = readText(text);
    expect(problemsOf(site)).toEqual([`docs.json${line} is not valid JSON: "${mistake}"`]);
    expect(site.settings.size).toBe(0);
    expect(hasReadableNavigation({ site })).toBe(false);
  });

  it('count the last value of a key that occurs twice, as Mintlify does, whatever it is called', () => {
    const { problems, settings } = readText(
      '{"a": 1, "b": {"a": 2}, "a": 3, "__proto__": {"x": 1}, "navigation": {}}',
    );
    expect(problems).toEqual([]);
    expect([...settings].map(([key, { json }]) => `${key},${json}`).join(' ')).toBe(
      'a,3 b,{"a":2} __proto__,{"x":1}',
    );
  });

  it.each(['[', '{"a":', '[}', '[{"a":[}'])('are no nest of %s', (open) => {
    expect(readText(open.repeat(100_000)).problems).toHaveLength(1);
  });

  it('have a limit on their depth and their size', () => {
    const nest = (depth: number) =>
      readText(`{"navigation": {}, "x": ${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(problemsOf(nest(99))).toEqual([]);
    expect(problemsOf(nest(100))).toEqual(['docs.json is nested more than 100 levels deep']);
    const large = (length: number, space: string) =>
      problemsOf(readText(`{"navigation": {}}`.padEnd(length, space)));
    expect(large(5_000_000, ' ')).toEqual([]);
    expect(large(5_000_001, ' ')).toEqual([`docs.json ${tooLarge}`]);
    expect(large(180_015, '\n')).toEqual([]);
    expect(large(180_016, '\n')).toEqual([`docs.json ${tooLarge}`]);
  });
});

it('a page has an address, and a place in the navigation', () => {
  const site = read({ navigation: { pages: ['a', 'b/index'] } }, 'docs/docs.json');
  const paths = ['docs/a.mdx', 'docs/b/index.mdx', 'docs/b.mdx', 'docs/c.mdx'];
  const inNavigation = (one: Site) => paths.filter((path) => isInNavigation(path, { site: one }));
  expect(inNavigation(site)).toEqual(['docs/a.mdx', 'docs/b/index.mdx']);
  expect(inNavigation(read({ navigation: [] }))).toEqual(paths);
  expect(paths.map((path) => addressOf(belowRoot(path, site)))).toEqual(['a', 'b', 'b', 'c']);
  expect(['index.mdx', 'x/INDEX', 'reindex'].map(addressOf)).toEqual(['', 'x', 'reindex']);
});
