import type { StepResult } from '../../sandbox/runner/runner.ts';
import { readManifest } from '../../scripts/tables.ts';

/**
 * Makes a check of what a step wrote.
 * @returns what throws when an output is none that the action's file declares
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
