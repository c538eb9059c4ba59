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

/** What each output of an action.yml holds, given what the step knows; nothing where it is not known. */
export type OutputTable<State> = Readonly<
  Record<string, (state: State) => OutputValue | undefined>
>;

/** Makes what writes every output that has changed, as soon as the state has. */
export function createOutputWriter<State>(
  table: OutputTable<State>,
  { setOutput }: OutputTaker,
): (state: State) => void {
  const written = new Map<string, string>();
  return (state) => {
    for (const [name, read] of Object.entries(table)) {
      const value = read(state) ?? '';
      const text = typeof value === 'string' ? value : value.json;
      if (text !== (written.get(name) ?? '')) {
        setOutput(name, value);
        written.set(name, text);
      }
    }
  };
}
