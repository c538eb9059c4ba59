import { describe, expect, it } from 'vitest';
import { docsJson, page, rowsOf, type Texts, table } from '../../../helpers/change.ts';

const site: Texts = {
  'a.mdx': page('A'),
  'b.mdx': page('B'),
  'guides/c.mdx': page('C'),
  'openapi.json': '{"openapi": "3.1.0"}',
  'logo.svg': 'x',
};

/** Settings with one value in each line. */
const settings = (navigation: object, more: object = {}) =>
  JSON.stringify({ a: 1, b: 2, c: 3, navigation, ...more }, undefined, 1).replaceAll(/\n +/g, '\n');

const pages = { pages: ['a', 'b', 'guides/c'] };

/** What blocks if the settings become these. */
const changed = (navigation: object, more: object = {}) =>
  rowsOf({
    before: { ...site, 'docs.json': settings(pages) },
    after: { ...site, 'docs.json': settings(navigation, more) },
  }).filter((row) => /^(?:broken-link|dead-address)/.test(row));

/** What blocks if files go. */
const without = (names: readonly string[], parts: Texts) => {
  const before = { ...site, ...parts };
  const after = Object.fromEntries(
    Object.entries(before).filter(([path]) => !names.includes(path)),
  );
  return rowsOf({ before, after }).filter((row) => row.startsWith('broken-link'));
};

describe('an address in the settings that leads nowhere is a finding at its line:', () => {
  const link = 'The link to /nowhere leads nowhere: correct it, or add the page or a redirect.';
  const description =
    'The API description gone.json does not exist: correct the path, or add the file.';

  it.each<[what: string, expected: string, navigation: object, more?: object]>([
    ['a description', description, { ...pages, groups: [{ group: 'API', openapi: 'gone.json' }] }],
    ['one of several', description, { ...pages, openapi: ['openapi.json', 'x', 'gone.json'] }],
    [
      'one with a folder',
      description,
      { ...pages, asyncapi: { source: 'gone.json', directory: 'x' } },
    ],
    ['one outside', description, pages, { api: { openapi: 'gone.json' } }],
    ['a tab', link, { ...pages, tabs: [{ tab: 'T', href: '/nowhere' }] }],
    ['an anchor', link, { ...pages, global: { anchors: [{ anchor: 'A', href: '/nowhere' }] } }],
    ['a dropdown', link, { ...pages, dropdowns: [{ dropdown: 'D', href: '/nowhere' }] }],
    ['the bar', link, pages, { navbar: { links: [{ label: 'L', href: '/nowhere' }] } }],
    ['the footer', link, pages, { footer: { links: [{ items: [{ href: '/nowhere' }] }] } }],
    [
      'a logo',
      'The file /x/gone.svg does not exist: correct the path, or add the file.',
      pages,
      { logo: { light: '/x/gone.svg' } },
    ],
    ['a page', 'The navigation names "d", and there is no such page.', { pages: ['a', 'b', 'd'] }],
  ])('%s', (_what, expected, navigation, more) => {
    const lines = settings(navigation, more).split('\n');
    const line = lines.findIndex((one) => /nowhere|gone|"d"/u.test(one)) + 1;
    expect(changed(navigation, more)).toEqual([`broken-link @ docs.json:${line}: ${expected}`]);
  });

  it('but not if nobody knows what the settings led to before, which is said', () => {
    const after = {
      ...site,
      'docs.json': settings(pages, {
        logo: '/gone.svg',
        redirects: [{ source: '/x', destination: '/gone' }],
      }),
    };
    const blocks = (before: Texts) =>
      rowsOf({ before, after }).filter((row) => /^(?:broken-link|dead-address|not-)/.test(row));
    expect(blocks({ ...site, 'docs.json': `${after['docs.json']},` })).toEqual([
      'not-judged @ docs.json: A part could not be judged: the settings before or after the change cannot be read, so neither settings nor links are compared.',
    ]);
    expect(blocks({ ...site, 'docs.json': settings(pages) })).toHaveLength(2);
  });

  it('but not what leads somewhere, or may be something else', () => {
    const hrefs = ['/a', 'guides/c', '/guides', 'https://acme.dev/x', 'mailto:x@acme.dev', '#top'];
    const navigation = {
      ...pages,
      groups: [
        { group: 'A', openapi: ['/openapi.json', './openapi.json', 'https://a.dev/x.json', 'v2'] },
      ],
      anchors: hrefs.map((href) => ({ anchor: 'A', href })),
    };
    const more = {
      logo: '/logo.svg',
      favicon: 'gone.png',
      metadata: { x: 'Built with Next.js', version: '/v1.20' },
      variables: { file: '/gone.svg' },
    };
    expect(changed(navigation, more)).toEqual([]);
  });
});

