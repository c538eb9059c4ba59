import { parseDocument, YAMLParseError } from 'yaml';
import type { Change, ChangedFile } from '../change.ts';
import { commentsIn } from '../docs/front-matter.ts';
import { isData } from '../docs/kinds.ts';
import { addressesIn } from '../docs/known.ts';
import { type Block, type Construct, parsePage, textsIn } from '../docs/page.ts';
import { isObject, type Literal, type LiteralObject } from '../docs/script.ts';
import { found, foundValue, type RuleFinding, unjudged } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { textChanged } from './changed-text.ts';
import { kindIn, pairsIn, pathBefore } from './page-changes.ts';
import { foundAt, type PlainContext, problemOf } from './plain-construct.ts';
import { newItems } from './words.ts';

/** What the product's users rely on that is gone or changed: in API descriptions, and in fields on pages. */
export function apiChanged(change: Change): readonly RuleFinding[] {
  const fields = pairsIn(change).flatMap(({ old, now, place }) => {
    const [before, after] = [facetsOf(old), facetsOf(now)];
    return before === after
      ? []
      : found('api-changed', place, say`The parameter ${old.title} changed.`, { before, after });
  });
  const descriptions = change.files.filter((file) => isDescription(change, file));
  return [...descriptions.flatMap((file) => foundIn(file, change)), ...fields];
}

/** What a parameter on a page says of its type, its default or its duty; if nothing, `undefined`. */
function facetsOf({ facets }: Block): string | undefined {
  const lines = Object.entries(facets).map(([key, value]) => `${key}: ${value}`);
  return lines.toSorted().join(', ') || undefined;
}

function isDescription({ before, after }: Change, file: ChangedFile): boolean {
  const kinds = [kindIn(before, pathBefore(file)), kindIn(after, file.path)];
  const isRead = file.before !== undefined || file.after !== undefined;
  return kinds.includes('data') && isRead && describesApi(file);
}

/** Whether a file describes an API in each of its versions, or cannot be read, which is a finding of its own. */
export function describesApi(file: ChangedFile): boolean {
  return isData(file.path) && apisIn(file).every(({ isApi }) => isApi !== false);
}

const apisIn = oncePer(
  ({ before, after }: ChangedFile) => [readApi(before), readApi(after)] as const,
);

/** A description that was read before, and is no JSON or YAML any more, breaks its pages. */
function foundIn(changed: ChangedFile, change: Change): readonly RuleFinding[] {
  const file = changed.path;
  const [was, is] = apisIn(changed);
  const { problem, line, isInvalid } = is;
  if (problem !== undefined) {
    return isInvalid && was.root !== undefined
      ? [found('not-valid', { file, line }, say`The file ${problem}, so Mintlify cannot read it.`)]
      : [unjudged({ file, line }, say`the file ${problem}`)];
  }
  const context = { change, file, path: [] };
  const comments = newItems(was.comments ?? [], is.comments ?? [], String);
  return was.problem === undefined
    ? [
        ...compare(was.root, is.root, context),
        ...comments.flatMap((text) => judge({ kind: 'comment', text, line: 1 }, context)),
      ]
    : [unjudged({ file }, say`the file as it was before ${was.problem}`)];
}

/** What a version of a file says of an API. */
interface ApiReading {
  /** Whether it describes one, or may do so; `undefined` where there is no such version. */
  readonly isApi?: boolean;
  readonly root?: LiteralObject;
  /** Of YAML: nobody but programs reads them. */
  readonly comments?: readonly string[];
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
    const { root, comments } = parseApi(text.replace(/^\uFEFF/u, ''));
    if (isDeeper(root, maxDepth)) {
      return tooDeep;
    }
    const isApi = isObject(root) && ['openapi', 'swagger', 'asyncapi'].some((key) => key in root);
    return isApi ? { isApi, root, comments } : { isApi };
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof SyntaxError) {
      const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
      return { isApi: true, problem: say`is not valid JSON or YAML`, line, isInvalid: true };
    }
    return tooDeep;
  }
}

