import { expect, test } from 'vitest';
import { callBounded } from '../../../src/check/bounded-call.ts';

const generousMs = 20_000;

test('a call gives what the function returns', () => {
  expect(callBounded(() => 6 * 7, generousMs)).toEqual({ kind: 'done', value: 42 });
});

test.each([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['a regular expression', () => /^(?:a+)+$/.test(`${'a'.repeat(60)}b`)],
  [
    'a replacement',
    () =>
      '# '
        .repeat(300_000)
        .concat('\u2028x')
        .replace(/(?:^|\s)#(?:\s.*)?$/u, ''),
  ],
])('%s ends with its time, and later calls go on', (_what, compute) => {
  expect(callBounded<unknown>(compute, 50)).toEqual({ kind: 'exhausted' });
  expect(callBounded(() => 1, generousMs)).toEqual({ kind: 'done', value: 1 });
});

test('the error of a function is passed on', () => {
  const fail = () => {
    throw new TypeError('No.');
  };
  expect(() => callBounded(fail, generousMs)).toThrow(new TypeError('No.'));
});
