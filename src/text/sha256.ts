import { createHash } from 'node:crypto';

/** The SHA-256 of a text in hexadecimal digits: all 64, or the first `length` of them. */
export function sha256(text: string, length = 64): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
