import type { Fault, FaultKind } from '../network/fault.ts';
import { ActionError } from '../text/error.ts';

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
