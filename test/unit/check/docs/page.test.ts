import { describe, expect, it } from 'vitest';
import { readFrontMatter } from '../../../../src/check/docs/front-matter.ts';
import { refusalOf } from '../../../../src/check/docs/limits.ts';
import {
  type Block,
  type Page,
  parsePage,
  unseenCharactersIn,
} from '../../../../src/check/docs/page.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { table } from '../../../helpers/change.ts';

const everything = `---
title: Everything # Nobody sees this.
tag: [a, 1]
---

import { Part as Own } from '/snippets/part.mdx';
export const base = '/images/own.png';

Intro to {base} and {config.port} with [a link](/setup#start "Title"), \`npm i acme\`, $x^2$ and \u200B.

## Install {#set-up}

{/* For writers */}

1. First [b](https://example.com/b)

   More of it.
2. Second

| Name | Type |
|------|------|
| [id](/id) | text |

![Chart](/images/chart.png)

\`\`\`sh title="Run"
npm start
\`\`\`

<Warning>Careful with **this**.</Warning>

<Tabs>
  <Tab title="One">
    ### Inside a tab

    <ParamField query="limit" type="int" required default={10}>How many.</ParamField>
  </Tab>
</Tabs>

## Use

<Card title="Go" href="/go" {...rest} onClick={() => open('/else')} online={go()}>
  <img src="/images/a.png" alt="A" />
</Card>

<h3 id="own">Raw</h3>

<Own text="x" /> <Snippet file="old.mdx" />

A [reference][used] and a footnote[^1].

[used]: /used
[unused]: /unused
[^1]: At the end, with ~~a~~\\
break.

![Referred][used] \`b\`

$$
x = 1
$$

- \`\`\`js
  let a
  \`\`\`

<table><tr><td>A</td><th>B</th><td>C</td></tr></table>
<ul><li>C</li></ul>
<Tile title="T" description="D">E</Tile>
<Own label="a" title="b" headline="c" description="d" caption="e" hint="f" tip="g" cta="h" placeholder="i" no="j" />
Text with a <Tooltip tip="tip">word</Tooltip>.
<script>{'x'}</script>

{
  // For writers
}
`;

/** A block in a line: what it is, and what it says. */
function describeBlock({ kind, name, text, codes, line }: Block): string {
  const what = [`${line} ${kind}`, name].filter((one) => one !== '').join(' ');
  return visible([`${what}: ${text}`, ...codes.map((code) => `\`${code}\``)].join(' ').trim());
}

/** What a page imports, declares and exports, each in a text. */
function scopeIn({ imports, declared, exports }: Page['scope']) {
  const importLines = [...imports].map(
    ([own, { name, source, line }]) => `${line} ${own} = ${name} of ${source}`,
  );
  return [importLines.join('; '), [...declared].join(' '), [...exports].join(' ')];
}

function visible(text: string): string {
  return text.replaceAll('\u200B', '(invisible)');
}

function describePage({ frontMatter, blocks, unseen, links, anchors, ...others }: Page) {
  return {
    frontMatter: frontMatter.map(({ name, json, line }) => `${line} ${name}: ${json}`),
    blocks: blocks.map(describeBlock),
    uses: others.uses.map(({ kind, name, line }) => `${line} ${kind} ${name}`),
    unseen: unseen.map(({ kind, text, line }) => `${line} ${kind}: ${text}`),
    links: links.map(({ kind, target, line }) => `${line} ${kind} ${target}`),
    anchors: [...anchors].join(' '),
    scope: scopeIn(others.scope),
  };
}

