import type { Exchange } from './client.ts';
import { type EdgeSigns, findEdge } from './edge.ts';
import type { PlatformError } from './errors.ts';
import { type CallContext, explainFault, explainUnreadable } from './explain.ts';
import { explainRefusal, type Refusal } from './explain-refusal.ts';

/** A request that came to nothing, with what the next decision needs to know. */
export interface Failure {
  readonly error: PlatformError;
  /** The answer's status; `undefined` when no whole answer came. */
  readonly status?: number;
  /** Whether the body was the service's own JSON error, not the words of something in between. */
  readonly isFromService: boolean;
  /** True only where it is certain that the service did nothing. */
  readonly didNothing: boolean;
  readonly retryAfterMs?: number;
}

/** What came of a request, before the content of a success is read. */
export type Reply =
  | { readonly kind: 'success'; readonly status: number; readonly body: unknown }
  | FailedReply;

export interface FailedReply {
  readonly kind: 'failure';
  readonly failure: Failure;
}

/** What can be read from the body of a refusal. */
export interface RefusalReaders {
  /** The API's own reason; `undefined` for anybody else's response. */
  readRefusal(body: unknown): string | undefined;
  /** The code of Cloudflare's own error; `undefined` for anybody else's response. */
  readCloudflareCode(body: unknown): string | undefined;
}

/** Parts a success from a failure. */
export function readReply(exchange: Exchange, context: CallContext, read: RefusalReaders): Reply {
  if (exchange.kind === 'no-answer') {
    const error = explainFault(exchange.fault, context);
    return failed({ error, isFromService: false, didNothing: !exchange.mayHaveLeft });
  }
  const { status, body, retryAfterMs, edgeSigns = {} } = exchange;
  if (status >= 200 && status < 300) {
    return { kind: 'success', status, body };
  }
  const refusal = readRefusalOf(status, body, edgeSigns, read);
  return failed({
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    error: explainRefusal(refusal, context),
    isFromService: refusal.words !== undefined,
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
export function unreadable(status: number, what: string, context: CallContext): FailedReply {
  const error = explainUnreadable(what, context);
  return failed({ status, error, isFromService: false, didNothing: false });
}

/** 408 is no refusal: common servers raise it after the handler began. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function failed(failure: Failure): FailedReply {
  return { kind: 'failure', failure };
}
