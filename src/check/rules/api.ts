import type { Change, ChangedFile } from '../change.ts';
import { type ApiReading, readApi } from '../docs/api.ts';
import { type Block, textsIn } from '../docs/page.ts';
import type { Literal, LiteralObject } from '../docs/script.ts';
import { found, foundValue, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { kindIn, pageChangesOf, pathBefore } from './page-changes.ts';

/** A value of an API description that changed; empty on the side where it is not there. */
interface ApiChange {
  /** Such as `GET /users › parameters › query limit › required`; empty for the whole description. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** A changed description of an API. */
interface ApiDifference {
  readonly file: string;
  /** How it differs from what it was; empty if it could not be compared. */
  readonly comparison: Comparison;
  readonly problem: ApiProblem | undefined;
}

/** Why a description could not be compared. */
interface ApiProblem {
  readonly file: string;
  /** A clause without its subject. */
  readonly what: Sentence;
  readonly line?: number | undefined;
  /** Whether it could be read before, and is no JSON or YAML any more. */
  readonly isBroken: boolean;
}

/** What the product's users rely on that is gone or changed: in API descriptions, and in fields on pages. */
export function apiChanged(change: Change): readonly RuleFinding[] {
  const fields = pageChangesOf(change).flatMap(({ file, match }) =>
    [...(match?.pairs ?? [])]
      .filter(([old]) => old.kind === 'parameter')
      .map(([old, now]) => ({ old, now, was: facetsOf(old), is: facetsOf(now) }))
      .filter(({ was, is }) => was !== is)
      .map(({ old, now, was, is }) => {
        const place = { file: file.path, line: now.line };
        const versions = { before: was || undefined, after: is || undefined };
        return found('api-changed', place, say`The parameter ${old.title} changed.`, versions);
      }),
  );
  const described = apiDifferences(change).flatMap(({ file, comparison: { changes } }) =>
    changes.map(({ place, before, after }) =>
      foundValue(
        'api-changed',
        { file },
        place === '' ? say`The API description` : say`${place}`,
        before,
        after,
      ),
    ),
  );
  return [...described, ...fields];
}

/** The type, the default and the duty of a parameter on a page, in one order. */
function facetsOf({ facets }: Block): string {
  const entries = Object.entries(facets).map(([key, value]) => `${key}: ${value}`);
  return entries.toSorted().join(', ');
}

/** What became of the changed descriptions. */
export const apiDifferences = oncePer((change: Change): readonly ApiDifference[] =>
  change.files
    .filter((file) => isDescription(change, file))
    .map(({ path, before, after, status }) => {
      const [was, is] = [readApi(before ?? '{}'), readApi(after ?? '{}')];
      const problem = problemOf(path, was, is);
      const comparison = new Comparison();
      if (was.kind === 'read' && is.kind === 'read') {
        const [old, now] = [
          status === 'added' ? undefined : was.root,
          status === 'deleted' ? undefined : is.root,
        ];
        comparison.compare(old, now, []);
      }
      return { file: path, comparison, problem };
    }),
);

/** Why changed descriptions could not be compared. */
export function apiProblems(change: Change): readonly ApiProblem[] {
  return apiDifferences(change).flatMap(({ problem }) => problem ?? []);
}

function problemOf(file: string, was: ApiReading, is: ApiReading): ApiProblem | undefined {
  if (is.kind !== 'read') {
    const wasApi = was.kind === 'read' && Object.keys(was.root).length > 0;
    const isBroken = is.kind === 'invalid' && wasApi;
    return { file, what: is.problem, line: is.line, isBroken };
  }
  return was.kind === 'read'
    ? undefined
    : { file, what: say`could not be read as it was before`, isBroken: false };
}

function isDescription({ before, after }: Change, file: ChangedFile): boolean {
  const isOne = [before, after].some((version) =>
    [file.path, pathBefore(file)].some((path) => kindIn(version, path) === 'api-description'),
  );
  return isOne && /\.(?:json|ya?ml)$/iu.test(file.path);
}

/** Texts for readers, in which nothing is promised. */
const textKeys =
  /^(?:description|summary|title|examples?|externalDocs|tags|name|displayName|operationId|contact|version|x-enum-?(?:varnames|descriptions|Names))$/u;

const sampleKeys = /^x-code-?samples$/iu;

/** What these say of something that was there counts even if it is new. */
const strictKeys = /^(?:required|security|servers|url|host|basePath|schemes)$/u;

const methods = /^(?:get|put|post|delete|options|head|patch|trace|query|publish|subscribe)$/iu;

/** Real descriptions nest about thirty levels. */
const maxDepth = 80;

/** `paths › /users › get` and `components › schemas › User`: what is as new as they are takes nothing away. */
const newThing = 3;

type Path = readonly string[];

/** Collects what is gone, changed or new in a description. */
class Comparison {
  readonly changes: ApiChange[] = [];
  /** New and changed texts, which readers see as Markdown. */
  readonly texts: string[] = [];
  /** New and changed samples. */
  readonly samples: string[] = [];
  /** Places of other new and changed extensions, such as `x-mint`. */
  readonly extensions: string[] = [];

  /** @param newAt how deep the thing stands that is new as a whole; `undefined` in one that was there */
  compare(old: Literal | undefined, now: Literal | undefined, path: Path, newAt?: number): void {
    if (JSON.stringify(old) === JSON.stringify(now) || path.length > maxDepth) {
      return;
    }
    const key = keyIn(path);
    if (sampleKeys.test(key)) {
      this.samples.push(...textsIn(now ?? ''));
    } else if (textKeys.test(key)) {
      this.texts.push(...textsIn(now ?? ''));
    } else if (key.startsWith('x-')) {
      this.extensions.push(placeOf(path));
    } else if (old === undefined && !isDuty(key, now, newAt)) {
      this.compareParts({}, partsOf(now), path, newAt ?? path.length);
    } else if (!this.compareParts(partsOf(old), partsOf(now), path, undefined)) {
      this.changes.push({ place: placeOf(path), before: shown(old), after: shown(now) });
    }
  }

  /** Whether both have parts. */
  private compareParts(
    old: Literal | undefined,
    now: Literal | undefined,
    path: Path,
    newAt: number | undefined,
  ): boolean {
    if (!isObject(old) || !isObject(now)) {
      return false;
    }
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      this.compare(old[name], now[name], [...path, name], newAt);
    }
    return true;
  }
}

/** Whether users of what was there have to know of something new. */
function isDuty(key: string, now: Literal | undefined, newAt: number | undefined): boolean {
  return newAt === undefined
    ? strictKeys.test(key)
    : newAt > newThing && key === 'required' && now === true;
}

/** What a value is called; empty where people chose the name, as of the field `properties › name`. */
function keyIn(path: Path): string {
  return /^(?:properties|schemas)$/u.test(path.at(-2) ?? '') ? '' : (path.at(-1) ?? '');
}

function isObject(value: Literal | undefined): value is LiteralObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parameters, servers and tags by what they are called, so that their order does not count. */
function partsOf(value: Literal | undefined): Literal | undefined {
  if (!Array.isArray(value) || (value.length > 0 && !value.some(isObject))) {
    return value;
  }
  return Object.fromEntries(
    value.map((item, index) => {
      const names = ['in', 'name', '$ref', 'url', 'title']
        .map((key) => isObject(item) && item[key])
        .filter((one) => typeof one === 'string');
      return [names.length === 0 ? String(index) : names.join(' '), item];
    }),
  );
}

/** As readers know it: `GET /users` for `paths › /users › get`. */
function placeOf([first = '', address = '', method = '', ...rest]: Path): string {
  const isOperation = first === 'paths' && methods.test(method);
  const start = isOperation ? [`${method.toUpperCase()} ${address}`] : [first, address, method];
  return [...start, ...rest].filter((part) => part !== '').join(' › ');
}

function shown(value: Literal | undefined): string {
  return value === undefined ? '' : JSON.stringify(value).slice(0, 300);
}
