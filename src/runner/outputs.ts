import * as core from '@actions/core';
import { outputJson, outputLine } from '../text/output.ts';

/** The value of an output: text, whoever wrote it, or JSON, which stays JSON. */
export type OutputValue = string | { readonly json: string };

/** Whatever takes outputs one by one. */
export interface OutputTaker {
  setOutput(name: string, value: OutputValue): void;
}

/**
 * The only way to write an output. Every value is made safe here, because the next step may print
 * it, and the runner executes commands that it finds in printed text.
 */
export const runnerOutputs: OutputTaker = {
  setOutput: (name, value) =>
    core.setOutput(name, typeof value === 'string' ? outputLine(value) : outputJson(value.json)),
};

/** Writes outputs by their names in action.yml. */
export function writeOutputs<Outputs extends { readonly [Name in keyof Outputs]: OutputValue }>(
  taker: OutputTaker,
  outputs: Outputs,
): void {
  for (const [name, value] of Object.entries<OutputValue>(outputs)) {
    taker.setOutput(name, value);
  }
}
