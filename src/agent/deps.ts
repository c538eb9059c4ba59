import type { GitHub } from '../github/client.ts';
import type { Runner } from '../runner/runner.ts';

/** What every part of a run works with. */
export interface AgentDeps {
  readonly runner: Runner;
  readonly github: GitHub;
}
