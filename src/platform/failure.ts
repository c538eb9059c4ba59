import { array, fallback, object, string } from 'valibot';
import type { FaultKind } from '../network/http.ts';
import { untilWhen } from '../text/duration.ts';
import { ActionError, type ErrorReason, hasReason } from '../text/error.ts';
import { parse } from '../text/parse.ts';
import { oneLine } from '../text/plain.ts';
import type { ApiResponse, EdgeSigns } from './client.ts';

/** The details of a request that the message about its failure needs. */
export interface RequestContext {
  /** Host of the base URL, with the port if it is not the default. */
  readonly host: string;
  readonly projectId: string;
  /** Set if the request is about one job. */
  readonly jobId?: string;
  /** The scope that the key needs; `read` is enough for every GET. */
  readonly scope: 'read' | 'write';
  /** Why this kind of key cannot work, if its prefix shows that. */
  readonly keyProblem?: string | undefined;
  /** The hourly limit that the request counts towards, as a main clause. */
  readonly hourlyLimit: string;
}

/** The details that are the same for all requests about a project. */
export type ProjectContext = Omit<RequestContext, 'jobId' | 'scope'>;

const keyKinds = [
  ['mint_dsc_', 'this is an assistant key, which has no access to this operation'],
  ['mint_us_', 'this is an index key, which has no access to this operation'],
] as const;

/** Why this kind of key cannot work, judging by its prefix. The text contains no part of the key. */
export function findKeyProblem(apiKey: string): string | undefined {
  return keyKinds.find(([prefix]) => apiKey.startsWith(prefix))?.[1];
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
    const { kind, code, proxy } = response.fault;
    const [what, advice] = faultTexts[kind];
    const detail = `${proxy === undefined ? '' : ` at ${proxy}`}${code === '' ? '' : ` (${code})`}`;
    const error = new ActionError(
      'unreachable',
      `the API at ${context.host} ${what}${detail}`,
      advice,
    );
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
  const apiMessage = signs.cloudflareCode === undefined ? readMessage(body) : undefined;
  return apiMessage === undefined
    ? { status, edge: findEdge(status, signs), rayId: signs.rayId }
    : { status, apiMessage };
}

/**
 * The failure for a success whose body does not match the API's description.
 * @param what what the body should be, such as `an agent job`
 */
