import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { type Block, emptyPage, type Link, type Page } from '../docs/page.ts';
import { destinationOf } from '../docs/redirects.ts';
import { addressOfPage } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { deadPages } from './addresses.ts';
import { fieldOf, isShown, kindIn, newItems, pageChangesOf, pathBefore } from './page-changes.ts';

/**
 * What the pages of a change had before, and none of them has any more. Facts are compared as two sets, in which each
 * one counts as often as it occurs: what moved is not gone, and neither what stands around a fact nor its place counts.
 */
export function gone(change: Change): readonly RuleFinding[] {
  const pathsAfter = new Map(change.files.map((file) => [pathBefore(file), file.path]));
  const pages = pageChangesOf(change)
    // What cannot be parsed is a finding of another rule.
    .filter(({ before, after }) => before?.problem === undefined && after?.problem === undefined)
    .map(({ file, before, after }) => {
      // Of a new page that is a copy, those of what it is a copy of.
      const was = factsIn(before, pathBefore(file), change.before, pathsAfter);
      const is = isShown(change.after, file.path) ? factsIn(after, file.path, change.after) : [];
      const isRead = before !== undefined && after !== undefined;
      return { file, was, is, isKept: isRead && hasShown(file, change) && !isGone(file, change) };
    });
  const more = pages.flatMap(({ was, is }) => newItems(was, is, keyOf));
  const moreOf = Map.groupBy(more, keyOf);
  const facts = pages
    .filter(({ isKept }) => isKept)
    .flatMap(({ file, was, is }) => {
      // What one page lacks now can stand on another one.
      const lost = newItems(is, was, keyOf)
        .filter((fact) => !moreOf.get(keyOf(fact))?.pop())
        // A number can be code now.
        .filter(({ kind, name }) => kind !== 'number' || !moreOf.get(`code ${name}`)?.pop());
      const parts = partsOf(lost, was);
      return parts.length === 0 ? [] : [goneFacts(file, parts, change)];
    });
  return [...goneFiles(change), ...facts];
}

/** How the report calls a fact of each kind, and several of them. */
const names = {
  title: ['the title', 'titles'],
  operation: ['the operation', 'operations'],
  heading: ['the heading', 'headings'],
  component: ['a', 'components'],
  parameter: ['the parameter', 'parameters'],
  source: ['the picture or file', 'pictures and files'],
  import: ['the snippet', 'snippets'],
  link: ['the link to', 'links'],
  line: ['the line', 'lines of samples'],
  code: ['the code', 'pieces of code'],
  number: ['the number', 'numbers'],
  row: ['a table row', 'table rows'],
  'list-item': ['a list item', 'list items'],
} as const;

interface Fact {
  readonly kind: keyof typeof names | 'word';
  /** What it is to a reader; empty where only the number counts. */
  readonly name: string;
  /** Equal for the same fact, however it is written; the name by default. */
  readonly key?: string;
}

function keyOf({ kind, name, key = name }: Fact): string {
  return `${kind} ${key}`;
}

function factsIn(
  page: Page | undefined,
  path: string,
  version: DocsVersion,
  pathsAfter: ReadonlyMap<string, string> = new Map(),
): readonly Fact[] {
  const { blocks, elements, links } = page ?? emptyPage;
  const parameters = /^(?:Param|ParamField|ResponseField)$/u;
  return [
    ...factsInFrontMatter(page, pathsAfter.get(path) ?? path),
    ...blocks.flatMap(factsInBlock),
    ...elements
      .filter(({ name }) => /^\p{Lu}/u.test(name) && !parameters.test(name))
      .map(({ name }): Fact => ({ kind: 'component', name: `<${name}>` })),
    ...links.flatMap((link) => factOfLink(link, path, version, pathsAfter)),
  ];
}

/** Another title is none that is gone. A page without an operation of its API describes none. */
function factsInFrontMatter(page: Page | undefined, pathAfter: string): readonly Fact[] {
  const title = fieldOf(page, 'title');
  const operations = ['openapi', 'asyncapi', 'api'].map((field) => fieldOf(page, field));
  return [
    ...(title === '' ? [] : [{ kind: 'title', name: title, key: pathAfter } as const]),
    ...operations
      .filter((operation) => operation !== '')
      .map((name): Fact => ({ kind: 'operation', name })),
  ];
}

function factsInBlock({ kind, name, text, codes }: Block): readonly Fact[] {
  switch (kind) {
    case 'heading':
      return [{ kind, name: text, key: text.toLowerCase() }, ...wordsIn(text)];
    case 'parameter':
      return [{ kind, name }];
    case 'sample':
      return linesIn(text);
    case 'component':
    case 'picture':
      return [];
    default: {
      const numbers = newItems(codes.flatMap(numbersIn), numbersIn(text), keyOf);
      return [
        ...(kind === 'row' || kind === 'list-item' ? [{ kind, name: '' }] : []),
        ...codes.map((code): Fact => ({ kind: 'code', name: code })),
        ...numbers,
        ...wordsIn(text),
      ];
    }
  }
}

