import { type Document, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import type { Change, ChangedFile } from '../change.ts';
import { isData } from '../docs/kinds.ts';
import { type PageProblem, refusalOfYaml } from '../docs/limits.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { say } from '../sentence.ts';
import { cannotBeRead } from './not-valid.ts';
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

/** A description that Mintlify could read before this change, and cannot read any more, breaks its pages. */
function changed(description: ChangedFile): RuleFinding {
  const { path: file, status } = description;
  const [was, is] = apisIn(description);
  if (is.problem !== undefined) {
    const { what, line, isLimit } = is.problem;
    return was.isApi && was.problem === undefined && !isLimit
      ? found('not-valid', { file, line }, cannotBeRead(what))
      : unjudged({ file, line }, say`the file ${what}`);
  }
  if (was.problem !== undefined) {
    return unjudged({ file }, say`the file as it was before ${was.problem.what}`);
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
  readonly problem?: PageProblem;
}

/**
 * Reads OpenAPI or AsyncAPI. Mintlify takes JSON for YAML, too, but the parser of JSON is twenty times as fast, so it
 * reads what both read in the same way.
 */
function readApi(text: string | undefined): ApiReading {
  if (text === undefined) {
    return {};
  }
  const source = text.replace(/^\uFEFF/u, '');
  try {
    return readJson(source) ?? readYaml(source);
  } catch {
    const what = say`is nested too deeply, or has too many aliases`;
    return { isApi: true, problem: { what, line: undefined, isLimit: true } };
  }
}

/** `undefined` for a text that is no JSON, or has a key twice: the parser of JSON takes the last one, and tells nobody. */
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
  const refusal = refusalOfYaml(text);
  if (refusal !== undefined) {
    return { isApi: true, problem: { what: refusal, line: undefined, isLimit: true } };
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
    const problem = { what: say`is not valid JSON or YAML`, line: lineAt(error.pos[0]) };
    return { isApi: true, problem };
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
