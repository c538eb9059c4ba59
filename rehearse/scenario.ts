import type { Stage } from './stage.ts';

/** What one example, or two that belong together, were meant to do. */
export interface Scenario {
  /** File names in `examples`. */
  readonly examples: readonly string[];
  /** Plays the workflows on a stage of their own; throws when one did something else. */
  play(stage: Stage): Promise<void>;
}