/** The parsers make nothing but values of JSON. That of YAML follows a hundred aliases: more grow without end. */
function parseApi(text: string): { readonly root: Literal; readonly comments: readonly string[] } {
  if (/^\s*\{/u.test(text)) {
    return { root: JSON.parse(text), comments: [] };
  }
  const document = parseDocument(text, { merge: true });
  const [error] = document.errors;
  if (error !== undefined) {
    throw error;
  }
  return { root: document.toJS(), comments: commentsIn(document) };
}

const tooDeep = { isApi: true, problem: say`is nested too deeply, or has too many aliases` };

function isDeeper(value: unknown, levels: number): boolean {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return levels < 0 || parts.some((part) => isDeeper(part, levels - 1));
}

/** Texts for readers. */
const textKeys =
  /^(?:description|summary|title|examples?|tags|displayName|operationId|version|x-enum-?(?:varnames|descriptions|Names))$/u;

const sampleKeys = /^x-code-?samples$/iu;
const sample = { kind: 'sample', language: 'any', meta: '', line: 1 } as const;

/** `paths › /users › get` and `components › schemas › User`: what is as new as they are takes nothing away. */
const newThing = 3;

/** Where a value stands in a description. */
interface ApiContext extends PlainContext {
  readonly path: readonly string[];
  /** How deep the thing stands that is new as a whole; `undefined` in one that was there. */
  readonly newAt?: number;
}

type Parts = ReadonlyMap<string, Literal>;

/** What is gone or changed of a value, and what is not plain in what readers see of it. */
function compare(
  old: Literal | undefined,
  now: Literal | undefined,
  context: ApiContext,
): readonly RuleFinding[] {
  const { file, path } = context;
  if (JSON.stringify(old) === JSON.stringify(now)) {
    return [];
  }
  const key = keyIn(path);
  if (textKeys.test(key) || sampleKeys.test(key)) {
    return compareTexts(old, now, context);
  }
  if (key.startsWith('x-')) {
    const what = say`${thingAt(path)} is an extension that is not on the list of plain ones.`;
    return [found('not-plain', { file }, what)];
  }
  const name = old === undefined ? (path.at(-1) ?? '') : '';
  const text = typeof now === 'string' ? now : '';
  return [...judgeValue(key, name, text, context), ...compareContract(old, now, context)];
}

/** @param name of a value that is new; empty for another one */
function judgeValue(
  key: string,
  name: string,
  text: string,
  context: ApiContext,
): readonly RuleFinding[] {
  // A host can stand there without a scheme, and a new name can be an address, too.
  const isAddress = /(?:^u|U)rl$|^(?:host|termsOfService)$/u.test(key);
  const address = /^[/.{]|:\/\//u.test(text) ? text : `https://${text}`;
  const targets = [...(isAddress && text ? [address] : addressesIn(text)), ...addressesIn(name)];
  const links = targets.flatMap((target) => judge({ kind: 'link', target, line: 1 }, context));
  const odd = [name, isAddress ? '' : text].find((one) => !plainValue.test(one));
  if (odd === undefined) {
    return links;
  }
  const what = say`The text ${odd} stands where few readers see it.`;
  return [...links, found('not-plain', { file: context.file }, what)];
}

/** A name, a type or a pattern: no sentence. */
const plainValue = /^\S*(?:\s\S+){0,4}$/u;

function judge(construct: Construct, context: ApiContext): readonly RuleFinding[] {
  return foundAt({ file: context.file }, problemOf(construct, context));
}

function judgeMarkdown(text: string, context: ApiContext): readonly RuleFinding[] {
  // The first line break keeps `---` from being front matter.
  const { constructs, problem } = parsePage(`\n${text}`, true);
  return problem === undefined
    ? constructs.flatMap((construct) => judge(construct, context))
    : [unjudged({ file: context.file }, say`${thingAt(context.path)} ${problem.what}`)];
}

/** What is not plain in a text, and what it does not say any more, as on a page. */
function compareTexts(
  old: Literal | undefined,
  now: Literal | undefined,
  context: ApiContext,
): readonly RuleFinding[] {
  const { file, path } = context;
  const key = keyIn(path);
  const texts = textsIn(now ?? '');
  if (sampleKeys.test(key)) {
    const changed = foundValue('sample-changed', { file }, thingAt(path), shown(old), shown(now));
    const problems = texts.flatMap((text) => judge({ ...sample, text }, context));
    return old === undefined ? problems : [...problems, changed];
  }
  const problems = texts.flatMap((text) => judgeMarkdown(text, context));
  if (!/^(?:description|summary)$/u.test(key)) {
    // The addresses of pages are made of them, too.
    const isName = /^(?:tags|operationId)$/u.test(key);
    return isName ? [...problems, ...compareContract(old, now, context)] : problems;
  }
  const differences = textChanged(`${old ?? ''}`, `${now ?? ''}`, file).map((finding) => ({
    ...finding,
    what: say`In ${thingAt(path)}: ${finding.what}`,
  }));
  return [...problems, ...differences];
}

/** What the users of an API go by, in a value that differs. */
function compareContract(
  old: Literal | undefined,
  now: Literal | undefined,
  context: ApiContext,
): readonly RuleFinding[] {
  const { file, path, newAt } = context;
  const [before, after] = [partsOf(old), partsOf(now)];
  if (old === undefined && !isDuty(context, now)) {
    return compareParts(new Map(), after ?? new Map(), { ...context, newAt: newAt ?? path.length });
  }
  if (before !== undefined && after !== undefined && keyIn(path) !== 'security') {
    // Mintlify sends what readers try out to the first server.
    const [[first], [firstNow]] = [[...before.keys()], [...after.keys()]];
    const isOther = keyIn(path) === 'servers' && first !== firstNow && after.has(first ?? '');
    const what = say`The first of the servers is another one.`;
    const moved = isOther ? [found('api-changed', { file }, what)] : [];
    return [...moved, ...compareParts(before, after, context)];
  }
  return [foundValue('api-changed', { file }, thingAt(path), shown(old), shown(now))];
}

function compareParts(old: Parts, now: Parts, context: ApiContext): readonly RuleFinding[] {
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) =>
    compare(old.get(name), now.get(name), { ...context, path: [...context.path, name] }),
  );
}

