import { type Document, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { type Sentence, say } from '../sentence.ts';
import { isDeepYaml, itemsIn, type PageProblem, tooDeep } from './limits.ts';

/** What a JSON or YAML file says of an API. */
export interface ApiReading {
  /** Whether the file describes an API. A file that cannot be read may describe one. */
  readonly isApi: boolean;
  readonly problem?: PageProblem;
}

/**
 * Real descriptions of 180,000 lines have so many. The parser needs up to 2 kB of memory for each, which is not free
 * again when the next file is parsed.
 */
const maxItems = 300_000;

/**
 * Makes a function that reads OpenAPI or AsyncAPI, for the files of one version: all their YAML has one limit. Mintlify
 * takes JSON for YAML, too, but the parser of JSON is twenty times as fast, so it reads what both read in the same way.
 */
export function createApiReader(): (text: string) => ApiReading {
  let itemsLeft = maxItems;
  return (text) => {
    const source = text.replace(/^\uFEFF/u, '');
    try {
      const json = readJson(source);
      itemsLeft -= json === undefined ? itemsIn(source) : 0;
      return json ?? (itemsLeft < 0 ? unread(tooLarge) : readYaml(source));
    } catch {
      return unread(say`is nested too deeply, or has too many aliases`);
    }
  };
}

const tooLarge = say`has more than ${maxItems} lines and marks, together with the YAML files before it`;

/** The reading of a file that is above a limit of the check. */
function unread(what: Sentence): ApiReading {
  return { isApi: true, problem: { what, isLimit: true } };
}

/** `undefined` for a text that is no JSON, or has a key twice, since `JSON.parse` silently takes the last value. */
function readJson(text: string): ApiReading | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  return countKeys(text) === countKeys(JSON.stringify(root))
    ? { isApi: describesAny(root) }
    : undefined;
}

function countKeys(json: string): number {
  const strings = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/gu) ?? [];
  return strings.filter((one) => one.endsWith(':')).length;
}

/** @throws Error if the text is too much for the parser */
function readYaml(text: string): ApiReading {
  if (isDeepYaml(text)) {
    return unread(tooDeep);
  }
  const lines = new LineCounter();
  // The parser would compare each key with all keys before it, which takes minutes for 100,000.
  const options = { merge: true, uniqueKeys: false, lineCounter: lines } as const;
  const document = parseDocument(text, { ...options, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') {
    throw error;
  }
  const lineAt = (offset = 0) => lines.linePos(offset).line;
  if (error !== undefined) {
    const what = say`is not valid JSON or YAML: ${error.message}`;
    return { isApi: true, problem: { what, line: lineAt(error.pos[0]) } };
  }
  // `toJS` throws above a hundred aliases, because more could grow without end.
  const isApi = describesAny(document.toJS());
  const twice = isApi ? repeatedKeyIn(document) : undefined;
  if (twice === undefined) {
    return { isApi };
  }
  const what = say`has the key ${String(twice.value)} twice`;
  return { isApi, problem: { what, line: lineAt(twice.range?.[0]) } };
}

/** The first key that a mapping has twice, at its second place. A build of Mintlify ends there. */
function repeatedKeyIn(document: Document): Scalar | undefined {
  let twice: Scalar | undefined;
  visit(document, {
    Map(_, { items }) {
      // In JSON, `200` and `"200"` are the same key.
      const keys = new Set<string>();
      twice = items
        .map(({ key }) => key)
        .filter((key) => isScalar(key))
        // The parser reads `<<`, by which a mapping may merge several others, as a symbol.
        .filter(({ value }) => typeof value !== 'symbol')
        .find(({ value }) => keys.size === keys.add(String(value)).size);
      return twice && visit.BREAK;
    },
  });
  return twice;
}

function describesAny(root: unknown): boolean {
  const keys = typeof root === 'object' && root !== null ? Object.keys(root) : [];
  return keys.some((key) => ['openapi', 'swagger', 'asyncapi'].includes(key));
}
