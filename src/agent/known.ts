import type { Job } from '../platform/job.ts';
import type { AgentInputs } from './inputs.ts';
import type { Prompt } from './prompt.ts';

/**
 * What the step has come to know. It only grows, and it outlives an error: whatever happens, the
 * step's end is told with everything that was known by then.
 */
export interface Known {
  inputs?: AgentInputs;
  prompt?: Prompt;
  job?: Job;
  /** When the job was started or first looked at, on the monotonic clock. */
  sinceMs?: number;
}