describe('a file that goes is missed', () => {
  const lost = (file: string) =>
    `The file ${file} does not exist: correct the path, or add the file.`;

  it('by the settings alone, in whichever file they name it', () => {
    const top = settings(
      { ...pages, tabs: { $ref: './nav.json' } },
      { seo: { $ref: './seo.json' } },
    );
    const parts = {
      'docs.json': top,
      'nav.json': '[\n{"tab": "/d",\n"href": "/d"},\n{"tab": "E", "openapi": "openapi.json"}]',
      'seo.json': '{"metatags":\n{"og:image": "/og.png", "x": "twitter.png"}}',
      ...{ 'd.mdx': page('D'), 'og.png': '1', 'twitter.png': '2' },
    };
    expect(without(['d.mdx', 'og.png', 'twitter.png', 'openapi.json'], parts)).toEqual([
      'broken-link @ nav.json:3: The link to /d leads nowhere: correct it, or add the page or a redirect.',
      'broken-link @ nav.json:4: The API description openapi.json does not exist: correct the path, or add the file.',
      `broken-link @ seo.json:2: ${lost('/og.png')}`,
      `broken-link @ seo.json:2: ${lost('twitter.png')}`,
    ]);
  });

  it('but not by a file of the settings that names it by its own folder', () => {
    const parts = {
      'docs.json': settings({ ...pages, tabs: { $ref: './nav/tabs.json' } }),
      'nav/x.json': '{"openapi": "3.1.0"}',
    };
    const tabs = '[{"tab": "T", "openapi": ["./x.json", "openapi.json", "../openapi.json"]}]';
    const before = { ...site, ...parts, 'nav/tabs.json': '[]' };
    const after = { ...before, 'nav/tabs.json': tabs };
    expect(rowsOf({ before, after }, 'broken-link')).toEqual([]);
    expect(without(['nav/x.json'], { ...parts, 'nav/tabs.json': tabs })).toHaveLength(1);
  });

  it('by front matter', () => {
    const parts = {
      'a.mdx': page(
        'A',
        'title: docs.json\n"og:image": /og.png\nicon: "/icon.svg"\nopenapi: openapi.json GET /x',
      ),
      ...{ 'og.png': '1', 'icon.svg': '2' },
    };
    expect(without(['og.png', 'icon.svg', 'openapi.json'], parts)).toEqual([
      `broken-link @ a.mdx:3: ${lost('/og.png')}`,
      `broken-link @ a.mdx:4: ${lost('/icon.svg')}`,
      'broken-link @ a.mdx:5: The API description openapi.json does not exist: correct the path, or add the file.',
    ]);
    const fields = 'title: A\nicon: /gone.svg\nopenapi: gone.json GET /x\ncanonical: /v1.20';
    const after = { ...site, 'a.mdx': page('A', fields) };
    expect(rowsOf({ before: site, after }, 'broken-link')).toEqual([
      `broken-link @ a.mdx:3: ${lost('/gone.svg')}`,
      'broken-link @ a.mdx:4: The API description gone.json does not exist: correct the path, or add the file.',
    ]);
  });

  it('but not by front matter that names a description as the settings do, or by the name of its file', () => {
    const api = { openapi: [{ source: 'https://acme.dev/v2.json', directory: 'v2' }] };
    const before = { ...site, 'docs.json': settings({ ...pages, ...api }), 'api/v3.yaml': 'x' };
    const names = ['openapi.json', '/openapi.json', 'v2.json', 'v3.yaml', 'v4'];
    const added = names.map((name, index) => [`${index}.mdx`, page('', `openapi: ${name} GET /x`)]);
    const after = { ...before, ...Object.fromEntries(added) };
    expect(rowsOf({ before, after }, 'broken-link')).toEqual([]);
  });

  it('in code by what it looks like: a file, or else a page', () => {
    const code = (target: string) =>
      page(`export const list = [{ href: '${target}' }]\n\n<Tile to="${target}" />`);
    const rows = (target: string) =>
      rowsOf({ before: site, after: { ...site, 'a.mdx': code(target) } }, 'broken-link');
    expect(rows('/gone#x')).toEqual([
      'broken-link @ a.mdx:6 a.mdx:8: The link to /gone#x leads nowhere: correct it, or add the page or a redirect.',
    ]);
    expect(rows('/gone.svg')).toEqual([`broken-link @ a.mdx:6 a.mdx:8: ${lost('/gone.svg')}`]);
  });

  it.each(['<a href={`/no`}>x</a>', '<Card href={c ? "/no" : "/b"} />', '<img src={`/no`} />'])(
    'in the code of an attribute for addresses: %s',
    (text) => {
      const after = { ...site, 'a.mdx': page(text) };
      expect(rowsOf({ before: site, after }, 'broken-link')).toHaveLength(1);
    },
  );

  it('in any other code only if it was there, since a path may be the address of an API', () => {
    const after = {
      ...site,
      'a.mdx': page("export const Go = () => {\n fetch('/api/users');\n go('/b') }"),
    };
    expect(rowsOf({ before: site, after }, 'broken-link')).toEqual([]);
    expect(without(['b.mdx'], after)).toEqual([
      'broken-link @ a.mdx:6: The link to /b leads nowhere: correct it, or add the page or a redirect.',
    ]);
  });
});

