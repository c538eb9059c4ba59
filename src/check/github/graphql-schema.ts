import {
  array,
  boolean,
  fallback,
  nullable,
  object,
  optional,
  record,
  string,
  unknown,
} from 'valibot';
import { parse } from '../../text/parse.ts';
import { quoted } from '../../text/plain.ts';
import type { BlobText } from './blobs.ts';
import type { RepositoryFields } from './graphql.ts';

const responseSchema = object({
  data: fallback(nullable(object({ repository: nullable(record(string(), unknown())) })), null),
  errors: fallback(optional(array(object({ message: fallback(string(), '') })), []), []),
});

/** Reads a response about a repository; a problem, as a main clause, if it has no repository. */
export function readRepositoryFields(body: unknown): RepositoryFields | string | undefined {
  const response = parse(responseSchema, body);
  if (response === undefined) {
    return undefined;
  }
  const { data, errors } = response;
  const fields = data?.repository ?? undefined;
  if (fields !== undefined) {
    return { fields: new Map(Object.entries(fields)), hasErrors: errors.length > 0 };
  }
  const message = errors[0]?.message ?? '';
  return message === '' ? undefined : `GitHub's GraphQL API responded with ${quoted(message)}`;
}

const blobSchema = object({
  text: nullable(string()),
  isBinary: nullable(boolean()),
  isTruncated: boolean(),
});

/** Reads a blob; `undefined` if its text is missing or not complete. */
export function readBlobText(field: unknown): BlobText | undefined {
  const blob = parse(blobSchema, field);
  if (blob?.isBinary === true) {
    return { kind: 'binary' };
  }
  const { text = null, isTruncated = true } = blob ?? {};
  return text === null || isTruncated ? undefined : { kind: 'text', text };
}

const restBlobSchema = object({ content: string(), encoding: string() });

/** Reads "Get a blob". */
export function readRestBlob(body: unknown): BlobText | undefined {
  const blob = parse(restBlobSchema, body);
  return blob?.encoding === 'base64' ? decode(Buffer.from(blob.content, 'base64')) : undefined;
}

function decode(bytes: Buffer): BlobText {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? { kind: 'binary' } : { kind: 'text', text };
  } catch {
    return { kind: 'binary' };
  }
}
