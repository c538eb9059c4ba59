import type { StepResult } from '../../sandbox/runner/runner.ts';
import { readManifest } from '../../scripts/tables.ts';

/**
 * Creates a check of a step's outputs.
 * @returns a function that throws if the action's file does not declare an output
 */
export function declaredOutputsOf(actionFile: string): (result: StepResult) => void {
  const declared = Object.keys(readManifest(actionFile).outputs);
  return ({ outputs }) => {
    const undeclared = Object.keys(outputs).filter((name) => !declared.includes(name));
    if (undeclared.length > 0) {
      throw new Error(`action.yml does not declare these outputs: ${undeclared.join(', ')}`);
    }
  };
}
