import type { StepResult } from '../../sandbox/runner/runner.ts';
import type { Fault } from './faults.ts';
import type { RawRequest } from './raw-server.ts';
import type { Sound } from './sound-responses.ts';

/** How a run must end. */
export interface Verdict {
  readonly result: string;
  readonly reason: string;
  /** How many of the tested requests may have arrived. */
  readonly arrivals: 'none' | 'one' | 'three' | 'several' | 'any';
  readonly fails: boolean;
}

/** The servers of a run, and the rest of its environment. */
export interface Place {
  readonly serviceUrl: string;
  readonly githubUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many times faster than real time the step's clock runs. */
  readonly speed: number;
}

/** A request of an action that is tested with faults. */
export interface Call {
  readonly name: string;
  /** The server with the fault; the other one works. */
  readonly server: 'service' | 'github';
  /** How many good responses that server gives before the tested request. */
  readonly goodFirst: number;
  isUnderFire(request: RawRequest): boolean;
  /** The server, as it is without faults. */
  startSound(): Sound;
  run(place: Place): Promise<StepResult>;
  verdictOf(fault: Fault): Verdict;
  /** The verdict for a status with a proxy's HTML. */
  verdictOfStatus(status: number): Verdict;
  /** Outputs that are known before the fault. */
  readonly known: Readonly<Record<string, string>>;
}

/** A run that ends with an error. */
export function error(reason: string, arrivals: Verdict['arrivals'] = 'one'): Verdict {
  return { result: 'error', reason, arrivals, fails: true };
}

export function isPost({ method }: RawRequest): boolean {
  return method === 'POST';
}
