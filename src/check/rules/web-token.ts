import * as v from 'valibot';
import { isPlaceholder } from './placeholder.ts';

const payloadSchema = v.object({
  exp: v.optional(v.number()),
  iat: v.optional(v.number()),
  role: v.optional(v.string()),
});

/** One that lives shorter is of no use by the time the page is read: that is what samples show. */
const leastSeconds = 90 * 24 * 60 * 60;

/**
 * Whether a JSON Web Token opens something for months, as the keys of some services do. One for the role
 * `anon` is made to stand in public pages.
 */
export function isLastingToken(token: string): boolean {
  const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const { success, output } = v.safeParse(payloadSchema, parsed(text));
  if (!success || isPlaceholder(text) || output.role === 'anon') {
    return false;
  }
  const { exp, iat } = output;
  return exp === undefined || (iat !== undefined && exp - iat >= leastSeconds);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
