import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs what this action leaves behind for later runs, and verifies what it finds. */
export interface Signer {
  /** @returns 64 hexadecimal digits */
  sign(parts: readonly unknown[]): string;
  verify(parts: readonly unknown[], signature: string): boolean;
}

/**
 * Makes a signer from a secret. HKDF and HMAC are one-way, so a signature reveals nothing of it.
 *
 * @param purpose keeps a signature for one purpose from being valid for another
 */
export function createSigner(secret: string, purpose: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'docs-agent-action', purpose, 32));
  const digest = (parts: readonly unknown[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return {
    sign: (parts) => digest(parts).toString('hex'),
    verify: (parts, signature) =>
      /^[\da-f]{64}$/.test(signature) &&
      timingSafeEqual(Buffer.from(signature, 'hex'), digest(parts)),
  };
}
