import type { Change, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import type { Block, Link, Page } from '../docs/page.ts';
import { redirectAt } from '../docs/redirects.ts';
import { addressOfPage } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say, unquoted } from '../sentence.ts';
import { deadPages } from './addresses.ts';
import { minus, paired } from './items.ts';
import {
  fieldOf,
  isShownNow,
  kindIn,
  originOf,
  type PageChange,
  pageChangesOf,
  pathBefore,
  wasShown,
} from './page-changes.ts';

/**
 * Finds what the pages of a change had before, and none of them has any more. Facts are compared as two sets, in
 * which each fact counts as often as it occurs: a fact that moved is not gone, and neither its place nor the text
 * around it counts.
 */
export function gone(change: Change): readonly RuleFinding[] {
  return [...goneFiles(change), ...lossesOf(change).flatMap((loss) => lossFindings(loss, change))];
}

interface Loss extends PageChange {
  /** The facts of the page before the change. */
  readonly was: readonly Fact[];
  readonly lost: readonly Fact[];
}

/** Lost words are a finding only if at least ten are gone, and at least a seventh of the words of the page. */
const leastWords = 10;
const leastShare = 1 / 7;

/**
 * The facts that each page lost, unless another page of the change has gained them. If a new page is a copy of an old
 * one, it has not gained the facts of the old page.
 */
function lossesOf(change: Change): readonly Loss[] {
  const toOrigin = (path: string) => originOf(path, change);
  const pages = pageChangesOf(change).map((page) => {
    const { path } = page.file;
    const was = factsIn(page.before, toOrigin(path), change.before);
    const is = factsIn(page.after, path, change.after, toOrigin);
    return { ...page, was, gained: minus(is, was, keyOf), lost: minus(was, is, keyOf) };
  });
  const gained = pages.flatMap((page) => page.gained);
  const codes = gained.filter(({ kind }) => kind === 'code');
  // A lost number can be code now.
  const matches = [...gained, ...codes.map((fact) => ({ ...fact, kind: 'number' }) as const)];
  const lost = pages
    .filter(({ file }) => wasShown(file, change))
    .flatMap((page) => page.lost.map((fact) => ({ ...fact, page })));
  const unmatched = minus(lost, matches, keyOf);
  return [...Map.groupBy(unmatched, ({ page }) => page)].map(([page, facts]) => {
    const isShorter = countWords(facts) >= Math.max(leastWords, countWords(page.was) * leastShare);
    return { ...page, lost: facts.filter(({ kind }) => isShorter || kind !== 'word') };
  });
}

function countWords(facts: readonly Fact[]): number {
  return facts.filter(({ kind }) => kind === 'word').length;
}

/** If more numbers changed, the finding that lists what the page lost names the rest. */
const maxChangedNumbers = 10;

/**
 * Lost numbers that are others now, in blocks whose text is the same otherwise, such as `Wait 20 s` and `Wait 25 s`:
 * the first ten different changes of a page, each as often as it occurs.
 */
function changedNumbers({ before, after, lost }: Loss) {
  const textOf = ({ kind, text }: Block) => `${kind} ${text}`;
  const withoutNumbers = ({ kind, text }: Block) => `${kind} ${text.replace(number, '0')}`;
  const [old, now] = [blocksOf(before), blocksOf(after)];
  const keys = new Set(lost.map(keyOf));
  const changed = paired(minus(old, now, textOf), minus(now, old, textOf), withoutNumbers).flatMap(
    ([was, is]) => {
      const numbers = numbersIn(is.text);
      return numbersIn(was.text).flatMap((one, index) => {
        const other = numbers[index];
        return other === undefined || keyOf(one) === keyOf(other) || !keys.has(keyOf(one))
          ? []
          : [{ before: one, after: other, line: is.line }];
      });
    },
  );
  const changes = Map.groupBy(changed, (one) => `${keyOf(one.before)} ${keyOf(one.after)}`);
  return [...changes.values()].slice(0, maxChangedNumbers).flat();
}