export function unreadable(
  status: number,
  what: string,
  { host, jobId }: RequestContext,
): FailedReply {
  const about = jobId === undefined ? '' : ` about job ${jobId}`;
  const error = new ActionError(
    'unreadable-answer',
    `the API at ${host} sent a response${about} that is not ${what}`,
    'check base-url, and whether a proxy or a login page responds instead of the API',
  );
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

/** The API's error message in the body of a refusal; `undefined` for any other body. */
export function readMessage(body: unknown): string | undefined {
  const refusal = parse(refusalSchema, body);
  if (refusal === undefined || refusal.details.length === 0) {
    return refusal?.error;
  }
  return `${refusal.error}: ${refusal.details.map(({ message }) => message).join('; ')}`;
}

/** What responded instead of the API. */
interface Edge {
  /** The code of Cloudflare's own error, if it was Cloudflare. */
  readonly cloudflareCode?: string | undefined;
  readonly isPage: boolean;
}

/** With any other status, such as 502, a web page can come from the API's own web server. */
const statusesOfEdges = [401, 403, 429];

/**
 * Finds out what responded instead of the API; `undefined` if it was probably the API.
 *
 * Cloudflare's own errors are certain, with any status. A web page, or text that came through
 * Cloudflare, is a hint only for statuses where the API would have sent JSON with a reason.
 */
export function findEdge(status: number, signs: EdgeSigns): Edge | undefined {
  const { cloudflareCode, body, rayId } = signs;
  const isPage = body === 'html';
  const isForeign = isPage || (body !== undefined && rayId !== undefined && status !== 401);
  const isEdge = cloudflareCode !== undefined || (isForeign && statusesOfEdges.includes(status));
  return isEdge ? { cloudflareCode, isPage } : undefined;
}

/** The advice if nothing is wrong on this side. */
const later = 're-run the workflow later';

const faultTexts: Readonly<Record<FaultKind, readonly [what: string, advice: string]>> = {
  name: [
    'was not found, because its name does not resolve',
    "check base-url, and this runner's DNS and proxy",
  ],
  refused: ['refused the connection', 'check base-url, and whether the API is running'],
  connection: ['could not be reached', "check base-url and the runner's network"],
  certificate: [
    'presented a certificate that this runner does not trust',
    'if a private authority issued it, set NODE_EXTRA_CA_CERTS to the certificate file of that authority',
  ],
  encryption: ['did not complete the TLS handshake', 'check that base-url names an https port'],
  proxy: [
    'could not be reached through the proxy',
    'check HTTPS_PROXY, and whether the proxy runs and lets this host through',
  ],
  'time-out': ['did not respond in time', later],
  'too-large': ['sent a response that is far too large', 'check base-url'],
  compressed: [
    'sent a compressed response that cannot be unpacked',
    "check the proxy's settings, because this action asks for uncompressed responses",
  ],
  broken: ['closed the connection before its response was complete', later],
  cancelled: ['had not responded when the run was cancelled', later],
};

/** A response that is not a success. */
export interface Refusal {
  readonly status: number;
  /** The API's error message, if the body contained one. */
  readonly apiMessage?: string;
  /** What responded instead of the API, if that is known. */
  readonly edge?: Edge | undefined;
  /** Cloudflare's id of the request, if there is no message from the API. */
  readonly rayId?: string | undefined;
}

/** The error for a response that is not a success, with advice on what to do. */
export function explainRefusal(refusal: Refusal, context: RequestContext): ActionError {
  const [reason, advice] = adviceOn(refusal, context);
  const what = describeRefusal(refusal, context);
  return new ActionError(reason, what, refusal.edge === undefined ? advice : adviceOnEdge(refusal));
}

/** The reason, and what to do if the API responded. */
function adviceOn(
  refusal: Refusal,
  context: RequestContext,
): readonly [reason: ErrorReason, advice: string] {
  const { status, apiMessage } = refusal;
  const { projectId, jobId, keyProblem, hourlyLimit } = context;
  const doubt = apiMessage === undefined ? maybeNotTheApi : '';
  switch (status) {
    case 401:
      return [
        'key-refused',
        `${keyProblem ?? 'it does not accept the API key'}, so ${newKey}${doubt}`,
      ];
    case 402:
      return ['forbidden', `${adviceOnPayment(refusal) ?? planOrCredits}${doubt}`];
    case 403:
      return ['forbidden', `${adviceOnPayment(refusal) ?? adviceOnKey(context)}${doubt}`];
    case 404:
      return jobId === undefined
        ? [
            'project-not-found',
            `this key has no access to project ${projectId}, so copy the project id from the API keys page of the dashboard into project-id, and use a key of that project's organisation${doubt}`,
          ]
        : [
            // A web page may come from a gateway, which knows nothing of jobs: no new job must follow from it.
            apiMessage === undefined ? 'unreadable-answer' : 'job-not-found',
            `there is no job ${jobId} in project ${projectId}, so check job-id and project-id${doubt}`,
          ];
    case 425:
    case 429:
      return ['rate-limited', `${hourlyLimit}, so wait a while and re-run the workflow`];
    default:
      return adviceOnOther(refusal);
  }
}

function adviceOnOther({
  status,
  apiMessage,
}: Refusal): readonly [reason: ErrorReason, advice: string] {
  if (status >= 500) {
    return ['unreachable', 'the problem is on its side, so re-run the workflow later'];
  }
  const advice =
    status < 400
      ? "redirects are not followed with a key, so set base-url to the API's own address"
      : `it rejected the request${apiMessage === undefined ? '' : ' for that reason'}, so check the inputs of this step`;
  return ['request-refused', advice];
}

/** What happened, as a main clause. */
function describeRefusal(
  { status, apiMessage, edge, rayId }: Refusal,
  { host }: RequestContext,
): string {
  if (edge?.cloudflareCode !== undefined) {
    const ray = rayId === undefined ? '' : `, ray ${rayId}`;
    return `Cloudflare, in front of the API at ${host}, responded with ${status} (error ${edge.cloudflareCode}${ray})`;
  }
  const ray = rayId === undefined ? '' : ` (Cloudflare ray ${rayId})`;
  if (edge !== undefined) {
    const page = edge.isPage ? ' and a web page' : '';
    return `something in front of the API at ${host} responded with ${status}${page}${ray}`;
  }
  const message = apiMessage === undefined ? ray : ` (${JSON.stringify(oneLine(apiMessage))})`;
  const redirect = status < 400 ? ', a redirect' : '';
  return `the API at ${host} responded with ${status}${message}${redirect}`;
}

/** What to do if something other than the API responded. */
function adviceOnEdge({ status, edge, rayId }: Refusal): string {
  if (status >= 500) {
    return later;
  }
  if (status === 429) {
    return "this is not the API's own limit, so wait a while and re-run the workflow";
  }
  if (status === 401) {
    return 'first check base-url and the proxy, because the API itself never sends web pages, and then the API key';
  }
  if (rayId === undefined && edge?.cloudflareCode === undefined) {
    return 'the API key is probably not the problem, so check base-url, and the firewall and the proxy between this runner and the API';
  }
  const ray = rayId === undefined ? '' : ' and give them the ray id';
  return `the API key is probably not the problem, so re-run the workflow later or on another runner, and if that does not help, contact Mintlify's support${ray}`;
}

const newKey =
  'create a new admin key on the API keys page of the dashboard (keys expire after 90 days by default) and store it in the secret that api-key uses';

/** A response without the API's error body may come from a firewall or a proxy. */
const maybeNotTheApi =
  ', and because the response does not look like one from the API, also check base-url and the proxy';

/** What to do about the plan or the credits; `undefined` if the API's message mentions neither. */
function adviceOnPayment({ apiMessage = '' }: Refusal): string | undefined {
  if (/\bcredits?\b/i.test(apiMessage)) {
    return "the organisation's AI credits, which all its projects share, do not cover this, so check the usage in the dashboard and add credits, or wait until they are renewed";
  }
  return /\bplans?\b/i.test(apiMessage)
    ? "the agent and the API require Mintlify's Pro or Enterprise plan, so change the organisation's plan in the dashboard, or use a project of an organisation that has one"
    : undefined;
}

const planOrCredits =
  "the organisation's plan or its AI credits do not cover this, so check both in the dashboard (the agent and the API require a Pro or Enterprise plan, and all projects share the credits)";

/** A key belongs to an organisation, and works for all its projects. */
function adviceOnKey({ scope, keyProblem }: RequestContext): string {
  if (keyProblem !== undefined) {
    return `${keyProblem}, so ${newKey}`;
  }
  const [readOnly, remedy] =
    scope === 'write'
      ? ['is read-only, ', 'create an admin key that can write']
      : ['', 'create another admin key'];
  const enough = scope === 'read' ? ' (a read-only key is enough for this)' : '';
  return `the API key ${readOnly}belongs to a different organisation than the project, or has an IP allow-list, which GitHub-hosted runners never match, so ${remedy}, without an allow-list, in the project's organisation${enough}`;
}
