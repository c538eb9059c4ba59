import { type CheckInputs, readCheckInputs } from '../../src/check/inputs.ts';
import { passedInputs } from './fake-runner.ts';

export function checkInputs(values: Readonly<Record<string, string>> = {}): CheckInputs {
  return readCheckInputs(
    passedInputs({ 'github-token': 'ghs_token', ...values }),
    'https://github.example',
  );
}