/** One finding for each number that is another one now, and one for everything else that a page lost. */
function lossFindings(loss: Loss, change: Change): readonly RuleFinding[] {
  const { file, was, lost } = loss;
  const path = pathBefore(file);
  const name = kindIn(change.before, path) === 'page' ? addressOfPage(path, change.before) : path;
  const numbers = changedNumbers(loss);
  const told = numbers.map(({ before }) => before);
  const rest = minus(lost, told, keyOf);
  const list = partsOf(rest, was).flatMap((part, at) => (at === 0 ? part : [', ', ...part]));
  const what = say`Gone from ${name}: ${list}.`;
  return [
    ...(rest.length === 0
      ? []
      : [{ ...found('gone', { file: file.path }, what), event: eventOf(rest) }]),
    ...numbers.map(({ before, after, line }) => {
      const what = say`The number ${before.name} is ${after.name} now.`;
      const event = `${before.name} ${after.name}`;
      return { ...found('gone', { file: file.path, line }, what), event };
    }),
  ];
}

/** Facts that are the same in each language. */
const commonKinds = ['operation', 'component', 'parameter', 'code', 'number'];

/**
 * A key that a page and its translation share: code and numbers count by their text, headings only by how many there
 * are, and words only by whether there are any.
 */
function eventOf(lost: readonly Fact[]): string {
  const facts = lost.filter(({ kind }) => kind !== 'word');
  const keys = facts.map((fact) => (commonKinds.includes(fact.kind) ? keyOf(fact) : fact.kind));
  const words = facts.length < lost.length ? 'words' : '';
  return [words, ...keys.toSorted()].join('\n');
}

/** What the report calls a fact of each kind, and several facts of that kind. */
const names = {
  title: ['the title', 'titles'],
  operation: ['the operation', 'operations'],
  heading: ['the heading', 'headings'],
  component: ['the component', 'components'],
  parameter: ['the parameter', 'parameters'],
  source: ['the picture or file', 'pictures and files'],
  import: ['the snippet', 'snippets'],
  link: ['the link to', 'links'],
  line: ['the line', 'lines of samples'],
  code: ['the code', 'pieces of code'],
  number: ['the number', 'numbers'],
  row: ['a table row', 'table rows'],
  'list-item': ['a list item', 'list items'],
  word: ['a word', 'words'],
} as const;

interface Fact {
  readonly kind: keyof typeof names;
  /** How the report names the fact; empty for words, rows and list items, which are only counted. */
  readonly name: string;
  /** Equal for two ways to write the same fact; the name by default. */
  readonly key?: string;
}

function keyOf({ kind, name, key = name }: Fact): string {
  return `${kind} ${key}`;
}

/** @param identityOf gives a moved or copied file the path of its original, so that both are the same file */
function factsIn(
  page: Page,
  path: string,
  version: DocsVersion,
  identityOf = (file: string) => file,
): readonly Fact[] {
  const { uses, links } = page;
  const parameters = /^(?:Param|ParamField|ResponseField)$/u;
  return [
    ...factsInFrontMatter(page, identityOf(path)),
    ...blocksOf(page).flatMap(factsInBlock),
    ...uses
      .filter(({ kind, name }) => kind === 'component' && !parameters.test(name))
      .map(({ name }): Fact => ({ kind: 'component', name: `<${name}>` })),
    ...links.flatMap((link) => factOfLink(link, path, version, identityOf)),
  ];
}

/**
 * The key of a title is the page's path, so a title that was changed is not gone. The key of an operation is the
 * operation itself, so an operation that was changed is gone.
 */
function factsInFrontMatter(page: Page, path: string): readonly Fact[] {
  const operations = ['openapi', 'asyncapi', 'api'].map((field) => fieldOf(page, field));
  const fields: readonly Fact[] = [
    { kind: 'title', name: fieldOf(page, 'title'), key: path },
    ...operations.map((name) => ({ kind: 'operation', name }) as const),
  ];
  return fields.filter(({ name }) => name !== '');
}

/** The blocks of a page. Its titles and its description in the front matter count as titles of components. */
function blocksOf({ frontMatter, blocks }: Page): readonly Block[] {
  const titles = frontMatter
    .filter(({ name }) => /^(?:title|sidebarTitle|description)$/u.test(name))
    .map(({ name, json, line }) => {
      const text = String(JSON.parse(json));
      return { kind: 'component', name, text, codes: [], line } as const;
    });
  return [...titles, ...blocks];
}

