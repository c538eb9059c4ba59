import type { Fault, FaultKind } from '../network/fault.ts';
import { ActionError, type ErrorReason } from '../text/error.ts';
import { oneLine } from '../text/plain.ts';

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

/** The error for a request without a complete response. */
export function explainFault({ kind, code }: Fault, { host }: RequestContext): ActionError {
  const [what, advice] = faultWords[kind];
  const detail = code === '' ? '' : ` (${code})`;
  return new ActionError('unreachable', `the API at ${host} ${what}${detail}`, advice);
}

/** The advice if nothing is wrong on this side. */
export const later = 're-run the workflow later';

const faultWords: Readonly<Record<FaultKind, readonly [what: string, advice: string]>> = {
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
  proxy: ['could not be reached through the proxy', "check HTTPS_PROXY and the proxy's rules"],
  'time-out': ['did not respond in time', later],
  'too-large': ['sent a response that is far too large', 'check base-url'],
  broken: ['closed the connection before its response was complete', later],
  cancelled: ['had not responded when the run was cancelled', later],
};

/**
 * The error for a success whose body does not match the API's description.
 * @param what what the body should be, such as `an agent job`
 */
export function explainUnreadable(what: string, { host, jobId }: RequestContext): ActionError {
  const about = jobId === undefined ? '' : ` about job ${jobId}`;
  return new ActionError(
    'unreadable-answer',
    `the API at ${host} sent a response${about} that is not ${what}`,
    'check base-url, and whether a proxy or a login page responds instead of the API',
  );
}

/** A response that is not a success. */
export interface Refusal {
  readonly status: number;
  /** The API's error message, if the body contained one. */
  readonly apiMessage?: string;
  /** What responded instead of the API, if that is known. */
  readonly edge?: Edge;
  /** Cloudflare's id of the request, if there is no message from the API. */
  readonly rayId?: string;
}

/** The error for a response that is not a success, with advice on what to do. */
export function explainRefusal(refusal: Refusal, context: RequestContext): ActionError {
  const { status, edge } = refusal;
  const what = describeRefusal(refusal, context);
  if (edge !== undefined) {
    return new ActionError(reasonOf(status), what, adviceOnEdge(refusal));
  }
  const doubt = refusal.apiMessage === undefined ? maybeNotTheApi : '';
  switch (status) {
    case 401:
      return new ActionError(
        'key-refused',
        what,
        `${context.keyProblem ?? 'it does not accept the API key'}, so ${newKey}${doubt}`,
      );
    case 402:
      return new ActionError(
        'forbidden',
        what,
        `${adviceOnPayment(refusal) ?? planOrCredits}${doubt}`,
      );
    case 403:
      return new ActionError(
        'forbidden',
        what,
        `${adviceOnPayment(refusal) ?? adviceOnKey(context)}${doubt}`,
      );
    case 404:
      return explainNotFound(what, doubt, context);
    case 425:
    case 429:
      return new ActionError(
        'rate-limited',
        what,
        `${context.hourlyLimit}, so wait a while and re-run the workflow`,
      );
    default:
      return explainOther(refusal, what);
  }
}

/** What happened, as a main clause. */
function describeRefusal(
  { status, apiMessage, edge, rayId }: Refusal,
  { host }: RequestContext,
): string {
  if (apiMessage !== undefined) {
    return `the API at ${host} responded with ${status} (${JSON.stringify(oneLine(apiMessage))})`;
  }
  if (edge === undefined) {
    return `the API at ${host} responded with ${status}${rayId ? ` (Cloudflare ray ${rayId})` : ''}`;
  }
  const { cloudflareCode, isPage } = edge;
  if (cloudflareCode !== undefined) {
    const ray = rayId === undefined ? '' : `, ray ${rayId}`;
    return `Cloudflare, in front of the API at ${host}, responded with ${status} (error ${cloudflareCode}${ray})`;
  }
  const page = isPage ? ' and a web page' : '';
  const ray = rayId === undefined ? '' : ` (Cloudflare ray ${rayId})`;
  return `something in front of the API at ${host} responded with ${status}${page}${ray}`;
}

