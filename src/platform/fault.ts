/** Why no whole response came. */
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
  // undici says UND_ERR_ABORTED when a proxy answers CONNECT with anything but 200.
  [/^(?:UND_ERR_PRX_\w+|UND_ERR_ABORTED)$/, 'proxy'],
  [/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/, 'time-out'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'too-large'],
];

/** Codes of a connection that broke: before or after our request left, the code alone is silent. */
const brokenConnection = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/;

/** Reads what an HTTP call threw, without keeping the error: its text may hold more than we know. */
export function readFault(error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'broken';
  return { kind, code: /^\w{1,60}$/.test(code) ? code : '' };
}

/** Whether a fault is one that can strike before anything is sent; anything unknown is not. */
export function canStrikeBeforeSending({ kind, code }: Fault): boolean {
  return kind !== 'too-large' && (kind !== 'broken' || brokenConnection.test(code));
}
