import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { type Block, emptyPage, type Link, type Page } from '../docs/page.ts';
import { destinationOf } from '../docs/redirects.ts';
import { addressOfPage } from '../docs/site.ts';
import { found, type Place, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { deadPages } from './addresses.ts';
import {
  fieldOf,
  isShown,
  kindIn,
  newItems,
  type PageChange,
  pageChangesOf,
  pathBefore,
  sourceOfFile,
} from './page-changes.ts';

/**
 * Finds what the pages of a change had before, and none of them has any more. Facts are compared as two sets, in
 * which each fact counts as often as it occurs: a fact that moved is not gone, and neither its place nor the text
 * around it counts.
 */
export function gone(change: Change): readonly RuleFinding[] {
  const pages = factsOfPages(change);
  const take = takerOf(pages.flatMap(({ was, is }) => newItems(was, is, keyOf)));
  const losses: Loss[] = [];
  const numbers: RuleFinding[] = [];
  for (const { page, was, is } of pages.filter(({ isKept }) => isKept)) {
    // A fact that this page lost can be on another page now, and a number can be code.
    const lost = newItems(is, was, keyOf).filter(
      (fact) => !take(keyOf(fact)) && !(fact.kind === 'number' && take(`code ${fact.key}`)),
    );
    const takeLost = takerOf(lost);
    const changed = firstOf(changedNumbers(page).filter(({ before }) => takeLost(keyOf(before))));
    const told = changed.map(({ before }) => before);
    losses.push({ file: page.file, lost: newItems(told, lost, keyOf), was });
    numbers.push(...changed.map((one) => numberFinding(one, page.file)));
  }
  return [...goneFiles(change), ...lossesByPage(losses, change), ...numbers];
}

interface PageFacts {
  readonly page: PageChange;
  readonly was: readonly Fact[];
  readonly is: readonly Fact[];
  /** Whether both versions could be read, and the site has the page before and after the change. */
  readonly isKept: boolean;
}

/**
 * The facts of each changed page. If a new page is a copy of an old one, the facts of the old page count as its
 * facts before the change. A page that cannot be parsed is a finding of another rule.
 */
function factsOfPages(change: Change): readonly PageFacts[] {
  const pathsAfter = new Map(change.files.map((file) => [pathBefore(file), file.path]));
  return pageChangesOf(change)
    .filter(({ before, after }) => before?.problem === undefined && after?.problem === undefined)
    .map((page) => {
      const { file, before, after } = page;
      const isRead = before !== undefined && after !== undefined;
      return {
        page,
        was: factsIn(before, pathBefore(file), change.before, pathsAfter),
        is: isShown(change.after, file.path) ? factsIn(after, file.path, change.after) : [],
        isKept: isRead && hasShown(file, change) && !isGone(file, change),
      };
    });
}

/** Makes a function that takes away one of the facts with a key, and says whether there was one left. */
function takerOf(facts: readonly Fact[]): (key: string) => boolean {
  const left = Map.groupBy(facts, keyOf);
  return (key) => left.get(key)?.pop() !== undefined;
}

interface ChangedNumber {
  readonly before: Fact;
  readonly after: Fact;
  readonly line: number;
}

/** Numbers that are others now in a block whose text is the same otherwise, such as `Wait 20 s` and `Wait 25 s`. */
function changedNumbers({ before, after }: PageChange): readonly ChangedNumber[] {
  const textOf = ({ kind, text }: Block) => `${kind} ${text}`;
  const withoutNumbers = ({ kind, text }: Block) => `${kind} ${text.replace(number, '0')}`;
  const [old, now] = [before?.blocks ?? [], after?.blocks ?? []];
  const lost = Map.groupBy(newItems(now, old, textOf), withoutNumbers);
  return newItems(old, now, textOf).flatMap((block) => {
    const was = lost.get(withoutNumbers(block))?.shift();
    const numbers = numbersIn(block.text);
    return numbersIn(was?.text ?? '').flatMap((one, index) => {
      const other = numbers[index];
      const isOther = other !== undefined && keyOf(one) !== keyOf(other);
      return isOther ? [{ before: one, after: other, line: block.line }] : [];
    });
  });
}

/** If more numbers changed, as in a table of prices, the finding about all that the page lost names the rest. */
const maxChangedNumbers = 10;

/** The first ten different changes of a page, each as often as it occurs. */
function firstOf(changed: readonly ChangedNumber[]): readonly ChangedNumber[] {
  const changes = Map.groupBy(changed, ({ before, after }) => `${keyOf(before)} ${keyOf(after)}`);
  return [...changes.values()].slice(0, maxChangedNumbers).flat();
}

function numberFinding({ before, after, line }: ChangedNumber, { path }: ChangedFile): RuleFinding {
  const what = say`The number ${before.name} is ${after.name} now.`;
  return found('gone', { file: path, line }, what);
}

/** What a page lost, of what it had. */
interface Loss {
  readonly file: ChangedFile;
  readonly lost: readonly Fact[];
  readonly was: readonly Fact[];
}

/** Makes one finding of a page and its translations that lost the same. What a translation lost besides is another. */
function lossesByPage(losses: readonly Loss[], change: Change): readonly RuleFinding[] {
  return bySource(losses.filter(isTold), change).flatMap((group) => foldLosses(group, change));
}

function foldLosses([first, ...others]: readonly Loss[], change: Change): readonly RuleFinding[] {
  if (first === undefined) {
    return [];
  }
  const rests = others.map((loss) => ({ ...loss, lost: lostBesides(first.lost, loss.lost) }));
  const same = others.filter(({ lost }, index) => lost.length > (rests[index]?.lost.length ?? 0));
  const places = [first, ...same].map(({ file }) => ({ file: file.path }));
  return [at(places, lossFinding(first, change)), ...foldLosses(rests.filter(isTold), change)];
}

/** Whether the page lost enough to tell. */
function isTold({ lost, was }: Loss): boolean {
  return partsOf(lost, was).length > 0;
}

/** Groups what happened to files with what happened to their translations. The source of a translation comes first. */
function bySource<Item extends { readonly file: ChangedFile }>(
  items: readonly Item[],
  change: Change,
): readonly (readonly [Item, ...(readonly Item[])])[] {
  const groups = Map.groupBy(items, ({ file }) => sourceOfFile(file.path, change));
  return [...groups].flatMap(([source, group]) => {
    const isSource = ({ file }: Item) => Number(file.path === source);
    const [first, ...others] = group.toSorted((one, other) => isSource(other) - isSource(one));
    return first === undefined ? [] : [[first, ...others] as const];
  });
}

/** The finding with these places in place of its own. Without any, it stays as it is. */
function at([first, ...others]: readonly Place[], finding: RuleFinding): RuleFinding {
  return first === undefined ? finding : { ...finding, places: [first, ...others] };
}

/** Facts that a translation has in its own language, or of files of its own. */
const translatedKinds = ['title', 'heading', 'source', 'import', 'link', 'line', 'word'];

/** What a translation lost, and its source did not. */
function lostBesides(source: readonly Fact[], translation: readonly Fact[]): readonly Fact[] {
  const named = new Set(source.filter(({ name }) => name !== '').map(keyOf));
  const rest = newItems(source, translation, keyOf).filter((fact) => !named.has(keyOf(fact)));
  const isTranslated = ({ kind }: Fact) => translatedKinds.includes(kind);
  const restOfSource = newItems(translation, source, keyOf).filter(isTranslated);
  return [
    ...rest.filter((fact) => !isTranslated(fact)),
    ...newItems(restOfSource, rest.filter(isTranslated), ({ kind }) => kind),
  ];
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

/**
 * The key of a title is the page's path, so a title that was changed is not gone. The key of an operation is the
 * operation itself, so an operation that was changed is gone.
 */
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
        ...codes.map((code): Fact => ({ kind: 'code', name: code, key: ungrouped(code) })),
        ...numbers,
        ...wordsIn(text),
      ];
    }
  }
}