function factsInBlock({ kind, name, text, codes }: Block): readonly Fact[] {
  switch (kind) {
    case 'heading':
      return [{ kind, name: text, key: text.toLowerCase() }, ...wordsIn(text)];
    case 'parameter':
      return [{ kind, name }];
    case 'sample':
      return linesIn(text);
    // The text of a component is its title, whose words may change.
    case 'component':
      return numbersIn(text);
    default: {
      const numbers = minus(numbersIn(text), codes.flatMap(numbersIn), keyOf);
      return [
        ...(kind === 'row' || kind === 'list-item' ? [{ kind, name: '' }] : []),
        ...codes.map((code): Fact => ({ kind: 'code', name: code, key: ungrouped(code) })),
        ...numbers,
        ...wordsIn(text),
      ];
    }
  }
}

/** Such as `90`, `-1`, `$1,000`, `50%`, `1.5.0` and `SHA256`. */
const number =
  /(?:(?<![^\s(])[-−]|(?<![A-Za-z]))\p{Sc}?[A-Za-z]*\p{N}(?:[A-Za-z\p{N}]|[.,:](?=\p{N}))*%?/gu;

function numbersIn(text: string): readonly Fact[] {
  const numbers = text.match(number) ?? [];
  return numbers.map((name) => ({ kind: 'number', name, key: ungrouped(name) }));
}

/** `1,000,000` and `1000000` are the same number. */
function ungrouped(text: string): string {
  return text.replace(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
}

/** In scripts without spaces, each character counts as a word. */
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
  identityOf: (file: string) => string,
): readonly Fact[] {
  const end = linksOf(version).resolve(target, path, kind);
  if (end.kind === 'nowhere' || /^(?:#|$)/u.test(target)) {
    return [];
  }
  const key = 'file' in end ? identityOf(end.file) : target.replace(/\/$/u, '');
  return [{ kind, name: target, key }];
}

/** How many different facts of a kind are named. Nobody reads more. */
const maxNamed = 4;

/** What a page lost, in words. */
function partsOf(lost: readonly Fact[], was: readonly Fact[]): readonly Sentence[] {
  return Object.entries(names).flatMap(([kind, [one, more]]): readonly Sentence[] => {
    const facts = lost.filter((fact) => fact.kind === kind);
    const counts = Map.groupBy(facts, ({ name }) => name);
    if (counts.has('')) {
      const all = kind === 'word' ? say` of ${countWords(was)}` : [];
      return [facts.length === 1 ? unquoted(one) : say`${facts.length}${all} ${unquoted(more)}`];
    }
    // A fifth one is named, because `1 more` says less.
    const left = counts.size > maxNamed + 1 ? counts.size - maxNamed : 0;
    const shown = [...counts].slice(0, counts.size - left).map(([name, { length }]) => {
      const times = length === 1 ? [] : say` (${length} times)`;
      return say`${unquoted(one)} ${name}${times}`;
    });
    return left > 0 ? [...shown, say`${left} more ${unquoted(more)}`] : shown;
  });
}

/** Pages and snippets that went. A dead address is a finding of its own. */
function goneFiles(change: Change): readonly RuleFinding[] {
  const dead = new Set(deadPages(change));
  return change.files
    .filter((file) => isPagePath(pathBefore(file)) && !dead.has(pathBefore(file)))
    .filter((file) => wasShown(file, change) && !isShownNow(file, change))
    .map((file) => found('gone', { file: file.path }, goneFile(pathBefore(file), change)));
}

function goneFile(path: string, { before, after }: Change): Sentence {
  if (kindIn(before, path) !== 'page') {
    return say`The snippet ${path} is gone.`;
  }
  const address = addressOfPage(path, before);
  const title = fieldOf(before.pages.get(path), 'title') || address;
  const destination = redirectAt(address, after.site)?.destination;
  return destination === undefined
    ? say`The page ${title} at ${address} is gone.`
    : say`The page ${title} is gone, and ${address} redirects to ${destination} now.`;
}
