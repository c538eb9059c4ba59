import type { Stage } from '../stage/stage.ts';

/** A test of one workflow, or of two that belong together. */
export interface Scenario {
  /** Paths in this repository. */
  readonly workflows: readonly string[];
  /** What it shows when it passes, as one sentence. */
  readonly shows: string;
  /** How long the agent works. */
  readonly workMs?: number;
  /** Runs the workflows. @throws When one did not do what it should. */
  run(stage: Stage): Promise<void>;
}
