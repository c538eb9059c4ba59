import type { Stage } from './stage.ts';

/** What a workflow, or two that belong together, were meant to do. */
export interface Scenario {
  /** Paths in this repository. */
  readonly workflows: readonly string[];
  /** Plays the workflows on a stage of their own; throws when one did something else. */
  play(stage: Stage): Promise<void>;
}
