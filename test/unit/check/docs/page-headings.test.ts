import { describe, expect, it } from 'vitest';
import { cleanAnchor } from '../../../../src/check/docs/page-slug.ts';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const headings = (text: string) => parsePage(text, 'a.mdx').headings;
const anchors = (text: string) => parsePage(text, 'a.mdx').anchors;

describe('headings', () => {
  it('have text, depth and line', () => {
    expect(headings('---\ntitle: x\n---\n\n# Water *your* `roses`\n\nSoil\n====\n')).toEqual([
      { anchor: 'water-your-roses', text: 'Water your roses', depth: 1, line: 5 },
      { anchor: 'soil', text: 'Soil', depth: 1, line: 7 },
    ]);
  });

  it.each([
    ['## Pots & pans', 'pots-%26-pans'],
    ['## Step 1: dig', 'step-1-dig'],
    ["## What's new?", 'what-s-new'],
    ['## snake_case', 'snake_case'],
    ['## Überwintern', 'überwintern'],
    ['## 水やり', '水やり'],
    ['## 🌹 Roses', '-roses'],
    ['## Roses {#my-roses}', 'my-roses'],
    ['<h2 id="my-id">Roses</h2>', 'my-id'],
  ])('%s has the anchor %s', (text, anchor) => {
    expect(anchors(text)).toEqual(expect.arrayContaining([cleanAnchor(anchor)]));
  });

  it('have only the id that is written in them', () => {
    expect(anchors('### Advanced pagination {#paging}')).toEqual(['paging']);
    expect(anchors("## What's next {#what’s-next}")).toEqual(['whats-next']);
  });

  it.each([
    ["## What's next?", '#what’s-next', 'whats-next'],
    ["## What's next?", '#what%E2%80%99s-next%3F', 'whats-next'],
    ['## What’s next?', "#what's-next", 'whats-next'],
    ['## The “best” pot', '#the-“best”-pot', 'the-best-pot'],
  ])('%s may be linked to by %s', (text, link, clean) => {
    expect(cleanAnchor(link.slice(1))).toBe(clean);
    expect(anchors(text)).toContain(clean);
  });

  it('that stand twice have numbers', () => {
    const text = '## Dig\n\n## Dig\n\n## Dig\n';
    expect(headings(text).map(({ anchor }) => anchor)).toEqual(['dig', 'dig-2', 'dig-3']);
    expect(anchors(text)).toEqual(expect.arrayContaining(['dig', 'dig-2', 'dig-3']));
  });

  it('keep what stands in braces in code', () => {
    expect(parsePage('```\n## a {#b}\n```\n', 'a.mdx').samples[0]?.lines).toEqual(['## a {#b}']);
  });
});

describe('other anchors', () => {
  it.each([
    ['<Accordion title="When to cut: spring">x</Accordion>', 'when-to-cut-spring'],
    ['<Tabs>\n<Tab title="macOS">x</Tab>\n</Tabs>', 'macos'],
    ['<Steps>\n<Step title="Dig a hole">x</Step>\n</Steps>', 'dig-a-hole'],
    ['<Update label="June 2026">x</Update>', 'june-2026'],
    ['<ParamField query="gardenId" type="string">x</ParamField>', 'param-garden-id'],
    ['<ResponseField name="water_level" type="string">x</ResponseField>', 'param-water-level'],
    ['<div id="pots">x</div>', 'pots'],
    ['<a name="pots" />', 'pots'],
    ['{wet && <div id="pots">x</div>}', 'pots'],
  ])('%s', (text, anchor) => {
    expect(anchors(text)).toContain(anchor);
  });

  it('are none for plain text', () => {
    expect(anchors('Text with <b>bold</b>.\n\n<Card title="Dig" />')).toEqual([]);
  });
});

describe('the clean form of an anchor', () => {
  it.each([
    ['what%27s-new%3F', 'whats-new'],
    ['%E6%B0%B4', '水'],
    ['100%', '100%'],
    ['%ff', '%ff'],
    ['a🌹b', 'ab'],
  ])('%s is %s', (anchor, clean) => {
    expect(cleanAnchor(anchor)).toBe(clean);
  });
});

describe('ids of headings', () => {
  it('are taken only for words: anything else stays what it is', () => {
    const hidden = parsePage('export const a = `\n# b {#`+go()+`}\n`\n\n# C {#c.d-e_1}\n', 'a.mdx');
    expect(hidden.code).toMatchObject([{ kind: 'expression', line: 1 }]);
    expect(hidden.headings).toMatchObject([{ text: 'C' }]);
    expect(parsePage('# A {#a b()}\n', 'a.mdx').problem?.what).toMatch(/^is not valid MDX/);
  });
});