/** Such as `90`, `$1,000`, `50%`, `1.5.0` and `SHA256`. */
const number = /(?<![A-Za-z])\p{Sc}?[A-Za-z]*\p{N}(?:[A-Za-z\p{N}]|[.,:](?=\p{N}))*%?/gu;

function numbersIn(text: string): readonly Fact[] {
  return (text.match(number) ?? []).map((one) => ({
    kind: 'number',
    name: one,
    key: one.replace(/,(?=\d{3})/gu, ''),
  }));
}

/** A script without spaces has a word in each character. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

const aWord: Fact = { kind: 'word', name: '' };

function wordsIn(text: string): readonly Fact[] {
  return (text.match(word) ?? []).map(() => aWord);
}

/** A comment, on a line of its own or behind code, as most languages write it. */
const comment = /^\s*(?:#(?=\s|$)|\/\/|\/?\*(?=[\s*/]|$)|--\s|<!--).*$|\s(?:#|\/\/)\s.*$/u;

/** The lines of a sample. An item gets a comma when another one follows it. */
function linesIn(text: string): readonly Fact[] {
  return text
    .split('\n')
    .map((line) => line.replace(comment, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .map((line) => ({ kind: 'line', name: line, key: line.replace(/\s+|,$/gu, '') }));
}

/** What a page links to, shows or includes; nothing for a place on the same page, and for what led nowhere. */
function factOfLink(
  { kind, target }: Link,
  path: string,
  version: DocsVersion,
  pathsAfter: ReadonlyMap<string, string>,
): readonly Fact[] {
  const links = linksOf(version);
  const end = links.resolve(target, path);
  if (end.kind === 'nowhere' || /^(?:#|$)/u.test(target)) {
    return [];
  }
  const imported = kind === 'import' ? links.resolveImport(target, path) : undefined;
  const file = imported ?? ('file' in end ? end.file : undefined);
  const after = pathsAfter.get(file ?? '') ?? file;
  return [{ kind, name: target, key: after ?? target.replace(/\/$/u, '') }];
}

/** Nobody reads more of a kind. */
const maxNamed = 4;

/** A shorter sentence has fewer words, and a page without a part of it far fewer. */
const leastWords = 10;
const leastShare = 1 / 7;

/** What a page lost, in words. */
function partsOf(lost: readonly Fact[], was: readonly Fact[]): readonly Sentence[] {
  const wordsIn = (facts: readonly Fact[]) => facts.filter(({ kind }) => kind === 'word').length;
  const [gone, all] = [wordsIn(lost), wordsIn(was)];
  const isShorter = gone >= Math.max(leastWords, all * leastShare);
  const parts = Object.entries(names).flatMap(([kind, [one, more]]): readonly Sentence[] => {
    const facts = lost.filter((fact) => fact.kind === kind);
    const counts = Map.groupBy(facts, ({ name }) => name);
    if (counts.has('')) {
      return [facts.length === 1 ? [one] : say`${facts.length} ${[more]}`];
    }
    // The only one that is left is named, too.
    const left = counts.size > maxNamed + 1 ? counts.size - maxNamed : 0;
    const shown = [...counts].slice(0, counts.size - left).map(([name, { length }]) => {
      const times = length === 1 ? [] : say` (${length} times)`;
      return say`${[one]} ${name}${times}`;
    });
    return left > 0 ? [...shown, say`${left} more ${[more]}`] : shown;
  });
  return isShorter ? [...parts, say`${gone} of ${all} words`] : parts;
}

function goneFacts(file: ChangedFile, parts: readonly Sentence[], change: Change): RuleFinding {
  const where = isPage(change.before, pathBefore(file))
    ? addressOfPage(pathBefore(file), change.before)
    : pathBefore(file);
  const list = parts.flatMap((part, index) => [...(index === 0 ? [] : [', ']), ...part]);
  return found('gone', { file: file.path }, say`Gone from ${where}: ${list}.`);
}

function isPage(version: DocsVersion, path: string): boolean {
  return kindIn(version, path) === 'page';
}

/** Whether the site had a file. */
function hasShown(file: ChangedFile, { before }: Change): boolean {
  return file.status !== 'added' && isShown(before, pathBefore(file));
}

/** Whether the site has a file no more. */
function isGone({ path, status }: ChangedFile, { after }: Change): boolean {
  return status === 'deleted' || !isShown(after, path);
}

/** Pages and snippets that went. A dead address is a finding of its own. */
function goneFiles(change: Change): readonly RuleFinding[] {
  const dead = new Set(deadPages(change));
  return change.files
    .filter((file) => isPagePath(pathBefore(file)) && !dead.has(file))
    .filter((file) => hasShown(file, change) && isGone(file, change))
    .map((file) => found('gone', { file: file.path }, goneFile(pathBefore(file), change)));
}

function goneFile(path: string, { before, after }: Change): Sentence {
  if (!isPage(before, path)) {
    return say`The snippet ${path} is gone.`;
  }
  const address = addressOfPage(path, before);
  const title = fieldOf(before.pages.get(path), 'title') || address;
  const destination = destinationOf(address, after.site);
  return destination === undefined
    ? say`The page ${title} at ${address} is gone.`
    : say`The page ${title} is gone, and ${address} redirects to ${destination} now.`;
}
