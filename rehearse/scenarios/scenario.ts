import type { Stage } from '../stage/stage.ts';

/** A test of one workflow, or of two that belong together. */
export interface Scenario {
  /** Paths in this repository. */
  readonly workflows: readonly string[];
  /** How long the agent works. */
  readonly workMs?: number;
  /** Runs the workflows. @throws When one did not do what it should. */
  run(stage: Stage): Promise<void>;
}

/**
 * A value for `workMs` in scenarios with follow-ups. The first poll comes after 5 s. If the job is
 * completed again by then, the step cannot tell whether the follow-up was processed, and polls for two
 * minutes.
 */
export const longerThanPolls = 7000;
