import { parse, YAMLParseError } from 'yaml';
import { type Sentence, say } from '../sentence.ts';
import type { LiteralObject } from './script.ts';

/** What a file says of an API, or why it cannot be read. */
export type ApiReading =
  /** Empty for JSON or YAML that says nothing of an API; `undefined` for no file. */
  | { readonly kind: 'read'; readonly root: LiteralObject | undefined }
  /** `invalid` is no JSON or YAML at all; `unreadable` goes beyond a limit of ours. */
  | {
      readonly kind: 'invalid' | 'unreadable';
      /** A clause without its subject. */
      readonly problem: Sentence;
      readonly line?: number | undefined;
    };

/** The largest real descriptions have 5 MB. */
const maxCharacters = 6_000_000;

/** Descriptions have a dozen aliases, if any; a bomb of them grows without end. */
const maxAliases = 100;

/** Reads OpenAPI or AsyncAPI in JSON or YAML. */
export function readApi(text: string | undefined): ApiReading {
  if (text === undefined) {
    return { kind: 'read', root: undefined };
  }
  if (text.length > maxCharacters) {
    return { kind: 'unreadable', problem: say`is larger than ${maxCharacters / 1_000_000} MB` };
  }
  try {
    const plain = text.replace(/^\uFEFF/u, '');
    const data: unknown = /^\s*\{/u.test(plain)
      ? JSON.parse(plain)
      : // At `silent`, the library swallows errors, and returns what it made of the text up to there.
        parse(plain, { merge: true, maxAliasCount: maxAliases, logLevel: 'error' });
    return { kind: 'read', root: isApi(data) ? data : {} };
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof SyntaxError) {
      const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
      return { kind: 'invalid', problem: say`is not valid JSON or YAML`, line };
    }
    return { kind: 'unreadable', problem: say`is nested too deeply, or has too many aliases` };
  }
}

/** The parsers make nothing but values of JSON. */
function isApi(data: unknown): data is LiteralObject {
  return (
    typeof data === 'object' &&
    data !== null &&
    ['openapi', 'swagger', 'asyncapi'].some((key) => key in data)
  );
}
