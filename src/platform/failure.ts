import { array, fallback, object, string } from 'valibot';
import type { FaultKind } from '../network/http.ts';
import { untilWhen } from '../text/duration.ts';
import { ActionError, type ErrorReason, hasReason, rerunLater } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { quoted } from '../text/plain.ts';
import type { ApiResponse } from './client.ts';

/** The details of a request that the sentence about its failure needs. */
export interface RequestContext {
  readonly host: string;
  readonly projectId: string;
  /** Set if the request is about one job. */
  readonly jobId?: string | undefined;
  /** The scope that the key needs; `read` is enough for every GET. */
  readonly scope: 'read' | 'write';
  /** The hourly limit that the request counts towards, as a main clause. */
  readonly hourlyLimit: string;
  /** What a success contains, such as `an agent job`. */
  readonly expected: string;
}

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

/** Describes the failure of a request whose response is not the expected success. */
export function readFailure(response: ApiResponse, context: RequestContext): Failure {
  const api = `the API at ${context.host}`;
  if (response.kind === 'no-response') {
    const { kind, code } = response.fault;
    const [what, advice] = faults[kind];
    const detail = code === '' ? '' : ` (${code})`;
    const error = new ActionError('unreachable', `${api} ${what}${detail}`, advice);
    return { error, isFromApi: false, didNothing: !response.mayHaveLeft };
  }
  const { status, retryAfterMs } = response;
  const isSuccess = status < 300;
  const message = isSuccess ? undefined : readMessage(response.body);
  const { reason, what, advice } = meaningOf({ ...context, status, message });
  const happened = what ?? `responded with ${status}${received(response, message)}`;
  const isRefusal = status >= 400 && status < 500;
  return {
    error:
      isRefusal && message === undefined
        ? new ActionError(reason, `${api}, or something in front of it, ${happened}`, unexplained)
        : new ActionError(reason, `${api} ${happened}`, advice),
    status,
    isFromApi: message !== undefined,
    // 408 does not count: common servers send it after the handler has started.
    didNothing: isRefusal && status !== 408,
    ...(!isSuccess && retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/**
 * The error to throw when a failed request is not retried any more. If a rate limit asks to wait longer
 * than `leftMs`, the message says until when.
 *
 * @param limit continues the phrase "that is longer than …"
 * @param epochMs the current time, milliseconds since 1970
 */
export function finalError(
  { error, retryAfterMs = 0 }: Failure,
  leftMs: number,
  limit: string,
  epochMs: number,
): ActionError {
  return hasReason(error, 'rate-limited') && retryAfterMs > Math.max(leftMs, 0)
    ? new ActionError(
        'rate-limited',
        `${error.what} and asks to wait ${untilWhen(retryAfterMs, epochMs)}`,
        `that is longer than ${limit}, so re-run the workflow after that`,
      )
    : error;
}

/** The analytics endpoints list all problems of a request in `details`; agent jobs lack that field. */
const refusalSchema = object({
  error: string(),
  details: fallback(array(object({ message: string() })), []),
});

/** The API's error message in the body of a refusal; `undefined` for any other body. */
export function readMessage(body: unknown): string | undefined {
  const refusal = parse(refusalSchema, body);
  if (refusal === undefined || refusal.details.length === 0) {
    return refusal?.error;
  }
  return `${refusal.error}: ${refusal.details.map(({ message }) => message).join('; ')}`;
}

/**
 * Describes what was received: the API's own message, or else the beginning of the body and Cloudflare's id,
 * because something in front of the API may have responded.
 */
function received(
  { text, rayId }: ApiResponse & { readonly kind: 'response' },
  message: string | undefined,
): string {
  if (message !== undefined) {
    return ` (${quoted(message, 300)})`;
  }
  const isPage = /^\s*</.test(text);
  const start = isPage || text.trim() === '' ? [] : [quoted(text, 100)];
  const details = [...start, ...(rayId === undefined ? [] : [`Cloudflare ray ${quoted(rayId)}`])];
  return `${isPage ? ' and a web page' : ''}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

/** For a request without a complete response: what happened, which follows the API's name, and what to do. */
const faults: Readonly<Record<FaultKind, readonly [what: string, advice: string]>> = {
  name: [
    'was not found, because its name does not resolve',
    "check base-url, and this runner's DNS and proxy",
  ],
  connection: [
    'could not be reached',
    "check base-url, whether the API is running, and this runner's network and proxy",
  ],
  certificate: [
    'presented a certificate that this runner does not trust',
    'if a private authority issued it, set NODE_EXTRA_CA_CERTS to the certificate file of that authority',
  ],
  encryption: ['did not complete the TLS handshake', 'check that base-url names an https port'],
  proxy: [
    'could not be reached through the proxy',
    'check HTTPS_PROXY, and whether the proxy runs and lets this host through',
  ],
  'time-out': ['did not respond in time', rerunLater],
  'too-large': ['sent a response that is far too large', 'check base-url'],
  broken: ['closed the connection before its response was complete', rerunLater],
  cancelled: ['had not responded when the run was cancelled', rerunLater],
};

/** A response that is not the success that was expected. */
interface Refusal extends RequestContext {
  readonly status: number;
  /** The API's own message, if the body was its JSON error. */
  readonly message: string | undefined;
}

/** What a response means. */
interface Meaning {
  readonly reason: ErrorReason;
  /** What happened, which follows the API's name; by default the status and the body that were received. */
  readonly what?: string;
  /** What to do. */
  readonly advice: string;
}

/** The advice on a refusal that is not the API's own JSON: a proxy, a firewall or Cloudflare may have sent it. */
const unexplained = `the API itself explains a refusal in JSON, so check base-url, and the firewall and the proxy between this runner and the API, and ${rerunLater} or on another runner; if that does not help, check the other inputs of this step, such as api-key and project-id, or contact Mintlify's support`;

/** How to get a key that works. */
export const newKey =
  'create a new admin key on the API keys page of the dashboard (it begins with "mint_", and expires after 90 days by default) and store it in the secret that api-key uses';

const tooSoon = ({ hourlyLimit }: Refusal): Meaning => ({
  reason: 'rate-limited',
  advice: `${hourlyLimit}, so wait a while and re-run the workflow`,
});

/** What responses mean: by their status, or else by the first digit of the status. */
const meanings: Readonly<Record<number | `${2 | 3 | 4 | 5}xx`, (refusal: Refusal) => Meaning>> = {
  '2xx': ({ expected }) => ({
    reason: 'unreadable-answer',
    what: `sent a response that is not ${expected}`,
    advice: 'check base-url, and whether a proxy or a login page responds instead of the API',
  }),
  '3xx': ({ status }) => ({
    reason: 'request-refused',
    what: `responded with ${status}, a redirect`,
    advice: "redirects are not followed with a key, so set base-url to the API's own address",
  }),
  401: () => ({
    reason: 'key-refused',
    advice: `it does not accept the API key, so ${newKey}`,
  }),
  402: ({ message }) => ({
    reason: 'forbidden',
    advice: adviceOnPayment(message) ?? planOrCredits,
  }),
  403: (refusal) => ({
    reason: 'forbidden',
    advice: adviceOnPayment(refusal.message) ?? adviceOnKey(refusal),
  }),
  404: ({ projectId, jobId, message }) =>
    jobId === undefined
      ? {
          reason: 'project-not-found',
          advice: `this key has no access to project ${projectId}, so copy the project id from the API keys page of the dashboard into project-id, and use a key of that project's organisation`,
        }
      : {
          // A gateway's 404 does not prove that the job is gone, so it must not lead to a new job.
          reason: message === undefined ? 'unreadable-answer' : 'job-not-found',
          advice: `there is no job ${jobId} in project ${projectId}, so check job-id and project-id`,
        },
  425: tooSoon,
  429: tooSoon,
  '4xx': () => ({
    reason: 'request-refused',
    advice: 'it rejected the request for that reason, so check the inputs of this step',
  }),
  '5xx': () => ({
    reason: 'unreachable',
    advice: `the problem is on its side, so ${rerunLater}`,
  }),
};

function meaningOf(refusal: Refusal): Meaning {
  const { status } = refusal;
  const family = status < 300 ? '2xx' : status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
  return (meanings[status] ?? meanings[family])(refusal);
}

const planOrCredits =
  "the organisation's plan or its AI credits do not cover this, so check both in the dashboard (the agent and the API require a Pro or Enterprise plan, all projects share the credits, and overages are off by default)";

/** What to do about the plan or the credits; `undefined` if the API's message mentions neither. */
function adviceOnPayment(message = ''): string | undefined {
  if (/\bcredits?\b/i.test(message)) {
    return "the organisation's AI credits, which all its projects share, do not cover this, so check the usage in the dashboard, and add credits, switch on overages (by default they are off), or wait until the credits are renewed";
  }
  return /\bplans?\b/i.test(message)
    ? "the agent and the API require Mintlify's Pro or Enterprise plan, so change the organisation's plan in the dashboard, or use a project of an organisation that has one"
    : undefined;
}

/** A key belongs to an organisation, and works for all its projects. */
function adviceOnKey({ scope }: RequestContext): string {
  const [readOnly, remedy] =
    scope === 'write'
      ? ['is read-only, ', 'create an admin key that can write']
      : ['', 'create another admin key'];
  const enough = scope === 'read' ? ' (a read-only key is enough for this)' : '';
  return `the API key ${readOnly}belongs to a different organisation than the project, or has an IP allow-list, which GitHub-hosted runners match only if they are larger ones with fixed addresses, so ${remedy}, without an allow-list, in the project's organisation${enough}`;
}
