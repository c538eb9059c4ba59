import { oneLine } from '../text/plain.ts';
import type { Edge } from './edge.ts';
import {
  ForbiddenError,
  JobNotFoundError,
  KeyRefusedError,
  type PlatformError,
  ProjectNotFoundError,
  RateLimitedError,
  RequestRefusedError,
  UnreachableError,
} from './errors.ts';
import { later, type RequestContext } from './explain.ts';

/** A response that is no success. */
export interface Refusal {
  readonly status: number;
  /** The API's own words, where the body held them. */
  readonly words?: string;
  /** What responded in the API's place, where that is known. */
  readonly edge?: Edge;
  /** Cloudflare's id of the request, where the words are not the API's. */
  readonly rayId?: string;
}

/** The error for a response that is no success, with advice on what to do. */
export function explainRefusal(refusal: Refusal, context: RequestContext): PlatformError {
  const { status, edge } = refusal;
  const what = describeRefusal(refusal, context);
  if (edge !== undefined) {
    return new (classOf(status))(what, adviceOnEdge(refusal));
  }
  const doubt = refusal.words === undefined ? notItsOwnWords : '';
  switch (status) {
    case 401:
      return new KeyRefusedError(
        what,
        `${context.keyProblem ?? 'it does not accept the API key'}, so ${newKey}${doubt}`,
      );
    case 402:
      return new ForbiddenError(what, `${adviceOnPayment(refusal) ?? payEither}${doubt}`);
    case 403:
      return new ForbiddenError(
        what,
        `${adviceOnPayment(refusal) ?? adviceOnKey(context)}${doubt}`,
      );
    case 404:
      return explainNotFound(what, doubt, context);
    case 425:
    case 429:
      return new RateLimitedError(
        what,
        `${context.hourlyLimit}, so wait a while and re-run the workflow`,
      );
    default:
      return explainOther(refusal, what);
  }
}

/** What happened, a main clause. */
function describeRefusal(
  { status, words, edge, rayId }: Refusal,
  { host }: RequestContext,
): string {
  if (words !== undefined) {
    return `the API at ${host} responded with ${status} (${JSON.stringify(oneLine(words))})`;
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

/** What to do where the API itself was not heard. */
function adviceOnEdge({ status, edge, rayId }: Refusal): string {
  if (status >= 500) {
    return later;
  }
  if (isRateLimit(status)) {
    return "this is not the API's own limit, so wait a while and re-run the workflow";
  }
  if (status === 401) {
    return 'check base-url and the proxy first, since the API itself sends no web pages, and the API key only then';
  }
  if (rayId === undefined && edge?.cloudflareCode === undefined) {
    return 'this says nothing about the API key, so check base-url, and the firewall and the proxy between this runner and the API';
  }
  const ray = rayId === undefined ? '' : ' and name the ray';
  return `this says nothing about the API key, so re-run the workflow later or on another runner, and where that does not help, ask Mintlify's support${ray}`;
}

function classOf(status: number) {
  if (status === 401) {
    return KeyRefusedError;
  }
  if (status === 403) {
    return ForbiddenError;
  }
  if (isRateLimit(status)) {
    return RateLimitedError;
  }
  return status >= 500 ? UnreachableError : RequestRefusedError;
}

function isRateLimit(status: number): boolean {
  return status === 425 || status === 429;
}

const newKey =
  'make a new admin key on the API keys page of the dashboard (keys expire after 90 days by default) and store it as the secret that api-key reads';

/** A response without the API's error body may come from a firewall or a proxy. */
const notItsOwnWords =
  ", and as the response does not look like the API's own, check base-url and the proxy as well";

/** What to do about the plan or the credits; `undefined` where the API's words name neither. */
function adviceOnPayment({ words = '' }: Refusal): string | undefined {
  if (/\bcredits?\b/i.test(words)) {
    return "the organisation's AI credits, which all its projects share, do not cover this, so look at their usage in the dashboard and add some, or wait until they are renewed";
  }
  return /\bplans?\b/i.test(words)
    ? "the agent and the API need a Pro or Enterprise plan of Mintlify, so change the organisation's plan in the dashboard, or use a project of an organisation that has one"
    : undefined;
}

const payEither =
  "the organisation's plan or its AI credits do not cover this, so look at both in the dashboard (the agent and the API need a Pro or Enterprise plan, and all projects share the credits)";

/** A key belongs to an organisation, and opens all its projects. */
function adviceOnKey({ scope, keyProblem }: RequestContext): string {
  if (keyProblem !== undefined) {
    return `${keyProblem}, so ${newKey}`;
  }
  const [mayOnlyRead, remedy] =
    scope === 'write'
      ? ['may only read, ', 'make an admin key that may write']
      : ['', 'make another admin key'];
  const enough = scope === 'read' ? ' (a key that may only read is enough for this)' : '';
  return `the API key ${mayOnlyRead}belongs to another organisation than the project, or has an IP allow-list, which runners hosted by GitHub can never satisfy, so ${remedy}, without an allow-list, in the project's organisation${enough}`;
}

function explainNotFound(
  what: string,
  doubt: string,
  { projectId, jobId }: RequestContext,
): PlatformError {
  return jobId === undefined
    ? new ProjectNotFoundError(
        what,
        `this key has no access to project ${projectId}, so copy the project id from the API keys page of the dashboard into project-id, and use a key of that project's organisation${doubt}`,
      )
    : new JobNotFoundError(
        what,
        `there is no job ${jobId} in project ${projectId}, so check job-id and project-id${doubt}`,
      );
}

function explainOther({ status, words }: Refusal, what: string): PlatformError {
  if (status >= 500) {
    return new UnreachableError(what, 'the problem is on its side, so re-run the workflow later');
  }
  if (status < 400) {
    return new RequestRefusedError(
      `${what}, a redirect`,
      "redirects are not followed with a key, so set base-url to the API's own address",
    );
  }
  return new RequestRefusedError(
    what,
    words === undefined
      ? 'it refuses the request, so check the inputs of this step'
      : 'it refuses the request for that reason, so check the inputs of this step',
  );
}
