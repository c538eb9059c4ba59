import { jobBody } from '../helpers/servers.ts';
import { isPost } from './call.ts';
import { type RawResponse, send } from './http-bytes.ts';
import { type RawRequest, type RawServer, startRawServer } from './raw-server.ts';

/** What happens to one request. Even if it fails, the work may be done. */
export type Mishap =
  | { readonly kind: 'none' }
  | { readonly kind: 'reset' | 'silence'; readonly isTaken: boolean }
  | { readonly kind: 'proxy'; readonly status: number; readonly isTaken: boolean }
  /** The API's own response; `retryAfter` in seconds. */
  | {
      readonly kind: 'refusal';
      readonly status: number;
      readonly isTaken: boolean;
      readonly retryAfter: number;
    };

export interface LifePlan {
  /** Whether the job exists, and has ended, before the step starts. */
  readonly isOld: boolean;
  /** How many polls find the job active. */
  readonly activePolls: number;
  readonly end: 'completed' | 'failed' | 'archived';
  readonly prLink: string | null;
  /** For each request in order; all later ones succeed. */
  readonly mishaps: readonly Mishap[];
  /** The request during which the run is cancelled; `undefined` for none. */
  readonly cancelAt: number | undefined;
}

/** An API with one job that follows a plan. */
export interface LifeServer extends AsyncDisposable {
  readonly url: string;
  readonly cancelled: AbortSignal;
  /** Requests for paid work that the API accepted. */
  taken(): number;
  /** Whether the API returned the job's id before a cancel. */
  hasTold(): boolean;
}

export async function startLifeServer(plan: LifePlan): Promise<LifeServer> {
  const cancel = new AbortController();
  let requests = 0;
  let taken = 0;
  let pollsLeft = plan.isOld ? 0 : plan.activePolls;
  let isThere = plan.isOld;
  let told = false;

  const take = (request: RawRequest): void => {
    if (isPost(request)) {
      taken += 1;
      isThere = true;
      pollsLeft = plan.activePolls;
    }
  };

  const respondWell = (request: RawRequest): RawResponse => {
    take(request);
    if (!isThere) {
      return { status: 404, body: { error: 'no such job' } };
    }
    told ||= !cancel.signal.aborted;
    const isActive = isPost(request) || pollsLeft > 0;
    pollsLeft -= isPost(request) ? 0 : 1;
    const end = { status: plan.end, prLink: plan.end === 'completed' ? plan.prLink : null };
    const status = isPost(request) && request.path.endsWith('/job') ? 201 : 200;
    return { status, body: jobBody(isActive ? {} : end) };
  };

  const server: RawServer = await startRawServer({
    onRequest(socket, request) {
      const mishap = plan.mishaps[requests] ?? { kind: 'none' };
      if (requests === plan.cancelAt) {
        cancel.abort();
      }
      requests += 1;
      if (mishap.kind !== 'none' && mishap.isTaken) {
        take(request);
      }
      switch (mishap.kind) {
        case 'none':
          return send(socket, respondWell(request));
        case 'reset':
          return void socket.resetAndDestroy();
        case 'silence':
          return;
        case 'proxy':
          return send(socket, { status: mishap.status, headers: html, body: '<h1>Sorry' });
        case 'refusal': {
          const headers = { 'retry-after': String(mishap.retryAfter) };
          return send(socket, { status: mishap.status, headers, body: { error: 'not now' } });
        }
      }
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    cancelled: cancel.signal,
    taken: () => taken,
    hasTold: () => told,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const html = { 'content-type': 'text/html' };
