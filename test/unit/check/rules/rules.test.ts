// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pages have templates of their own
import { describe, expect, it, test } from 'vitest';
import { judgeChange } from '../../../../src/check/rules/rules.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import {
  type ChangeParts,
  changeOf,
  describeFinding,
  docsJson,
  findingsOf,
  rowsOf as found,
  page,
  type Texts,
  table,
} from '../../../helpers/change.ts';

/** What is found if the text of a page becomes another one. */
const edited = (before: string, after: string, own: Texts = {}) =>
  found({ before: { 'a.mdx': page(before), ...own }, after: { 'a.mdx': page(after), ...own } });

/** Settings whose navigation has these languages, and names no page. */
const languages = (...names: readonly string[]) =>
  JSON.stringify({ navigation: { languages: names.map((language) => ({ language, pages: [] })) } });

const long = 'This paragraph has more than ten words, so that somebody misses it.';
const words = (count: number) => 'word '.repeat(count);
const tooLarge = 'has more than 300,000 lines and marks, together with the YAML files before it';

describe('not-valid:', () => {
  it.each(
    table(`
      <Note>Not closed ⇒ The file is not valid MDX: "Expected a closing tag for \`<Note>\` (6:1-6:7) before the end of \`paragraph\`", so Mintlify cannot read it.
      A {b c} ⇒ The file is not valid MDX: "What stands in braces is no JavaScript", so Mintlify cannot read it.
      <Alert>A</Alert> <Alert /> ⇒ Nothing defines the component <Alert>, so Mintlify drops it and what stands in it: import it, or use a component of Mintlify's.
      <Waring>A</Waring> ⇒ Nothing defines the component <Waring>, so Mintlify drops it and what stands in it: did you mean <Warning>?
      <Color.Itm /> ⇒ Nothing defines the component <Color.Itm>, so Mintlify drops it and what stands in it: did you mean <Color.Item>?
      Use port {port}. ⇒ Nothing declares {port}, so Mintlify drops it: write "\\{port\\}" if readers should see it.
      Wait.【4†source】 ⇒ "Wait.【4†source】" is not written for readers: write what they need in its place, or delete it.
      <<<<<<< HEAD⏎B⏎=======⏎C⏎>>>>>>> x ⇒ The file has the mark <<<<<<< of an unfinished merge, so Mintlify cannot read it.
      <<<<<<< HEAD⏎B ⇒ The file is not valid MDX: "Unexpected character \`<\` (U+003C) before name, expected a character that can start a name, such as a letter, \`$\`, or \`_\`", so Mintlify cannot read it.
      <<<<<<<⏎⏎B⏎⏎{⏎⏎>>>>>>> ⇒ The file has the mark <<<<<<< of an unfinished merge, so Mintlify cannot read it.`),
  )('%s', (text, expected) => {
    const rows = edited('Some text.', text).filter((one) => one.startsWith('not-valid'));
    expect(rows).toEqual([`not-valid @ a.mdx:6: ${expected}`]);
    expect(edited(text, `${text}\n\nMore.`).filter((one) => one.startsWith('not-valid'))).toEqual(
      [],
    );
  });

  it('not a component or a name that something defines', () => {
    const theirs =
      'Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Color.Item Color.Row Column Columns Danger Expandable FileTree Frame GitHub.Repo Heading Icon Info Latex Note Panel Param ParamField Prompt RequestExample ResponseExample ResponseField Snippet Step Steps Tab Tabs Tile Tip Tooltip Tree Tree.File Tree.Folder Update View Visibility Warning';
    const text = `${theirs.replace(/\S+/g, '<$& />')} <Own.Part /> <Other /> <p /> {own} {Own.x}`;
    const code = "import Own from '/own.jsx'\nexport const own = 1\n\n";
    const parts = { 'own.jsx': '', 'snippets/s.mdx': 'Use {prop}.', 'b.mdx': page('<Other />') };
    const before = { ...parts, 'a.mdx': page('A') };
    const after = {
      ...parts,
      'a.mdx': page(code + text),
      'snippets/s.mdx': 'Use {prop} now, {port}.',
    };
    expect(found({ before, after }, 'not-valid')).toEqual([]);
  });

  it('marks of sources, but no words', () => {
    const cited = ['- Wait :contentReference[oaicite:0]', '| A |\n|-|\n| Wait【5†source】 |'];
    const fine = [
      "Here's the full script: | Let me know if you need a larger limit. | ... existing content ...",
      '{/* Keep the existing anchors here, other pages link to them */}\n\n{/* unchanged */}',
    ];
    const rows = edited('A', [...cited, ...fine].join('\n\n'));
    expect(rows.filter((one) => !one.startsWith('unseen'))).toEqual([
      expect.stringContaining('"Wait :contentReference[oaicite:0]" is not written for readers'),
      expect.stringContaining('"Wait【5†source】" is not written for readers'),
    ]);
  });

  it.each([
    ['```sh\na\n\n```js\nb\n```', 6],
    ['- A\n  ```\n  a\n\n   ```JSON\n  b\n  ```', 7],
    ['~~~~\na\n~~~~~sh\n~~~~', 6],
    ['```sh\na\n```\n\n```js\nb\n```', undefined],
    ['````md\n```sh\na\n```\n````', undefined],
    ['~~~md\n```sh\na\n```\n~~~', undefined],
    ['```md\n    ```sh\na\n```', undefined],
    ['```md\nWrite ```sh.\n``` 1\n```', undefined],
    ['```sh\na', undefined],
    ['$$\n```sh\n$$', undefined],
  ])('a code block that is not closed before another one begins: %j', (text, line) => {
    const what =
      'Another code block begins in this one, whose fence is not closed, so that readers see the text after it as code: close it.';
    expect(edited('A', text)).toEqual(line ? [`not-valid @ a.mdx:${line}: ${what}`] : []);
    expect(edited(text, `A\n\n${text}`)).toEqual([]);
  });

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

  it.each([
    ['```mdx\n---\ntitle: A\n---\n```', true],
    ['---\ntitle: A\n---\n\n```\n### Start\n```', true],
    ['```markdown\n# Start\n```\n\nMore.', true],
    ['---\ntitle: A\n---\n\n```md\n# Start\n```\n\nMore.', false],
    ['```sh\n# Start\n```', false],
    ['```md\nStart\n```', false],
    ['More.\n\n```md\n# Start\n```', false],
  ])('a whole page in one code block: %j is one: %s', (text, isOne) => {
    const rows = found({ before: { 'a.mdx': 'A' }, after: { 'a.mdx': text } }, 'not-valid');
    const line = text.slice(0, text.indexOf('```')).split('\n').length;
    const what =
      'The whole page stands in one code block, so readers see its source: remove the fence.';
    expect(rows).toEqual(isOne ? [`not-valid @ a.mdx:${line}: ${what}`] : []);
  });

  it('nothing else of a page that could not be read before', () => {
    const text = '{/* The rest of the page is unchanged. */}\n\nIt is {port}. See [it](/x). <A />';
    const [before, after] = [page(`${text}\n\n<b>`), page(`${text}\n\nC`)];
    expect(found({ before: { 'a.mdx': before }, after: { 'a.mdx': after } })).toEqual([
      expect.stringMatching(/^not-judged @ a\.mdx: .*the page as it was before is not valid MDX/),
    ]);
  });

  it('settings that are not valid, if they were before', () => {
    const parts = (settings: string) => ({ 'docs.json': settings, 'a.mdx': page('A') });
    const [fine, invalid] = [parts(docsJson(['a'])), parts('{\n"name": "Docs" ')];
    const expected =
      "not-valid @ docs.json:2: The file is not valid JSON: \"Expected ',' or '}' after property value in JSON at position 17 (line 2 column 16)\", so Mintlify cannot read it.";
    expect(found({ before: fine, after: invalid }, 'not-valid')).toEqual([expected]);
    const other = { ...invalid, 'a.mdx': page('B') };
    expect(found({ before: invalid, after: other }, 'not-valid')).toEqual([]);
  });

  it.each([
    [
      'openapi.json:1',
      '{ "openapi": "3.1.0" }',
      '{ "openapi": "3.1.0" "a" }',
      '"Unexpected double-quoted-scalar at node end"',
    ],
    ['openapi.yaml:2', 'openapi: 3.1.0', 'openapi: 3.1.0\npaths: "', `'Missing closing "quote'`],
  ])('an API description that is broken now: %s', (place, before, after, mistake) => {
    const [file = ''] = place.split(':');
    const problem = `is not valid JSON or YAML: ${mistake}`;
    expect(found({ before: { [file]: before }, after: { [file]: after } })).toEqual([
      `not-valid @ ${place}: The file ${problem}, so Mintlify cannot read it.`,
    ]);
    expect(found({ before: { [file]: after }, after: { [file]: before } })).toEqual([
      `not-judged @ ${file}: A part could not be judged: the file as it was before ${problem}.`,
    ]);
    const unread = `not-judged @ ${place}: A part could not be judged: the file ${problem}.`;
    expect(found({ before: {}, after: { [file]: after } }, 'not-judged')).toEqual([unread]);
    expect(found({ before: { [file]: `${after} ` }, after: { [file]: after } })).toEqual([unread]);
  });

  it.each([
    [
      'two in an object',
      '{ "openapi": "3.1.0",\n"paths": { "/x": { "get": 1, "get" : 2 } } }',
      '"get"',
    ],
    ['two far apart', '{ "openapi": "3.1.0", "a": { "b": [{ "c": "a" }] },\n"a": "x" }', '"a"'],
  ])('an API description in JSON with the same key twice: %s', (_what, text, key) => {
    const before = { 'openapi.json': '{ "openapi": "3.1.0" }' };
    expect(found({ before, after: { 'openapi.json': text } })).toEqual([
      `not-valid @ openapi.json:2: The file has the key ${key} twice, so Mintlify cannot read it.`,
    ]);
    expect(found({ before: {}, after: { 'openapi.json': text } }, 'not-valid')).toEqual([]);
  });

  it('an API description in YAML with the same key twice', () => {
    const before = { 'openapi.yaml': 'openapi: 3.1.0' };
    const text = 'openapi: 3.1.0\na: { 200: 1 }\nb:\n  - 200: 1\n    d: 1\n    "200": 2';
    expect(found({ before, after: { 'openapi.yaml': text } })).toEqual([
      'not-valid @ openapi.yaml:6: The file has the key "200" twice, so Mintlify cannot read it.',
    ]);
    const merged = 'openapi: 3.1.0\na: [&a { d: 1 }, &b { e: 1 }]\nb:\n  <<: *a\n  <<: *b';
    expect(found({ before, after: { 'openapi.yaml': merged } }, 'not-valid')).toEqual([]);
    const other = { 'openapi.yaml': `${text}2` };
    expect(found({ before: { 'openapi.yaml': text }, after: other }, 'not-valid')).toEqual([]);
  });

  it.each([
    [tooLarge, `a:\n${'- a\n'.repeat(150_000)}`],
    [tooLarge, `a: [${'1,'.repeat(300_000)}1]`],
    [tooLarge, `a: [${'[],'.repeat(150_000)}1]`],
    [tooLarge, `a:\n${`${'- '.repeat(50)}a\n`.repeat(6000)}`],
    ['is nested too deeply', `a:\n ${'? - '.repeat(200)}a`],
    ['is nested too deeply, or has too many aliases', `a: ${'['.repeat(5000)}`],
  ])('not an API description that %s: %#', (problem, text) => {
    const before = { 'openapi.yaml': 'openapi: 3.1.0' };
    const after = { 'openapi.yaml': `openapi: 3.1.0\n${text}` };
    expect(found({ before, after })).toEqual([
      `not-judged @ openapi.yaml: A part could not be judged: the file ${problem}.`,
    ]);
  });

  it('not API descriptions in YAML that are too large together', () => {
    const texts = (count: number) =>
      Object.fromEntries(
        ['a.json', 'b.yaml', 'c.yaml'].map((path) => [
          path,
          `{"openapi": 3, "a": [${'1,'.repeat(count)}1${path === 'a.json' ? ']}' : ',]}'}`,
        ]),
      );
    expect(found({ before: texts(1), after: texts(100_000) }, 'not-judged')).toEqual([]);
    expect(found({ before: texts(1), after: texts(200_000) }, 'not-judged')).toEqual([
      `not-judged @ c.yaml: A part could not be judged: the file ${tooLarge}.`,
    ]);
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

  it('not a comma before a closing brace, because Mintlify reads JSON as YAML', () => {
    const before = { 'openapi.json': '{ "openapi": "3.1.0" }' };
    const after = { 'openapi.json': '{ "openapi": "3.1.0", }' };
    expect(found({ before, after })).toEqual([
      'api-changed @ openapi.json: The API description openapi.json changed.',
    ]);
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
  const [large, problem] = ['x\n'.repeat(10_001), 'more than 10,000 lines without an empty one'];
  expect(edited('A', large)).toEqual([
    `not-judged @ a.mdx:10006: A part could not be judged: the file has ${problem}.`,
  ]);
  expect(edited(large, '<Note>Not closed')).toEqual([
    `not-judged @ a.mdx: A part could not be judged: the page as it was before has ${problem}.`,
  ]);
});

it('front matter with an anchor is not judged, because Mintlify may read it', () => {
  const after = { 'a.mdx': page('A', 'title: &x A') };
  expect(found({ before: { 'a.mdx': page('A') }, after }, 'not-valid')).toEqual([]);
  expect(found({ before: { 'a.mdx': page('A') }, after }, 'not-judged')).toEqual([
    'not-judged @ a.mdx:2: A part could not be judged: the file has front matter with an anchor, an alias or a tag.',
  ]);
});

describe('settings above a limit of the check', () => {
  const nested = `{"navigation": {}, "x": ${'['.repeat(100)}${']'.repeat(100)}}`;
  const chain = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`${index}.json`, `{"$ref": "${index + 1}.json"}`]),
  );

  it.each<[Texts, string, string]>([
    [{ 'docs.json': nested }, 'docs.json', 'is nested more than 100 levels deep'],
    [
      { ...chain, 'docs.json': '{"$ref": "0.json"}' },
      '99.json',
      'is nested more than 100 levels deep',
    ],
    [
      { 'docs.json': '{}'.padEnd(5_000_001) },
      'docs.json',
      'has more than 5 MB, or more than 180,000 lines and marks, with what it includes',
    ],
  ])('are not judged, because Mintlify may read them', (parts, file, problem) => {
    const sides = { before: { 'a.mdx': page('A') }, after: { 'a.mdx': page('A'), ...parts } };
    expect(found(sides, 'not-valid')).toEqual([]);
    expect(found(sides, 'not-judged')).toContain(
      `not-judged @ ${file}: A part could not be judged: the file ${problem}.`,
    );
  });

  it('are no files that include each other, which nobody can read', () => {
    const parts = {
      'docs.json': '{"$ref": "nav.json"}',
      'nav.json': '{"x": {"$ref": "./docs.json"}}',
    };
    const sides = { before: { 'a.mdx': page('A') }, after: { 'a.mdx': page('A'), ...parts } };
    expect(found(sides, 'not-valid')).toEqual([
      'not-valid @ docs.json: The file includes itself by $ref, so Mintlify cannot read it.',
    ]);
  });
});

it('a README that is no Markdown is not judged, because it is not shown', () => {
  const after = { 'a.mdx': page('A'), 'README.md': '---\n- a\n---\n' };
  expect(found({ before: { ...after, 'README.md': 'A' }, after })).toEqual([
    'not-judged @ README.md:2: A part could not be judged: the file has front matter that is no YAML mapping.',
  ]);
});

describe('dead-address:', () => {
  /** @param text pages, redirects and the pages of the navigation, such as `a b | /x /a, /y /b | a` */
  const site = (text: string): Texts => {
    const [files = '', redirects = '', pages = files] = text.split('|').map((part) => part.trim());
    return {
      ...Object.fromEntries(files.split(' ').map((name) => [`${name}.mdx`, page(long)])),
      'docs.json': docsJson(pages.split(' ').filter(Boolean), {
        redirects: redirects
          .split(', ')
          .filter(Boolean)
          .map((one) => {
            const [source = '', destination] = one.split(' ');
            return { source, destination };
          }),
      }),
    };
  };
  const deadB = '/b is gone and leads nowhere: add a redirect to the page that replaces it.';
  const loop = 'comes back to where it began: take a redirect out of the loop.';

  it.each(
    table(`
      a deleted page ⇒ a b ⇒ a ⇒ dead-address @ b.mdx: ${deadB}
      a moved page ⇒ a ⇒ c ⇒ dead-address @ c.mdx: /a moved to /c, and the old address leads nowhere: add a redirect.
      a moved page with a redirect, which is plain ⇒ a ⇒ c | /a /c ⇒
      a redirect below the folder under which the site is served ⇒ a | /docs/old /docs/a ⇒ c | /docs/old /docs/c, /docs/a /docs/c ⇒
      a deleted page with a redirect, which is only gone ⇒ a b ⇒ a | /b /a ⇒ gone @ b.mdx: The page "A page" is gone, and /b redirects to /a now.
      a page that the navigation did not name, which is only gone ⇒ a b || a ⇒ a ⇒ gone @ b.mdx: The page "A page" at /b is gone.
      a page, where there is no navigation ⇒ a b || ⇒ a || ⇒ dead-address @ b.mdx: ${deadB}
      a redirect to itself ⇒ a b ⇒ a b | /x /x/index ⇒ dead-address @ docs.json:11: The redirect from /x to /x/index ${loop}
      a redirect to a place in it ⇒ a b ⇒ a b | /x /x#y ⇒ dead-address @ docs.json:11: The redirect from /x to /x#y ${loop}
      a redirect to its query ⇒ a b ⇒ a b | /x /x?y#z ⇒ dead-address @ docs.json:11: The redirect from /x to "/x?y#z" ${loop}
      a redirect below itself ⇒ a b ⇒ a b | /x/* /x/y ⇒ dead-address @ docs.json:11: The redirect from "/x/*" to /x/y leads to a loop at /x/y: take a redirect out of the loop.
      a redirect deeper below itself ⇒ a b ⇒ a b | /x/:y /x/z/:y ⇒ dead-address @ docs.json:11: The redirect from "/x/:y" leads to "/x/z/:y", where there is no page: redirect to a page.
      a redirect that leads nowhere ⇒ a b ⇒ a b | /x /y ⇒ dead-address @ docs.json:11: The redirect from /x leads to /y, where there is no page: redirect to a page.
      a redirect that hides a page ⇒ a b ⇒ a b | /a /b ⇒ dead-address @ docs.json:11: The redirect from /a to /b hides the page at /a: remove the redirect, or what it hides.
      a redirect that may hide a page ⇒ a b/index ⇒ a b/index | /b/index /a ⇒
      a redirect that hides all pages ⇒ a b ⇒ a b | /* https://b.dev ⇒ dead-address @ docs.json:11: The redirect from "/*" to "https://b.dev" hides the page at /a and 1 more: remove the redirect, or what it hides.
      a redirect from a snippet ⇒ a snippets/s ⇒ a snippets/s | /snippets/s /a ⇒
      redirects that are taken away ⇒ a | /x /a, /y /z, /v /w ⇒ a | /y /z ⇒ dead-address @ docs.json: The redirect from /x to /a is gone, so the address leads nowhere: put it back.
      one for addresses that others may lead on from ⇒ a | /x/:slug* /a/:slug* ⇒ a ⇒ settings-changed @ docs.json: A redirect with a wildcard or to another host is gone: from "/x/:slug*".
      the second of two from one address ⇒ a b ⇒ a b | /x /a, /x /y ⇒
      the order of redirects ⇒ a b | /x /a, /x /b ⇒ a b | /x /b, /x /a ⇒`),
  )('%s', (_what, before, after, expected) => {
    expect(found({ before: site(before), after: site(after) })).toEqual(expected ? [expected] : []);
  });

  it('not a page whose redirect leads to another host', () => {
    expect(found({ before: site('a b'), after: site('a | /b //b.dev/new') })).toEqual([
      'gone @ b.mdx: The page "A page" is gone, and /b redirects to //b.dev/new now.',
      'settings-changed @ docs.json:10: A redirect with a wildcard or to another host is new: from /b.',
    ]);
  });

  it('a page in a folder of snippets that is not at the top', () => {
    const parts = { before: site('a b/snippets/c'), after: site('a') };
    expect(found(parts, 'dead-address')).toEqual([
      'dead-address @ b/snippets/c.mdx: /b/snippets/c is gone and leads nowhere: add a redirect to the page that replaces it.',
    ]);
  });

  it('a page that .mintignore takes away with its entry of the navigation', () => {
    const after = { ...site('a b || a'), '.mintignore': 'b.mdx' };
    expect(found({ before: site('a b'), after }, 'dead-address')).toEqual([
      `dead-address @ b.mdx: ${deadB}`,
    ]);
    const redirected = { ...site('a b | /b /a | a'), '.mintignore': 'b.mdx' };
    expect(found({ before: site('a b'), after: redirected }, 'dead-address')).toEqual([]);
    expect(found({ before: site('a b'), after: site('a b || a') }, 'dead-address')).toEqual([]);
  });

  it('a page by a pattern of .mintignore, but not by a slow one, which is not judged', () => {
    const before = site('a b');
    const ignoring = (pattern: string) => ({
      ...site('a b || a'),
      '.mintignore': `# **/**/**\nc.mdx\n${pattern}\n`,
    });
    const slow = ignoring('**/**/**/b.mdx');
    const quick = ignoring('**/**/b.mdx');
    const limit =
      'not-judged @ .mintignore:3: A part could not be judged: the file has a pattern with more than two "**", which the check does not read.';
    expect(found({ before, after: slow }, 'not-judged')).toEqual([limit]);
    expect(found({ before: slow, after: slow }, 'not-judged')).toEqual([limit]);
    expect(found({ before, after: slow }, 'dead-address')).toEqual([]);
    expect(found({ before, after: quick }, 'not-judged')).toEqual([]);
    expect(found({ before, after: quick }, 'dead-address')).toHaveLength(1);
  });

  it('an index page, by the address that readers use', () => {
    expect(found({ before: site('a b/index'), after: site('a') })).toEqual([
      expect.stringMatching(/^dead-address @ b\/index\.mdx: \/b is gone/),
    ]);
  });

  it('a page that is none any more, or that was hidden', () => {
    const other = 'The check does not judge a file of this kind';
    for (const path of ['b.txt', 'README.md']) {
      expect(found({ before: site('a b'), after: { ...site('a'), [path]: page(long) } })).toEqual([
        `dead-address @ ${path}: ${deadB}`,
        `other-file @ ${path}: ${other}: look at it, or allow it by input allowed-paths.`,
      ]);
    }
    const before = { ...site('a ||'), 'c.mdx': page('C', 'hidden: true') };
    expect(found({ before, after: site('a ||') })).toEqual([
      'gone @ c.mdx: The page /c at /c is gone.',
    ]);
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

  it.each(
    table(`
      [x](/nowhere) ⇒ The link to /nowhere leads nowhere: correct it, or add the page or a redirect.
      [x](/b#instal) ⇒ The link to /b#instal leads to a section that b.mdx does not have: correct the link, or write {#instal} after the heading that it means, or give the component that it means this id.
      [x](#instal) ⇒ The link to #instal leads to a section that a.mdx does not have: correct the link, or write {#instal} after the heading that it means, or give the component that it means this id.
      ![x](/images/b.png) ⇒ The file /images/b.png does not exist: correct the path, or add the file.
      <Card href="/nowhere" title="X" /> ⇒ The link to /nowhere leads nowhere: correct it, or add the page or a redirect.
      import X from '/snippets/x.mdx'⏎⏎<X /> ⇒ The import of /snippets/x.mdx finds no file: correct it, or add the file.`),
  )('%s', (text, expected) => {
    expect(edited('A', text, own)).toContain(`broken-link @ a.mdx:6: ${expected}`);
  });

  it.each([
    ['security.md', '/security'],
    ['code_of_conduct.md', '/code_of_conduct'],
    ['features/snippets/create.mdx', '/features/snippets/create'],
  ])('not a link to the page that Mintlify makes of %s', (path, address) => {
    expect(edited('A', `[x](${address})`, { [path]: page('B') })).toEqual([]);
  });

  it('not a link to what may be there', () => {
    const links = [
      '/c#any',
      '/c1#any',
      '/c2#any',
      '/p#any',
      '/b#top',
      '/b#:~:text=x',
      '/b#param-x',
      '/b#response-x',
      '/b#',
      '/d#e',
      '/o#o',
    ];
    const more = {
      ...own,
      'c.mdx': page('C', 'openapi-schema: C'),
      'c1.mdx': page('C', 'api: GET /c'),
      'c2.mdx': page('C', 'asyncapi: c'),
      'p.mdx': page('<Note>'),
      'd.mdx': page("import E from '/snippets/e.mdx'\n\n<E />"),
      'o.mdx': page('<Snippet file="o.mdx" />'),
      'snippets/e.mdx': "import F from './f.mdx'\n\n<F />",
      'snippets/f.mdx': '## E',
      'snippets/o.mdx': '## O',
    };
    const imports =
      "import a from 'react'\nimport b from '@acme/b'\nimport c from '/snippets/f.mdx'";
    const text = `${imports}\n\n${links.map((link) => `[x](${link})`).join(' ')}`;
    expect(edited('A', text, more)).toEqual([]);
    const missing = { ...more, 'd.mdx': page("import E from '/gone.mdx'\n\n<E />") };
    expect(edited('A', '[x](/d#any)', missing)).toEqual([]);
    const code = { ...more, 'd.mdx': page("import E from '/e.jsx'\n\n<E />"), 'e.jsx': '' };
    expect(edited('A', '[x](/d#any)', code)).toHaveLength(1);
    const files = ['z.md', 'z.mdx', 'z.js', 'z.jsx', 'z.ts', 'z.tsx', './z'];
    expect(files.flatMap((file) => edited('A', `import a from '${file}'`, more))).toEqual(
      files.map((file) => {
        return `broken-link @ a.mdx:6: The import of ${file} finds no file: correct it, or add the file.`;
      }),
    );
  });

  it('in a snippet, whose relative imports are its own', () => {
    const before = { 'a.mdx': page('A'), 'snippets/s.mdx': "import F from './f.mdx'\n\n<F />" };
    const rows = found({ before: { ...before, 'snippets/f.mdx': 'F' }, after: before });
    expect(rows).toEqual([
      'broken-link @ snippets/s.mdx:1: The import of ./f.mdx finds no file: correct it, or add the file.',
      'gone @ snippets/f.mdx: The snippet snippets/f.mdx is gone.',
    ]);
  });

  it('in an import that would be no certain link, such as one with a dollar', () => {
    const before = { 'a.mdx': page("import Id from '/snippets/$id.mdx'\n\n<Id />") };
    const rows = found({ before: { ...before, 'snippets/$id.mdx': 'I' }, after: before });
    expect(rows).toContain(
      'broken-link @ a.mdx:6: The import of "/snippets/$id.mdx" finds no file: correct it, or add the file.',
    );
  });

  it('in two lines of a page is one finding', () => {
    expect(edited('A', '[x](/gone)\n\n[y](/gone) [z](/gone)')).toEqual([
      'broken-link @ a.mdx:6 a.mdx:8: The link to /gone leads nowhere: correct it, or add the page or a redirect.',
    ]);
  });

  it('as a picture, where it was only a link', () => {
    expect(edited('[x](/gone.png)', '![x](/gone.png)')).toEqual([
      'broken-link @ a.mdx:6: The file /gone.png does not exist: correct the path, or add the file.',
    ]);
  });

  it('not what may have been broken before, where that cannot be told', () => {
    const before = { 'a.mdx': page('[x](/b#c) [y](/{d})'), 'b.mdx': page('## C') };
    const after = { ...before, 'b.mdx': page('## D') };
    const change = changeOf({ before, after });
    const rulesOf = (one: typeof change) =>
      judgeChange(one, new Map()).map(({ rule, places: [{ file }] }) => `${rule} ${file}`);
    expect(rulesOf(change)).toEqual(['broken-link a.mdx', 'gone b.mdx']);
    const pages = new Map([...change.before.pages].filter(([path]) => path !== 'b.mdx'));
    expect(rulesOf({ ...change, before: { ...change.before, pages } })).toEqual([]);
    const page1 = { 'a.mdx': page('[x](/b)') };
    const gone = changeOf({ before: { ...page1, 'b.mdx': page('B') }, after: page1 });
    gone.before.pages instanceof Map && gone.before.pages.delete('b.mdx');
    expect(rulesOf(gone)).toEqual(['dead-address b.mdx', 'broken-link a.mdx']);
  });

  it('in the settings, of a file that went', () => {
    const before = {
      'docs.json': docsJson(['a'], { logo: { light: './logo.png' }, favicon: '/icon.png' }),
      ...{ 'a.mdx': page('A'), 'logo.png': '1', 'icon.png': '2', 'other.png': '3' },
    };
    const { 'logo.png': _logo, 'icon.png': _icon, 'other.png': _other, ...rest } = before;
    const after = { ...rest, 'new.png': '2' };
    expect(found({ before, after }, 'broken-link')).toEqual([
      'broken-link @ docs.json:9: The file ./logo.png does not exist: correct the path, or add the file.',
      'broken-link @ docs.json:11: The file /icon.png does not exist: correct the path, or add the file.',
    ]);
    const [settings, page1] = [docsJson(['a'], { logo: '/logo.png' }), page('A')];
    const docs = { 'docs/docs.json': settings, 'docs/a.mdx': page1, 'docs/logo.png': '1' };
    const outside = { ...docs, 'logo.png': '2' };
    const rows = found({ settings: 'docs/docs.json', before: outside, after: docs });
    expect(rows.filter((one) => one.startsWith('broken-link'))).toEqual([]);
  });

  it('not an entry of the navigation that had no file before', () => {
    const settings = (...pages: string[]) => ({ 'docs.json': docsJson(['a', 'made', ...pages]) });
    const before = { ...settings(), 'a.mdx': page('A') };
    expect(found({ before, after: { ...before, ...settings('new') } }, 'broken-link')).toEqual([
      'broken-link @ docs.json:7: The navigation names "new", and there is no such page.',
    ]);
  });

  it('in the text of the banner', () => {
    const settings = (content: string) => ({
      'docs.json': docsJson(['a', 'b'], { banner: { content } }),
    });
    const pages = { 'a.mdx': page('A'), 'b.mdx': page('B') };
    const before = {
      ...pages,
      ...settings('See [it](/b), [more](b) and ![x](https://a.dev/x.png).'),
    };
    const { 'b.mdx': _, ...after } = before;
    const rows = ['/b', '"b"'].map((target) => {
      return `broken-link @ docs.json:10: The link to ${target} leads nowhere: correct it, or add the page or a redirect.`;
    });
    expect(found({ before, after }, 'broken-link')).toEqual(expect.arrayContaining(rows));
    const other = { ...pages, ...settings('See [it](/c) or [more](c).') };
    expect(found({ before, after: other }, 'broken-link')).toEqual([rows[0]?.replace('/b', '/c')]);
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
      'broken-link @ a.mdx:6: The link to /b#install leads to a section that b.mdx does not have: correct the link, or write {#install} after the heading that it means, or give the component that it means this id.',
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
  const own = {
    ...{ 'x.png': 'x', 'b.mdx': page('B'), 'c.mdx': page('C') },
    ...{ 'snippets/s.mdx': 'S', '_snippets/t.mdx': 'T' },
  };

  it.each(
    table(`
      ## One⏎⏎${long}⏎⏎## Two⏎⏎More. ⇒ ## Two⏎⏎More. ⇒ the heading "One", 13 of 15 words
      Start.⏎⏎<Warning>${long}</Warning> ⇒ Start. ${long} ⇒ the component <Warning>
      <Warning>Take care.</Warning> ⇒ <Note>Take care.</Note> ⇒ the component <Warning>
      <Frame>![x](/x.png)</Frame> ⇒ A ⇒ the component <Frame>, the picture or file /x.png
      <Card img="/x.png">B</Card> ⇒ <Card>B</Card> ⇒ the picture or file /x.png
      \`\`\`sh⏎npm i acme⏎# Start it⏎acme⏎\`\`\` ⇒ \`\`\`sh⏎acme⏎\`\`\` ⇒ the line "npm i acme"
      \`\`\`sh⏎#!/bin/sh⏎--port⏎x #1⏎a://b⏎*c⏎}⏎\`\`\` ⇒ \`\`\`sh⏎d⏎\`\`\` ⇒ the line "#!/bin/sh", the line "--port", the line "x #1", the line "a://b", the line "*c"
      Use \`--watch\` for it. ⇒ Use it. ⇒ the code "--watch"
      It keeps \`90\`. ⇒ It keeps 90. ⇒ the code "90"
      It waits for 90 s. ⇒ Wait for 60 s. ⇒ the number "90"
      It takes SHA256 or $1,000. ⇒ It takes that. ⇒ the number "SHA256", the number "$1,000"
      Use \`9\`, 9 and 9. ⇒ Use \`9\` and 9. ⇒ the number "9"
      See [it](/b). ⇒ See [it](/c). ⇒ the link to /b
      See [it](https://a.dev/b). ⇒ See [it](https://a.dev/c). ⇒ the link to "https://a.dev/b"
      <ParamField query="limit" type="int" /> ⇒ <ParamField query="limit" type="int" required /> ⇒ the parameter "query limit: type int"
      | a | b |⏎|-|-|⏎| c | d | ⇒ | a | b |⏎|-|-| ⇒ a table row
      - a⏎- b⏎- c ⇒ - a ⇒ 2 list items
      Start.⏎⏎${long} ⇒ Start. ⇒ 12 of 13 words
      ${words(13)} ⇒ ${words(3)} ⇒ 10 of 13 words
      ${words(77)} ⇒ ${words(66)} ⇒ 11 of 77 words
      日本語のテキストですね。 ⇒ で ⇒ 10 of 11 words
      กกกกกกกกกกก ⇒ ก ⇒ 10 of 11 words
      Use \`a9\`. ⇒ Use. ⇒ the code "a9"
      Up to 50%, 1.5.0, 1:30, v2 or 7,5. ⇒ Up. ⇒ the number "50%", the number 1.5.0, the number "1:30", the number "v2", the number "7,5", 11 of 12 words
      <Own /> <own /> <Param name="a" /> ⇒ A ⇒ the component <Own>, the parameter "name a"
      import A from '/snippets/s.mdx'⏎⏎A ⇒ A ⇒ the snippet /snippets/s.mdx
      <Snippet file="t.mdx" /> ⇒ A ⇒ the component <Snippet>, the snippet /snippets/t.mdx
      <Card href="/b">A</Card>⏎⏎<Tab title="Of 90">A</Tab> ⇒ <Card>A</Card>⏎⏎<Tab>A</Tab> ⇒ the link to /b, the number "90"
      Set it to -1. ⇒ Set it. ⇒ the number "-1"
      ## A 90⏎⏎| \`a\` 80 |⏎|-|⏎| 70 |⏎⏎- 60 ⇒ A ⇒ the heading "A 90", the code "a", the number "80", the number "70", the number "60", a table row, a list item`),
  )('%s → %s', (before, after, expected) => {
    expect(edited(before, after, own)).toEqual([`gone @ a.mdx: Gone from /a: ${expected}.`]);
  });

  it.each(
    table(`
      It waits for 30 s. ⇒ It waits for \`30\` s.
      It can be deleted. ⇒ It can not be deleted.
      Jobs run at night. You can read the log of each one. ⇒ Read the log of each job, at night.
      They recieve a key. ⇒ They receive a key.
      <Card title="${long}">A 2</Card> ⇒ <Card title="Any">A **2**</Card>
      It takes 10-20 s. ⇒ It takes 10 to 20 s.
      Up to 20%. ⇒ Up to <b>20</b>%.
      ${long}⏎⏎## One⏎⏎- a⏎- b ⇒ ## One⏎⏎- b⏎- a⏎⏎${long}
      It keeps 1,000,000 of \`2,000,000\`. ⇒ It keeps 1000000 of \`2000000\`.
      It keeps 1 of 2. ⇒ It keeps 2 of 1.
      \`\`\`sh⏎a: 1⏎  b: 2 # two⏎\`\`\` ⇒ \`\`\`sh⏎# new⏎a: 1,⏎b: 2⏎c: 3⏎\`\`\`
      See [it](/b#one). ⇒ See [it](./b#two).⏎⏎## One⏎⏎## Two
      ## Start here ⇒ ## Start Here
      See [it](https://a.dev/b/). ⇒ See [it](https://a.dev/b).
      See [it](/nowhere). ⇒ See.
      [x](#one)⏎⏎## One ⇒ ## One
      ${words(13)} ⇒ ${words(4)}
      ${words(78)} ⇒ ${words(67)}
      日本語のテキストです ⇒ です
      \`\`\`sh⏎# a1⏎ // a2⏎/* a3⏎ * a4⏎ */⏎-- a5⏎<!-- a6⏎x # a7⏎y // a8⏎#⏎\`\`\` ⇒ \`\`\`sh⏎x⏎y⏎\`\`\`
      | a | b |⏎|-|-|⏎| c | d | ⇒ | a | b |⏎|-|-|⏎| e | f |⏎| c | d |`),
  )('nothing: %s → %s', (before, after) => {
    expect(edited(before, after, own)).toEqual(
      edited(before, after, own).filter((one) => one.startsWith('broken-link')),
    );
  });

  it.each(
    table(`
      It keeps 20 of 30 for 40 s. ⇒ It keeps 25 of 30 for 1,500 s. ⇒ 6: "20" is "25" 6: "40" is "1,500"
      | Small | 1 |⏎|-|-|⏎| Large | 2 | ⇒ | Small | 1 |⏎|-|-|⏎| Large | 3 | ⇒ 8: "2" is "3"
      - Wait 10 s⏎- Wait 20 s ⇒ - Wait 10 s⏎- Wait 30 s ⇒ 7: "20" is "30"
      Set it to -1 (or −2). ⇒ Set it to 1 (or 2). ⇒ 6: "-1" is "1" 6: "−2" is "2"
      <Card title="Up to 20">A</Card> ⇒ <Card title="Up to 25">A</Card> ⇒ 6: "20" is "25"
      <Update label="Up to 20" /> ⇒ <Update label="Up to 25" /> ⇒ 6: "20" is "25"
      <details><summary>Up to 20</summary>x</details> ⇒ <details><summary>Up to 25</summary>x</details> ⇒ 6: "20" is "25"
      <table><td>Up to 20</td><td>x</td></table> ⇒ <table><td>Up to 25</td><td>x</td></table> ⇒ 6: "20" is "25"
      $<b>20</b>,000 for H<sub>2</sub>O ⇒ $<b>25</b>,000 for H<sub>2</sub>O ⇒ 6: "$20,000" is "$25,000"
      Use 1.5.0.⏎⏎Use 1.5.0. ⇒ Use 1.6.0.⏎⏎Use 1.6.0. ⇒ 6: 1.5.0 is 1.6.0 8: 1.5.0 is 1.6.0`),
  )('a number that is another one now: %s → %s', (before, after, expected) => {
    const rows = findingsOf({ before: { 'a.mdx': page(before) }, after: { 'a.mdx': page(after) } });
    const told = rows.flatMap(({ what, places }) =>
      places.map(({ line }) => plainOf(what).replace(/^The number (.*) now\.$/, `${line}: $1`)),
    );
    expect(told.join(' ')).toBe(expected);
  });

  it.each(['title', 'sidebarTitle', 'description'])('a number in front matter: %s', (field) => {
    const site = (limit: number) => ({ 'a.mdx': `---\n${field}: Up to ${limit}\n---\n\nText.\n` });
    expect(found({ before: site(20), after: site(25) })).toEqual([
      'gone @ a.mdx:2: The number "20" is "25" now.',
    ]);
  });

  it('ten numbers that are others now, and how many more', () => {
    const rows = (first: number) =>
      Array.from({ length: 12 }, (_, at) => `- ${String.fromCharCode(97 + at)} ${first + at}`);
    const told = edited(rows(100).join('\n'), rows(200).join('\n'));
    expect(told).toHaveLength(11);
    expect(told).toContain('gone @ a.mdx: Gone from /a: the number "110", the number "111".');
    expect(told).toContain('gone @ a.mdx:15: The number "109" is "209" now.');
  });

  it('once for a page and its translations, which lost the same in their own words', () => {
    const settings = { 'docs.json': languages('en', 'fr', 'de') };
    const text = (own: string, more = '') =>
      page(`## ${own}\n\nA\n\n<Note>[${own}](/${own})</Note>${more}`);
    const before = {
      ...{ ...settings, 'a.mdx': text('one'), 'fr/a.mdx': text('un') },
      'de/a.mdx': text('eins', '\n\nVon `b`.'),
    };
    const pages = { 'a.mdx': page('A'), 'fr/a.mdx': page('A'), 'de/a.mdx': page('A') };
    expect(found({ before, after: { ...settings, ...pages } })).toEqual([
      'gone @ a.mdx fr/a.mdx: Gone from /a: the heading "one", the component <Note>.',
      'gone @ de/a.mdx: Gone from /de/a: the heading "eins", the component <Note>, the code "b".',
    ]);
    const more = { ...before, 'fr/a.mdx': text('un', '\n\nPar `b`.') };
    expect(found({ before: more, after: { ...settings, ...pages } })).toEqual([
      'gone @ a.mdx: Gone from /a: the heading "one", the component <Note>.',
      'gone @ de/a.mdx fr/a.mdx: Gone from /de/a: the heading "eins", the component <Note>, the code "b".',
    ]);
    const other = { ...before, 'fr/a.mdx': text('un', '\n\nPar `c`.') };
    expect(found({ before: other, after: { ...settings, ...pages } })).toHaveLength(3);
    const shorter = { ...before, 'fr/a.mdx': text('un', `\n\n${words(12)}`) };
    const list = { ...before, 'fr/a.mdx': page('## un\n\nA\n\n<Note>A</Note>\n\n- A') };
    expect(found({ before: list, after: { ...settings, ...pages } })).toHaveLength(3);
    expect(found({ before: shorter, after: { ...settings, ...pages } })).toHaveLength(3);
  });

  it('nor two numbers for one, if a translation has another', () => {
    const settings = { 'docs.json': languages('en', 'fr') };
    const texts = (one: number, two: number) => ({
      ...{ ...settings, 'a.mdx': page(`Wait ${one} s.`), 'fr/a.mdx': page(`Attend ${two} s.`) },
    });
    expect(found({ before: texts(10, 30), after: texts(15, 35) })).toEqual([
      'gone @ a.mdx:6: The number "10" is "15" now.',
      'gone @ fr/a.mdx:6: The number "30" is "35" now.',
    ]);
  });

  it('nothing that stands on another page of the change', () => {
    const fact = `${long}\n\n<Warning>It keeps 90 of \`them\`.</Warning>`;
    const before = { 'a.mdx': page(`A\n\n${fact}`), 'b.mdx': page('B') };
    expect(found({ before, after: { 'a.mdx': page('A'), 'b.mdx': page(`B\n\n${fact}`) } })).toEqual(
      [],
    );
  });

  it('though a page has it that could not be read before, or has it once', () => {
    const parts = (a: string, b: string) => ({ 'a.mdx': page(a), 'b.mdx': page(b) });
    const [before, after] = [parts('A 90', '<Note>90'), parts('A', '<Note>90</Note>')];
    const expected = ['gone @ a.mdx: Gone from /a: the number "90".'];
    expect(found({ before, after }, 'gone')).toEqual(expected);
    const twice = { before: parts('A 90 90', 'B'), after: parts('A', 'B 90') };
    expect(found(twice, 'gone')).toEqual(expected);
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
    ['asyncapi: x y', 'icon: user', 'the operation "x y"'],
    ['api: GET /users', 'api: GET /user', 'the operation "GET /users"'],
  ])('in front matter: %s → %s', (was, is, lost) => {
    const site = (field: string) => ({ 'a.mdx': `---\n${field}\n---\n\nText.\n` });
    expect(found({ before: site(was), after: site(is) }, 'gone')).toEqual([
      `gone @ a.mdx: Gone from /a: ${lost}.`,
    ]);
  });

  it('names four of a kind, or five, and how often each was there', () => {
    expect(edited('Of `a`, `b`, `b`, `c`, `d`, `e` and `f`.', 'Of all.')).toEqual([
      'gone @ a.mdx: Gone from /a: the code "a", the code "b" (2 times), the code "c", the code "d", 2 more pieces of code.',
    ]);
    expect(edited('Of `a`, `b`, `c`, `d` and `e`.', 'Of all.')).toEqual([
      'gone @ a.mdx: Gone from /a: the code "a", the code "b", the code "c", the code "d", the code "e".',
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
    const shorter = { ...before, 'snippets/s.mdx': page('S') };
    const longer = { ...before, 'snippets/s.mdx': page('S of `t`') };
    expect(found({ before: longer, after: shorter })).toEqual([
      'gone @ snippets/s.mdx: Gone from snippets/s.mdx: the code "t".',
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

  it.each(
    table(`
      an entry that is gone ⇒ ["a","b"] ⇒ ["a"] ⇒ docs.json:3: "b" is gone from the navigation.
      an entry in another group ⇒ [{"group":"One","pages":["a","b"]},{"group":"Two","pages":[]}] ⇒ [{"group":"One","pages":["a"]},{"group":"Two","pages":["b"]}] ⇒ docs.json:14: "b" has another place in the navigation.
      several entries in another group, or in one with another name ⇒ [{"group":"One","pages":["index","a","b"]},{"group":"Two","pages":[]}] ⇒ [{"group":"One","pages":["index"]},{"group":"New","pages":["a","b"]}] ⇒ docs.json:14: "a" and 1 more have another place in the navigation.
      a group in another group ⇒ [{"group":"One","pages":["a",{"group":"In","pages":["b"]}]}] ⇒ [{"group":"One","pages":["a"]},{"group":"In","pages":["b"]}] ⇒ docs.json:14: "b" has another place in the navigation.
      another first page ⇒ ["a","b"] ⇒ ["b","a"] ⇒
      one of two equal entries, and a link, that are gone ⇒ ["a","b","b","https://c.dev"] ⇒ ["a","b"] ⇒ docs.json:3: "b" is gone from the navigation.⏎docs.json:3: "https://c.dev" is gone from the navigation.
      an entry that is gone from a group in a group ⇒ [{"group":"All","pages":[{"group":"Two","pages":["a","b"]}]}] ⇒ [{"group":"All","pages":[{"group":"Two","pages":["a"]}]}] ⇒ docs.json:9: "b" is gone from the navigation.
      one of two equal entries in another group ⇒ [{"group":"One","pages":["a","b","b"]},{"group":"Two","pages":[]}] ⇒ [{"group":"One","pages":["a"]},{"group":"Two","pages":["b"]}] ⇒ docs.json:6: "b" is gone from the navigation.⏎docs.json:14: "b" has another place in the navigation.
      a setting of a group ⇒ [{"group":"One","pages":["a","b"]}] ⇒ [{"group":"One","pages":["a","b"],"drilldown":true}] ⇒ docs.json:6: The settings of the group "One" changed.
      a setting of a group that decides on its looks alone ⇒ [{"group":"One","pages":["a","b"],"icon":"star","tag":"NEW","expanded":true,"description":"A"}] ⇒ [{"group":"One","pages":["a","b"],"icon":"moon","iconType":"solid"}] ⇒
      a setting that a group has no more ⇒ [{"group":"One","pages":["a","b"],"drilldown":false}] ⇒ [{"group":"One","pages":["a","b"]}] ⇒ docs.json:6: The settings of the group "One" changed.
      another order in a group ⇒ [{"group":"One","pages":["a","b"]}] ⇒ [{"group":"One","pages":["a","b"]}] ⇒
      a new entry, group and setting of it ⇒ ["a"] ⇒ ["a",{"group":"New","drilldown":true,"pages":["b"]}] ⇒`),
  )('%s', (_what, before, after, expected) => {
    const [was, is] = [before, after].map((pages) => docsJson(JSON.parse(pages)));
    const parts = {
      before: { ...site, 'docs.json': was ?? '' },
      after: { ...site, 'docs.json': is ?? '' },
    };
    const rows = expected.split('\n').filter(Boolean);
    expect(found(parts)).toEqual(rows.map((row) => `navigation-changed @ ${row}`));
    const edited = { ...parts.after, 'b.mdx': page('B and more') };
    expect(found({ ...parts, after: edited })).toEqual(found(parts));
  });

  it('a setting at the top', () => {
    const settings = (x: number) => JSON.stringify({ navigation: { pages: ['a', 'b'], x } });
    const [before, after] = [1, 2].map((x) => ({ ...site, 'docs.json': settings(x) }));
    expect(found({ before: before ?? {}, after: after ?? {} })).toEqual([
      'navigation-changed @ docs.json:1: The settings of the navigation changed.',
    ]);
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
    const shorter = { ...site, 'docs.json': docsJson(inner.slice(0, 1)) };
    const more = { ...site, 'docs.json': docsJson([{ group: 'All', x: 1, pages: inner, y: [] }]) };
    expect(findingsOf({ before: more, after: shorter })).toMatchObject([
      { before: 'All › Two' },
      { before: 'All › One › a', after: 'One › a', places: [{ line: 8 }] },
      { before: 'x: 1' },
    ]);
  });
});

describe('access-changed:', () => {
  const inFrontMatter = (fields: string) => page('A', `title: A\n${fields}`);
  const onPage = 'In the front matter, what decides who may read the page, or who finds it,';

  it.each([
    ['groups: [admin]', '', 'groups: ["admin"]', undefined],
    ['', 'public: true\nnoindex: true', undefined, 'noindex: true\npublic: true'],
    ['hidden: false', 'hidden: true', 'hidden: false', 'hidden: true'],
    ['', 'url: https://acme.dev', undefined, 'url: "https://acme.dev"'],
    ['canonical: a', 'canonical: b', 'canonical: "a"', 'canonical: "b"'],
  ])('in front matter: %s → %s', (was, is, before, after) => {
    const parts = {
      before: { 'a.mdx': inFrontMatter(was) },
      after: { 'a.mdx': inFrontMatter(is) },
    };
    const rows = findingsOf(parts);
    const line = is === '' ? '' : ':3';
    const fate = was === '' ? 'is new' : is === '' ? 'is gone' : 'changed';
    expect(rows.map(describeFinding)).toEqual([
      `access-changed @ a.mdx${line}: ${onPage} ${fate}.`,
    ]);
    expect([rows[0]?.before, rows[0]?.after]).toEqual([before, after]);
  });

  it('of a new page', () => {
    const before = { 'a.mdx': page('A') };
    const after = { ...before, 'b.mdx': inFrontMatter('hidden: true') };
    expect(found({ before, after })).toEqual([`access-changed @ b.mdx:3: ${onPage} is new.`]);
  });

  it('not by another title, description or icon', () => {
    const before = { 'a.mdx': inFrontMatter('icon: star') };
    expect(found({ before, after: { 'a.mdx': page('A', 'title: B\ndescription: C') } })).toEqual(
      [],
    );
  });

  it('not of a README, nor of a page that could not be read before', () => {
    const before = { 'a.mdx': inFrontMatter('hidden: &x true'), 'README.md': 'A' };
    const after = {
      'a.mdx': inFrontMatter('hidden: true'),
      'README.md': inFrontMatter('hidden: true'),
    };
    expect(found({ before, after }, 'access-changed')).toEqual([]);
  });

  it('in a group of the navigation, also in a new one', () => {
    const site = { 'a.mdx': page('A'), 'b.mdx': page('B') };
    const access = { groups: ['admin'], public: true, hidden: true, noindex: true };
    const settings = (...groups: readonly object[]) => ({ ...site, 'docs.json': docsJson(groups) });
    const [one, two] = [
      { group: 'One', pages: ['a'] },
      { group: 'Two', pages: ['b'] },
    ];
    const rows = findingsOf({
      before: settings({ ...one, ...access }, two),
      after: settings(one, { ...two, pages: [{ group: 'New', hidden: true, pages: ['b'] }] }),
    }).filter(({ rule }) => rule === 'access-changed');
    expect(rows.map(describeFinding)).toEqual([
      'access-changed @ docs.json:6: Who may read the pages of the group "One", or who finds them, changed.',
      'access-changed @ docs.json:15: Who may read the pages of the group "Two › New", or who finds them, changed.',
    ]);
    expect(rows.map(({ before, after }) => [before, after])).toEqual([
      ['groups: "admin"\npublic: true\nhidden: true\nnoindex: true', undefined],
      [undefined, 'hidden: true'],
    ]);
  });

  it('for the whole site', () => {
    const site = (more: Record<string, unknown>) => ({
      'a.mdx': page('A'),
      'docs.json': docsJson(['a'], more),
    });
    const after = site({ seo: { indexing: 'all' }, auth: 1, public: 2, noindex: 3 });
    expect(found({ before: site({}), after })).toEqual([
      'access-changed @ docs.json:8: The setting "seo" is new.',
      'access-changed @ docs.json:11: The setting "auth" is new.',
      'access-changed @ docs.json:12: The setting "public" is new.',
      'access-changed @ docs.json:13: The setting "noindex" is new.',
    ]);
  });
});

describe('settings-changed:', () => {
  const site = { 'a.mdx': page('A'), 'b.mdx': page('B') };
  it.each(
    table(`
      another setting ⇒ {} ⇒ {"colors":{}} ⇒ docs.json:9: The setting "colors" is new.
      a setting changed ⇒ {"x":1} ⇒ {"x":2} ⇒ docs.json:9: The setting "x" changed.
      a setting is gone ⇒ {"x":1} ⇒ {} ⇒ docs.json: The setting "x" is gone.
      the order of settings ⇒ {"x":{"a":1,"b":2},"y":1} ⇒ {"y":1,"x":{"b":2,"a":1}} ⇒
      a redirect that led to another host ⇒ {"redirects":[{"source":"/x","destination":"//acme.dev"}]} ⇒ {"redirects":[{"source":"/x","destination":"/a"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host changed: from /x.
      a redirect that led to another host ⇒ {"redirects":[{"source":"/x","destination":"/\\\\acme.dev"}]} ⇒ {"redirects":[{"source":"/x","destination":"/a"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host changed: from /x.
      a redirect that led to another host ⇒ {"redirects":[{"source":"/x","destination":"https://acme.dev"}]} ⇒ {"redirects":[{"source":"/x","destination":"/a"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host changed: from /x.
      a redirect with more wildcards than the check follows ⇒ {"redirects":[{"source":"/:a/:b/:c/:d","destination":"/a"}]} ⇒ {"redirects":[{"source":"/:a/:b/:c/:d","destination":"/b"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host changed: from "/:a/:b/:c/:d".
      a redirect to a place that its wildcard fills ⇒ {} ⇒ {"redirects":[{"source":"/x/*","destination":"/b/*"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host is new: from "/x/*".
      a redirect to another host ⇒ {} ⇒ {"redirects":[{"source":"/x","destination":"https://acme.dev"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host is new: from /x.
      a redirect with a wildcard ⇒ {"redirects":[{"source":"/x/:slug*","destination":"/a/:slug*"}]} ⇒ {"redirects":[{"source":"/x/:slug*","destination":"/b/:slug*"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host changed: from "/x/:slug*".
      several redirects ⇒ {} ⇒ {"redirects":[{"source":"/x/*","destination":"/a"},{"source":"/y/*","destination":"/a"}]} ⇒ docs.json:11: A redirect with a wildcard or to another host is new: from "/x/*" and 1 more.
      a redirect to a page ⇒ {} ⇒ {"redirects":[{"source":"/x","destination":"/b"}]} ⇒`),
  )('%s', (_what, before, after, expected) => {
    const [was, is] = [before, after].map((more) => ({
      ...site,
      'docs.json': docsJson(['a', 'b'], JSON.parse(more)),
    }));
    const rows = expected.split('\n').filter(Boolean);
    expect(found({ before: was ?? {}, after: is ?? {} })).toEqual(
      rows.map((row) => `settings-changed @ ${row}`),
    );
  });

  it('shows where several redirects led', () => {
    const settings = (...redirects: readonly object[]) => ({
      ...site,
      'docs.json': docsJson(['a', 'b'], { redirects }),
    });
    const [x, y] = ['/x', '/y'].map((one) => ({ source: `${one}/*`, destination: '/a' }));
    const rows = findingsOf({
      before: settings({ ...x, destination: '/b' }),
      after: settings({ ...x }, { ...y }),
    });
    expect(rows).toMatchObject([{ before: '/x/* → /b', after: '/x/* → /a\n/y/* → /a' }]);
  });

  it('not judged, if the settings could not be read before, either', () => {
    const settings = (name: string) => ({
      'a.mdx': page('A'),
      'docs.json': `{"name": "${name}",}`,
    });
    expect(found({ before: settings('One'), after: settings('Two') })).toEqual([
      'not-judged @ docs.json: A part could not be judged: the settings before or after the change cannot be read, so neither settings nor links are compared.',
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

  it.each([
    ['swagger.yaml', 'swagger: "2.0"', ['api-changed @ swagger.yaml']],
    ['a.json', '\n{ "asyncapi": "3.0.0" }', ['api-changed @ a.json']],
    ['a.yaml', 'x: &x\n  openapi: 1\n<<: *x', ['api-changed @ a.yaml']],
    ['data.json', '{ "a": 1 }', ['other-file @ data.json']],
    ['a.yaml', '- openapi', ['other-file @ a.yaml']],
    ['package.json', '{ "openapi": "3.1.0" }', ['other-file @ package.json']],
  ])('of %s with %s', (path, text, rules) => {
    const rows = found({ before: { [path]: text }, after: { [path]: `${text}\n` } });
    expect(rows.map((row) => row.replace(/:.*/, ''))).toEqual(rules);
  });

  it('of a description that moved, but not if it describes something else now', () => {
    const docs = { 'docs/docs.json': docsJson(['a']), 'docs/a.mdx': page('A') };
    const out = found({
      settings: 'docs/docs.json',
      before: { ...docs, 'docs/x.json': '{"openapi":1}' },
      after: { ...docs, 'x.json': '{"openapi":1}' },
    });
    expect(out.map((row) => row.replace(/:.*/, ''))).toEqual([
      'api-changed @ x.json',
      'other-file @ x.json',
    ]);
    const text = JSON.stringify({ openapi: '3.1.0' });
    expect(found({ before: { 'a.json': text }, after: { 'b.json': text } })).toEqual([
      'api-changed @ b.json: The API description b.json moved.',
    ]);
    const rows = found({ before: { 'a.json': text }, after: { 'a.json': '{ "a": 1 }' } });
    expect(rows.map((row) => row.replace(/:.*/, ''))).toEqual(['other-file @ a.json']);
  });
});

describe('unseen:', () => {
  const comment = 'A comment is new, which readers do not see: delete it, unless authors need it.';
  const script = 'JavaScript is new, of which readers do not see what it does: look at it.';
  const characters =
    'Characters are new that nobody sees, or that turn the order of others: delete them.';

  it.each([
    ['{/* One. */}\n\n{/* Two. */}', comment, 'One.\nTwo.'],
    ['<Script src="/a.js" />', script, '<Script src="/a.js" />'],
    ['{fetch("https://acme.dev")}', script, 'fetch("https://acme.dev")'],
    ['<p onClick={() => go()}>A</p>', script, '() => go()'],
    ['A\u200bB', characters, 'A<U+200B>B'],
    ['A \u202egnp.exe', characters, 'A <U+202E>gnp.exe'],
  ])('%s', (text, what, after) => {
    const [row, ...others] = findingsOf({
      before: { 'a.mdx': page('A') },
      after: { 'a.mdx': page(`A\n\n${text}`), 'a.js': '' },
    }).filter(({ rule }) => rule === 'unseen');
    expect(row && describeFinding(row)).toBe(`unseen @ a.mdx:8: ${what}`);
    expect(row).toMatchObject({ after });
    expect(others).toEqual([]);
  });

  it.each(['க\u200Cஷ', 'క\u200Cష', 'ಕ\u200Cಷ', 'ક\u200Cષ', 'ក\u200Cស'])(
    'not the joiner in %j, which is spelling',
    (text) => {
      expect(edited('A', `A\n\n${text}`)).toEqual([]);
    },
  );

  it('not what may have been there before, nor in a README', () => {
    const settings = { 'docs.json': docsJson([{ group: 'One\u200b', pages: ['a'] }]) };
    const before = { ...settings, 'a.mdx': page('<Note>{/* A */}'), 'README.md': 'A' };
    const other = { 'docs.json': docsJson([{ group: 'One\u200b', pages: ['a'], x: 1 }]) };
    const after = { ...other, 'a.mdx': page('{/* A */}'), 'README.md': 'A\u200b' };
    expect(found({ before, after }, 'unseen')).toEqual([]);
  });

  it('an export, and characters in the settings', () => {
    const settings = (name: string) => ({ 'docs.json': docsJson([{ group: name, pages: ['a'] }]) });
    const before = { ...settings('One'), 'a.mdx': page('A') };
    const after = { ...settings('One\u200b'), 'a.mdx': page('export const a = go()\n\nA') };
    expect(found({ before, after }, 'unseen')).toEqual([
      `unseen @ a.mdx:6: ${script}`,
      `unseen @ docs.json:6: ${characters}`,
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
      const operation = page('B', 'title: B\nopenapi: GET /b');
      expect(added({ 'v2/a.mdx': page('A'), 'v2/b.mdx': operation })).toEqual([
        `unseen @ v2/a.mdx v2/b.mdx: ${expected}`,
      ]);
    });

    it.each<[string, Texts, Texts?]>([
      ['in the navigation', { 'docs.json': docsJson(['a', 'b']) }],
      ['hidden', { 'b.mdx': page('B', 'title: B\nhidden: true') }],
      ['hidden by a text', { 'b.mdx': page('B', 'title: B\nhidden: "true"') }],
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

  it.each(['style.css', 'logo.svg', 'AGENTS.md', '.mintignore', 'xllms.txt'])('%s', (path) => {
    expect(changed(path)).toEqual([
      `other-file @ ${path}: The check does not judge a file of this kind: look at it, or allow it by input allowed-paths.`,
    ]);
  });

  it.each(['README.md', 'llms.txt', 'x/llms-full.txt', 'accept.txt'])(
    '%s, unless it existed',
    (path) => {
      expect(changed(path)).toEqual([]);
      expect(found({ before: own, after: { ...own, [path]: 'a' } })).toHaveLength(1);
      expect(found({ before: { ...own, [path]: 'a' }, after: own })).toHaveLength(1);
    },
  );

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
    const [was, is] = [
      { 'llms.txt': 'a', 'docs/x.css': 'x' },
      { 'llms.txt': 'b', 'x.css': 'x' },
    ];
    const parts = {
      settings: 'docs/docs.json',
      before: { ...docs, ...was },
      after: { ...docs, ...is },
    };
    expect(found(parts)).toEqual([
      'other-file @ llms.txt: The file lies outside of the docs: input allowed-paths can allow it.',
      'other-file @ x.css: The check does not judge a file of this kind: look at it, or allow it by input allowed-paths.',
    ]);
  });

  it.each([
    ['symlink', 'a symlink'],
    ['submodule', 'a submodule'],
    ['executable', 'executable now'],
  ] as const)('a %s in place of a page', (kind, words) => {
    const parts = { before: own, after: { 'a.mdx': page('B') }, kinds: { 'a.mdx': kind } };
    expect(found(parts)).toEqual([
      `other-file @ a.mdx: The file is ${words}, which can be more than a page.`,
    ]);
    const change = changeOf(parts);
    const before = { ...change.before, tree: change.after.tree };
    const isOdd = judgeChange({ ...change, before }, new Map()).length > 0;
    expect(isOdd).toBe(kind !== 'executable');
  });
});

test('the same in translations, or in several files, is one finding with several places', () => {
  // The page comes after its translations in the order of paths.
  const texts = (number: number) =>
    Object.fromEntries(
      ['', 'fr/', 'de/'].map((folder) => [`${folder}z.mdx`, page(`${folder} waits ${number} s.`)]),
    );
  const settings = { 'docs.json': languages('en', 'fr', 'de') };
  const rows = found({ before: { ...settings, ...texts(5) }, after: { ...settings, ...texts(9) } });
  expect(rows).toEqual(['gone @ z.mdx:6 de/z.mdx:6 fr/z.mdx:6: The number "5" is "9" now.']);
  const gone = found({ before: { ...settings, ...texts(5) }, after: settings });
  expect(gone).toEqual([expect.stringMatching(/^dead-address @ z\.mdx de\/z\.mdx fr\/z\.mdx: /)]);
  const lists = (count: number) => ({
    'a.mdx': page('- a\n'.repeat(5 - count)),
    'fr/a.mdx': page('- a\n'.repeat(6 - 2 * count)),
  });
  expect(
    found({ before: { ...settings, ...lists(0) }, after: { ...settings, ...lists(2) } }),
  ).toEqual([
    'gone @ a.mdx: Gone from /a: 2 list items.',
    'gone @ fr/a.mdx: Gone from /fr/a: 4 list items.',
  ]);
});

it('what blocks comes first, an address that died before the links that lead there, and the others by file', () => {
  const site = { 'docs.json': docsJson(['c', 'b', 'a']), 'c.mdx': page('See [it](/b).') };
  const before = { ...site, 'b.mdx': page('## X'), 'a.mdx': page('[x](/b#x) `c`') };
  const change = changeOf({ before, after: { ...site, 'a.mdx': page('[x](/b#x)') } });
  const rowsOf = (rules: Parameters<typeof judgeChange>[1]) =>
    judgeChange(change, rules).map(({ rule, severity, places: [{ file }] }) =>
      [rule, severity, file].join(' '),
    );
  expect(rowsOf(new Map())).toEqual([
    'dead-address block b.mdx',
    'broken-link block a.mdx',
    'broken-link block c.mdx',
    'broken-link block docs.json',
    'gone review a.mdx',
  ]);
  expect(
    rowsOf(
      new Map([
        ['broken-link', 'off'],
        ['dead-address', 'review'],
        ['gone', 'block'],
      ]),
    ),
  ).toEqual(['gone block a.mdx', 'dead-address review b.mdx']);
});

it('docs.json that cannot be read is everything that it said, and so are docs that moved', () => {
  const redirects = [{ source: '/x', destination: 'https://a.dev' }];
  const site = {
    'a.mdx': page('[x](/b)'),
    'docs.json': docsJson(['a', 'b'], { seo: 1, redirects }),
  };
  const before = { ...site, 'b.mdx': page('B') };
  for (const settings of ['x', '{"navigation": null}', '{"navigation": "a"}']) {
    expect(found({ before, after: { ...site, 'docs.json': settings } })).toEqual([
      expect.stringMatching(/^not-valid @ docs\.json: /),
      'gone @ b.mdx: The page "A page" at /b is gone.',
      expect.stringMatching(/^not-judged @ docs\.json: /),
    ]);
  }
  const [old, now] = ['docs', 'site'].map((folder) => {
    const after = { [`${folder}/a.mdx`]: page('A'), [`${folder}/docs.json`]: docsJson(['a']) };
    return changeOf({ settings: `${folder}/docs.json`, before: {}, after });
  });
  const moved = { path: 'site/a.mdx', previousPath: 'docs/a.mdx', status: 'renamed' } as const;
  const file = { ...moved, before: '', after: '', additions: 0, deletions: 0 };
  const change = old && now && { ...old, files: [file], before: old.after, after: now.after };
  expect(change && judgeChange(change, new Map())).toEqual([]);
});
