import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonList, outputJson, outputLine } from '../../../src/text/output.ts';
import { hostileText } from '../../hostile/hostile-text.ts';
import { echo } from '../../hostile/oracles.ts';

const harmless = { commands: [], broken: {} };

/** Several at the same time, because each echo is a process. */
const texts = fc.array(hostileText, { minLength: 20, maxLength: 40 });

function byNumber(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, index) => [String(index), value]));
}

describe('text as an output', () => {
  it.each([
    ['Docs: Document the --watch flag (#12)', 'Docs: Document the --watch flag (#12)'],
    ['a  b/größe 🚀.csv', 'a  b/größe 🚀.csv'],
    ['https://[::1]:8080/a?b=c', 'https://[::1]:8080/a?b=c'],
    ['C: \\ "D"', 'C: \\ "D"'],
    ['::error::x', '| ::error::x'],
    [' \t\u00a0::error::x', '| ::error::x'],
    ['a\r::error::x', 'a ::error::x'],
    ['x ##[error]y', 'x ## [error]y'],
    ['##\u200b[error]', '## [error]'],
    ['\\n::error::x', '\\ n::error::x'],
    ['\\072:error::x', '\\ 072:error::x'],
    ['\\\\n::error::x', '\\ \\ n::error::x'],
    ['main\u202Eexe', 'main exe'],
    ['lone\ud800', 'lone '],
  ])('%j is %j', (text, value) => {
    expect(outputLine(text)).toBe(value);
  });

  it('has an end', () => {
    expect(outputLine('x'.repeat(4096))).toBe('x'.repeat(4096));
    expect(outputLine(`${'x'.repeat(4094)}🚀x`)).toBe(`${'x'.repeat(4094)}…`);
  });

  it('is one line without a command, in whichever shell it is echoed', () => {
    fc.assert(
      fc.property(texts, (values) => {
        expect(echo(byNumber(values.map(outputLine)))).toEqual(harmless);
      }),
      { numRuns: 8 },
    );
  });

  it('does not change once it is safe', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const value = outputLine(text);
        expect(outputLine(value)).toBe(value);
      }),
    );
  });
});

describe('JSON as an output', () => {
  const values = fc.dictionary(hostileText, fc.oneof(hostileText, fc.nat(), fc.boolean()));

  it('is the same JSON, in ASCII and without a command, in whichever shell it is echoed', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 5, maxLength: 10 }), (given) => {
        const written = given.map((value) => outputJson(JSON.stringify(value)));
        expect(written.map((json) => JSON.parse(json))).toEqual(given);
        expect(written.join('')).toMatch(/^[\x20-\x7e]*$/);
        expect(written.map(outputJson)).toEqual(written);
        expect(echo(byNumber(written))).toEqual(harmless);
      }),
      { numRuns: 8 },
    );
  });

  it('has no unnecessary escapes', () => {
    expect(outputJson('{"a":"\\"b\\" #[c]"}')).toBe('{"a":"\\"b\\" #[c]"}');
    expect(outputJson('["##[d]\\n\\\\"]')).toBe('["#\\u0023[d]\\u000a\\u005c"]');
  });
});

it('a list has the entries that fit, whole, and says how many do not', () => {
  const entries = [{ a: 1 }, { a: 'too long' }, { b: 2 }];
  expect(jsonList(entries, 18)).toEqual({ json: '[{"a":1},{"b":2}]', leftOut: 1 });
  expect(jsonList(entries, 17)).toEqual({ json: '[{"a":1}]', leftOut: 2 });
});
