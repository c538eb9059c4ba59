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
  if (words.includes('none') && words.length > 1) {
    throw inputError('fail-on', 'combines "none" with other words', 'write only "none"');
  }
  const allowed: readonly string[] = [...choices, 'none'];
  const wrong = words.find((word) => !allowed.includes(word));
  if (wrong !== undefined) {
    throw inputError(
      'fail-on',
      `has ${quoted(wrong)}`,
      `it takes any of ${listed(choices)}, or "none"`,
    );
  }
  return peekFailOn(inputs, choices);
}

/** Like `readFailOn`, for a step that ends before its inputs are validated: unknown words are ignored. */
export function peekFailOn<Choice extends string>(
  inputs: Inputs,
  choices: readonly Choice[],
): ReadonlySet<Choice> {
  const words = readWords(inputs.read('fail-on')) ?? [];
  return new Set(choices.filter((choice) => words.includes(choice)));
}
