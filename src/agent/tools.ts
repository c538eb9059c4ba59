import type { GitHub } from '../github/client.ts';
import type { Runner } from '../runner/runner.ts';
import type { StepComment } from './report/comment.ts';
import type { Rerun } from './rerun/rerun.ts';
import type { AgentState } from './state.ts';

/** What one run of the action works with. */
export interface Tools {
  readonly runner: Runner;
  readonly state: AgentState;
  readonly github: GitHub;
  readonly comment: StepComment;
  readonly rerun: Rerun;
}

/** The limit that requests count toward which start work, as a sentence names it. */
export const hourlyLimit = 'the limit of a project is 100 new jobs and follow-ups an hour';
