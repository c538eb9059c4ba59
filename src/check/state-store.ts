/**
 * Holds what a step knows so far, so that the outputs and the summary are complete even if the run
 * throws.
 */
export interface StateStore<State> {
  readonly current: State;
  /** Merges the fields into the state. Nothing else changes it. */
  learn(fields: State): void;
}

/** @param onChange called with each new state */
export function createStateStore<State extends object>(
  initial: State,
  onChange: (state: State) => void,
): StateStore<State> {
  let current = initial;
  return {
    get current() {
      return current;
    },
    learn(fields) {
      current = { ...current, ...fields };
      onChange(current);
    },
  };
}
