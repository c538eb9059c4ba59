import { oneLine } from '../text/plain.ts';
import {
  ForbiddenError,
  JobNotFoundError,
  KeyRefusedError,
  type PlatformError,
  ProjectNotFoundError,
  RateLimitedError,
  RequestRefusedError,
  UnreachableError,
  UnreadableAnswerError,
} from './errors.ts';
import type { Fault, FaultKind } from './fault.ts';

/** What a sentence about a failed call needs to know. */
export interface CallContext {
  /** Host, and port where it is unusual, of the base URL. */
  readonly host: string;
  readonly projectId: string;
  /** Set where the call was about one job. */
  readonly jobId?: string;
  /** What is wrong with the key's kind, where its prefix shows it. */
  readonly keyProblem?: string | undefined;
  /** The hourly limit that the call counts toward, in words. */
  readonly hourlyLimit: string;
}

/**
 * The error for an answer that is no success, with advice on what to do.
 * @param reason the service's own words, where the body held them
 */
export function explainRefusal(
  status: number,
  reason: string | undefined,
  context: CallContext,
): PlatformError {
  const words = reason === undefined ? '' : ` (${JSON.stringify(oneLine(reason))})`;
  const what = `the service at ${context.host} answered ${status}${words}`;
  const doubt = reason === undefined ? notItsOwnWords : '';
  switch (status) {
    case 401:
      return new KeyRefusedError(
        what,
        `${context.keyProblem ?? 'it does not accept the API key'}, so make a new admin key on the API keys page of the dashboard (keys expire after 90 days by default) and store it as the secret that api-key reads${doubt}`,
      );
    case 403:
      return new ForbiddenError(
        what,
        `the API key is read-only, belongs to another project, or has an IP allow-list, which runners hosted by GitHub can never satisfy, so make an admin key without these limits for project-id's project${doubt}`,
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
      return explainOther(status, what, reason);
  }
}

/** An answer without the service's error body may be a firewall's or a proxy's. */
const notItsOwnWords =
  ", and as the answer does not look like the service's own, check base-url and the proxy too";

function explainNotFound(
  what: string,
  doubt: string,
  { projectId, jobId }: CallContext,
): PlatformError {
  return jobId === undefined
    ? new ProjectNotFoundError(
        what,
        `there is no project ${projectId} for this key, so copy the project id from the API keys page of the dashboard into project-id${doubt}`,
      )
    : new JobNotFoundError(
        what,
        `there is no job ${jobId} in project ${projectId}, so check job-id and project-id${doubt}`,
      );
}

function explainOther(status: number, what: string, reason: string | undefined): PlatformError {
  if (status >= 500) {
    return new UnreachableError(what, 'the fault is on its side, so re-run the workflow later');
  }
  if (status < 400) {
    return new RequestRefusedError(
      `${what}, a redirect`,
      "none is ever followed with a key, so set base-url to the service's own address",
    );
  }
  return new RequestRefusedError(
    what,
    reason === undefined
      ? 'it refuses the request, so check the inputs of this step'
      : 'it refuses the request, so go by its words, and check the inputs of this step',
  );
}

const keyKinds = [
  ['mint_dsc_', 'this is an assistant key, which has no access to this operation'],
  ['mint_us_', 'this is an index key, which has no access to this operation'],
] as const;

/** What is wrong with a key's kind, told by its prefix, without showing any of it. */
export function findKeyProblem(apiKey: string): string | undefined {
  return keyKinds.find(([prefix]) => apiKey.startsWith(prefix))?.[1];
}

/** The error for a call that got no whole answer. */
export function explainFault({ kind, code }: Fault, { host }: CallContext): UnreachableError {
  const [what, advice] = faultWords[kind];
  const detail = code === '' ? '' : ` (${code})`;
  return new UnreachableError(`the service at ${host} ${what}${detail}`, advice);
}

const later = 're-run the workflow later';

const faultWords: Readonly<Record<FaultKind, readonly [what: string, advice: string]>> = {
  name: [
    'was not found, because its name does not resolve',
    "check base-url, and this runner's DNS and proxy",
  ],
  refused: ['refused the connection', 'check base-url, and that the service runs'],
  connection: ['could not be connected to', "check base-url and the runner's network"],
  certificate: [
    'showed a certificate that this runner does not trust',
    'for a private authority, set NODE_EXTRA_CA_CERTS to its certificate file',
  ],
  encryption: ['broke off while encryption was agreed', 'check that base-url names an https port'],
  proxy: ['was not reached through the proxy', "check HTTPS_PROXY and the proxy's rules"],
  'time-out': ['did not answer in time', later],
  'too-large': ['sent more than an answer of this API can hold', 'check base-url'],
  broken: ['broke off before its answer was whole', later],
  cancelled: ['had not answered when the run was cancelled', later],
};

/**
 * The error for a success that does not hold what the service's description promises.
 * @param what what it should hold, such as `agent job`
 */
export function explainUnreadable(
  what: string,
  { host, jobId }: CallContext,
): UnreadableAnswerError {
  const about = jobId === undefined ? '' : ` about job ${jobId}`;
  return new UnreadableAnswerError(
    `the service at ${host} sent an answer${about} that is no ${what}`,
    'check base-url, and whether something in between answers in its place',
  );
}
