import { readVisitorsInputs, type VisitorsInputs } from '../../src/visitors/inputs.ts';
import { passedInputs } from './fake-runner.ts';

/** The inputs of an export on 5 February 2026, with changes. */
export function visitorsInputs(values: Readonly<Record<string, string>> = {}): VisitorsInputs {
  return readVisitorsInputs(
    passedInputs({ 'api-key': 'mint_key', 'project-id': 'acme', ...values }),
    Date.UTC(2026, 1, 5),
  );
}
