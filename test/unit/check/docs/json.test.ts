import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson, parseJson } from '../../../../src/check/docs/json.ts';

const problemsOf = (text: string) => parseJson('docs.json', text).problems;

describe('JSON with places', () => {
  it('knows the line of each value', () => {
    const { node } = parseJson('docs.json', '{\n  "a": [\n    "x",\n    "y"\n  ]\n}');
    expect(node).toMatchObject({ type: 'object', line: 1 });
    const array = node?.type === 'object' ? node.entries.get('a') : undefined;
    expect(array).toMatchObject({ line: 2, items: [{ line: 3 }, { line: 4, value: 'y' }] });
  });

  it.each([
    ['a trailing comma', '{"a": [1,\n]}', 2],
    ['a comment', '{\n// x\n"a": 1}', 2],
    ['a missing comma', '{"a": 1\n"b": 2}', 2],
    ['nothing', '', 1],
    ['text after the end', '{}\n{}', 2],
  ])('refuses %s once, with its line', (_what, text, line) => {
    expect(problemsOf(text)).toMatchObject([
      { line, what: expect.stringContaining('not valid JSON') },
    ]);
  });

  it('reads on after a mistake', () => {
    const { node } = parseJson('docs.json', '{"a": [1,], "b": 2}');
    expect(node && JSON.parse(compactJson(node))).toMatchObject({ b: 2 });
  });

  it('finds a key that occurs twice, and takes its last value', () => {
    const { node, problems } = parseJson('docs.json', '{"a": 1,\n"b": {"a": 2},\n"a": 3}');
    expect(problems).toEqual([{ file: 'docs.json', line: 3, what: 'has the key "a" twice' }]);
    expect(node && compactJson(node)).toBe('{"a":3,"b":{"a":2}}');
  });

  it('takes a key with the name of a method for an ordinary one', () => {
    const { node } = parseJson('docs.json', '{"__proto__": {"x": 1}, "constructor": 2}');
    expect(node && compactJson(node)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });

  it.each(['[', '{"a":', '[}', '[{"a":[}'])(
    'refuses a nest of %s without a walk into it',
    (open) => {
      expect(problemsOf(open.repeat(100_000))).toMatchObject([
        { what: expect.stringContaining('levels') },
      ]);
    },
  );

  it('does not count brackets in texts', () => {
    expect(problemsOf(JSON.stringify(['[{"'.repeat(1_000)]))).toEqual([]);
  });

  it('refuses what is too large', () => {
    expect(problemsOf(`"${'x'.repeat(8_000_001)}"`)).toMatchObject([
      { what: 'is larger than 8 MB' },
    ]);
  });

  it('reads every value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.boolean(), (text, isSpread) => {
        const written = isSpread ? JSON.stringify(JSON.parse(text), undefined, 2) : text;
        const { node, problems } = parseJson('docs.json', written);
        expect(problems.filter(({ what }) => !what.includes('twice'))).toEqual([]);
        expect(node && JSON.parse(compactJson(node))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses, and never throws', () => {
    const mistake = fc.constantFrom(',', '}', ']', '"', '//', '[', '{', ':', '\\', '\n', 'x', '1');
    const broken = fc
      .tuple(fc.json(), fc.nat(), mistake)
      .map(
        ([text, at, what]) =>
          text.slice(0, at % (text.length + 1)) + what + text.slice(at % (text.length + 1)),
      );
    fc.assert(
      fc.property(broken, (text) => {
        const isRefused = problemsOf(text).some(({ what }) => what.includes('not valid'));
        expect(isRefused).toBe(!parses(text));
      }),
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