describe('a redirect', () => {
  /** Settings with redirects such as `/x /a, /y /b`. */
  const redirects = (text: string) => {
    const list = text.split(', ').filter(Boolean);
    return docsJson(['a', 'b', 'guides/c'], {
      redirects: list.map((one) => {
        const [source, destination] = one.split(' ');
        return { source, destination };
      }),
    });
  };
  const rows = (before: Texts, after: Texts) =>
    rowsOf({ before: { ...site, ...before }, after: { ...site, ...after } });
  const added = (text: string) =>
    rows({ 'docs.json': redirects('') }, { 'docs.json': redirects(text) });

  it('whose target goes is named, and not the link that it was for', () => {
    const before: Texts = { ...site, 'docs.json': redirects('/x /b, /y /a, /z/:s* /b') };
    const { 'b.mdx': _, ...after } = before;
    const found = rowsOf({ before, after }, 'dead-address');
    expect(found).toEqual([
      'dead-address @ b.mdx: /b is gone and leads nowhere: add a redirect to the page that replaces it.',
      'dead-address @ docs.json:12: The redirect from /x leads to /b, where there is no page: redirect to a page.',
      'dead-address @ docs.json:20: The redirect from "/z/:s*" leads to /b, where there is no page: redirect to a page.',
    ]);
  });

  it.each(
    table(`
      /x /nowhere ⇒ leads to /nowhere, where there is no page: redirect to a page.
      /x /nowhere#a ⇒ leads to /nowhere#a, where there is no page: redirect to a page.
      /x /x ⇒ to /x comes back to where it began: take a redirect out of the loop.
      /x/:s* /x/y/:s* ⇒ to "/x/y/:s*" leads on more than 20 times: redirect to a page.
      /x/:s* /gone/:s* ⇒ from "/x/:s*" leads to "/gone/:s*", where there is no page: redirect to a page.
      /x/* /guides/gone/v-*#a ⇒ leads to "/guides/gone/v-*#a", where there is no page: redirect to a page.
      /p/y /p/a, /p/b /p/a ⇒ from /p/b to /p/a hides the page at /b: remove the redirect, or what it hides.`),
  )('%s %s', (text, expected) => {
    const [row, ...others] = added(text);
    expect([row, others]).toEqual([expect.stringContaining(expected), []]);
  });

  it('with a wildcard may lead to any folder that has something, or that a redirect is for', () => {
    const to = [
      '/:s*',
      '/guides/:s*',
      '/docs/:s*',
      '/docs/guides/:s',
      '/img/:s',
      '/old/:s*',
      'x/*',
    ];
    const others = '/old/one /a, /docs/old/two /b';
    const text = [...to, '/api-reference/:s', 'https://acme.dev/:s', '/guides:s'].map(
      (target, index) => `/x${index}/:s* ${target}`,
    );
    const parts = { 'img/x.png': 'x', 'docs.json': redirects(others) };
    const after = redirects(`${others}, ${text.join(', ')}`).replace(
      '"guides/c"',
      '"guides/c", { "group": "API", "openapi": "openapi.json" }',
    );
    const found = rows(parts, { ...parts, 'docs.json': after });
    expect(found.filter((row) => row.startsWith('dead-address'))).toEqual([]);
  });

  it('is named by where it loops', () => {
    expect(added('/x /y, /y /z, /z /y').map((row) => row.replace(/:.*? from/, ': from'))).toEqual([
      'dead-address @ docs.json: from /x to /y leads to a loop at /y: take a redirect out of the loop.',
      'dead-address @ docs.json: from /y to /z comes back to where it began: take a redirect out of the loop.',
      'dead-address @ docs.json: from /z to /y comes back to where it began: take a redirect out of the loop.',
    ]);
  });

  it('may lead on twenty times, as in browsers', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, index) => `/${index} /${index + 1}`)
        .join(', ')
        .replace(/\d+$/, 'a');
    expect(added(chain(20))).toEqual([]);
    expect(added(chain(21))).toEqual([
      'dead-address @ docs.json:12: The redirect from /0 to /1 leads on more than 20 times: redirect to a page.',
    ]);
  });

  it('that loops at the address of an index page is a loop, whatever it hides', () => {
    const parts = { 'guides/index.mdx': page('G'), 'docs.json': redirects('/old /guides/index') };
    const after = { ...parts, 'docs.json': redirects('/old /guides/index, /guides /guides/index') };
    const dead = rows(parts, after).filter((row) => row.startsWith('dead-address'));
    expect(dead.map((row) => row.replace(/:.*? from/, ': from'))).toEqual([
      'dead-address @ docs.json: from /guides to /guides/index comes back to where it began: take a redirect out of the loop.',
      'dead-address @ docs.json: from /old to /guides/index leads to a loop at /guides: take a redirect out of the loop.',
    ]);
  });

  it('that only spells an address in another way is not judged, though other loops are', () => {
    const parts = {
      'guides/index.mdx': page('G'),
      'index.mdx': page('H'),
      'docs.json': redirects(''),
    };
    const dead = (text: string) =>
      rows(parts, { ...parts, 'docs.json': redirects(text) }).filter((row) =>
        row.startsWith('dead-address'),
      );
    const spelt =
      '/guides/index /guides, /guides.md /guides#a, /guides/ /guides, /guides /guides/, /index /, /:s*/ /:s*';
    for (const one of spelt.split(', ')) {
      expect(dead(one)).toEqual([]);
    }
    expect(dead('/gone/index /gone')).toEqual([expect.stringContaining('where there is no page')]);
    expect(dead('/x/ /y, /y /x.md')).toHaveLength(2);
  });

  it('is no loop and hides nothing, if only some servers would follow it', () => {
    const parts = { 'Big.mdx': page('B'), 'docs.json': redirects('') };
    const after = {
      ...parts,
      'docs.json': redirects('/big /Big, /Guides /guides, /guides/c/:s* /guides/c'),
    };
    expect(rows(parts, after).filter((row) => row.startsWith('dead-address'))).toEqual([]);
  });

  it.each([
    ['/guides/index /b, /guides /b', ['/guides']],
    ['/guides /b, /guides/index /b', ['/guides']],
    ['/index /b, / /b', ['/']],
    ['/a.mdx /b, /a /b', ['/a']],
    ['/A /b, /a /b', ['/a']],
    ['/g/index /b, /g /h, /h /g', ['/g/index', '/g', '/h']],
  ])('that is certain counts, whatever others its address has: %s', (text, sources) => {
    const parts = {
      'guides/index.mdx': page('G'),
      'index.mdx': page('H'),
      'docs.json': redirects(''),
    };
    const dead = rows(parts, { ...parts, 'docs.json': redirects(text) }).filter((row) =>
      /^dead-address .*(?:hides the page|comes back)/.test(row),
    );
    expect(dead).toEqual(sources.map((source) => expect.stringContaining(`from ${source} to `)));
  });

  it('with a wildcard is not judged, if there are more than a thousand', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `/x${index}/* /a`).join(', ');
    const notJudged = (count: number) =>
      added(many(count)).filter((row) => row.startsWith('not-judged'));
    expect(notJudged(1000)).toEqual([]);
    expect(notJudged(1001)).toEqual([
      'not-judged @ docs.json: A part could not be judged: the settings have more than 1,000 redirects with a wildcard.',
    ]);
  });

  it.each(['/release%20notes /b', '/release%20* /b', '/%72elease%20notes /b'])(
    'is for the address of a page, also if it is written as %s',
    (redirect) => {
      const navigation = settings({ pages: [...pages.pages, 'release notes'] });
      const before = { 'release notes.mdx': page('R'), 'docs.json': navigation };
      const dead = rows(before, { 'docs.json': redirects(redirect) });
      expect(dead.filter((row) => row.startsWith('dead-address'))).toEqual([]);
    },
  );

  it('with escapes hides a page, and comes back to where it began', () => {
    const parts = { 'über.mdx': page('U'), 'docs.json': redirects('') };
    expect(rows(parts, { ...parts, 'docs.json': redirects('/%C3%BCber /a') })).toEqual([
      'dead-address @ docs.json:12: The redirect from "/%C3%BCber" to /a hides the page at "/über": remove the redirect, or what it hides.',
    ]);
    expect(added('/%C3%BC /y, /y /ü')).toEqual([
      'dead-address @ docs.json:12: The redirect from "/%C3%BC" to /y comes back to where it began: take a redirect out of the loop.',
      'dead-address @ docs.json:16: The redirect from /y to "/ü" comes back to where it began: take a redirect out of the loop.',
    ]);
  });

  it('that was there hides a page that is new', () => {
    const parts = { 'docs.json': redirects('/new /a') };
    expect(rows(parts, { ...parts, 'new.mdx': page('N') })).toContain(
      'dead-address @ docs.json:12: The redirect from /new to /a hides the page at /new: remove the redirect, or what it hides.',
    );
  });
});

