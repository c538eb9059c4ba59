import type { Runner } from './runner.ts';

/** The value of an output: text, or JSON that stays valid after escaping. */
export type OutputValue = string | { readonly json: string };

/** The value of each output in an action.yml, as a function of the state; `undefined` for none. */
export type OutputTable<State> = Readonly<
  Record<string, (state: State) => OutputValue | undefined>
>;

/** Returns a function that writes the outputs that a new state changes. */
export function createOutputWriter<State>(
  table: OutputTable<State>,
  { setOutput }: Pick<Runner, 'setOutput'>,
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
