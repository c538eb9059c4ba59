import type { Fault } from './faults.ts';

/** How many times as fast as the wall clock the time of a bundle and of its servers runs. */
export type Speed = 60 | 20;

/**
 * Sound answers must come within the time-outs of a run, which shrink with its time: where TLS, a
 * proxy or GitHub's short time-outs come into it, a busy machine needs longer for them.
 */
export function speedFor(fault: Fault, server: 'service' | 'github'): Speed {
  const isSlow = /TLS|https|proxy|name/.test(fault.surroundings ?? '');
  return isSlow || server === 'github' ? 20 : 60;
}