describe('two files with one address', () => {
  const shared = (after: Texts, before: Texts = site) => rowsOf({ before, after }, 'unseen');

  it.each([
    ['install.mdx', 'install.md', '/install'],
    ['guides.mdx', 'guides/index.mdx', '/guides'],
    ['guides/index.mdx', 'guides.md', '/guides'],
  ])('%s, and %s is new', (old, added, address) => {
    const before = {
      ...site,
      [old]: page('A'),
      'docs.json': docsJson(['a', 'install', 'guides', 'guides/index']),
    };
    expect(shared({ ...before, [added]: page('B') }, before)).toEqual([
      `unseen @ ${added}: The page has the same address as ${old}, ${address}, so that readers see only one of them: rename it.`,
    ]);
    expect(shared({ ...before, [added]: page('B') }, { ...before, [added]: page('C') })).toEqual(
      [],
    );
  });

  it('is nothing that differs in letters’ case, or that is no page', () => {
    const settingsOf = { 'docs.json': docsJson(['a', 'X', 'x']) };
    const before = { ...site, ...settingsOf, 'X.mdx': page('X'), 'README.md': 'R' };
    const after = { ...before, 'x.mdx': page('x'), 'readme.mdx': page('R', 'hidden: true') };
    expect(shared(after, before)).toEqual([]);
  });
});

it.each([
  ['/docs/b', true],
  ['/en/b', true],
  ['/help/center/b', true],
  ['/docs/guides/c', true],
  ['/platform/b', false],
  ['/fr/b', false],
  ['/help/b', false],
  ['/guides/b', false],
])(
  'what stands in front of an address is taken off only if the site is known to have it: %s',
  (target, leads) => {
    const languages = { languages: [{ language: 'en', ...pages }] };
    const seo = { metatags: { canonical: 'https://acme.dev/help/center/' } };
    const before = { ...site, 'docs.json': settings(languages, { seo }) };
    const after = { ...before, 'a.mdx': page(`[x](${target})`) };
    expect(rowsOf({ before, after }, 'broken-link')).toHaveLength(leads ? 0 : 1);
  },
);
