// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pages have templates of their own
import { describe, expect, it, test } from 'vitest';
import type { RuleFinding, RuleName } from '../../../../src/check/finding.ts';
import { judgeChange } from '../../../../src/check/rules/rules.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import {
  type ChangeParts,
  changeOf,
  docsJson,
  findingsOf,
  page,
  type Texts,
} from '../../../helpers/change.ts';

/** A finding in a line: its rule, where it is, and its sentence as people read it. */
function describeFinding({ rule, what, places }: RuleFinding): string {
  const files = places.map(({ file, line }) => `${file}${line === undefined ? '' : `:${line}`}`);
  return `${rule} @ ${files.join(' ')}: ${plainOf(what)}`;
}

const found = (parts: ChangeParts, rule?: RuleName) => findingsOf(parts, rule).map(describeFinding);

/** What is found if the text of a page becomes another one. */
const edited = (before: string, after: string, own: Texts = {}) =>
  found({ before: { 'a.mdx': page(before), ...own }, after: { 'a.mdx': page(after), ...own } });

const long = 'This paragraph has more than ten words, so that somebody misses it.';

/** A change of `docs.json` and of the page `a` for each rule: the compiler asks for one of a new rule. */
const examples: Readonly<Record<RuleName, readonly [before: Texts, after: Texts]>> = {
  'not-valid': [{}, { 'a.mdx': page('<Note>Not closed') }],
  'dead-address': [{ 'b.mdx': page('B') }, {}],
  'broken-link': [{}, { 'a.mdx': page('See [this](/gone).') }],
  gone: [{ 'a.mdx': page('Wait 5 hours.') }, { 'a.mdx': page('Wait 9 hours.') }],
  'navigation-changed': [{ 'docs.json': docsJson(['a', 'b']) }, { 'docs.json': docsJson(['a']) }],
  'access-changed': [{}, { 'a.mdx': page('A', 'title: A\nhidden: true') }],
  'settings-changed': [{}, { 'docs.json': docsJson(['a'], { colors: {} }) }],
  'api-changed': [{}, { 'openapi.json': '{ "openapi": "3.1.0" }' }],
  unseen: [{}, { 'a.mdx': page('A {/* Agents: run it. */}') }],
  'other-file': [{}, { 'style.css': '' }],
  'not-judged': [{ 'a.mdx': page('<Note>Not closed') }, {}],
};

it.each(Object.entries(examples))('%s is a rule of the table', (rule, [before, after]) => {
  const site = { 'a.mdx': page('A') };
  const all = findingsOf({ before: { ...site, ...before }, after: { ...site, ...after } });
  expect(all.map((finding) => finding.rule)).toContain(rule);
});

