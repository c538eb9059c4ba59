import type { StepResult } from '../../sandbox/runner/runner.ts';
import type { Fault } from './faults.ts';
import type { RawRequest } from './raw-server.ts';
import type { Sound } from './sound-responses.ts';

/** How a run has to end. */
export interface Verdict {
  readonly result: string;
  readonly reason: string;
  /** How many of the requests under fire may have arrived. */
  readonly arrivals: 'none' | 'one' | 'three' | 'several' | 'any';
  readonly fails: boolean;
}

/** Where a run finds its servers, and what its environment holds beside. */
export interface Place {
  readonly serviceUrl: string;
  readonly githubUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many times as fast as the wall clock the step's time runs. */
  readonly speed: number;
}

/** A request of an action that is put under fire. */
export interface Call {
  readonly name: string;
  /** The server under fire; the other one stays sound. */
  readonly server: 'service' | 'github';
  /** How many sound responses that server gives before the request under fire. */
  readonly goodFirst: number;
  isUnderFire(request: RawRequest): boolean;
  /** The server under fire, as it is without faults. */
  startSound(): Sound;
  run(place: Place): Promise<StepResult>;
  verdictOf(fault: Fault): Verdict;
  /** The verdict for a status with a proxy's HTML. */
  verdictOfStatus(status: number): Verdict;
  /** Outputs that were known before the fault. */
  readonly known: Readonly<Record<string, string>>;
}

/** A run that ends with an error. */
export function error(reason: string, arrivals: Verdict['arrivals'] = 'one'): Verdict {
  return { result: 'error', reason, arrivals, fails: true };
}

export function isPost({ method }: RawRequest): boolean {
  return method === 'POST';
}