/** Such as `90`, `$1,000`, `50%`, `1.5.0` and `SHA256`. */
const number = /(?<![A-Za-z])\p{Sc}?[A-Za-z]*\p{N}(?:[A-Za-z\p{N}]|[.,:](?=\p{N}))*%?/gu;

function numbersIn(text: string): readonly Fact[] {
  const numbers = text.match(number) ?? [];
  return numbers.map((name) => ({ kind: 'number', name, key: ungrouped(name) }));
}

/** `1,000,000` and `1000000` are the same number. */
function ungrouped(text: string): string {
  return text.replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
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

/** The lines of a sample. A comma at the end does not count, because an item gets one when another item follows it. */
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

/** Lost words are told from the larger of these on: a sentence that gets shorter loses fewer, and a lost part more. */
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

function lossFinding({ file, lost, was }: Loss, { before }: Change): RuleFinding {
  const path = pathBefore(file);
  const where = isPage(before, path) ? addressOfPage(path, before) : path;
  const list = partsOf(lost, was).flatMap((part, index) => [
    ...(index === 0 ? [] : [', ']),
    ...part,
  ]);
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

/** Pages and snippets that went, with their translations. A dead address is a finding of its own. */
function goneFiles(change: Change): readonly RuleFinding[] {
  const dead = new Set(deadPages(change));
  const files = change.files
    .filter((file) => isPagePath(pathBefore(file)) && !dead.has(file))
    .filter((file) => hasShown(file, change) && isGone(file, change))
    .map((file) => ({ file }));
  return bySource(files, change).map((group) => {
    const [{ file }] = group;
    const places = group.map((one) => ({ file: one.file.path }));
    return at(places, found('gone', { file: file.path }, goneFile(pathBefore(file), change)));
  });
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
