import { parse, YAMLParseError } from 'yaml';
import type { Change, ChangedFile } from '../change.ts';
import { type Block, type Construct, parsePage, textsIn } from '../docs/page.ts';
import type { Literal, LiteralObject } from '../docs/script.ts';
import { found, foundValue, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { kindIn, pairsIn, pathBefore } from './page-changes.ts';

/** What the product's users rely on that is gone or changed: in API descriptions, and in fields on pages. */
export function apiChanged(change: Change): readonly RuleFinding[] {
  const fields = pairsIn(change).flatMap(({ old, now, place }) => {
    const [before, after] = [facetsOf(old), facetsOf(now)];
    return before === after
      ? []
      : foundValue('api-changed', place, say`The parameter ${old.title}`, before, after);
  });
  return [...apiDifferences(change).flatMap(({ findings }) => findings), ...fields];
}

/** The type, the default and the duty of a parameter on a page, in one order. */
function facetsOf({ facets }: Block): string {
  const entries = Object.entries(facets).map(([key, value]) => `${key}: ${value}`);
  return entries.toSorted().join(', ');
}

/** What became of the changed descriptions. */
export const apiDifferences = oncePer((change: Change): readonly Comparison[] =>
  change.files
    .filter((file) => isDescription(change, file))
    .map(({ path, before, after }) => {
      const [was, is] = [readApi(before), readApi(after)];
      const comparison = new Comparison(path);
      if (was.kind === 'read' && is.kind === 'read') {
        comparison.compare(was.root, is.root, []);
      }
      comparison.findings.push(...problemsOf(path, was, is));
      return comparison;
    }),
);

/** What a file says of an API, or why it cannot be read. */
type ApiReading =
  /** `undefined` for no file, and for JSON or YAML that says nothing of an API. */
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
function readApi(text: string | undefined): ApiReading {
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
    return { kind: 'read', root: isApi(data) ? data : undefined };
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

/** A description that was read before, and is no JSON or YAML any more, breaks its pages. */
function problemsOf(file: string, was: ApiReading, is: ApiReading): readonly RuleFinding[] {
  if (is.kind !== 'read') {
    const place = { file, line: is.line };
    const wasApi = was.kind === 'read' && was.root !== undefined;
    return is.kind === 'invalid' && wasApi
      ? [found('not-valid', place, say`The file ${is.problem}, so Mintlify cannot read it.`)]
      : [unjudged(place, say`the API description ${is.problem}`)];
  }
  return was.kind === 'read'
    ? []
    : [unjudged({ file }, say`the API description could not be read as it was before`)];
}

/** Whether it is a description in one of the versions, and both were read. */
function isDescription({ before, after }: Change, file: ChangedFile): boolean {
  const isOne = [before, after].some((version) =>
    [file.path, pathBefore(file)].some((path) => kindIn(version, path) === 'api-description'),
  );
  const isRead =
    (file.before !== undefined || file.status === 'added') &&
    (file.after !== undefined || file.status === 'deleted');
  return isOne && isRead && /\.(?:json|ya?ml)$/iu.test(file.path);
}

/** Texts for readers, in which nothing is promised. */
const textKeys =
  /^(?:description|summary|title|examples?|externalDocs|tags|displayName|operationId|contact|license|version|x-enum-?(?:varnames|descriptions|Names))$/u;

const sampleKeys = /^x-code-?samples$/iu;

/** What these say of something that was there takes nothing away, though it is no thing of its own. */
const looseKeys = /^(?:default|deprecated|format|nullable|readOnly|writeOnly)$/u;

/** What they say of something that was there counts even if it is new. */
const strictKeys = /^(?:security|servers)$/u;

const methods = /^(?:get|put|post|delete|options|head|patch|trace|query|publish|subscribe)$/iu;

/** Real descriptions nest about thirty levels. */
const maxDepth = 80;

/** `paths › /users › get` and `components › schemas › User`: what is as new as they are takes nothing away. */
const newThing = 3;

type Path = readonly string[];

/** Collects what is gone, changed or new in a description. */
class Comparison {
  readonly file: string;
  /** What is gone or changed, what is an extension of its own, and why it could not be compared. */
  readonly findings: RuleFinding[] = [];
  /** What stands in new and changed texts, which readers see as Markdown, and in samples. */
  readonly constructs: Construct[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** @param newAt how deep the thing stands that is new as a whole; `undefined` in one that was there */
  compare(old: Literal | undefined, now: Literal | undefined, path: Path, newAt?: number): void {
    if (JSON.stringify(old) === JSON.stringify(now) || path.length > maxDepth) {
      return;
    }
    const key = keyIn(path);
    if (this.addShown(key, now ?? '', path)) {
      return;
    }
    if (old === undefined && !isDuty(key, now, newAt)) {
      this.compareParts({}, partsOf(now), path, newAt ?? path.length);
    } else if (
      key === 'security' ||
      !this.compareParts(partsOf(old), partsOf(now), path, undefined)
    ) {
      const thing = path.length === 0 ? say`The API description` : say`${placeOf(path)}`;
      const { file } = this;
      this.findings.push(foundValue('api-changed', { file }, thing, shown(old), shown(now)));
    }
  }

  /** Adds what readers see: an address, samples, Markdown. Tells whether nothing else is in it. */
  private addShown(key: string, value: Literal, path: Path): boolean {
    if (key === 'url' && typeof value === 'string') {
      this.constructs.push({ kind: 'link', target: value, line: 1 });
      return false;
    }
    if (sampleKeys.test(key)) {
      const empty = { kind: 'sample', language: '', meta: '', line: 1 } as const;
      this.constructs.push(...textsIn(value).map((text) => ({ ...empty, text })));
    } else if (textKeys.test(key)) {
      this.addTexts(textsIn(value), path);
    } else if (key.startsWith('x-')) {
      const what = say`The API description has ${placeOf(path)}, an extension of its own.`;
      this.findings.push(found('not-plain', { file: this.file }, what));
    } else {
      return false;
    }
    return true;
  }

  /** The first line break keeps `---` from being front matter. */
  private addTexts(texts: readonly string[], path: Path): void {
    for (const { constructs, problem } of texts.map((text) => parsePage(`\n${text}`, true))) {
      this.constructs.push(...constructs);
      if (problem !== undefined) {
        const what = say`the text at ${placeOf(path)} ${problem.what}`;
        this.findings.push(unjudged({ file: this.file }, what));
      }
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
    ? strictKeys.test(key) || (!isObject(partsOf(now)) && !looseKeys.test(key))
    : newAt > newThing && key === 'required' && now === true;
}

/** What stands in these has the names that people chose. */
const mapKeys = /^(?:properties|schemas|headers|parameters|responses|securitySchemes)$/u;

/** What a value is called; empty where people chose the name, as of the field `properties › name`. */
function keyIn(path: Path): string {
  return mapKeys.test(path.at(-2) ?? '') ? '' : (path.at(-1) ?? '');
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

/** The frame of every description, which says nothing to readers. */
const wrapper = /^(?:content|application\/json|schema|properties|items)$/u;

/** As readers know it: `GET /users` for `paths › /users › get`. */
function placeOf([first = '', address = '', method = '', ...rest]: Path): string {
  const isOperation = first === 'paths' && methods.test(method);
  const start = isOperation ? [`${method.toUpperCase()} ${address}`] : [first, address, method];
  const below = rest.filter((part) => !wrapper.test(part));
  return [...start, ...below].filter((part) => part !== '').join(' › ');
}

function shown(value: Literal | undefined): string {
  return value === undefined ? '' : JSON.stringify(value).slice(0, 300);
}