it('a page with every construct is read in one walk', () => {
  const page = parsePage(everything);
  expect(page.problem).toBeUndefined();
  expect(describePage(page)).toMatchInlineSnapshot(`
    {
      "anchors": "set-up one inside-a-tab use go own t d b a",
      "blocks": [
        "9 paragraph: Intro to {base} and {config.port} with a link, npm i acme, x^2 and (invisible). \`npm i acme\` \`x^2\`",
        "11 heading: Install",
        "15 list-item: First b",
        "17 paragraph: More of it.",
        "18 list-item: Second",
        "20 paragraph: Name",
        "20 paragraph: Type",
        "22 row: id | text",
        "26 sample sh: npm start",
        "30 component:",
        "30 paragraph: Careful with this.",
        "33 component: One",
        "34 heading: Inside a tab",
        "36 parameter query limit: default 10, required, type int:",
        "36 paragraph: How many.",
        "40 heading: Use",
        "42 component: Go",
        "46 heading: Raw",
        "50 paragraph: A reference and a footnote.",
        "54 paragraph: At the end, with a break.",
        "57 paragraph: b \`b\`",
        "59 sample math: x = 1",
        "63 sample js: let a",
        "67 component:",
        "67 row: A | B | C",
        "68 list-item: C",
        "69 component: T",
        "69 paragraph: D",
        "69 paragraph: E",
        "70 paragraph: a b c d e f g h i",
        "71 paragraph: Text with a tip word .",
      ],
      "frontMatter": [
        "2 title: "Everything"",
        "3 tag: ["a",1]",
      ],
      "links": [
        "6 import /snippets/part.mdx",
        "6 source /snippets/part.mdx",
        "6 source /images/own.png",
        "9 link /setup#start",
        "15 link https://example.com/b",
        "22 link /id",
        "24 source /images/chart.png",
        "42 link /go",
        "42 link /else",
        "43 source /images/a.png",
        "48 import /snippets/old.mdx",
        "52 link /used",
        "53 link /unused",
      ],
      "scope": [
        "6 Own = Part of /snippets/part.mdx",
        "base",
        "base",
      ],
      "unseen": [
        "1 comment:  Nobody sees this.",
        "9 character:  i acme\`, $x^2$ and <U+200B>.",
        "6 script: import { Part as Own } from '/snippets/part.mdx';
    export const base = '/images/own.png';",
        "13 comment: For writers",
        "42 script: () => open('/else')",
        "72 script: <script>{'x'}</script>",
        "74 comment: For writers
    ",
      ],
      "uses": [
        "9 text base",
        "9 member config",
        "30 component Warning",
        "32 component Tabs",
        "33 component Tab",
        "36 component ParamField",
        "42 component Card",
        "42 code rest",
        "42 code go",
        "48 component Own",
        "48 component Snippet",
        "69 component Tile",
        "70 component Own",
        "71 component Tooltip",
      ],
    }
  `);
});

