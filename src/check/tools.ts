import type { GitHub } from '../github/client.ts';
import type { Runner } from '../runner/runner.ts';
import type { CheckState } from './state.ts';

/** What the steps of a run use. */
export interface Tools {
  readonly runner: Runner;
  readonly state: CheckState;
  readonly github: GitHub;
}
