import { UnreachableError, UnreadableAnswerError } from './errors.ts';
import type { Fault, FaultKind } from './fault.ts';

/** What a sentence about a failed call needs to know. */
export interface CallContext {
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
export type ProjectContext = Omit<CallContext, 'jobId' | 'scope'>;

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

/** What to do where nothing is wrong on this side. */
export const later = 're-run the workflow later';

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
