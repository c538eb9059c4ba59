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
    expect(problem?.line).toBeGreaterThanOrEqual(line - 1);
    expect(problem?.line).toBeLessThanOrEqual(line + 1);
    expect(prose).toMatchObject([{ text: 'Text' }]);
  });

  it('refuses an alias bomb', () => {
    const lines = Array.from({ length: 30 }, (_, i) =>
      i === 0 ? 'a0: &a0 [1, 2]' : `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}*a${i - 1}]`,
    );
    expect(read(lines.join('\n')).problem?.what).toBe('has front matter with too many aliases');
  });

  it('accepts one alias', () => {
    expect(read('a: &x [1]\nb: *x').frontMatter).toMatchObject([{ json: '[1]' }, { json: '[1]' }]);
  });

  it('keeps a field with an awkward name', () => {
    expect(read('__proto__: 1\nconstructor: 2').frontMatter.map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});
