import type { Change } from '../change.ts';
import { type ApiObject, type ApiValue, readApi } from '../docs/api.ts';
import { foundValue, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { kindIn, pageChangesOf, pathBefore } from './page-changes.ts';

/** Something in a description of an API that has another value, or none on one side: then that is empty. */
interface ApiChange {
  readonly thing: Sentence;
  readonly before: string;
  readonly after: string;
}

/** How a description of an API differs from what it was. */
export interface ApiDifference {
  readonly file: string;
  readonly changes: readonly ApiChange[];
  /** New and changed texts, which readers see as Markdown. */
  readonly texts: readonly string[];
  /** New and changed extensions such as `x-codeSamples`, by their place. */
  readonly extensions: readonly string[];
  /** Why it could not be compared. */
  readonly problem: Sentence | undefined;
}

/** What the product's users rely on that is gone or changed: in API descriptions, and in fields on pages. */
export function apiChanged(change: Change): readonly RuleFinding[] {
  return [
    ...apiDifferences(change).flatMap(({ file, changes }) =>
      changes.map(({ thing, before, after }) =>
        foundValue('api-changed', { file }, thing, before, after),
      ),
    ),
    ...changedFields(change),
  ];
}

/** Another type, default or duty of a parameter on a page. */
function changedFields(change: Change): readonly RuleFinding[] {
  return pageChangesOf(change).flatMap(({ file, match }) =>
    [...(match?.pairs ?? [])]
      .filter(([{ kind }]) => kind === 'parameter')
      .flatMap(([{ title: name, facets: was }, { facets: is, line }]) =>
        [...new Set([...Object.keys(was), ...Object.keys(is)])]
          .filter((key) => was[key] !== is[key])
          .map((key) => {
            const [before, after] = [was, is].map((one) =>
              one[key] === undefined ? '' : `${key}: ${one[key]}`,
            );
            const place = { file: file.path, line };
            const thing = say`The parameter ${name}`;
            return foundValue('api-changed', place, thing, before ?? '', after ?? '');
          }),
      ),
  );
}

/** The changed descriptions. */
export const apiDifferences = oncePer((change: Change): readonly ApiDifference[] =>
  change.files
    .filter((file) => isDescription(change, file.path) || isDescription(change, pathBefore(file)))
    .filter(({ path }) => /\.(?:json|ya?ml)$/iu.test(path))
    .map(({ path, before, after, status }) => {
      const comparison = new Comparison();
      const [was, is] = [before, after].map((text) => readApi(text ?? '{}'));
      if (is?.kind === 'unreadable' || was?.kind === 'unreadable') {
        const problem =
          is?.kind === 'unreadable' ? is.problem.what : say`could not be read as it was before`;
        return { file: path, changes: [], texts: [], extensions: [], problem };
      }
      const [old, now] = [was, is].map((one) => (one?.kind === 'read' ? one.root : {}));
      comparison.compare(old ?? {}, now ?? {}, []);
      const { changes, texts, extensions } = comparison;
      const isNew = status === 'added';
      return { file: path, changes: isNew ? [] : changes, texts, extensions, problem: undefined };
    }),
);

function isDescription({ before, after }: Change, path: string): boolean {
  return [before, after].some((version) => kindIn(version, path) === 'api-description');
}

/** Texts for readers, in which nothing is promised. */
const textKeys = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'name',
  'displayName',
  'operationId',
  'contact',
  'version',
]);

/** What these say of an existing operation counts even if it is new. */
const strictKeys = new Set([
  'required',
  'security',
  'servers',
  'url',
  'host',
  'basePath',
  'schemes',
]);

const methods = /^(?:get|put|post|delete|options|head|patch|trace|query|publish|subscribe)$/iu;

/** Real descriptions nest about thirty levels. */
const maxDepth = 80;

class Comparison {
  readonly changes: ApiChange[] = [];
  readonly texts: string[] = [];
  readonly extensions: string[] = [];

  compare(old: ApiValue | undefined, now: ApiValue | undefined, path: readonly string[]): void {
    if (JSON.stringify(old) === JSON.stringify(now) || path.length > maxDepth) {
      return;
    }
    const key = path.at(-1) ?? '';
    if (key.startsWith('x-')) {
      this.extensions.push(path.join('.'));
    } else if (textKeys.has(key) && !isSchemaName(path)) {
      this.texts.push(...textsIn(now));
    } else {
      this.compareParts(old, now, path);
    }
  }