describe('a page that cannot be read has a problem with its line:', () => {
  it.each<readonly [text: string, what: string, line: number | undefined]>([
    ['A\n\n<Note>', 'is not valid MDX: "Expected a closing tag for `<Note>` (3:1-3:7)"', 3],
    ['A {1 +}', 'is not valid MDX: "What stands in braces is no JavaScript"', 1],
    ['A\n\nexport 1', 'is not valid MDX: "An import or export is no JavaScript"', 3],
    [
      '---\ntitle: "A\n---\n',
      "has front matter that is not valid YAML: 'Missing closing \"quote'",
      2,
    ],
    ['---\na: &x 1\n---\n', 'has front matter with an anchor, an alias or a tag', 2],
    ['---\na: !!str 1\n---\n', 'has front matter with an anchor, an alias or a tag', 2],
    [
      '---\na: 1\nb: !x 1\n---\n',
      'has front matter that is not valid YAML: "Unresolved tag: !x"',
      3,
    ],
    ['---\n- a\n---\n', 'has front matter that is no YAML mapping', 2],
    ...[
      '---\na: |\n  x\u2028...\n---\n',
      '---\na: x\u0085y\n---\n',
      '--- \ntitle: A\n---\n',
      '---\ntitle: A\n...\n',
      '---\na: |\n= yaml =\nb: 1\n---\n',
      '---\na: |\n...\nb: 1\n---\n',
      'A --- B\n---\n',
      '+++\ntitle = "A"\n+++\n',
    ].map((text) => [text, 'has front matter that can be read in two ways', 1] as const),
    ['---\ntitle: A\n\nText.', 'has front matter that is not closed', 1],
    ['--- \r\ndescription: A\r\n\r\n ---', 'has front matter that is not closed', 1],
    [`${'<a>'.repeat(3000)}${'</a>'.repeat(3000)}`, 'is nested too deeply', undefined],
  ])('%#', (text, what, line) => {
    const { problem, ...others } = parsePage(text);
    expect({ what: plainOf(problem?.what ?? []), line: problem?.line }).toEqual({ what, line });
    expect(others.blocks).toEqual([]);
  });

  it.each<[what: string, limit: number, line: number | undefined, (count: number) => string]>([
    [
      'is larger than 500 kB',
      500_000,
      undefined,
      (count) => `${'é'.repeat(249)}\n\n`.repeat(1000) + 'a'.repeat(count - 500_000),
    ],
    ['has more than 50,000 characters in a line', 50_000, 2, (count) => `A\n${'x'.repeat(count)}`],
    [
      'has more than 30,000 lines',
      30_000,
      30_001,
      (count) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'a' : '')).join('\n'),
    ],
    [
      'has more than 50,000 marks of Markdown',
      50_000,
      101,
      (count) => `${`${'<&'.repeat(500)}\n\n`.repeat(50)}${'!'.repeat(count - 50_000)}`,
    ],
    [
      'has more than 3,000 quotes and list items after empty lines',
      3000,
      3001,
      (count) => `${'- > a\n\n'.repeat(1500)}${'1) '.repeat(count - 3000)}a\n- b`,
    ],
    ['is nested too deeply', 200, 3, (count) => `))) {\n\n${'(a)['.repeat(count - 1)}`],
    [
      'has more than 10,000 lines without an empty one',
      10_000,
      10_003,
      (count) => `A\n\n${'x\n'.repeat(count)}`,
    ],
    [
      'has more than 5,000 marks of Markdown without an empty line',
      5000,
      4,
      (count) => `*A*\n\n${'*_~`$'.repeat(600)}\n${'*'.repeat(count - 3000)}`,
    ],
    ['is nested too deeply', 50, 1, (count) => '> - 1) * + '.repeat(10) + '> '.repeat(count - 50)],
    ['is nested too deeply', 149, 2, (count) => `A\n${' '.repeat(count)}- A`],
  ])('%s, from %d on', (what, limit, line, textOf) => {
    expect(refusalOf(textOf(limit))).toBeUndefined();
    const { what: sentence = [], ...refusal } = refusalOf(textOf(limit + 1)) ?? {};
    expect([plainOf(sentence), refusal]).toEqual([what, { line, isLimit: true }]);
  });

  it.each([
    ['elements', `${'<a>'.repeat(3000)}${'</a>'.repeat(3000)}`],
    ['a few elements less', `${'<a>'.repeat(201)}${'</a>'.repeat(201)}`],
    ['JavaScript without brackets', `{${'!'.repeat(20_000)}a}`],
    ['front matter', `---\na: ${'['.repeat(5000)}${']'.repeat(5000)}\n---\n`],
  ])('%s that overflow the stack are a limit of the check', (_what, text) => {
    const { what = [], isLimit } = parsePage(text).problem ?? {};
    expect([plainOf(what), isLimit]).toEqual(['is nested too deeply', true]);
  });

  it('nor is that the fault of the front matter, wherever its parser gives up', () => {
    const { problem } = readFrontMatter(`---\na: ${'['.repeat(5000)}\n---\n`);
    expect(problem).toMatchObject({ line: 2, isLimit: true });
  });

  it('but the marks in cells of a table are no problem', () => {
    expect(refusalOf(` |${'*'.repeat(6000)}`)).toBeUndefined();
  });
});

it('front matter has fields, and comments wherever they stand', () => {
  const text =
    '\uFEFF---\r\n# one\r\n\r\ntitle: A # two\r\n# three\r\nb:\r\n1: x\r\n\r\n# four\r\n--- \r\n[c](/d)';
  const { frontMatter, unseen, links } = describePage(parsePage(text));
  expect(frontMatter).toEqual(['4 title: "A"', '6 b: null', '7 1: "x"']);
  expect(unseen.map((one) => one.trim()).toSorted()).toEqual(
    ['four', 'one', 'three', 'two'].map((one) => `1 comment:  ${one}`),
  );
  expect(links).toEqual(['11 link /d']);
});

