import {
  array,
  fallback,
  integer,
  literal,
  maxValue,
  minValue,
  number,
  object,
  pipe,
  string,
} from 'valibot';
import { untilWhen } from '../text/duration.ts';
import { ActionError, hasReason } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import type { ApiResponse } from './client.ts';
import {
  type EdgeSigns,
  explainFault,
  explainRefusal,
  explainUnreadable,
  findEdge,
  type Refusal,
  type RequestContext,
} from './explain.ts';

/** A failed request, with the details that decide about a retry. */
export interface Failure {
  readonly error: ActionError;
  /** The response's status; `undefined` without a complete response. */
  readonly status?: number;
  /** Whether the body was the API's own JSON error. */
  readonly isFromApi: boolean;
  /** True only if the request certainly had no effect. */
  readonly didNothing: boolean;
  readonly retryAfterMs?: number;
}

/** The outcome of a request, before the body of a success is parsed. */
type Reply =
  | { readonly kind: 'success'; readonly status: number; readonly body: unknown }
  | FailedReply;

export interface FailedReply {
  readonly kind: 'failure';
  readonly failure: Failure;
}

/** Decides whether a response is a success or a failure. */
export function readReply(response: ApiResponse, context: RequestContext): Reply {
  if (response.kind === 'no-response') {
    const error = explainFault(response.fault, context);
    return failed({ error, isFromApi: false, didNothing: !response.mayHaveLeft });
  }
  const { status, body, retryAfterMs, edgeSigns = {} } = response;
  if (status >= 200 && status < 300) {
    return { kind: 'success', status, body };
  }
  const refusal = readRefusal(status, body, edgeSigns);
  return failed({
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    error: explainRefusal(refusal, context),
    isFromApi: refusal.apiMessage !== undefined,
    didNothing: isRefusal(status),
  });
}

function readRefusal(status: number, body: unknown, signs: EdgeSigns): Refusal {
  const { rayId } = signs;
  const cloudflareCode = signs.cloudflareCode ?? readCloudflareCode(body);
  const apiMessage = cloudflareCode === undefined ? readMessage(body) : undefined;
  if (apiMessage !== undefined) {
    return { status, apiMessage };
  }
  const edge = findEdge(status, { ...signs, ...(cloudflareCode && { cloudflareCode }) });
  return { status, ...(edge && { edge }), ...(rayId && { rayId }) };
}

/** The failure for a success whose body cannot be parsed. */
export function unreadable(status: number, what: string, context: RequestContext): FailedReply {
  const error = explainUnreadable(what, context);
  return failed({ status, error, isFromApi: false, didNothing: false });
}

/** 408 does not count: common servers send it after the handler has started. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function failed(failure: Failure): FailedReply {
  return { kind: 'failure', failure };
}

/**
 * The error to throw when a failed request is not retried any more. If a rate limit asks to wait longer
 * than `leftMs`, the message says until when.
 *
 * @param limit continues the phrase "that is longer than …"
 * @param todayMs the current time, milliseconds since 1970
 */
export function finalError(
  { error, retryAfterMs = 0 }: Failure,
  leftMs: number,
  limit: string,
  todayMs: number,
): ActionError {
  return hasReason(error, 'rate-limited') && retryAfterMs > Math.max(leftMs, 0)
    ? new ActionError(
        'rate-limited',
        `${error.what} and asks to wait ${untilWhen(retryAfterMs, todayMs)}`,
        `that is longer than ${limit}, so re-run the workflow after that`,
      )
    : error;
}

/** The analytics endpoints list all problems of a request in `details`; agent jobs lack that field. */
const refusalSchema = object({
  error: string(),
  details: fallback(array(object({ message: string() })), []),
});

/** Cloudflare's own errors, as it sends them to a client that accepts JSON. */
const cloudflareErrorSchema = object({
  cloudflare_error: literal(true),
  error_code: pipe(number(), integer(), minValue(1), maxValue(99_999)),
});

/** The API's error message in the body of a refusal; `undefined` for any other body. */
export function readMessage(body: unknown): string | undefined {
  const refusal = parse(refusalSchema, body);
  if (refusal === undefined || refusal.details.length === 0) {
    return refusal?.error;
  }
  return `${refusal.error}: ${refusal.details.map(({ message }) => message).join('; ')}`;
}

/** The code of Cloudflare's own error, such as `1010`; `undefined` for any other body. */
export function readCloudflareCode(body: unknown): string | undefined {
  return parse(cloudflareErrorSchema, body)?.error_code.toString();
}
