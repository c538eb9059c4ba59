/** Why there was no complete response. */
export const faultKinds = [
  'name',
  'refused',
  'connection',
  'certificate',
  'encryption',
  'proxy',
  'time-out',
  'too-large',
  'broken',
  'cancelled',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The error's code, such as `ENOTFOUND`; empty when it has none. */
  readonly code: string;
}

const kinds: readonly (readonly [pattern: RegExp, kind: FaultKind])[] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'name'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'connection'],
  [/^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/, 'certificate'],
  [/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, 'encryption'],
  // undici throws UND_ERR_ABORTED if a proxy responds to CONNECT with anything but 200.
  [/^(?:UND_ERR_PRX_\w+|UND_ERR_ABORTED)$/, 'proxy'],
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, 'time-out'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'too-large'],
];

/** Codes of a connection that broke, either before or after the request was sent. */
const brokenConnection = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/;

/** Classifies an error of the HTTP client by its code. Its message could contain secrets. */
export function readFault(error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'broken';
  return { kind, code: /^\w{1,60}$/.test(code) ? code : '' };
}

/** Whether a fault can occur before anything is sent. An unknown fault is assumed to occur later. */
export function canOccurBeforeSending({ kind, code }: Fault): boolean {
  return kind !== 'too-large' && (kind !== 'broken' || brokenConnection.test(code));
}
