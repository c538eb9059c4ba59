import { type Inputs, readWords } from '../runner/inputs.ts';
import { inputError } from '../text/error.ts';
import { listed, quoted } from '../text/plain.ts';

/**
 * The results that fail the step, as the input `fail-on` lists them; `none` for an empty list.
 * @throws ActionError
 */
export function readFailOn<Choice extends string>(
  inputs: Inputs,
  choices: readonly Choice[],
  byDefault: readonly Choice[],
): ReadonlySet<Choice> {
  const words = readWords(inputs.read('fail-on'));
  if (words === undefined) {
    return new Set(byDefault);
  }
  if (words.length === 1 && words[0] === 'none') {
    return new Set();
  }
  if (words.includes('none')) {
    throw inputError('fail-on', 'combines "none" with other words', 'write only "none"');
  }
  return new Set(words.map((word) => readWord(word, choices)));
}

function readWord<Choice extends string>(word: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === word);
  if (found === undefined) {
    throw inputError(
      'fail-on',
      `has ${quoted(word)}`,
      `it takes any of ${listed(choices)}, or "none"`,
    );
  }
  return found;
}

/** Like `readFailOn`, for a step that ends before its inputs are validated: unknown words are ignored. */
export function peekFailOn<Choice extends string>(
  inputs: Inputs,
  choices: readonly Choice[],
): ReadonlySet<Choice> {
  const words = readWords(inputs.read('fail-on')) ?? [];
  return new Set(choices.filter((choice) => words.includes(choice)));
}