/** What to do if something other than the API responded. */
function adviceOnEdge({ status, edge, rayId }: Refusal): string {
  if (status >= 500) {
    return later;
  }
  if (isRateLimit(status)) {
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

function reasonOf(status: number): ErrorReason {
  if (status === 401) {
    return 'key-refused';
  }
  if (status === 403) {
    return 'forbidden';
  }
  if (isRateLimit(status)) {
    return 'rate-limited';
  }
  return status >= 500 ? 'unreachable' : 'request-refused';
}

function isRateLimit(status: number): boolean {
  return status === 425 || status === 429;
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

function explainNotFound(
  what: string,
  doubt: string,
  { projectId, jobId }: RequestContext,
): ActionError {
  return jobId === undefined
    ? new ActionError(
        'project-not-found',
        what,
        `this key has no access to project ${projectId}, so copy the project id from the API keys page of the dashboard into project-id, and use a key of that project's organisation${doubt}`,
      )
    : new ActionError(
        // A web page may come from a gateway, which knows nothing of jobs: no new job must follow from it.
        doubt === '' ? 'job-not-found' : 'unreadable-answer',
        what,
        `there is no job ${jobId} in project ${projectId}, so check job-id and project-id${doubt}`,
      );
}

function explainOther({ status, apiMessage }: Refusal, what: string): ActionError {
  if (status >= 500) {
    return new ActionError(
      'unreachable',
      what,
      'the problem is on its side, so re-run the workflow later',
    );
  }
  if (status < 400) {
    return new ActionError(
      'request-refused',
      `${what}, a redirect`,
      "redirects are not followed with a key, so set base-url to the API's own address",
    );
  }
  return new ActionError(
    'request-refused',
    what,
    apiMessage === undefined
      ? 'it rejected the request, so check the inputs of this step'
      : 'it rejected the request for that reason, so check the inputs of this step',
  );
}

/** Hints whether a response came from the API, or from something in front of it. */
export interface EdgeSigns {
  /** Cloudflare's id of the request; every response that passes through Cloudflare has one. */
  readonly rayId?: string;
  /** The kind of body, if it is not JSON. */
  readonly body?: 'html' | 'text';
  /** The code of Cloudflare's own error, such as `1010`, if the body contains only that. */
  readonly cloudflareCode?: string;
}

/** What responded instead of the API. */
interface Edge {
  /** The code of Cloudflare's own error, if it was Cloudflare. */
  readonly cloudflareCode?: string;
  readonly isPage: boolean;
}

/**
 * Hexadecimal digits and the airport code of a data centre. Any other text is ignored, because the id is
 * logged, and a server that received the key could send it back here.
 */
const rayId = /^[0-9a-f]{4,40}(?:-[A-Z]{3})?$/i;

const cloudflareText = /^\s{0,9}error code: (\d{3,5})\s{0,9}$/i;

/**
 * @param ray the header `cf-ray`; may be empty
 * @param contentType the header `content-type`
 * @param text the body, if it is not JSON
 */
export function readEdgeSigns(
  ray: string,
  contentType: string | undefined,
  text: string | undefined,
): EdgeSigns {
  const [, cloudflareCode] = cloudflareText.exec(text ?? '') ?? [];
  return {
    ...(rayId.test(ray) && { rayId: ray }),
    ...(text !== undefined && { body: isHtml(contentType, text) ? 'html' : 'text' }),
    ...(cloudflareCode !== undefined && { cloudflareCode }),
  };
}

function isHtml(contentType: string | undefined, text: string): boolean {
  return /^\s*text\/html\b/i.test(contentType ?? '') || /^\s{0,99}<(?:!doctype|html)\b/i.test(text);
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
  const { cloudflareCode, body, rayId: ray } = signs;
  const isPage = body === 'html';
  if (cloudflareCode !== undefined) {
    return { cloudflareCode, isPage };
  }
  const isForeign = isPage || (body !== undefined && ray !== undefined && status !== 401);
  return isForeign && statusesOfEdges.includes(status) ? { isPage } : undefined;
}
