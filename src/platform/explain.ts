import { UnreachableError, UnreadableAnswerError } from './errors.ts';
import type { Fault, FaultKind } from './fault.ts';

/** What a sentence about a failed request needs to know. */
export interface RequestContext {
  /** Host, and port where it is unusual, of the base URL. */
  readonly host: string;
  readonly projectId: string;
  /** Set where the call was about one job. */
  readonly jobId?: string;
  /** Which scope of key the call takes: one that may read is enough for every GET. */
  readonly scope: 'read' | 'write';
  /** What is wrong with the key's kind, where its prefix shows it. */
  readonly keyProblem?: string | undefined;
  /** The hourly limit that the call counts toward, in words. */
  readonly hourlyLimit: string;
}

/** What is the same for every call about a project. */
export type ProjectContext = Omit<RequestContext, 'jobId' | 'scope'>;

const keyKinds = [
  ['mint_dsc_', 'this is an assistant key, which has no access to this operation'],
  ['mint_us_', 'this is an index key, which has no access to this operation'],
] as const;

/** What is wrong with the kind of key, judging by its prefix, without showing any of it. */
export function findKeyProblem(apiKey: string): string | undefined {
  return keyKinds.find(([prefix]) => apiKey.startsWith(prefix))?.[1];
}

/** The error for a request that got no whole response. */
export function explainFault({ kind, code }: Fault, { host }: RequestContext): UnreachableError {
  const [what, advice] = faultWords[kind];
  const detail = code === '' ? '' : ` (${code})`;
  return new UnreachableError(`the API at ${host} ${what}${detail}`, advice);
}

/** What to do where nothing is wrong on this side. */
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
  'too-large': ['sent a response that is too large to be its own', 'check base-url'],
  broken: ['closed the connection before its response was complete', later],
  cancelled: ['had not responded when the run was cancelled', later],
};

/**
 * The error for a success that does not hold what the API's description promises.
 * @param what what it should be, such as `an agent job`
 */
export function explainUnreadable(
  what: string,
  { host, jobId }: RequestContext,
): UnreadableAnswerError {
  const about = jobId === undefined ? '' : ` about job ${jobId}`;
  return new UnreadableAnswerError(
    `the API at ${host} sent a response${about} that is not ${what}`,
    'check base-url, and whether something in between responds in place of the API',
  );
}
