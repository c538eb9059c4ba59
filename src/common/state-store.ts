/**
 * Holds what a step knows so far. It outlives an error: whatever happens, the step's end is reported
 * with everything that was known by then.
 */
export interface StateStore<State> {
  readonly current: State;
  /** Adds news to the state. Nothing else changes it. */
  learn(news: State): void;
}

/** @param onChange is called with each new state */
export function createStateStore<State extends object>(
  initial: State,
  onChange: (state: State) => void,
): StateStore<State> {
  let current = initial;
  return {
    get current() {
      return current;
    },
    learn(news) {
      current = { ...current, ...news };
      onChange(current);
    },
  };
}