it.each<readonly [text: string, paragraph: string | undefined, found: readonly string[]]>([
  ["A {'a'} {1} {true} {null}", 'A a 1 true null', []],
  ["import A from 'b' // c", undefined, ["script import A from 'b' // c"]],
  ['A 8<Tile>b</Tile>7', 'A 8 7', []],
  ['A {a.b} { c . d . e }', 'A {a.b} { c . d . e }', ['value a', 'value c']],
  ['A {a?.b}', 'A {a?.b}', ['value a']],
  ['A {größe} {this}', 'A {größe} {this}', ['value größe', 'script this']],
  ...[
    'this',
    'this.a',
    'typeof a',
    'void a',
    'a.b()',
    'a[0]',
    '/x/',
    '1n',
    "['a']",
    "'a' /* b */",
  ].map((code) => [`A {${code}}`, `A {${code}}`, [`script ${code}`]] as const),
])('braces are a text, a value or a script: %s', (text, paragraph, found) => {
  const { blocks, uses, unseen } = parsePage(text);
  expect(blocks[0]?.text).toBe(paragraph);
  expect([
    ...uses
      .filter(({ kind }) => kind === 'text' || kind === 'member')
      .map(({ name }) => `value ${name}`),
    ...unseen.map((one) => `${one.kind} ${one.text}`),
  ]).toEqual(found);
});

it.each(
  table(`
    query="q" type="int" required ⇒ query q: required, type int
    path={'p'} deprecated={false} initialValue={1} ⇒ path p: deprecated false, initialValue 1
    body='b' enum={['a', null]} ⇒ body b: enum ["a",null]
    header='h' enum={['a', b]} ⇒ header h: enum ['a', b]
    name='n' default={{ a: 1, 'b': {} }} ⇒ name n: default {"a":1,"b":{}}
    default={{ [a]: 1 }} other="o" ⇒ default { [a]: 1 }
    default={{ ...a }} other="o" ⇒ default { ...a }
    default={{ a() {} }} other="o" ⇒ default { a() {} }
    default={{ a: b }} other="o" ⇒ default { a: b }
    default={/x/} other="o" ⇒ default /x/
    default={1n} other="o" ⇒ default 1n
    default={-1} other="o" ⇒ default -1
    default={'a' // b⏎} other="o" ⇒ default 'a' // b⏎`),
)('a parameter is called %s', (attributes, name) => {
  const page = (element: string) => parsePage(`<${element} ${attributes}>A</${element}>`);
  const names = ['ParamField', 'ResponseField', 'Param'].map((one) => page(one).blocks[0]?.name);
  expect(names).toEqual([name, name, name]);
});

it.each([
  ['heading', 'h1 h2 h3 h4 h5 h6'],
  [
    'component',
    'Note Warning Info Tip Check Danger Callout Tab View Accordion Expandable Update details Card Tile Step table',
  ],
  ['row', 'tr'],
  ['list-item', 'li'],
  ['paragraph', 'Own p'],
])('what readers see as a %s', (kind, names) => {
  const kinds = names.split(' ').map((name) => parsePage(`<${name}>A</${name}>`).blocks[0]?.kind);
  expect(new Set(kinds)).toEqual(new Set([kind]));
});

it.each(
  table(`
    <a href="" /> <a href="/x?a#b" /> <Card HREF=" x " /> ⇒ link  | link /x?a#b | link x
    <img src="x.png" /> <video poster="p.png" /> <Own src="x.png" /> <img src="" /> ⇒ source x.png | source p.png
    <Card img="x.png" icon="https:x" /> <Card icon="star" /> ⇒ source x.png | source https:x
    <A a="/x" b="//x" c="./x" d="../x" e="mailto:x" f="HTTPS://x" g="javascript:x" h="data:x" /> ⇒ link /x | link //x | link ./x | link ../x | link mailto:x | link HTTPS://x | link javascript:x | link data:x
    <A a="/" b="x/y" c="/x y" d="x:" /> ⇒
    <Snippet file="/x.mdx" /> <Snippet file="y.mdx" /> <A file="z.mdx" /> ⇒ import /snippets/x.mdx | import /snippets/y.mdx
    <A a={['/x', { b: '/y' }, 1, null]} /> ⇒ link /x | link /y
    <A href={a ? '/x' : "./y"} {...{ b: \`../z\`, c: 'd/e' }} /> ⇒ link /x | link ./y | link ../z
    {go('/x')} ⇒ link /x`),
)('what %s leads to', (text, expected) => {
  const links = parsePage(text).links.map(({ kind, target }) => `${kind} ${target}`);
  expect(links.join(' | ')).toBe(expected);
});

