import type { ApiRequest, ApiResponse, Client } from '../../src/platform/client.ts';
import type { FinalStatus } from '../../src/platform/job.ts';
import type { Clock } from '../../src/runner/clock.ts';
import { apiResponse, fakeClient } from '../helpers/fake-client.ts';
import { type ClockPlan, createLifeClock, startMs } from './life-clock.ts';

/** What happens to one request. */
export type Mishap =
  | { readonly kind: 'none'; readonly latencyMs: number }
  /** It never leaves this machine. */
  | { readonly kind: 'never-left'; readonly latencyMs: number }
  /** The connection breaks, before or after the API accepted the request. */
  | { readonly kind: 'broken'; readonly latencyMs: number; readonly isTaken: boolean }
  | { readonly kind: 'silence'; readonly isTaken: boolean }
  /** Something else responds; unless its status proves that nothing was done, a job may exist. */
  | { readonly kind: 'intercepted'; readonly status: number; readonly isTaken: boolean }
  /** The API itself responds with an error. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly isTaken: boolean;
      readonly retryAfterMs?: number;
    };

/** What the agent will do with the job. */
export interface Life {
  /** How long the API returns the earlier state after a follow-up. */
  readonly pickUpMs: number;
  readonly worksForMs: number;
  readonly end: FinalStatus;
  readonly prLink: string | null;
  /** How long after the end the link is still missing. */
  readonly linkDelayMs: number;
}

/** An API, with a clock that skips hours. */
export interface LifeWorld {
  readonly clock: Clock;
  readonly client: Client;
  readonly cancelled: AbortSignal;
  /** Requests for paid work that the API accepted. */
  taken(): number;
  /** When the API accepted the last one, on the clock; `undefined` if it accepted none. */
  takenMs(): number | undefined;
  /** When polls were sent, on the clock. */
  readonly pollsMs: readonly number[];
  /** Whether a response with the job's id came back. */
  hasTold(): boolean;
}

export interface LifePlan extends ClockPlan {
  readonly life: Life;
  /** For each request in order; all later ones succeed. */
  readonly mishaps: readonly Mishap[];
  /** Whether the job exists before the step starts. */
  readonly isOld: boolean;
}

export const jobId = 'job_1';

export function createLifeWorld(plan: LifePlan): LifeWorld {
  const { clock, cancelled, passRequest } = createLifeClock(plan);
  const pollsMs: number[] = [];
  let bornMs = plan.isOld ? startMs - plan.life.worksForMs : undefined;
  let taken = 0;
  let takenMs: number | undefined;
  let requests = 0;
  let told = false;

  const take = (call: ApiRequest): void => {
    if (call.method === 'POST') {
      taken += 1;
      takenMs = clock.nowMs();
      bornMs = takenMs + (plan.isOld ? plan.life.pickUpMs : 0);
    }
  };

  const respondWell = (call: ApiRequest): ApiResponse => {
    take(call);
    if (bornMs === undefined) {
      return apiResponse(404, { error: 'no such job' });
    }
    told = true;
    const ageMs = clock.nowMs() - bornMs;
    const isJustTaken = call.method === 'POST' && ageMs >= 0;
    // Until it is picked up, a follow-up changes nothing.
    const shownMs = ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs;
    return apiResponse(200, jobAt(shownMs, plan.life, isJustTaken));
  };

  return {
    clock,
    cancelled,
    pollsMs,
    taken: () => taken,
    takenMs: () => takenMs,
    hasTold: () => told,
    client: fakeClient(async (call) => {
      if (call.method === 'GET') {
        pollsMs.push(clock.nowMs());
      }
      const mishap = plan.mishaps[requests] ?? { kind: 'none', latencyMs: 10.8 };
      requests += 1;
      const isCut = passRequest(latencyOf(mishap), call.timeoutMs);
      return isCut ? cutShort(call, mishap, take) : comeOf(call, mishap, take, respondWell);
    }),
  };
}

function latencyOf(mishap: Mishap): number {
  switch (mishap.kind) {
    case 'silence':
      return Number.POSITIVE_INFINITY;
    case 'intercepted':
    case 'refused':
      return 10.8;
    default:
      return mishap.latencyMs;
  }
}

/** The run was cancelled during the request. */
function cutShort(call: ApiRequest, mishap: Mishap, take: (call: ApiRequest) => void): ApiResponse {
  const isTaken = mishap.kind === 'none' || ('isTaken' in mishap && mishap.isTaken);
  if (isTaken) {
    take(call);
  }
  return {
    kind: 'no-response',
    fault: { kind: 'cancelled', code: '' },
    mayHaveLeft: mishap.kind !== 'never-left',
  };
}

function comeOf(
  call: ApiRequest,
  mishap: Mishap,
  take: (call: ApiRequest) => void,
  respondWell: (call: ApiRequest) => ApiResponse,
): ApiResponse {
  switch (mishap.kind) {
    case 'none':
      return respondWell(call);
    case 'never-left':
      return noResponse('connection', 'ECONNREFUSED', false);
    case 'broken':
    case 'silence':
      if (mishap.isTaken) {
        take(call);
      }
      return mishap.kind === 'broken'
        ? noResponse('broken', 'ECONNRESET', true)
        : noResponse('time-out', '', true);
    case 'intercepted':
    case 'refused': {
      if (mishap.isTaken && !provesThatNothingWasDone(mishap.status)) {
        take(call);
      }
      const { status } = mishap;
      return mishap.kind === 'refused'
        ? apiResponse(status, { error: 'not now' }, mishap.retryAfterMs)
        : apiResponse(status, undefined);
    }
  }
}

function provesThatNothingWasDone(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function noResponse(
  kind: 'connection' | 'broken' | 'time-out',
  code: string,
  mayHaveLeft: boolean,
): ApiResponse {
  return { kind: 'no-response', fault: { kind, code }, mayHaveLeft };
}

/** The job after this much work, as the API returns it. */
function jobAt(ageMs: number, life: Life, isJustTaken: boolean): object {
  const isActive = isJustTaken || ageMs < life.worksForMs;
  const hasLink = !isActive && ageMs >= life.worksForMs + life.linkDelayMs;
  return {
    id: jobId,
    status: isActive ? 'active' : life.end,
    prLink: hasLink && life.end === 'completed' ? life.prLink : null,
    source: { repository: 'acme/docs', ref: `docs-agent/${jobId}` },
  };
}
