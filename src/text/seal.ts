import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { GenericSchema } from 'valibot';
import { parse } from './parse.ts';
import { sha256 } from './sha256.ts';

/**
 * The purpose and the place that a value is sealed for. A seal that was copied to another place, or is used
 * for another purpose, does not count.
 */
export interface SealedFor {
  /** Lower-case letters and hyphens, such as `comment`. */
  readonly purpose: string;
  /** Such as `acme/docs#12`; its case is ignored, as GitHub ignores it. */
  readonly place: string;
}

const opening = 'docs-agent-action';

/** The beginning of every seal for a purpose and a place, the same for every secret. */
export function sealPrefix({ purpose, place }: SealedFor): string {
  const hash = sha256(place.toLowerCase(), 32);
  return `${opening}-${purpose}-${hash}-`;
}

/** HKDF and HMAC are one-way, so a signature reveals nothing of the secret. */
function signatureOf(text: string, secret: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, opening, 'seal', 32));
  return createHmac('sha256', key).update(text).digest();
}

/**
 * Signs a text of lower-case letters, digits and hyphens. The text and its signature are one word, which
 * stays valid if its case changes, as it can in the key of a cache entry.
 */
export function sign(text: string, secret: string): string {
  return `${text}-${signatureOf(text, secret).toString('hex')}`;
}

/** Returns the text of a signed word, in lower case; `undefined` if the word was not signed with this secret. */
export function verify(word: string, secret: string): string | undefined {
  const [, text, signature = ''] = /^(.*)-([\da-f]{64})$/.exec(word.toLowerCase()) ?? [];
  return text !== undefined &&
    timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(text, secret))
    ? text
    : undefined;
}

/** Seals a JSON value. Everybody can read the value, but only the holder of the secret can write the seal. */
export function seal(value: unknown, where: SealedFor, secret: string): string {
  return sign(sealPrefix(where) + Buffer.from(JSON.stringify(value)).toString('hex'), secret);
}

/**
 * Returns the value of a seal; `undefined` if the value was not sealed with this secret for this purpose and place,
 * or has another form.
 */
export function unseal<Value>(
  schema: GenericSchema<unknown, Value>,
  sealed: string,
  where: SealedFor,
  secret: string,
): Value | undefined {
  const prefix = sealPrefix(where);
  const text = verify(sealed, secret);
  return text?.startsWith(prefix) === true
    ? parse(schema, JSON.parse(Buffer.from(text.slice(prefix.length), 'hex').toString()))
    : undefined;
}

/** A line of Markdown that holds a seal and that readers do not see. */
export function hiddenLine(seal: string): string {
  return `<!-- ${seal} -->`;
}

/**
 * Matches a hidden line, and any text that people who edited the comment have typed before it. A quoted line does not
 * count, because it was copied from another comment.
 */
const hidden = new RegExp(`^(?![ \\t]*>).*<!-- (${opening}-[^<>\\r\\n]*) -->`, 'gm');

/** What the last hidden line of a comment holds, whoever wrote it; empty if there is no such line. */
export function lastHidden(comment: string): string {
  return [...comment.matchAll(hidden)].at(-1)?.[1] ?? '';
}

/** A line of Markdown that holds a JSON value, and that readers do not see. Anyone can write such a line. */
export function hiddenValue(name: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return hiddenLine(`${opening}-${name} ${json}`);
}

/**
 * Returns the value in the last hidden line of a comment; `undefined` if the line has another name, or the value
 * another form.
 */
export function readHiddenValue<Value>(
  schema: GenericSchema<unknown, Value>,
  comment: string,
  name: string,
): Value | undefined {
  const start = `${opening}-${name} `;
  const text = lastHidden(comment);
  return text.startsWith(start) ? parse(schema, parseJson(text.slice(start.length))) : undefined;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Whether a text was written by this action, or claims to be. A copied line does no harm: it only
 * keeps that comment from starting a job.
 */
export function hasHiddenLine(text: string): boolean {
  return text.includes(`<!-- ${opening}`);
}
