import type { Call, Verdict } from './call.ts';
import type { Fault } from './faults.ts';

/**
 * How many times faster than real time the clocks of a bundle and its servers run, after the good
 * responses before the fault.
 *
 * Time-outs are scaled with the clock, and on a busy machine even a good response would come too late. So
 * runs that wait for nothing, or only for the comment, use the real clock. The others run only as fast as
 * necessary to end within seconds.
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