  private compareParts(
    old: ApiValue | undefined,
    now: ApiValue | undefined,
    path: readonly string[],
  ): void {
    if (isObject(old) && isObject(now)) {
      for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
        this.compare(old[name], now[name], [...path, name]);
      }
    } else if (Array.isArray(old) && Array.isArray(now) && [...old, ...now].every(isObject)) {
      this.compare(byName(old), byName(now), path);
    } else if (old === undefined && now !== undefined && !strictKeys.has(path.at(-1) ?? '')) {
      this.compareNew(now, path);
    } else {
      this.add(path, old, now);
    }
  }

  /** What is new may say what it likes, but its texts and extensions are looked at. */
  private compareNew(now: ApiValue, path: readonly string[], root = path): void {
    if (!isObject(now) && !Array.isArray(now)) {
      return;
    }
    const isRequired = isObject(now) && now['required'] === true && path.includes('parameters');
    if (isRequired && !isNewOperation(root)) {
      this.add(path, undefined, now);
    }
    for (const [name, value] of Object.entries(now)) {
      if (name.startsWith('x-')) {
        this.extensions.push([...path, name].join('.'));
      } else if (textKeys.has(name)) {
        this.texts.push(...textsIn(value));
      } else if (path.length < maxDepth) {
        this.compareNew(value, [...path, name], root);
      }
    }
  }

  private add(path: readonly string[], old: ApiValue | undefined, now: ApiValue | undefined): void {
    const shown = (value: ApiValue | undefined) =>
      value === undefined ? '' : JSON.stringify(value).slice(0, 300);
    this.changes.push({ thing: thingAt(path), before: shown(old), after: shown(now) });
  }
}

/** `properties.name` is a field of that name, and no text. */
function isSchemaName(path: readonly string[]): boolean {
  return path.at(-2) === 'properties' || path.at(-2) === 'schemas';
}

function isNewOperation(path: readonly string[]): boolean {
  return path.length <= 3;
}

function isObject(value: ApiValue | undefined): value is ApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parameters, servers and tags by what they are called, so that their order does not count. */
function byName(values: readonly ApiValue[]): ApiObject {
  return Object.fromEntries(
    values.filter(isObject).map((value, index) => {
      const names = ['in', 'name', '$ref', 'url', 'title']
        .map((key) => value[key])
        .filter((one) => typeof one === 'string');
      return [names.length === 0 ? String(index) : names.join(' '), value];
    }),
  );
}

function textsIn(value: ApiValue | undefined): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Such as `The parameter query limit of GET /users`, or `required of the parameter …`. */
function thingAt(path: readonly string[]): Sentence {
  const [first = '', second = '', third = '', ...others] = path;
  if (['paths', 'webhooks', 'channels', 'operations'].includes(first)) {
    const isMethod = methods.test(third);
    const operation = isMethod ? `${third.toUpperCase()} ${second}` : second;
    const rest = isMethod ? others : [third, ...others].filter((part) => part !== '');
    if (operation !== '') {
      return rest.length === 0
        ? say`The operation ${operation}`
        : say`${named(rest)} of ${operation}`;
    }
  }
  return named(path);
}

const nouns = new Map([
  ['parameters', 'parameter'],
  ['responses', 'status'],
  ['servers', 'server'],
  ['security', 'security'],
  ['properties', 'field'],
  ['schemas', 'field'],
  ['securitySchemes', 'security'],
]);

function named(path: readonly string[]): Sentence {
  const at = path.findLastIndex((part) => nouns.has(part));
  const noun = [nouns.get(path[at] ?? '') ?? 'setting'];
  // A field is what stands after its noun; what follows is something about it, such as its type.
  const end = at === -1 ? path.length : at + 2;
  const [name, detail] = [namesIn(path.slice(0, end)), namesIn(path.slice(end))];
  if (name === '') {
    return say`The ${noun}`;
  }
  return detail === '' ? say`The ${noun} ${name}` : say`${detail} of the ${noun} ${name}`;
}

function namesIn(path: readonly string[]): string {
  const skipped = ['components', 'content', 'application/json', 'schema', 'requestBody', 'items'];
  return path.filter((part) => !skipped.includes(part) && !nouns.has(part)).join('.');
}