/** Whether users of what was there have to know of something new. */
function isDuty({ path, newAt }: ApiContext, now: Literal | undefined): boolean {
  const key = keyIn(path);
  return newAt === undefined
    ? /^(?:security|servers|variables|allOf|anyOf|oneOf|not|if|dependent\w+)$/u.test(key) ||
        path.at(-2) === 'allOf' ||
        partsOf(now) === undefined
    : // Variables are a part of the address of a server, also in a new operation.
      key === 'variables' || (newAt > newThing && key === 'required' && now === true);
}

/** What stands in these has the names that people chose. */
const named =
  /^(?:paths|webhooks|channels|operations|messages|callbacks|pathItems|properties|patternProperties|schemas|definitions|\$defs|dependentSchemas|mapping|headers|parameters|requestBodies|responses|links|security(?:Schemes|Definitions)|scopes|servers|variables|tags)$/u;

/** What a value is called; empty where people chose the name, as of the field `properties › name`. */
function keyIn(path: readonly string[]): string {
  const isNamed = path.length > 1 && named.test(keyIn(path.slice(0, -1)));
  return isNamed ? '' : (path.at(-1) ?? '');
}

/**
 * What stands in an object or a list of objects; `undefined` for any other value. Parameters, servers and
 * tags go by what they are called, so that their order does not count.
 */
function partsOf(value: Literal | undefined): Parts | undefined {
  if (!Array.isArray(value)) {
    return isObject(value) ? new Map(Object.entries(value)) : undefined;
  }
  if (value.length > 0 && !value.some(isObject)) {
    return undefined;
  }
  const parts = new Map(
    value.map((item, index) => {
      const names = ['in', 'name', '$ref', 'url', 'title']
        .map((key) => isObject(item) && item[key])
        .filter((one) => typeof one === 'string');
      return [names.join(' ') || String(index), item];
    }),
  );
  // Of two with the same name, the last one would hide the other.
  return parts.size === value.length ? parts : new Map(Object.entries(value));
}

/** Such as `paths › /users › get › parameters › query limit › schema › type`. */
function thingAt(path: readonly string[]): Sentence {
  return path.length === 0 ? say`The API description` : say`${path.join(' › ')}`;
}

/** Enough of a value to know it by. */
function shown(value: Literal | undefined): string {
  return value === undefined ? '' : JSON.stringify(value).slice(0, 300);
}
