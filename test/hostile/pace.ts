import type { Call, Verdict } from './call.ts';
import type { Fault } from './faults.ts';

/**
 * How many times as fast as the wall clock the time of a bundle and of its servers runs, once the
 * sound responses before the fault have come.
 *
 * The time-outs of a run shrink with its time, and on a busy machine even a good response would come
 * too late. So a run takes its time from the wall when it has nothing to wait for, or when nothing
 * but the comment holds it up; the others run just as fast as they need to end within seconds.
 */
export function speedFor({ name }: Call, fault: Fault, verdict: Verdict): number {
  const isPatient =
    fault.isSilent === true ||
    fault.knowledge === 'never-left' ||
    verdict.result === 'timed-out' ||
    verdict.arrivals === 'three' ||
    verdict.arrivals === 'several';
  return isPatient && name !== 'comment' ? 12 : 1;
}