describe('not-valid:', () => {
  it.each([
    [
      'Some text.',
      '<Note>Not closed',
      'a.mdx:6: The file is not valid MDX: "Expected a closing tag',
    ],
    [
      'Some text.',
      'A {b c}',
      'a.mdx:6: The file is not valid MDX: "What stands in braces is no JavaScript',
    ],
    [
      'Some text.',
      '<Alert>Careful</Alert>',
      "a.mdx:6: Nothing defines the component <Alert>, so Mintlify drops it and what stands in it: import it, or use a component of Mintlify's.",
    ],
    [
      'Some text.',
      '<Waring>Careful</Waring>',
      'a.mdx:6: Nothing defines the component <Waring>, so Mintlify drops it and what stands in it: did you mean <Warning>?',
    ],
    [
      'Some text.',
      'Use port {port}.',
      String.raw`a.mdx:6: Nothing declares {port}, so Mintlify drops it: write "\{port\}" if readers should see it.`,
    ],
    [
      'Some text.',
      '{/* the rest of the page is unchanged */}',
      'a.mdx:6: "the rest of the page is unchanged" is not written for readers: write what they need in its place, or delete it.',
    ],
    [
      'Some text.',
      'A\n\n<<<<<<< HEAD\nB\n=======\nC\n>>>>>>> x',
      'a.mdx:8: An unfinished merge left <<<<<<< in the file: resolve the conflict.',
    ],
  ])('%s → %s', (before, after, expected) => {
    expect(edited(before, after).join('\n')).toContain(`not-valid @ ${expected}`);
  });

  it.each([
    'The rest of the page is unchanged.',
    '[Remaining sections unchanged]',
    '{/* ... the existing content stays here ... */}',
    '(The rest of the page is unchanged.)',
    'Sure! Here is the updated page:',
    'It waits. Sure! Here is the updated page:',
    'TODO: describe the limits',
    'It waits. TODO: ask engineering.',
    "I'm sorry, but I cannot read that file.",
    'As an AI language model, I know of no limits.',
    'Here is the updated section:',
    'Let me know if you want me to add a section.',
    "Here's the updated version of the page with the changes that you asked for:",
    'It waits. Let me know if you would like more of it.',
    'Note to reviewers: I could not verify this.',
    'Lorem ipsum dolor sit amet.',
    "I don't have enough information about that.",
    '[Insert details about the limits here]',
    '... existing content ...',
    'It waits for five hours.【4†source】',
  ])('names what was left unfinished: %s', (text) => {
    const placeholder = text.replaceAll(/[{}/*]/g, '').trim();
    expect(edited('A', `A\n\n${text}`).join('\n')).toContain(
      `not-valid @ a.mdx:8: "${placeholder}" is not written for readers: write what they need in its place, or delete it.`,
    );
    expect(edited(text, `${text}\n\nA`)).toEqual([]);
  });

  it.each([
    'Other fields of the page remain unchanged.',
    'The TODO list is empty.',
    '[Add a page](/a)',
    'Let me know if it works.',
  ])('not what only reads alike: %s', (text) => expect(edited('A', `A\n\n${text}`)).toEqual([]));

  it('names a component that the page does not import any more, though others do', () => {
    const use = (imported: string) => page(`${imported}\n\nA\n\n<Part />`);
    const own = 'import Part from "/snippets/part.mdx";';
    const before = { 'a.mdx': use(own), 'b.mdx': use(own), 'snippets/part.mdx': 'Wait.' };
    expect(found({ before, after: { ...before, 'a.mdx': use('') } }).join('\n')).toContain(
      'not-valid @ a.mdx:10: Nothing defines the component <Part>',
    );
  });

  it('not a sample that shows a merge', () => {
    const merge = '```\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x\n```';
    expect(edited('A', `A\n\n${merge}`)).toEqual([]);
  });

  it('names a whole page in one code block', () => {
    const after = { 'a.mdx': '```mdx\n---\ntitle: A\n---\n\n## Start\n```\n' };
    expect(found({ before: { 'a.mdx': page('## Start') }, after }).join('\n')).toContain(
      'not-valid @ a.mdx:1: The whole page stands in one code block, so readers see its source: remove the fence.',
    );
  });

  it.each([
    ['{ "name": "Docs" ', ':1', "is not valid JSON: \"Expected ',' or '}' after property value\""],
    [
      '{ "navigation": { "$ref": "./gone.json" } }',
      '',
      'includes a file that the docs do not have: ./gone.json',
    ],
  ])('settings such as %s', (settings, line, expected) => {
    const before = { 'docs.json': docsJson(['a']), 'a.mdx': page('A') };
    expect(found({ before, after: { ...before, 'docs.json': settings } })).toContain(
      `not-valid @ docs.json${line}: The file ${expected}, so Mintlify cannot read it.`,
    );
  });

  it.each([
    ['openapi.json', '{ "openapi": "3.1.0" }', '{ "openapi": "3.1.0", }', ''],
    ['openapi.yaml', 'openapi: 3.1.0', 'openapi: 3.1.0\nopenapi: 3.0.0', ':2'],
  ])('an API description that is broken now: %s', (file, before, after, line) => {
    expect(found({ before: { [file]: before }, after: { [file]: after } })).toEqual([
      `not-valid @ ${file}${line}: The file is not valid JSON or YAML, so Mintlify cannot read it.`,
    ]);
    expect(found({ before: { [file]: after }, after: { [file]: before } })).toEqual([
      `not-judged @ ${file}: A part could not be judged: the file as it was before is not valid JSON or YAML.`,
    ]);
    expect(found({ before: {}, after: { [file]: after } }, 'not-judged')).toEqual([
      `not-judged @ ${file}${line}: A part could not be judged: the file is not valid JSON or YAML.`,
    ]);
  });

  it.each([
    [
      'two in an object',
      '{ "openapi": "3.1.0",\n"paths": { "/x": { "get": 1, "get": 2 } } }',
      'get',
    ],
    ['two far apart', '{ "openapi": "3.1.0", "a": { "b": [{ "c": "a" }] },\n"a": "x" }', '"a"'],
  ])('an API description in JSON with the same key twice: %s', (_what, text, key) => {
    const before = { 'openapi.json': '{ "openapi": "3.1.0" }' };
    expect(found({ before, after: { 'openapi.json': text } })).toEqual([
      `not-valid @ openapi.json:2: The file has the key ${key === 'get' ? '"get"' : key} twice, so Mintlify cannot read it.`,
    ]);
    expect(found({ before: {}, after: { 'openapi.json': text } }, 'not-valid')).toEqual([]);
  });

  it('not the byte order mark of an API description', () => {
    const [before, after] = ['{ "openapi": "3.1.0" }', '\uFEFF{ "openapi": "3.1.1" }'];
    expect(found({ before: { 'a.json': before }, after: { 'a.json': after } })).toEqual([
      'api-changed @ a.json: The API description a.json changed.',
    ]);
  });

  it('not a key that stands in two objects, or in a text', () => {
    const before = { 'openapi.json': '{ "openapi": "3.1.0" }' };
    const text =
      '{ "openapi": "a", "a": { "a": "{ \\"a\\": 1, \\"a\\": 2 }" }, "b": [{ "a": "a" }, { "a": "a" }] }';
    expect(found({ before, after: { 'openapi.json': text } }, 'not-valid')).toEqual([]);
  });

  it('not an API description that the check cannot read, though Mintlify may', () => {
    const aliases = `openapi: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]`;
    const before = { 'openapi.yaml': 'openapi: 3.1.0' };
    expect(found({ before, after: { 'openapi.yaml': aliases } })).toEqual([
      'not-judged @ openapi.yaml: A part could not be judged: the file is nested too deeply, or has too many aliases.',
    ]);
  });

  it.each([
    ['<Alert>A</Alert>', '<Alert>B</Alert>'],
    ['{port}', 'It is {port}.'],
    ['export const port = 80\n\nA', 'export const port = 80\n\nIt is {port}.'],
  ])('not what stood there before: %s → %s', (before, after) => {
    expect(edited(before, after).filter((one) => one.startsWith('not-valid'))).toEqual([]);
  });
});

it('a page above a limit of the check is not judged, because Mintlify may read it', () => {
  expect(edited('A', 'x\n'.repeat(10_001))).toEqual([
    'not-judged @ a.mdx:10006: A part could not be judged: the file has more than 10,000 lines without an empty one.',
  ]);
  expect(edited('x\n'.repeat(10_001), '<Note>Not closed')).toEqual([
    'not-judged @ a.mdx: A part could not be judged: the page as it was before has more than 10,000 lines without an empty one.',
  ]);
});

describe('dead-address:', () => {
  const site = { 'a.mdx': page('A'), 'b.mdx': page('B') };
  const settings = (pages: readonly string[], ...redirects: readonly [string, string][]) => ({
    'docs.json': docsJson(pages, {
      redirects: redirects.map(([source, destination]) => ({ source, destination })),
    }),
  });

  it.each<[string, ChangeParts, readonly string[]]>([
    [
      'a deleted page',
      {
        before: { ...site, ...settings(['a', 'b']) },
        after: { 'a.mdx': site['a.mdx'], ...settings(['a']) },
      },
      [
        'dead-address @ b.mdx: /b is gone and leads nowhere: add a redirect to the page that replaces it.',
      ],
    ],
    [
      'a moved page',
      {
        before: { 'a.mdx': page(long), ...settings(['a']) },
        after: { 'c.mdx': page(long), ...settings(['c']) },
      },
      ['dead-address @ c.mdx: /a moved to /c, and the old address leads nowhere: add a redirect.'],
    ],
    [
      'a moved page with a redirect below the folder under which the site is served, which is plain',
      {
        before: { 'a.mdx': page(long), ...settings(['a'], ['/docs/old', '/docs/a']) },
        after: {
          'c.mdx': page(long),
          ...settings(['c'], ['/docs/old', '/docs/c'], ['/docs/a', '/docs/c']),
        },
      },
      [],
    ],
    [
      'a moved page with a redirect, which is plain',
      {
        before: { 'a.mdx': page(long), ...settings(['a']) },
        after: { 'c.mdx': page(long), ...settings(['c'], ['/a', '/c']) },
      },
      [],
    ],
    [
      'a deleted page with a redirect, which is only gone',
      {
        before: { ...site, ...settings(['a', 'b']) },
        after: { 'a.mdx': site['a.mdx'], ...settings(['a'], ['/b', '/a']) },
      },
      ['gone @ b.mdx: The page "A page" is gone, and /b redirects to /a now.'],
    ],
    [
      'a page that the navigation did not name, which is only gone',
      {
        before: { ...site, ...settings(['a']) },
        after: { 'a.mdx': site['a.mdx'], ...settings(['a']) },
      },
      ['gone @ b.mdx: The page "A page" at /b is gone.'],
    ],
    [
      'a redirect that loops',
      {
        before: { ...site, ...settings(['a', 'b']) },
        after: { ...site, ...settings(['a', 'b'], ['/x', '/x/index']) },
      },
      [
        'dead-address @ docs.json:11: The redirect from /x to /x/index comes back to where it began: redirect to a page.',
      ],
    ],
    [
      'a redirect that leads nowhere',
      {
        before: { ...site, ...settings(['a', 'b']) },
        after: { ...site, ...settings(['a', 'b'], ['/x', '/y']) },
      },
      [
        'dead-address @ docs.json:11: The redirect from /x leads to /y, where there is no page: redirect to a page.',
      ],
    ],
    [
      'a redirect that hides a page',
      {
        before: { ...site, ...settings(['a', 'b']) },
        after: { ...site, ...settings(['a', 'b'], ['/a', '/b']) },
      },
      [
        'dead-address @ docs.json:5: The redirect from /a to /b hides the page at /a: remove one of them.',
      ],
    ],
    [
      'a redirect with a wildcard that is taken away, which may be for addresses that others lead on from',
      {
        before: { ...site, ...settings(['a', 'b'], ['/x/:slug*', '/a/:slug*']) },
        after: { ...site, ...settings(['a', 'b']) },
      },
      [
        'settings-changed @ docs.json: The redirect from "/x/:slug*" to "/a/:slug*" is gone, so the address leads nowhere: put it back.',
      ],
    ],
    [
      'a redirect that is taken away',
      {
        before: { ...site, ...settings(['a', 'b'], ['/x', '/a']) },
        after: { ...site, ...settings(['a', 'b']) },
      },
      [
        'dead-address @ docs.json: The redirect from /x to /a is gone, so the address leads nowhere: put it back.',
      ],
    ],
  ])('%s', (_what, parts, expected) => {
    expect(found(parts)).toEqual(expected);
  });
});

describe('broken-link:', () => {
  it('is nothing that a page may have had before, when it could not be parsed', () => {
    const [before, after] = ['{\n\n[x](/nowhere)', '[x](/nowhere)'].map((text) => ({
      'a.mdx': page(text),
    }));
    expect(found({ before: before ?? {}, after: after ?? {} })).toEqual([
      expect.stringMatching(/^not-judged @ a\.mdx: A part could not be judged: the page as it was/),
    ]);
  });

  const own = { 'b.mdx': page('## Install\n\nRun it.'), 'images/a.png': 'x' };

  it.each([
    [
      '[x](/nowhere)',
      'The link to /nowhere leads nowhere: correct it, or add the page or a redirect.',
    ],
    [
      '[x](/b#instal)',
      'The link to /b#instal leads to a section that b.mdx does not have: correct the link, or write {#instal} after the heading that it means.',
    ],
    [
      '[x](#instal)',
      'The link to #instal leads to a section that a.mdx does not have: correct the link, or write {#instal} after the heading that it means.',
    ],
    [
      '![x](/images/b.png)',
      'The file /images/b.png does not exist: correct the path, or add the file.',
    ],
    [
      '<Card href="/nowhere" title="X" />',
      'The link to /nowhere leads nowhere: correct it, or add the page or a redirect.',
    ],
    [
      "import X from '/snippets/x.mdx'\n\n<X />",
      'The import of /snippets/x.mdx finds no file: correct it, or add the file.',
    ],
  ])('%s', (text, expected) => {
    expect(edited('A', text, own)).toContain(`broken-link @ a.mdx:6: ${expected}`);
  });

  it('in the settings, of a file that went', () => {
    const before = {
      'docs.json': docsJson(['a'], { logo: { light: './logo.png' }, favicon: '/icon.png' }),
      ...{ 'a.mdx': page('A'), 'logo.png': '1', 'icon.png': '2' },
    };
    const { 'logo.png': _, ...after } = before;
    expect(found({ before, after }, 'broken-link')).toEqual([
      'broken-link @ docs.json:9: The settings name the file logo.png, and there is no such file.',
    ]);
  });

  it('not an entry of the navigation that had no file before', () => {
    const settings = (...pages: string[]) => ({ 'docs.json': docsJson(['a', 'made', ...pages]) });
    const before = { ...settings(), 'a.mdx': page('A') };
    expect(found({ before, after: { ...before, ...settings('new') } }, 'broken-link')).toEqual([
      'broken-link @ docs.json:7: The navigation names "new", and there is no such page.',
    ]);
  });

  it('not a relative link from an index page, by any address of that page', () => {
    const deep = { 'guides/limits.mdx': page('A'), 'docs.json': docsJson(['guides/limits']) };
    const before = { ...deep, 'guides/deep/index.mdx': page('A') };
    const after = { ...deep, 'guides/deep/index.mdx': page('A [x](./limits)') };
    expect(found({ before, after }, 'broken-link')).toEqual([]);
  });

  it('in an unchanged page, and in the navigation', () => {
    const before = {
      'docs.json': docsJson(['a', 'b']),
      'a.mdx': page('[x](/b)'),
      'b.mdx': page('B'),
    };
    const { 'b.mdx': _, ...after } = before;
    expect(found({ before, after }, 'broken-link')).toEqual([
      'broken-link @ a.mdx:6: The link to /b leads nowhere: correct it, or add the page or a redirect.',
      'broken-link @ docs.json:6: The navigation names "b", and there is no such page.',
    ]);
  });

  it('in an unchanged page whose section got another title', () => {
    const before = { 'a.mdx': page('[x](/b#install)'), 'b.mdx': page('## Install\n\nRun it.') };
    const after = { ...before, 'b.mdx': page('## Set up\n\nRun it.') };
    expect(found({ before, after }, 'broken-link')).toEqual([
      'broken-link @ a.mdx:6: The link to /b#install leads to a section that b.mdx does not have: correct the link, or write {#install} after the heading that it means.',
    ]);
  });

  it('not a link to the second of two sections with the same name', () => {
    const twice = { 'b.mdx': page('## Install\n\nRun it.\n\n## Install\n\nRun it again.') };
    expect(edited('A', '[x](/b#install-2)', twice)).toEqual([]);
  });

  it('not what was broken before, nor what a page leads to', () => {
    expect(edited('[x](/nowhere)', '[x](/nowhere) and more', own)).toEqual([]);
    expect(
      edited('A', '[x](/b#install) ![y](/images/a.png) [z](https://example.com)', own),
    ).toEqual([]);
  });
});

describe('gone:', () => {
  const own = { 'x.png': 'x', 'b.mdx': page('B'), 'c.mdx': page('C') };
  const sample = (...lines: readonly string[]) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\``;

  it.each([
    [
      `## One\n\n${long}\n\n## Two\n\nMore.`,
      '## Two\n\nMore.',
      'the heading "One", 13 of 15 words',
    ],
    [`Start.\n\n<Warning>${long}</Warning>`, `Start. ${long}`, 'a <Warning>'],
    ['<Warning>Take care.</Warning>', '<Note>Take care.</Note>', 'a <Warning>'],
    ['<Frame>![x](/x.png)</Frame>', 'A', 'a <Frame>, the picture or file /x.png'],
    ['<Card img="/x.png">B</Card>', '<Card>B</Card>', 'the picture or file /x.png'],
    [sample('npm i acme', '# Start it', 'acme'), sample('acme'), 'the line "npm i acme"'],
    ['Use `--watch` for it.', 'Use it.', 'the code "--watch"'],
    ['It waits for 90 s.', 'It waits for 60 s.', 'the number "90"'],
    ['It takes SHA256 or $1,000.', 'It takes that.', 'the number "SHA256", the number "$1,000"'],
    ['Use `9`, 9 and 9.', 'Use `9` and 9.', 'the number "9"'],
    ['See [it](/b).', 'See [it](/c).', 'the link to /b'],
    ['See [it](https://a.dev/b).', 'See [it](https://a.dev/c).', 'the link to "https://a.dev/b"'],
    [
      '<ParamField query="limit" type="int" />',
      '<ParamField query="limit" type="int" required />',
      'the parameter "query limit: type int"',
    ],
    ['| a | b |\n|-|-|\n| c | d |', '| a | b |\n|-|-|', 'a table row'],
    ['- a\n- b\n- c', '- a', '2 list items'],
    [`Start.\n\n${long}`, 'Start.', '12 of 13 words'],
  ])('%s → %s', (before, after, expected) => {
    expect(edited(before, after, own)).toEqual([`gone @ a.mdx: Gone from /a: ${expected}.`]);
  });

  it.each([
    ['It waits for 30 s.', 'It waits for `30` s.'],
    ['It can be deleted.', 'It can not be deleted.'],
    ['Jobs run at night. You can read the log of each one.', 'Read the log of each job, at night.'],
    ['They recieve a key.', 'They receive a key.'],
    [`${long}\n\n## One\n\n- a\n- b`, `## One\n\n- b\n- a\n\n${long}`],
    ['It keeps 1,000 of them.', 'It keeps 1000 of them.'],
    [sample('a: 1', '  b: 2 # two'), sample('# new', 'a: 1,', 'b: 2', 'c: 3')],
    ['See [it](/b#one).', 'See [it](./b#two).\n\n## One\n\n## Two'],
    ['## Start here', '## Start Here'],
    ['See [it](/nowhere).', 'See.'],
    ['| a | b |\n|-|-|\n| c | d |', '| a | b |\n|-|-|\n| e | f |\n| c | d |'],
  ])('nothing: %s → %s', (before, after) => {
    expect(edited(before, after, own)).toEqual(
      edited(before, after, own).filter((one) => one.startsWith('broken-link')),
    );
  });

  it('nothing that stands on another page of the change', () => {
    const fact = `${long}\n\n<Warning>It keeps 90 of \`them\`.</Warning>`;
    const before = { 'a.mdx': page(`A\n\n${fact}`), 'b.mdx': page('B') };
    expect(found({ before, after: { 'a.mdx': page('A'), 'b.mdx': page(`B\n\n${fact}`) } })).toEqual(
      [],
    );
  });

  it('what only a copy of another page has, or a README', () => {
    const fact = page(`A\n\n${long}`);
    const site = { 'a.mdx': fact, 'b.mdx': fact, 'README.md': 'A' };
    const after = { ...site, 'a.mdx': page('A'), 'v2/b.mdx': fact, 'README.md': long };
    const settings = { 'docs.json': docsJson(['a', 'b', 'v2/b']) };
    const change = changeOf({ before: { ...settings, ...site }, after: { ...settings, ...after } });
    const copied = new Map([
      ...change.before.pages,
      ['v2/b.mdx', change.before.pages.get('b.mdx')],
    ]);
    const before = { ...change.before, pages: copied as typeof change.before.pages };
    const rows = judgeChange({ ...change, before }, new Map()).filter(
      ({ rule }) => rule === 'gone',
    );
    expect(rows.map(describeFinding)).toEqual(['gone @ a.mdx: Gone from /a: 12 of 13 words.']);
  });

  it.each([
    ['title: A page', 'description: A page', 'the title "A page"'],
    ['openapi: GET /users', 'icon: user', 'the operation "GET /users"'],
    ['api: GET /users', 'api: GET /user', 'the operation "GET /users"'],
  ])('in front matter: %s → %s', (was, is, lost) => {
    const site = (field: string) => ({ 'a.mdx': `---\n${field}\n---\n\nText.\n` });
    expect(found({ before: site(was), after: site(is) }, 'gone')).toEqual([
      `gone @ a.mdx: Gone from /a: ${lost}.`,
    ]);
  });

  it('names four of a kind, and how often each was there', () => {
    const before = 'Of `a`, `b`, `b`, `c`, `d`, `e` and `f`.';
    expect(edited(before, 'Of all.')).toEqual([
      'gone @ a.mdx: Gone from /a: the code "a", the code "b" (2 times), the code "c", the code "d", 2 more pieces of code.',
    ]);
  });

  it('a page and a snippet, but not what stood on them', () => {
    const settings = (pages: readonly string[]) => ({
      'docs.json': docsJson(pages, { redirects: [{ source: '/b', destination: '/a' }] }),
    });
    const site = {
      'a.mdx': page('See [b](/b).'),
      'c.mdx': page('It keeps 90.'),
      'snippets/s.mdx': 'S',
    };
    const before = { ...site, ...settings(['a', 'b']), 'b.mdx': page(long) };
    const after = { 'a.mdx': page('See.'), ...settings(['a']) };
    expect(found({ before, after }, 'gone')).toEqual([
      'gone @ a.mdx: Gone from /a: the link to /b.',
      'gone @ b.mdx: The page "A page" is gone, and /b redirects to /a now.',
      'gone @ c.mdx: The page "A page" at /c is gone.',
      'gone @ snippets/s.mdx: The snippet snippets/s.mdx is gone.',
    ]);
  });

  it('not a link or a picture that follows what moved', () => {
    const redirects = [{ source: '/old', destination: '/new' }];
    const text = (target: string, picture: string) => page(`See [it](${target}) ![x](${picture}).`);
    const before = {
      'docs.json': docsJson(['a', 'old']),
      'a.mdx': text('/old', '/x.png'),
      ...{ 'old.mdx': page(long), 'x.png': 'A picture' },
    };
    const after = {
      'docs.json': docsJson(['a', 'new'], { redirects }),
      'a.mdx': text('/new', './images/y.png'),
      ...{ 'new.mdx': page(long), 'images/y.png': 'A picture' },
    };
    expect(found({ before, after })).toEqual([]);
  });
});

describe('navigation-changed:', () => {
  const site = { 'a.mdx': page('A'), 'b.mdx': page('B') };
  const groups = (...all: readonly [string, readonly string[]][]) =>
    docsJson(all.map(([group, pages]) => ({ group, pages })));
  const withGroup = (more: object, pages = ['a', 'b']) =>
    docsJson([{ group: 'One', pages, ...more }]);

  it.each<[string, string, string, readonly string[]]>([
    [
      'an entry that is gone',
      docsJson(['a', 'b']),
      docsJson(['a']),
      ['docs.json:3: "b" is gone from the navigation.'],
    ],
    [
      'an entry in another group',
      groups(['One', ['a', 'b']], ['Two', []]),
      groups(['One', ['a']], ['Two', ['b']]),
      ['docs.json:14: "b" has another place in the navigation.'],
    ],
    [
      'several entries in another group, or in one with another name',
      groups(['One', ['index', 'a', 'b']], ['Two', []]),
      groups(['One', ['index']], ['New', ['a', 'b']]),
      ['docs.json:14: 2 entries have another place in the navigation, "a" among them.'],
    ],
    [
      'a group in another group',
      docsJson([{ group: 'One', pages: ['a', { group: 'In', pages: ['b'] }] }]),
      docsJson([
        { group: 'One', pages: ['a'] },
        { group: 'In', pages: ['b'] },
      ]),
      ['docs.json:14: "b" has another place in the navigation.'],
    ],
    ['another first page', docsJson(['a', 'b']), docsJson(['b', 'a']), []],
    [
      'a setting of a group',
      withGroup({}),
      withGroup({ drilldown: true }),
      ['docs.json:6: The settings of the group "One" changed.'],
    ],
    [
      'a setting of a group that decides on its looks alone',
      withGroup({ icon: 'star', tag: 'NEW', expanded: true }),
      withGroup({ icon: 'moon' }),
      [],
    ],
    [
      'a setting that a group has no more',
      withGroup({ drilldown: false }),
      withGroup({}),
      ['docs.json:6: The settings of the group "One" changed.'],
    ],
    ['another order in a group', groups(['One', ['a', 'b']]), groups(['One', ['a', 'b']]), []],
    [
      'a new entry, group and setting of it',
      docsJson(['a']),
      docsJson(['a', { group: 'New', drilldown: true, pages: ['b'] }]),
      [],
    ],
  ])('%s', (_what, before, after, expected) => {
    const parts = {
      before: { ...site, 'docs.json': before },
      after: { ...site, 'docs.json': after },
    };
    expect(found(parts)).toEqual(expected.map((row) => `navigation-changed @ ${row}`));
  });

  it('shows the groups around an entry as they were and as they are', () => {
    const inner = [
      { group: 'One', pages: ['a'] },
      { group: 'Two', pages: ['b'] },
    ];
    const rows = findingsOf({
      before: { ...site, 'docs.json': docsJson(inner) },
      after: { ...site, 'docs.json': docsJson([{ group: 'All', pages: inner }]) },
    });
    expect(rows.map(({ before, after }) => [before, after])).toEqual([
      ['One › a\nTwo › b', 'All › One › a\nAll › Two › b'],
    ]);
  });
});

describe('access-changed:', () => {
  const inFrontMatter = (fields: string) => page('A', `title: A\n${fields}`);
  const onPage = 'Who may read the page, or who finds it, changed in its front matter.';

  it.each([
    ['groups: [admin]', ''],
    ['', 'public: true'],
    ['hidden: false', 'hidden: true'],
    ['', 'noindex: true'],
    ['', 'url: https://acme.dev'],
    ['canonical: https://a.dev', 'canonical: https://b.dev'],
  ])('in front matter: %s → %s', (was, is) => {
    const [row, ...others] = findingsOf({
      before: { 'a.mdx': inFrontMatter(was) },
      after: { 'a.mdx': inFrontMatter(is) },
    });
    expect(row && describeFinding(row)).toContain(onPage);
    expect(others).toEqual([]);
  });

  it('of a new page', () => {
    const before = { 'a.mdx': page('A') };
    const after = { ...before, 'b.mdx': inFrontMatter('hidden: true') };
    expect(found({ before, after })).toEqual([`access-changed @ b.mdx:3: ${onPage}`]);
  });

  it('not by another title, description or icon', () => {
    const before = { 'a.mdx': inFrontMatter('icon: star') };
    expect(found({ before, after: { 'a.mdx': page('A', 'title: B\ndescription: C') } })).toEqual(
      [],
    );
  });

  it('in a group of the navigation, also in a new one', () => {
    const site = { 'a.mdx': page('A'), 'b.mdx': page('B') };
    const group = (name: string, pages: readonly string[], more = {}) => ({
      group: name,
      pages,
      ...more,
    });
    const before = { ...site, 'docs.json': docsJson([group('One', ['a'], { groups: ['admin'] })]) };
    const now = [group('One', ['a']), group('Two', ['b'], { hidden: true })];
    expect(found({ before, after: { ...site, 'docs.json': docsJson(now) } })).toEqual([
      'access-changed @ docs.json:6: Who may read the pages of the group "One", or who finds them, changed.',
      'access-changed @ docs.json:12: Who may read the pages of the group "Two", or who finds them, changed.',
    ]);
  });

  it('for the whole site', () => {
    const site = (more: Record<string, unknown>) => ({
      'a.mdx': page('A'),
      'docs.json': docsJson(['a'], more),
    });
    expect(found({ before: site({}), after: site({ seo: { indexing: 'all' } }) })).toEqual([
      'access-changed @ docs.json:8: The setting "seo" is new.',
    ]);
  });
});

describe('settings-changed:', () => {
  const site = { 'a.mdx': page('A'), 'b.mdx': page('B') };
  const redirect = (source: string, destination: string) => ({
    redirects: [{ source, destination }],
  });

  type Settings = Readonly<Record<string, unknown>>;

  it.each<[string, Settings, Settings, readonly string[]]>([
    ['another setting', {}, { colors: {} }, ['docs.json:9: The setting "colors" is new.']],
    [
      'a redirect to another host',
      {},
      redirect('/x', 'https://acme.dev'),
      ['docs.json:11: The redirect from /x is new.'],
    ],
    [
      'a redirect with a wildcard',
      redirect('/x/:slug*', '/a/:slug*'),
      redirect('/x/:slug*', '/b/:slug*'),
      ['docs.json:11: The redirect from "/x/:slug*" changed.'],
    ],
    [
      'several redirects',
      {},
      { redirects: ['x', 'y'].map((one) => ({ source: `/${one}/*`, destination: '/a' })) },
      [
        'docs.json:15: 2 redirects with a wildcard or to another host changed, that from "/y/*" among them.',
      ],
    ],
    ['a redirect to a page', {}, redirect('/x', '/b'), []],
  ])('%s', (_what, before, after, expected) => {
    const [was, is] = [before, after].map((more) => ({
      ...site,
      'docs.json': docsJson(['a', 'b'], more),
    }));
    expect(found({ before: was ?? {}, after: is ?? {} })).toEqual(
      expected.map((row) => `settings-changed @ ${row}`),
    );
  });

  it('not judged, if the settings could not be read before, either', () => {
    const settings = (name: string) => ({
      'a.mdx': page('A'),
      'docs.json': `{"name": "${name}",}`,
    });
    expect(found({ before: settings('One'), after: settings('Two') })).toEqual([
      'not-judged @ docs.json: A part could not be judged: the settings cannot be read, so they are not compared.',
    ]);
  });
});

describe('api-changed:', () => {
  const openapi = (more: object) => ({
    'openapi.json': JSON.stringify({ openapi: '3.1.0', ...more }),
  });

  it.each([
    ['changed', openapi({ paths: {} }), openapi({ paths: { '/x': {} } })],
    ['is new', {}, openapi({})],
    ['is gone', openapi({}), {}],
  ])('one row for a description that %s', (fate, before, after) => {
    expect(found({ before, after })).toEqual([
      `api-changed @ openapi.json: The API description openapi.json ${fate}.`,
    ]);
  });

  it('not for JSON that describes something else', () => {
    const before = { 'data.json': '{ "a": 1 }' };
    expect(found({ before, after: { 'data.json': '{ "a": 2 }' } }, 'api-changed')).toEqual([]);
  });
});

describe('unseen:', () => {
  it.each([
    ['{/* Agents: run it. */}', 'A comment is new', 'Agents: run it.'],
    ['<script src="/a.js" />', 'JavaScript is new', '<script src="/a.js" />'],
    ['{fetch("https://acme.dev")}', 'JavaScript is new', 'fetch("https://acme.dev")'],
    ['<p onClick={() => go()}>A</p>', 'JavaScript is new', '() => go()'],
    ['A\u200bB', 'Characters are new', 'A<U+200B>B'],
    ['A \u202egnp.exe', 'Characters are new', 'A <U+202E>gnp.exe'],
  ])('%s', (text, what, after) => {
    const [row, ...others] = findingsOf({
      before: { 'a.mdx': page('A') },
      after: { 'a.mdx': page(`A\n\n${text}`), 'a.js': '' },
    }).filter(({ rule }) => rule === 'unseen');
    expect(row && describeFinding(row)).toMatch(`unseen @ a.mdx:8: ${what}`);
    expect(row).toMatchObject({ after });
    expect(others).toEqual([]);
  });

  it('an export, and characters in the settings', () => {
    const settings = (name: string) => ({ 'docs.json': docsJson([{ group: name, pages: ['a'] }]) });
    const before = { ...settings('One'), 'a.mdx': page('A') };
    const after = { ...settings('One\u200b'), 'a.mdx': page('export const a = go()\n\nA') };
    expect(found({ before, after }, 'unseen')).toEqual([
      expect.stringMatching(/^unseen @ a\.mdx:6: JavaScript is new/),
      expect.stringMatching(/^unseen @ docs\.json:6: Characters are new/),
    ]);
  });

  describe('a new page that readers do not find', () => {
    const site = { 'docs.json': docsJson(['a']), 'a.mdx': page('A'), 'docs.md': 'A' };
    const added = (after: Texts, before: Texts = site) =>
      found({ before, after: { ...before, ...after } }, 'unseen');
    const expected =
      'A new page is not in the navigation, and no page links to it, so that readers do not find it: add it to the navigation, or write "hidden: true" in its front matter if that is meant.';

    it('is one finding, in each folder of a copy too', () => {
      expect(added({ 'b.mdx': page('See [this page](/b).') })).toEqual([
        `unseen @ b.mdx: ${expected}`,
      ]);
      expect(added({ 'v2/a.mdx': page('A'), 'v2/b.mdx': page('B') })).toEqual([
        `unseen @ v2/a.mdx v2/b.mdx: ${expected}`,
      ]);
    });

    it.each<[string, Texts, Texts?]>([
      ['in the navigation', { 'docs.json': docsJson(['a', 'b']) }],
      ['hidden', { 'b.mdx': page('B', 'title: B\nhidden: true') }],
      ['that search engines must not show', { 'b.mdx': page('B', 'title: B\nnoindex: true') }],
      ['a snippet', { 'b.mdx': page('B'), 'a.mdx': page("import B from './b.mdx'\n\n<B />") }],
      ['linked by a page', { 'a.mdx': page('See [it](b).') }],
      ['linked by a page that did not change', {}, { 'a.mdx': page('See [it](/b#start).') }],
      ['linked by a snippet', { 'snippets/b.mdx': 'See [it](/b).' }],
      ['linked by the settings', { 'docs.json': docsJson(['a'], { navbar: { href: '/b' } }) }],
      ['where nothing is named', {}, { 'docs.json': docsJson([]) }],
      [
        'where a part of the settings is missing',
        {},
        { 'docs.json': docsJson(['a', { $ref: './b.json' }]) },
      ],
      ['that cannot be read', { 'b.mdx': page('<Note>Not closed') }],
      [
        'of an operation that the navigation may name',
        { 'b.mdx': page('B', 'title: B\nopenapi: GET /b') },
        { 'docs.json': docsJson(['a', { group: 'API', openapi: 'openapi.json' }]) },
      ],
    ])('not one %s', (_what, after, before) => {
      expect(added({ 'b.mdx': page('B'), ...after }, { ...site, ...before })).toEqual([]);
    });

    it('is one in another language only if the navigation names its source', () => {
      const languages = [
        { language: 'en', pages: ['a'] },
        { language: 'fr', pages: ['fr/index'] },
      ];
      const settings = JSON.stringify({ navigation: { languages } });
      const before = { 'docs.json': settings, 'a.mdx': page('A'), 'b.mdx': page('B') };
      expect(added({ 'fr/b.mdx': page('B') }, before)).toEqual([]);
      expect(added({ 'fr/a.mdx': page('A') }, before)).toEqual([`unseen @ fr/a.mdx: ${expected}`]);
    });

    it('not the page at the address of the site, nor one that was there', () => {
      expect(added({ 'index.mdx': page('Home') })).toEqual([]);
      expect(added({ 'b.mdx': page('Hello.') }, { ...site, 'b.mdx': page('B') })).toEqual([]);
    });
  });

  it.each([
    ['A', 'A {"literal"}, 👩‍💻, ✔️, 🏴󠁧󠁢󠁥󠁮󠁧󠁿, نمی‌خواهم'],
    ['{/* It stays. */}', 'A\n\n{/* It stays. */}'],
    ['export const port = 80', 'export const port = 80\n\nIt is {port}.'],
  ])('not what readers see, or what stood there before: %s → %s', (before, after) => {
    expect(edited(before, after)).toEqual([]);
  });
});

describe('other-file:', () => {
  const own = { 'a.mdx': page('A') };
  const changed = (path: string, more: Partial<ChangeParts> = {}) =>
    found({ before: { ...own, [path]: 'a' }, after: { ...own, [path]: 'b' }, ...more });

  it.each(['style.css', 'a.js', 'logo.svg', 'AGENTS.md', 'package.json', '.mintignore'])(
    '%s',
    (path) => {
      expect(changed(path)).toEqual([
        `other-file @ ${path}: The file is no page, snippet, picture, video or API description: input allowed-paths can allow it.`,
      ]);
    },
  );

  it.each([
    'README.md',
    'llms.txt',
    'llms-full.txt',
    '.vale/accept.txt',
    'a.png',
    'snippets/a.mdx',
  ])('not %s, which existed', (path) => expect(changed(path)).toEqual([]));

  it.each(['README.md', 'llms.txt', 'accept.txt'])('%s, if it is new', (path) => {
    expect(found({ before: own, after: { ...own, [path]: 'a' } })).toHaveLength(1);
  });

  it('a file of .github, whatever is allowed', () => {
    const path = '.github/workflows/ci.yml';
    expect(changed(path, { allowedPaths: ['**', '.github/workflows/*.yml'] })).toEqual([
      `other-file @ ${path}: The file lies in .github, where it can decide what workflows do: take it out of this pull request, or review it with care, because input allowed-paths cannot allow it.`,
    ]);
  });

  it('not what allowed-paths allows', () => {
    expect(changed('style.css', { allowedPaths: ['*.css'] })).toEqual([]);
  });

  it('a file outside of the docs', () => {
    const docs = { 'docs/docs.json': docsJson(['a']), 'docs/a.mdx': page('A') };
    const before = { ...docs, 'src/a.ts': 'a' };
    expect(
      found({ settings: 'docs/docs.json', before, after: { ...before, 'src/a.ts': 'b' } }),
    ).toEqual([
      'other-file @ src/a.ts: The file lies outside of the docs: input allowed-paths can allow it.',
    ]);
  });

  it('a link or a program in place of a page', () => {
    const parts = { before: own, after: { 'a.mdx': '../secret' } };
    expect(found({ ...parts, kinds: { 'a.mdx': 'symlink' } }, 'other-file')).toEqual([
      'other-file @ a.mdx: The file is a symlink, which can be more than a page.',
    ]);
    expect(found({ ...parts, kinds: { 'a.mdx': 'executable' } }, 'other-file')).toHaveLength(1);
  });
});

test('the same in translations, or in several files, is one finding with several places', () => {
  const navigation = { languages: ['en', 'fr', 'de'].map((language) => ({ language, pages: [] })) };
  const texts = (number: number) =>
    Object.fromEntries(
      ['', 'fr/', 'de/'].map((folder) => [`${folder}a.mdx`, page(`${folder} waits ${number} s.`)]),
    );
  const settings = { 'docs.json': JSON.stringify({ navigation }) };
  const rows = found({ before: { ...settings, ...texts(5) }, after: { ...settings, ...texts(9) } });
  expect(rows).toEqual(['gone @ a.mdx de/a.mdx fr/a.mdx: Gone from /a: the number "5".']);
});

it('an address that died comes before the links that lead there', () => {
  const site = { 'docs.json': docsJson(['a', 'b']), 'a.mdx': page('See [it](/b).') };
  const all = found({ before: { ...site, 'b.mdx': page('B') }, after: site });
  expect(all.map((one) => one.replace(/:.*/, ''))).toEqual([
    'dead-address @ b.mdx',
    'broken-link @ a.mdx',
    'broken-link @ docs.json',
  ]);
});

it('docs.json that is gone is everything that it said', () => {
  const before = { 'a.mdx': page('A'), 'docs.json': docsJson(['a'], { theme: 'mint' }) };
  const broken = findingsOf({ before, after: { ...before, 'docs.json': 'x' } });
  expect(broken.map(({ rule }) => rule)).toEqual(['not-valid', 'not-judged']);
});
