import { type Document, isScalar, parseDocument, visit, YAMLParseError } from 'yaml';
import type { Change, ChangedFile } from '../change.ts';
import { isData } from '../docs/kinds.ts';
import { refusalOfYaml } from '../docs/limits.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { kindIn, pathBefore } from './page-changes.ts';

/**
 * One finding for each API description that changed, because programs follow it to the letter, and Mintlify makes pages
 * of it. The diff of the file shows what changed.
 */
export function apiChanged(change: Change): readonly RuleFinding[] {
  return change.files.filter((file) => isDescription(change, file)).map(changed);
}

function isDescription({ before, after }: Change, file: ChangedFile): boolean {
  const kinds = [kindIn(before, pathBefore(file)), kindIn(after, file.path)];
  return kinds.includes('data') && describesApi(file);
}

/** Whether each version of a file describes an API. A version that cannot be read may do so, and is a finding. */
export function describesApi(file: ChangedFile): boolean {
  const readings = isData(file.path) ? apisIn(file).map(({ isApi }) => isApi) : [];
  return readings.includes(true) && !readings.includes(false);
}

const apisIn = oncePer(
  ({ before, after }: ChangedFile) => [readApi(before), readApi(after)] as const,
);

/** A description that was read before, and is no JSON or YAML any more, breaks its pages. */
function changed(description: ChangedFile): RuleFinding {
  const { path: file, status } = description;
  const [was, is] = apisIn(description);
  const { problem, line, isInvalid } = is;
  if (problem !== undefined) {
    return isInvalid && was.isApi && was.problem === undefined
      ? found('not-valid', { file, line }, say`The file ${problem}, so Mintlify cannot read it.`)
      : unjudged({ file, line }, say`the file ${problem}`);
  }
  if (was.problem !== undefined) {
    return unjudged({ file }, say`the file as it was before ${was.problem}`);
  }
  const fate = { added: 'is new', deleted: 'is gone', modified: 'changed', renamed: 'moved' }[
    status
  ];
  return found('api-changed', { file }, say`The API description ${file} ${[fate]}.`);
}

/** What a version of a file says of an API. */
interface ApiReading {
  /** Whether the file describes an API, or may describe one; `undefined` if there is no such version. */
  readonly isApi?: boolean;
  /** Why it cannot be read, such as `is nested too deeply`, and where. */
  readonly problem?: Sentence;
  readonly line?: number | undefined;
  /** Whether Mintlify cannot read it either. */
  readonly isInvalid?: boolean;
}

/** Reads OpenAPI or AsyncAPI in JSON or YAML. */
function readApi(text: string | undefined): ApiReading {
  if (text === undefined) {
    return {};
  }
  const source = text.replace(/^\uFEFF/u, '');
  try {
    return /^\s*\{/u.test(source) ? readJson(source) : readYaml(source);
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof SyntaxError) {
      const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
      return { isApi: true, problem: say`is not valid JSON or YAML`, line, isInvalid: true };
    }
    return { isApi: true, problem: say`is nested too deeply, or has too many aliases` };
  }
}

/** @throws YAMLParseError, or another error if the text is too much for the parser */
function readYaml(text: string): ApiReading {
  const refusal = refusalOfYaml(text);
  if (refusal !== undefined) {
    return { isApi: true, problem: refusal };
  }
  // The parser would compare each key with all keys before it, which takes minutes for 100,000.
  const document = parseDocument(text, { merge: true, logLevel: 'error', uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) {
    throw error.code === 'RESOURCE_EXHAUSTION' ? new RangeError(error.message) : error;
  }
  // `toJS` throws above a hundred aliases, because more could grow without end.
  return withTwice(describes(document.toJS()), () => repeatedKeyIn(document, text));
}

function readJson(text: string): ApiReading {
  return withTwice(describes(JSON.parse(text)), () => duplicateKeyIn(text));
}

/** A build of Mintlify ends at a key that an object has twice. */
function withTwice(isApi: boolean, findTwice: () => KeyAt | undefined): ApiReading {
  const twice = isApi ? findTwice() : undefined;
  return twice === undefined
    ? { isApi }
    : { isApi, isInvalid: true, problem: say`has the key ${twice.key} twice`, line: twice.line };
}

interface KeyAt {
  readonly key: string;
  readonly line: number;
}

/** The first key that a mapping of YAML has twice. */
function repeatedKeyIn(document: Document, text: string): KeyAt | undefined {
  let twice: KeyAt | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (isScalar(key) && keys.size === keys.add(key.value).size) {
          const line = text.slice(0, key.range?.[0]).split('\n').length;
          twice = { key: String(key.value), line };
          return visit.BREAK;
        }
      }
      return undefined;
    },
  });
  return twice;
}

function describes(root: unknown): boolean {
  const keys = typeof root === 'object' && root !== null ? Object.keys(root) : [];
  return keys.some((key) => ['openapi', 'swagger', 'asyncapi'].includes(key));
}

/** A JSON string or a bracket. Group 1 is set only if the string is a key. */
const jsonToken = /"([^"\\]*(?:\\.[^"\\]*)*)"(?=\s*:)|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gu;

/** The first key that an object of a JSON text has twice: `JSON.parse` takes the last one. */
function duplicateKeyIn(json: string): KeyAt | undefined {
  /** The keys of each object and list around a token. A list has no keys, so its set stays empty. */
  const open: Set<string>[] = [];
  for (const { 0: token, 1: key, index } of json.matchAll(jsonToken)) {
    const keys = open.at(-1);
    if (token === '{' || token === '[') {
      open.push(new Set());
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (key !== undefined && keys?.has(key)) {
      return { key, line: json.slice(0, index).split('\n').length };
    } else if (key !== undefined) {
      keys?.add(key);
    }
  }
  return undefined;
}
