import type { Jobs } from '../platform/jobs.ts';
import type { Runner } from '../runner/step.ts';
import type { AgentInputs } from './inputs.ts';
import type { Narrator } from './narrator.ts';
import type { Ending } from './result.ts';
import { start, type Work } from './start.ts';
import { readOnce, type WaitWorld, waitForEnd, withoutWaiting } from './wait.ts';

/** What a job's course needs of the outside. */
export interface CourseWorld extends Pick<Runner, 'clock' | 'cancelled'> {
  readonly jobs: Jobs;
  readonly narrator: Narrator;
  /** Told once the work is started and its outputs are written. */
  readonly onStarted: () => void;
}

/**
 * The course of a job in this step: it is started, and waited for as long as the inputs say.
 *
 * @throws PlatformError, CancelledError
 */
export async function startAndWait(
  work: Work,
  { waitMs, pollIntervalMs }: Pick<AgentInputs, 'waitMs' | 'pollIntervalMs'>,
  { jobs, narrator, onStarted, clock, cancelled }: CourseWorld,
): Promise<Ending> {
  const world: WaitWorld = { look: jobs.look, clock, cancelled, watcher: narrator, pollIntervalMs };
  const waiting = await start(work, waitMs, {
    jobs,
    readBefore: async (waiting) => narrator.before(await readOnce(waiting, world)),
    clock,
    cancelled,
    onRetry: narrator.retrying,
  });
  narrator.started(waiting);
  onStarted();
  return waitMs === 0 ? await withoutWaiting(waiting, world) : await waitForEnd(waiting, world);
}
