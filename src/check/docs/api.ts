import { parse, YAMLParseError } from 'yaml';
import { say } from '../sentence.ts';
import type { PageProblem } from './front-matter.ts';

/** A value of an API description, as JSON has it. */
export type ApiValue = string | number | boolean | null | readonly ApiValue[] | ApiObject;

export interface ApiObject {
  readonly [key: string]: ApiValue;
}

/** An API description, or why it cannot be read. */
type ApiDescription =
  | { readonly kind: 'read'; readonly root: ApiObject }
  | { readonly kind: 'unreadable'; readonly problem: PageProblem }
  /** JSON or YAML that says nothing of an API. */
  | { readonly kind: 'other' };

/** The largest real descriptions have 5 MB. */
const maxCharacters = 6_000_000;

/** Descriptions have a dozen aliases, if any; a bomb of them grows without end. */
const maxAliases = 100;

/** Reads OpenAPI or AsyncAPI in JSON or YAML. */
export function readApi(text: string): ApiDescription {
  if (text.length > maxCharacters) {
    const what = say`is larger than ${maxCharacters / 1_000_000} MB`;
    return { kind: 'unreadable', problem: { what, line: undefined } };
  }
  try {
    const plain = text.replace(/^\uFEFF/u, '');
    const data: unknown = /^\s*\{/u.test(plain)
      ? JSON.parse(plain)
      : // At `silent`, the library swallows errors, and returns what it made of the text up to there.
        parse(plain, { merge: true, maxAliasCount: maxAliases, logLevel: 'error' });
    return isApi(data) ? { kind: 'read', root: data } : { kind: 'other' };
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    return { kind: 'unreadable', problem: { what: say`cannot be read as JSON or YAML`, line } };
  }
}

/** The parsers make nothing but values of JSON. */
function isApi(data: unknown): data is ApiObject {
  return (
    typeof data === 'object' &&
    data !== null &&
    ['openapi', 'swagger', 'asyncapi'].some((key) => key in data)
  );
}
