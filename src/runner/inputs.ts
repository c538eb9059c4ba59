import * as core from '@actions/core';
import { listed, quoted } from '../text/plain.ts';
import { InputError } from './errors.ts';

/** A step's inputs as the runner hands them over: strings, white space around them taken off. */
export interface Inputs {
  /** The value, or an empty string when the workflow gave none. */
  read(name: string): string;
  /** Whether the runner passed the input at all; it passes an empty value too. */
  isPassed(name: string): boolean;
  /** Like `read`; the value is masked in the log before this returns. */
  readSecret(name: string): string;
}

export const runnerInputs: Inputs = {
  read: (name) => core.getInput(name),
  isPassed: (name) => process.env[`INPUT_${name.toUpperCase()}`] !== undefined,
  readSecret(name) {
    const secret = core.getInput(name);
    maskSecret(core.getInput(name, { trimWhitespace: false }));
    return secret;
  },
};

/** What the runner was told to mask; a secret that is read again is not printed again. */
const masked = new Set<string>();

/** Masks the whole value and each of its lines, since the log is masked line by line. */
function maskSecret(value: string): void {
  const parts = [value, value.trim(), ...value.split(/[\r\n]+/u)];
  for (const part of parts) {
    if (part.trim() !== '' && !masked.has(part)) {
      masked.add(part);
      core.setSecret(part);
    }
  }
}

/** The input's words, separated by commas or white space; `undefined` where it is empty. */
export function readWords(text: string): readonly string[] | undefined {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

/**
 * A decimal number within limits, such as `30` or `0.5`.
 * @throws InputError for anything else, signs, exponents and units included.
 */
export function readNumber(
  input: string,
  text: string,
  limits: { readonly min: number; readonly max: number; readonly unit: string },
): number {
  const value = /^\d{1,12}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= limits.min && value <= limits.max) {
    return value;
  }
  throw new InputError(
    input,
    `is ${quoted(text)}`,
    `it takes a number of ${limits.unit} from ${limits.min} to ${limits.max}`,
  );
}

/**
 * A whole number within limits.
 * @throws InputError for anything else, signs, fractions and units included.
 */
export function readWholeNumber(
  input: string,
  text: string,
  limits: { readonly min: number; readonly max: number },
): number {
  const value = /^\d{1,12}$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= limits.min && value <= limits.max) {
    return value;
  }
  throw new InputError(
    input,
    `is ${quoted(text)}`,
    `it takes a whole number from ${limits.min} to ${limits.max}`,
  );
}

/**
 * One word of a closed list.
 * @throws InputError for any other word.
 */
export function readChoice<Choice extends string>(
  input: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    throw new InputError(input, `is ${quoted(text)}`, `it takes ${listed(choices, 'or')}`);
  }
  return choice;
}
