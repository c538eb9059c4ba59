import { expect, it } from 'vitest';
import {
  createInputs,
  readChoice,
  readNumber,
  readSwitch,
  readToken,
  readWords,
} from '../../../src/runner/inputs.ts';

/** The inputs in these variables, and what is masked. */
function inputsOf(env: NodeJS.ProcessEnv) {
  const masked: string[] = [];
  return { inputs: createInputs({ env, setSecret: (value) => masked.push(value) }), masked };
}

it('inputs are read from the variables of the runner, trimmed', () => {
  const { inputs } = inputsOf({ 'INPUT_API-KEY': ' a b\n', INPUT_EMPTY: '' });
  expect([inputs.read('api-key'), inputs.read('empty'), inputs.read('none')]).toEqual([
    'a b',
    '',
    '',
  ]);
  expect([inputs.isPassed('empty'), inputs.isPassed('none')]).toEqual([true, false]);
});

it('a secret is masked once as a whole, trimmed, and line by line', () => {
  const { inputs, masked } = inputsOf({ INPUT_KEY: ' one\r\ntwo\n\n', INPUT_EMPTY: ' ' });
  expect([inputs.readSecret('key'), inputs.readSecret('key')]).toEqual([
    'one\r\ntwo',
    'one\r\ntwo',
  ]);
  expect(masked).toEqual([' one\r\ntwo\n\n', 'one\r\ntwo', ' one', 'two']);
  expect([inputs.readSecret('empty'), inputs.readSecret('none'), masked.length]).toEqual([
    '',
    '',
    4,
  ]);
});

it('a token is masked, and has only characters of a header', () => {
  const { inputs, masked } = inputsOf({ INPUT_GOOD: '!~', INPUT_BAD: 'a b', INPUT_EMPTY: '' });
  expect([readToken(inputs, 'good'), readToken(inputs, 'empty')]).toEqual(['!~', '']);
  expect(() => readToken(inputs, 'bad')).toThrow(
    'Input bad contains a space, a line break, a quote or a character that is not ASCII: copy only the value, without quotes, into the secret again.',
  );
  expect(masked).toEqual(['!~', 'a b']);
});

it.each([
  ['1', {}, 1],
  ['100', {}, 100],
  ['0', {}, 'it takes a whole number from 1 to 100'],
  ['101', {}, 'it takes a whole number from 1 to 100'],
  ['1.0', {}, 'it takes a whole number from 1 to 100'],
  ['1.123456', { unit: 'minutes' }, 1.123456],
  ['1.1234567', { unit: 'minutes' }, 'it takes a number of minutes from 1 to 100'],
  ['+1', { unit: 'minutes' }, 'it takes a number of minutes from 1 to 100'],
  ['1e1', {}, 'it takes a whole number from 1 to 100'],
])('the number %j, of %j, is %j', (text, unit, expected) => {
  const read = () => readNumber('top', text, { min: 1, max: 100, ...unit });
  if (typeof expected === 'number') {
    expect(read()).toBe(expected);
  } else {
    expect(read).toThrow(`Input top is "${text}": ${expected}.`);
  }
});

it('words are separated by commas or white space', () => {
  expect([readWords(' a,b\n c ,'), readWords(' , ')]).toEqual([['a', 'b', 'c'], undefined]);
});

it('a choice is one of several, and a switch is off by default', () => {
  expect(readChoice('format', 'csv', ['csv', 'json'])).toBe('csv');
  expect(() => readChoice('format', 'CSV', ['csv', 'json', 'x'])).toThrow(
    'Input format is "CSV": it takes csv, json or x.',
  );
  const { inputs } = inputsOf({ INPUT_ON: 'true', INPUT_OFF: 'false', INPUT_YES: 'yes' });
  const switches = ['on', 'off', 'none'].map((name) => readSwitch(inputs, name));
  expect(switches).toEqual([true, false, false]);
  expect(() => readSwitch(inputs, 'yes')).toThrow('Input yes is "yes": it takes true or false.');
});
