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

/** A block in a line: what it is, and what it stands in. */
function describeBlock({ kind, name, title, text, line, section, ...rest }: Block): string {
  const { parent, targets, facets } = rest;
  const places = [
    ...(section === undefined ? [] : [`§ ${section.text}`]),
    ...(parent === undefined ? [] : [`in ${parent.kind}`]),
    ...targets.map((target) => `→ ${target}`),
    ...Object.entries(facets).map(([key, value]) => `${key}=${value}`),
  ];
  const what = [`${line} ${kind}`, name, title].filter((one) => one !== '').join(' ');
  return visible(`${what}: ${text} ${places.join(' ')}`.trim());
}

function visible(text: string): string {
  return text.replaceAll('\u200B', '(invisible)');
}

function describePage({ frontMatter, blocks, constructs, links, anchors, names }: Page) {
  return {
    frontMatter: frontMatter.map(({ name, json, line }) => `${line} ${name}: ${json}`),
    blocks: blocks.map(describeBlock),
    constructs: constructs.map(
      ({ kind, line, ...rest }) => `${line} ${kind} ${visible(JSON.stringify(rest))}`,
    ),
    links: links.map(({ kind, target, line }) => `${line} ${kind} ${target}`),
    anchors: [...anchors].join(' '),
    names: [...names].join(' '),
  };
}

it('a page with every construct is read in one walk', () => {
  const page = parsePage(everything);
  expect(page.problem).toBeUndefined();
  expect(describePage(page)).toMatchInlineSnapshot(`
    {
      "anchors": "set-up one inside-a-tab use go raw",
      "blocks": [
        "9 paragraph: Intro to {base} and {config.port} with a link, npm i acme, x^2 and (invisible). → /setup#start",
        "11 section: Install",
        "15 list-item: First b § Install → https://example.com/b",
        "17 paragraph: More of it. § Install in list-item",
        "18 list-item: Second § Install",
        "20 table Name: Name Type id | text § Install",
        "20 column: Name § Install in table",
        "20 column: Type § Install in table",
        "22 row id: id | text § Install in table → /id",
        "24 picture: /images/chart.png § Install",
        "26 sample sh: npm start § Install",
        "30 callout Warning: Careful with this. § Install",
        "30 paragraph: Careful with this. § Install in callout",
        "33 tab Tab One: One Inside a tab How many. § Install",
        "34 section: Inside a tab § Install in tab",
        "36 parameter ParamField query limit: How many. § Inside a tab in tab type="int" required=true default=10",
        "36 paragraph: How many. § Inside a tab in parameter",
        "40 section: Use",
        "42 card Card Go: Go § Use → /go",
        "43 picture: /images/a.png § Use in card",
        "46 section: Raw § Use",
        "48 include Own: /snippets/part.mdx § Raw",
        "48 include Snippet: old.mdx § Raw",
        "50 paragraph: A reference and a footnote. § Raw → /used",
        "54 paragraph: At the end. § Raw",
      ],
      "constructs": [
        "1 comment {"text":" Nobody sees this."}",
        "9 invisible {"text":" i acme\`, $x^2$ and (invisible)."}",
        "6 import {"target":"/snippets/part.mdx","names":["Own"],"isDefault":false}",
        "6 code {"text":"import { Part as Own } from '/snippets/part.mdx';\\nexport const base = '/images/own.png';"}",
        "9 code {"text":"base"}",
        "9 code {"text":"config.port"}",
        "9 link {"target":"/setup#start"}",
        "9 unseen {"text":"Title"}",
        "9 inline-code {"text":"npm i acme"}",
        "9 formula {"text":"x^2"}",
        "13 comment {"text":"For writers"}",
        "15 link {"target":"https://example.com/b"}",
        "22 link {"target":"/id"}",
        "24 alt-text {"text":"Chart"}",
        "24 source {"target":"/images/chart.png"}",
        "26 sample {"language":"sh","meta":"title=\\"Run\\"","text":"npm start"}",
        "30 element {"name":"Warning","attributes":[],"content":"","isEmpty":false}",
        "32 element {"name":"Tabs","attributes":[],"content":"","isEmpty":false}",
        "33 element {"name":"Tab","attributes":[{"name":"title","value":"One","code":""}],"content":"","isEmpty":false}",
        "36 element {"name":"ParamField","attributes":[{"name":"query","value":"limit","code":""},{"name":"type","value":"int","code":""},{"name":"required","value":true,"code":""},{"name":"default","value":10,"code":""}],"content":"","isEmpty":false}",
        "42 element {"name":"Card","attributes":[{"name":"title","value":"Go","code":""},{"name":"href","value":"/go","code":""},{"name":"","code":"...rest"},{"name":"onClick","code":"() => open('/else')"}],"content":"","isEmpty":false}",
        "42 link {"target":"/go"}",
        "43 element {"name":"img","attributes":[{"name":"src","value":"/images/a.png","code":""},{"name":"alt","value":"A","code":""}],"content":"","isEmpty":true}",
        "43 alt-text {"text":"A"}",
        "43 source {"target":"/images/a.png"}",
        "46 element {"name":"h3","attributes":[{"name":"id","value":"raw","code":""}],"content":"Raw","isEmpty":false}",
        "48 element {"name":"Own","attributes":[{"name":"text","value":"x","code":""}],"content":"","isEmpty":true}",
        "48 element {"name":"Snippet","attributes":[{"name":"file","value":"old.mdx","code":""}],"content":"","isEmpty":true}",
        "48 import {"target":"/snippets/old.mdx","names":[],"isDefault":true}",
        "52 link {"target":"/used"}",
        "52 unseen {"text":"[used]: /used"}",
        "53 link {"target":"/unused"}",
        "53 unseen {"text":"[unused]: /unused"}",
        "54 unseen {"text":"[^1]: At the end."}",
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
        "42 source /else",
        "42 link /go",
        "43 source /images/a.png",
        "48 import /snippets/old.mdx",
        "52 link /used",
        "53 link /unused",
      ],
      "names": "import Part as Own from snippets part mdx export const base images own png",
    }
  `);
});

it('leads where the first of several definitions with a name says', () => {
  const { blocks } = parsePage('[x][a]\n\n[a]: /one\n\n[a]: /two');
  expect(blocks.map(({ targets }) => targets)).toEqual([['/one']]);
});

describe('a page that cannot be read has a problem with its line:', () => {
  it.each([
    ['A\n\n<Note>', /is not valid MDX: "Expected a closing tag for `<Note>`/, 3],
    ['A {1 +}', /is not valid MDX: "What stands in braces is no JavaScript/, 1],
    ['---\ntitle: "A\n---\n', /front matter that is not valid YAML/, 2],
    ['---\na: &x 1\nb: *x\n---\n', /an anchor, an alias or a tag/, 2],
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

it('an escaped invisible character is found beside one that stood there before', () => {
  const found = (text: string) =>
    parsePage(text).constructs.flatMap((one) => (one.kind === 'invisible' ? [one.text] : []));
  const old = '[a\u200B](/a)\n\n`\\u`\n';
  const added = found(`${old}\n{'b\\u200B'}\n`).filter((text) => !found(old).includes(text));
  expect(added).toEqual([expect.stringContaining('b\u200B')]);
});

it('Markdown that is no page may have any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { problem } = parsePage(text, true);
      expect(plainOf(problem?.what ?? [])).not.toContain('MDX');
    }),
    heavyRuns(1000),
  );
});
