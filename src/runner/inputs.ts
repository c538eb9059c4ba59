import { inputError } from '../text/error.ts';
import { listed, quoted } from '../text/plain.ts';
import type { Host } from './host.ts';

/** A step's inputs as strings, trimmed. */
export interface Inputs {
  /** The value, or an empty string if the workflow sets none. */
  read(name: string): string;
  /** Whether the runner passed the input, even with an empty value. */
  isPassed(name: string): boolean;
  /** Like `read`, but masks the value in the log first. */
  readSecret(name: string): string;
}

export function createInputs({ env, setSecret }: Pick<Host, 'env' | 'setSecret'>): Inputs {
  const raw = (name: string): string | undefined => env[`INPUT_${name.toUpperCase()}`];
  const read = (name: string): string => raw(name)?.trim() ?? '';
  // Masking prints the value, so each value is masked only once.
  const masked = new Set<string>();
  return {
    read,
    isPassed: (name) => raw(name) !== undefined,
    readSecret(name) {
      const value = raw(name) ?? '';
      // The whole value and each of its lines, because the runner masks the log line by line.
      for (const part of [value, value.trim(), ...value.split(/[\r\n]+/u)]) {
        if (part.trim() !== '' && !masked.has(part)) {
          masked.add(part);
          setSecret(part);
        }
      }
      return read(name);
    },
  };
}

/**
 * Masks a token or a key, which may be empty, and validates that it can stand in a header.
 * @throws ActionError
 */
export function readToken(inputs: Inputs, input: string): string {
  const token = inputs.readSecret(input);
  if (!/^[\x21-\x7e]*$/.test(token) || /["'`]/.test(token)) {
    throw inputError(
      input,
      'contains a space, a line break, a quote or a character that is not ASCII',
      'copy only the value, without quotes, into the secret again',
    );
  }
  return token;
}

/**
 * Whether an input is `true`; without a value it is `false`.
 * @throws ActionError for any other text
 */
export function readSwitch(inputs: Inputs, input: string): boolean {
  return readChoice(input, inputs.read(input) || 'false', ['true', 'false']) === 'true';
}

/** The words of an input, separated by commas or white space; `undefined` if it is empty. */
export function readWords(text: string): readonly string[] | undefined {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

/**
 * Parses a number within limits. If the limits have a unit, decimals such as `0.5` are allowed, too.
 * @throws ActionError for anything else, including signs, exponents and units
 */
export function readNumber(
  input: string,
  text: string,
  { min, max, unit }: { readonly min: number; readonly max: number; readonly unit?: string },
): number {
  const form = unit === undefined ? /^\d{1,12}$/ : /^\d{1,12}(?:\.\d{1,6})?$/;
  const value = form.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) {
    return value;
  }
  const kind = unit === undefined ? 'whole number' : `number of ${unit}`;
  throw inputError(input, `is ${quoted(text)}`, `it takes a ${kind} from ${min} to ${max}`);
}

/** @throws ActionError if the text is none of the choices */
export function readChoice<Choice extends string>(
  input: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    throw inputError(input, `is ${quoted(text)}`, `it takes ${listed(choices, 'or')}`);
  }
  return choice;
}
