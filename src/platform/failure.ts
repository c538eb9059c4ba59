import { untilWhen } from '../text/duration.ts';
import type { ApiResponse } from './client.ts';
import { type EdgeSigns, findEdge } from './edge.ts';
import { type PlatformError, RateLimitedError } from './errors.ts';
import { explainFault, explainUnreadable, type RequestContext } from './explain.ts';
import { explainRefusal, type Refusal } from './explain-refusal.ts';

/** A request that failed, with what the next decision needs to know. */
export interface Failure {
  readonly error: PlatformError;
  /** The response's status; `undefined` when no whole response came. */
  readonly status?: number;
  /** Whether the body was the API's own JSON error, not that of something in between. */
  readonly isFromApi: boolean;
  /** True only where it is certain that the API did nothing. */
  readonly didNothing: boolean;
  readonly retryAfterMs?: number;
}

/** What a request came to, before the content of a success is read. */
export type Reply =
  | { readonly kind: 'success'; readonly status: number; readonly body: unknown }
  | FailedReply;

export interface FailedReply {
  readonly kind: 'failure';
  readonly failure: Failure;
}

/** What can be read from the body of a refusal. */
export interface RefusalReaders {
  /** The API's own reason; `undefined` for any other response. */
  readRefusal(body: unknown): string | undefined;
  /** The code of Cloudflare's own error; `undefined` for any other response. */
  readCloudflareCode(body: unknown): string | undefined;
}

/** Tells a success from a failure. */
export function readReply(
  response: ApiResponse,
  context: RequestContext,
  read: RefusalReaders,
): Reply {
  if (response.kind === 'no-response') {
    const error = explainFault(response.fault, context);
    return failed({ error, isFromApi: false, didNothing: !response.mayHaveLeft });
  }
  const { status, body, retryAfterMs, edgeSigns = {} } = response;
  if (status >= 200 && status < 300) {
    return { kind: 'success', status, body };
  }
  const refusal = readRefusalOf(status, body, edgeSigns, read);
  return failed({
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    error: explainRefusal(refusal, context),
    isFromApi: refusal.words !== undefined,
    didNothing: isRefusal(status),
  });
}

function readRefusalOf(
  status: number,
  body: unknown,
  signs: EdgeSigns,
  read: RefusalReaders,
): Refusal {
  const { rayId } = signs;
  const cloudflareCode = signs.cloudflareCode ?? read.readCloudflareCode(body);
  const words = cloudflareCode === undefined ? read.readRefusal(body) : undefined;
  if (words !== undefined) {
    return { status, words };
  }
  const edge = findEdge(status, { ...signs, ...(cloudflareCode && { cloudflareCode }) });
  return { status, ...(edge && { edge }), ...(rayId && { rayId }) };
}

/** The failure of a success whose body does not hold what was asked for. */
export function unreadable(status: number, what: string, context: RequestContext): FailedReply {
  const error = explainUnreadable(what, context);
  return failed({ status, error, isFromApi: false, didNothing: false });
}

/** 408 is no refusal: common servers raise it after the handler began. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function failed(failure: Failure): FailedReply {
  return { kind: 'failure', failure };
}

/**
 * The error to end with when a failed request is not repeated any more. A rate limit that asks to
 * wait longer than `leftMs` says until when.
 *
 * @param limit what ends the wait, as "that is longer than …" goes on
 * @param todayMs the present moment, milliseconds since 1970
 */
export function finalError(
  { error, retryAfterMs = 0 }: Failure,
  leftMs: number,
  limit: string,
  todayMs: number,
): PlatformError {
  return error instanceof RateLimitedError && retryAfterMs > Math.max(leftMs, 0)
    ? new RateLimitedError(
        `${error.what} and asks to wait ${untilWhen(retryAfterMs, todayMs)}`,
        `that is longer than ${limit}, so re-run the workflow after that`,
      )
    : error;
}
