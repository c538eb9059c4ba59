import type { VisitorsInputs } from './inputs.ts';

/** What the step has come to know. It outlives an error: its end is told with what was known. */
export interface Known {
  inputs?: VisitorsInputs;
}
