import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFileCommands } from '../../../sandbox/runner/runner.ts';

describe('the outputs of an action', () => {
  test.each([
    ['nothing', '', {}],
    ['one line', 'a=1\n', { a: '1' }],
    ['an equals sign in the value', 'a=b=c<<d\n', { a: 'b=c<<d' }],
    ['the same name twice', 'a=1\na=2\n', { a: '2' }],
    ['several lines', 'a<<E\none\n\ntwo\nE\nb=1\n', { a: 'one\n\ntwo', b: '1' }],
    [
      'a value that looks like commands',
      'a<<E\nb=2\nc<<F\n E\nE2\nE\n',
      { a: 'b=2\nc<<F\n E\nE2' },
    ],
    ['an equals sign after the brackets', 'a<<b=c\n1\nb=c\n', { a: '1' }],
    ['carriage returns', 'a<<E\r\n1\r\nE\r\n', { a: '1\r' }],
    ['no line end after the delimiter', 'a<<E\n1\nE', { a: '1' }],
  ])('can have %s', (_, text, outputs) => {
    expect(parseFileCommands(text)).toEqual(outputs);
  });

  test('can have the names of built-in properties', () => {
    const outputs = parseFileCommands('__proto__=1\nconstructor<<E\n2\nE\n');
    expect(Object.entries(outputs)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });

  test.each([
    ['a line in no known form', 'hello\n', "Invalid format 'hello'"],
    ['no name', '=1\n', "Invalid format '=1'"],
    ['no delimiter', 'a<<\n1\n', "Invalid format 'a<<'"],
    ['a value that never ends', 'a<<E\n1\n', "Matching delimiter not found 'E'"],
  ])('with %s fail the step', (_, text, message) => {
    expect(() => parseFileCommands(text)).toThrow(message);
  });

  test('can have any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (one, two) => {
        const file = `a<<ghadelimiter_1\n${one}\nghadelimiter_1\nb<<ghadelimiter_2\n${two}\nghadelimiter_2\n`;
        expect(parseFileCommands(file)).toEqual({ a: one, b: two });
      }),
    );
  });
});
