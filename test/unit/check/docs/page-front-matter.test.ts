import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const read = (yaml: string) => parsePage(`---\n${yaml}\n---\n\nText\n`, 'a.mdx');

describe('front matter', () => {
  it('gives each field with its line', () => {
    const page = read(
      'title: "Roses"\n# about\nhidden: true\ntags:\n  - a\n  - b: 1\nurl:\n"odd key": 2026-01-02',
    );
    expect(page.problem).toBeUndefined();
    expect(page.frontMatter).toEqual([
      { name: 'title', json: '"Roses"', line: 2 },
      { name: 'hidden', json: 'true', line: 4 },
      { name: 'tags', json: '["a",{"b":1}]', line: 5 },
      { name: 'url', json: 'null', line: 8 },
      { name: 'odd key', json: '"2026-01-02"', line: 9 },
    ]);
  });

  it.each([
    ['a key that stands twice', 'title: a\ntitle: b', 3],
    ['a quote that does not end', 'title: "a\nb: c', 2],
    ['a colon in a value', 'title: a\nb: c: d', 3],
    ['no mapping', '- a\n- b', 2],
  ])('has a problem with its line: %s', (_name, yaml, line) => {
    const { problem, prose } = read(yaml);
    expect(problem?.what).toMatch(/^has front matter that is no/);
    // A line of the YAML would contradict that of the page.
    expect(problem?.what).not.toMatch(/\bline \d/);
    expect(problem?.line).toBeGreaterThanOrEqual(line - 1);
    expect(problem?.line).toBeLessThanOrEqual(line + 1);
    expect(prose).toMatchObject([{ text: 'Text' }]);
  });

  it.each([
    ['an anchor', 'title: a\nb: &x [1]', 3],
    ['an alias', 'title: &x a\nb: *x', 2],
    ['a tag', 'title: a\nb: !!str 1', 3],
    ['a merged mapping', 'title: a\n<<: { url: "https://x.example" }', 3],
    ['a merged mapping further below', 'title: a\nb:\n  - <<: { c: 1 }', 4],
    ['a key that is a list', 'title: a\n? [b]\n: c', 3],
  ])('has a problem with what parsers read differently: %s', (_name, yaml, line) => {
    expect(read(yaml).problem).toEqual({
      what: 'has front matter with an anchor, an alias, a tag or a merged mapping',
      line,
    });
  });

  it.each([
    ['an end that is no end for us', '---\ntitle: a\n...\n# <b>x</b>\n---\n\nText'],
    ['a line that ends for some', '---\ntitle: a\n# c\u2028---\u2028<b>x</b>\n---\n'],
    ['a carriage return by itself', '---\ntitle: a\rurl: b\n---\n'],
    ['another mark', '= yaml =\ntitle: a\n= yaml =\n'],
    ['a space after the mark', '--- \ntitle: a\n---\n'],
    ['a block further below', '# A --- b\n\n---\n\nurl: b\n\n---\n'],
    ['an end that is indented by nothing we see', '---\ntitle: a\n---b\n---\n'],
  ])('has a problem with a block whose place is in doubt: %s', (_name, text) => {
    expect(parsePage(text, 'a.mdx').problem).toBeDefined();
  });

  it.each([
    ['Windows line ends', '---\r\ntitle: a\r\n---\r\n\r\nText\r\n'],
    ['a byte order mark', '\uFEFF---\ntitle: a\n---\n\nText\n'],
    ['spaces after its end', '---\ntitle: a\n---  \n\nText\n'],
    ['a rule below it', '---\ntitle: a\n---\n\nText\n\n---\n\nText\n\n---\n'],
    ['dashes and dots within', '---\ntitle: a --- b ...\nb: |\n  ---\n  ...\n---\n\nText\n'],
    ['no fields', '---\n---\n\nText\n'],
  ])('has no problem with %s', (_name, text) => {
    expect(parsePage(text, 'a.mdx').problem).toBeUndefined();
  });

  it('has no problem where there is none', () => {
    expect(parsePage('# A -- b\n\n---\n\nText\n\n---\n', 'a.mdx').problem).toBeUndefined();
  });

  it('is only what stands between dashes', () => {
    const page = parsePage('+++\n<script>{`go()`}</script>\n+++\n\nText\n', 'a.mdx');
    expect(page.code).toMatchObject([{ kind: 'script', line: 2 }]);
  });

  it('keeps a field with an awkward name', () => {
    expect(read('__proto__: 1\nconstructor: 2').frontMatter.map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});
