/** Whatever takes outputs one by one. */
export interface OutputTaker {
  setOutput(name: string, value: string): void;
}

/** Writes outputs by their names in action.yml. */
export function writeOutputs<Outputs extends { readonly [Name in keyof Outputs]: string }>(
  taker: OutputTaker,
  outputs: Outputs,
): void {
  for (const [name, value] of Object.entries<string>(outputs)) {
    taker.setOutput(name, value);
  }
}
