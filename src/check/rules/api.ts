import { parse, YAMLParseError } from 'yaml';
import type { Change, ChangedFile } from '../change.ts';
import { isData } from '../docs/kinds.ts';
import type { Block } from '../docs/page.ts';
import { isObject, type Literal } from '../docs/script.ts';
import { found, foundValue, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { kindIn, pairsIn, pathBefore } from './page-changes.ts';

/**
 * What the product's users rely on that changed: fields on pages, and all of an API description. Programs follow that to
 * the letter, and its texts stand on pages that nobody wrote by hand, so that no change of one is plain.
 */
export function apiChanged(change: Change): readonly RuleFinding[] {
  const fields = pairsIn(change).flatMap(({ old, now, place }) => {
    const [before, after] = [facetsOf(old), facetsOf(now)];
    return before === after
      ? []
      : found('api-changed', place, say`The parameter ${old.title} changed.`, { before, after });
  });
  const descriptions = change.files.filter((file) => isDescription(change, file));
  return [...descriptions.flatMap(changesIn), ...fields];
}

/** What a parameter on a page says of its type, its default or its duty; if nothing, `undefined`. */
function facetsOf({ facets }: Block): string | undefined {
  const lines = Object.entries(facets).map(([key, value]) => `${key}: ${value}`);
  return lines.toSorted().join(', ') || undefined;
}

function isDescription({ before, after }: Change, file: ChangedFile): boolean {
  const kinds = [kindIn(before, pathBefore(file)), kindIn(after, file.path)];
  return kinds.includes('data') && describesApi(file);
}

/** Whether a file describes an API in each version that has a text, or cannot be read, which is a finding of its own. */
export function describesApi(file: ChangedFile): boolean {
  const readings = isData(file.path) ? apisIn(file).map(({ isApi }) => isApi) : [];
  return readings.includes(true) && !readings.includes(false);
}

const apisIn = oncePer(
  ({ before, after }: ChangedFile) => [readApi(before), readApi(after)] as const,
);

/** A description that was read before, and is no JSON or YAML any more, breaks its pages. */
function changesIn(changed: ChangedFile): readonly RuleFinding[] {
  const file = changed.path;
  const [was, is] = apisIn(changed);
  const { problem, line, isInvalid } = is;
  if (problem !== undefined) {
    return isInvalid && was.root !== undefined
      ? [found('not-valid', { file, line }, say`The file ${problem}, so Mintlify cannot read it.`)]
      : [unjudged({ file, line }, say`the file ${problem}`)];
  }
  if (was.problem !== undefined) {
    return [unjudged({ file }, say`the file as it was before ${was.problem}`)];
  }
  const changes = differences(was.root, is.root, []).map(({ path, before, after }) => {
    const thing = path.length === 0 ? say`The API description` : say`${path.join(' › ')}`;
    return foundValue('api-changed', { file }, thing, before, after);
  });
  const onlyForm = say`The order, the form or the comments of the API description changed.`;
  return changes.length > 0 ? changes : [found('api-changed', { file }, onlyForm)];
}

/** What a version of a file says of an API. */
interface ApiReading {
  /** Whether it describes one, or may do so; `undefined` where there is no such version. */
  readonly isApi?: boolean;
  readonly root?: Literal;
  /** Why it cannot be read, such as `is nested too deeply`, and where. */
  readonly problem?: Sentence;
  readonly line?: number | undefined;
  /** Whether it is no JSON and no YAML; otherwise Mintlify may read it. */
  readonly isInvalid?: boolean;
}

/** Real descriptions nest about thirty levels. */
const maxDepth = 80;

/** Reads OpenAPI or AsyncAPI in JSON or YAML. */
function readApi(text: string | undefined): ApiReading {
  if (text === undefined) {
    return {};
  }
  try {
    const root = parseApi(text.replace(/^\uFEFF/u, ''));
    if (isDeeper(root, maxDepth)) {
      return tooDeep;
    }
    const isApi = isObject(root) && ['openapi', 'swagger', 'asyncapi'].some((key) => key in root);
    return isApi ? { isApi, root } : { isApi };
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof SyntaxError) {
      const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
      return { isApi: true, problem: say`is not valid JSON or YAML`, line, isInvalid: true };
    }
    return tooDeep;
  }
}

/** The parsers make nothing but values of JSON. That of YAML follows a hundred aliases: more grow without end. */
function parseApi(text: string): Literal {
  return /^\s*\{/u.test(text) ? JSON.parse(text) : parse(text, { merge: true, logLevel: 'error' });
}

const tooDeep = { isApi: true, problem: say`is nested too deeply, or has too many aliases` };

function isDeeper(value: unknown, levels: number): boolean {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return levels < 0 || parts.some((part) => isDeeper(part, levels - 1));
}

/** A value that differs, as the report shows it; empty where there is none. */
interface Difference {
  /** Such as `paths › /users › get › parameters › query limit › schema › type`. */
  readonly path: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** The innermost values that differ: what is new or gone as a whole is one of them. */
function differences(
  old: Literal | undefined,
  now: Literal | undefined,
  path: readonly string[],
): readonly Difference[] {
  if (JSON.stringify(old) === JSON.stringify(now)) {
    return [];
  }
  const [was, is] = [partsOf(old), partsOf(now)];
  return was === undefined || is === undefined
    ? [{ path, before: shown(old), after: shown(now) }]
    : [...new Set([...was.keys(), ...is.keys()])].flatMap((name) =>
        differences(was.get(name), is.get(name), [...path, name]),
      );
}

/** What stands in an object, or in a list of objects, such as parameters, by what they are called; otherwise `undefined`. */
function partsOf(value: Literal | undefined): ReadonlyMap<string, Literal> | undefined {
  if (!Array.isArray(value)) {
    return isObject(value) ? new Map(Object.entries(value)) : undefined;
  }
  if (!value.every(isObject)) {
    return undefined;
  }
  const nameOf = (item: Literal, index: number) => {
    const names = ['in', 'name', '$ref', 'url', 'title'].map((key) => isObject(item) && item[key]);
    return names.filter((one) => typeof one === 'string').join(' ') || String(index);
  };
  const parts = new Map(value.map((item, index) => [nameOf(item, index), item]));
  // Of two with the same name, the last one would hide the other.
  return parts.size === value.length ? parts : new Map(Object.entries(value));
}

/** Enough of a value to know it by. */
function shown(value: Literal | undefined): string {
  return value === undefined ? '' : JSON.stringify(value).slice(0, 300);
}
