import { ActionError, type ErrorReason } from '../text/error.ts';
import { oneLine } from '../text/plain.ts';
import type { Edge } from './edge.ts';
import { later, type RequestContext } from './explain.ts';

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
        'job-not-found',
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