it('ids of headings are taken out of what would be code, but not out of samples', () => {
  const text =
    '## A {#one}\r\n\n```md\n## B {#two}\n```\n\n~~~~\n~~~\n## C {#three}\n~~~~\n\n   ###### D { #fo.u-r:1 } ';
  expect([...parsePage(text).anchors]).toEqual(['one', 'fo.u-r1', 'fo.u-r:1']);
});

it('an id of a heading is no sentence', () => {
  expect(parsePage(`## A {#${'a'.repeat(80)}}`).problem).toBeUndefined();
  expect(parsePage(`## A {#${'a'.repeat(81)}}`).problem).toBeDefined();
});

it.each<readonly [text: string, anchors: string]>([
  ['<Update label="April 2026" description="SDK v2.0.0" />', 'april-2026 sdk-v2-0-0 sdk-v200'],
  ['<A id="no" id="%C3%BC" name="b:c" />', '%C3%BC b:c ü bc'],
  ['<A id={7} />', '7'],
  ['# What’s “new”, & Why?', 'whats-new-&-why what-s-new-and-why whats-new--why'],
  ['# 👍🏽 Go 🚀', '-go- go'],
  ['<a id="☎✌🏽a\u200D\uFE0F" />', '☎✌🏽a\u200D\uFE0F a'],
  ['# Größe', 'größe gr-e'],
  ['<Tab title=" A  B " />', 'a-b -a--b-'],
  ['<Tab title="\ud800" />', '\ufffd \ud800'],
  ['export const Box = ({ width }) => <b>{width}</b>\n\n<Box title="Go" />', ''],
  ...['function Box() {}', 'class Box {}', 'let Box', 'var Box'].map(
    (code) => [`export ${code}\n\n<Box title="Go" />`, ''] as const,
  ),
  ['export const Box = ({ title, id }) => <b id={id} />\n\n<Box title="Go" />', 'go'],
  ['import { Box } from \'/box.jsx\'\n\n<Box title="Go" />', 'go'],
])('the anchors of %s', (text, anchors) => {
  expect([...parsePage(text).anchors].join(' ')).toBe(anchors);
});

it('characters that nobody sees are told from those that belong to emoji and letters', () => {
  const fine =
    '✔\uFE0E ✔\uFE0F #\uFE0F 👩🏽\u200D💻 ❤\uFE0F\u200D🔥 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} ن\u200Cم क्\u200Dष ক\u200Cষ ന\u200D ක\u200D ರ\u0CCD\u200Dಯ க\u0BCD\u200Cஷ க\u200Cஷ\t';
  const odd = ['a\u200Db', 'a\uFE0F', '🏴\u{E0067}', 'a\u200B', '\u0007', '\u00AD', '\u2066a'];
  const text = (title: string) => `---\ntitle: "${title}"\n---\n\n${fine}\r\n`;
  expect(parsePage(text('A')).unseen).toEqual([]);
  const found = odd.map((one) => unseenCharactersIn(`${fine}\n${one}`).map(({ line }) => line));
  expect(found).toEqual(odd.map(() => [2]));
  expect(parsePage(text('A\u200B')).unseen).toEqual([
    { kind: 'character', text: 'title: "A<U+200B>"', line: 2 },
  ]);
});

it('Markdown that is no page may have any text', () => {
  expect(parsePage('<Note> {b c}\n\nexport 1', true).problem).toBeUndefined();
});
