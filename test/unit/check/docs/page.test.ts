import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, type Page, parsePage } from '../../../../src/check/docs/page.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';

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

<Card title="Go" href="/go" {...rest} onClick={() => open('/else')}>
  <img src="/images/a.png" alt="A" />
</Card>

<h3 id="raw">Raw</h3>

<Own text="x" /> <Snippet file="old.mdx" />

A [reference][used] and a footnote[^1].

[used]: /used
[unused]: /unused
[^1]: At the end.
`;

/** A block in a line: what it is, and what it says. */
function describeBlock({ kind, name, text, codes, line }: Block): string {
  const what = [`${line} ${kind}`, name].filter((one) => one !== '').join(' ');
  return visible([`${what}: ${text}`, ...codes.map((code) => `\`${code}\``)].join(' ').trim());
}

function visible(text: string): string {
  return text.replaceAll('\u200B', '(invisible)');
}

function describePage({ frontMatter, blocks, unseen, links, anchors, ...others }: Page) {
  return {
    frontMatter: frontMatter.map(({ name, json, line }) => `${line} ${name}: ${json}`),
    blocks: blocks.map(describeBlock),
    elements: others.elements.map(({ name, line }) => `${line} ${name}`),
    values: others.values.map(({ text, line }) => `${line} ${text}`),
    unseen: unseen.map(({ kind, text, line }) => `${line} ${kind}: ${text}`),
    links: links.map(({ kind, target, line }) => `${line} ${kind} ${target}`),
    anchors: [...anchors].join(' '),
    names: [...others.names].join(' '),
  };
}

it('a page with every construct is read in one walk', () => {
  const page = parsePage(everything);
  expect(page.problem).toBeUndefined();
  expect(describePage(page)).toMatchInlineSnapshot(`
    {
      "anchors": "set-up one inside-a-tab use go raw",
      "blocks": [
        "9 paragraph: Intro to {base} and {config.port} with a link, npm i acme, x^2 and (invisible). \`npm i acme\` \`x^2\`",
        "11 heading: Install",
        "15 list-item: First b",
        "17 paragraph: More of it.",
        "18 list-item: Second",
        "20 column: Name",
        "20 column: Type",
        "22 row: id | text",
        "24 picture:",
        "26 sample sh: npm start",
        "30 component:",
        "30 paragraph: Careful with this.",
        "33 component:   One",
        "34 heading: Inside a tab",
        "36 parameter query limit: default 10, required, type int:",
        "36 paragraph: How many.",
        "40 heading: Use",
        "42 component:   Go",
        "43 picture:",
        "46 heading: Raw",
        "50 paragraph: A reference and a footnote.",
        "54 paragraph: At the end.",
      ],
      "elements": [
        "30 Warning",
        "32 Tabs",
        "33 Tab",
        "36 ParamField",
        "42 Card",
        "43 img",
        "46 h3",
        "48 Own",
        "48 Snippet",
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
        "42 source /else",
        "43 source /images/a.png",
        "48 import /snippets/old.mdx",
        "52 link /used",
        "53 link /unused",
      ],
      "names": "import Part as Own from snippets part mdx export const base images own png",
      "unseen": [
        "1 comment:  Nobody sees this.",
        "9 character:  i acme\`, $x^2$ and <U+200B>.",
        "6 script: import { Part as Own } from '/snippets/part.mdx';
    export const base = '/images/own.png';",
        "13 comment: For writers",
        "42 script: () => open('/else')",
      ],
      "values": [
        "9 base",
        "9 config",
      ],
    }
  `);
});

describe('a page that cannot be read has a problem with its line:', () => {
  it.each([
    ['A\n\n<Note>', /is not valid MDX: "Expected a closing tag for `<Note>`/, 3],
    ['A {1 +}', /is not valid MDX: "What stands in braces is no JavaScript/, 1],
    ['---\ntitle: "A\n---\n', /front matter that is not valid YAML/, 2],
    ['---\na: &x 1\nb: *x\n---\n', /an anchor, an alias or a tag/, 2],
    ['---\na: !!str 1\n---\n', /an anchor, an alias or a tag/, 2],
    ['---\n- a\n---\n', /no YAML mapping/, 2],
    ['---\na: |\n  x\u2028...\n---\n', /can be read in two ways/, 1],
    ['--- \ntitle: A\n---\n', /can be read in two ways/, 1],
    ['+++\ntitle = "A"\n+++\n', /can be read in two ways/, 1],
    [`${'> '.repeat(60)}A`, /nested too deeply/, 1],
    [`A\n${'x'.repeat(50_001)}`, /a line of more than 50,000/, 2],
    [`A\n\n${'x\n'.repeat(10_001)}`, /more than 10,000 lines without an empty one/, 10_003],
    [`A\n\n${'*a_'.repeat(2501)}`, /more than 5,000 marks of Markdown/, 3],
    ['x\n'.repeat(250_001), /larger than 500 kB/, undefined],
  ])('%j', (text, what, line) => {
    const { problem } = parsePage(text);
    expect(plainOf(problem?.what ?? [])).toMatch(what);
    expect(problem?.line).toBe(line);
  });
});

it('ids of headings are taken out of what would be code, but not out of samples', () => {
  const text =
    '## A {#one}\n\n```md\n## B {#two}\n```\n\n~~~~\n~~~\n## C {#three}\n~~~~\n\n# D {#four}';
  expect([...parsePage(text).anchors]).toEqual(['one', 'four']);
});

it('an id of a heading is no sentence', () => {
  const { problem } = parsePage(`## A {#${'Agents-run-it-'.repeat(6)}}`);
  expect(problem).toBeDefined();
});

it('an update has the anchors of its label and of its description', () => {
  const { anchors } = parsePage(
    '<Update label="April 2026" description="SDK v2.0.0">\nx\n</Update>',
  );
  expect([...anchors]).toEqual(expect.arrayContaining(['april-2026', 'sdk-v2-0-0']));
});

it.each([
  ['a page defines itself', 'export const Box = ({ title }) => <b>{title}</b>', ''],
  [
    'a page defines itself, with an id',
    'export const Box = ({ title, id }) => <b id={id} />',
    'go',
  ],
  ['another file defines', "import { Box } from '/box.jsx'", 'go'],
])('a component that %s: its title as an anchor', (_who, code, expected) => {
  const { anchors } = parsePage(`${code}\n\n<Box title="Go" />`);
  expect([...anchors].join(' ')).toBe(expected);
});

it('Markdown that is no page may have any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { problem } = parsePage(text, true);
      expect(plainOf(problem?.what ?? [])).not.toContain('MDX');
    }),
    heavyRuns(500),
  );
});
