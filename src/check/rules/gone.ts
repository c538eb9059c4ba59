import type { Change, ChangedFile, DocsVersion } from '../change.ts';
import { isPagePath } from '../docs/kinds.ts';
import { linksOf } from '../docs/links.ts';
import { type Block, emptyPage, type Link, type Page } from '../docs/page.ts';
import { destinationOf } from '../docs/redirects.ts';
import { addressOfPage } from '../docs/site.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { deadPages } from './addresses.ts';
import { minus, paired } from './items.ts';
import {
  fieldOf,
  isShown,
  isShownNow,
  kindIn,
  type PageChange,
  pageChangesOf,
  pathBefore,
  sourceOfFile,
  wasShown,
} from './page-changes.ts';

/**
 * Finds what the pages of a change had before, and none of them has any more. Facts are compared as two sets, in
 * which each fact counts as often as it occurs: a fact that moved is not gone, and neither its place nor the text
 * around it counts.
 */
export function gone(change: Change): readonly RuleFinding[] {
  const pages = factsOfPages(change);
  const losses = lossesOf(pages, change).map((loss) => {
    const changed = changedNumbers(loss);
    const told = changed.map(({ before }) => before);
    return { ...loss, changed, lost: minus(loss.lost, told, keyOf) };
  });
  return [
    ...goneFiles(change),
    ...bySource(losses, change).flatMap((group) => lossFindings(group, change)),
    ...losses.flatMap(({ file, changed }) => changed.map((one) => numberFinding(one, file))),
  ];
}

interface PageFacts extends PageChange {
  readonly was: readonly Fact[];
  readonly is: readonly Fact[];
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
      return {
        ...page,
        was: factsIn(before, pathBefore(file), change.before, pathsAfter),
        is: isShown(change.after, file.path) ? factsIn(after, file.path, change.after) : [],
      };
    });
}

/** What a page lost, of what it had. */
interface Loss extends PageFacts {
  readonly lost: readonly Fact[];
  /** The page of which another finding tells what this page lost, too; `lost` is the rest. */
  readonly sharedWith?: Loss;
}

/** What each page lost that the site still has, apart from facts that are new on any page of the change. */
function lossesOf(pages: readonly PageFacts[], change: Change): readonly Loss[] {
  const added = pages
    .flatMap(({ was, is }) => minus(is, was, keyOf))
    // A number can be code now.
    .flatMap((fact) =>
      fact.kind === 'code' ? [fact, { ...fact, kind: 'number' } as const] : fact,
    );
  const lost = pages
    .filter(
      ({ file, before, after }) =>
        before && after && wasShown(file, change) && isShownNow(file, change),
    )
    .flatMap((page) => minus(page.was, page.is, keyOf).map((fact) => ({ ...fact, page })));
  const byPage = Map.groupBy(minus(lost, added, keyOf), ({ page }) => page);
  return [...byPage].map(([page, facts]) => ({ ...page, lost: facts }));
}

interface ChangedNumber {
  readonly before: Fact;
  readonly after: Fact;
  readonly line: number;
}

/** If more numbers changed, the others appear only in the finding that lists what the page lost. */
const maxChangedNumbers = 10;

/**
 * Lost numbers that are others now, in blocks whose text is the same otherwise, such as `Wait 20 s` and `Wait 25 s`:
 * the first ten different changes of a page, each as often as it occurs.
 */
function changedNumbers({ before, after, lost }: Loss): readonly ChangedNumber[] {
  const textOf = ({ kind, text }: Block) => `${kind} ${text}`;
  const withoutNumbers = ({ kind, text }: Block) => `${kind} ${text.replace(number, '0')}`;
  const [old, now] = [before?.blocks ?? [], after?.blocks ?? []];
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

function numberFinding({ before, after, line }: ChangedNumber, { path }: ChangedFile): RuleFinding {
  const what = say`The number ${before.name} is ${after.name} now.`;
  return found('gone', { file: path, line }, what);
}

/** Groups what happened to pages with what happened to their translations. A page comes before its translations. */
function bySource<Item extends { readonly file: ChangedFile }>(
  items: readonly Item[],
  change: Change,
): readonly (readonly Item[])[] {
  const sourceOf = ({ file }: Item) => sourceOfFile(file.path, change);
  const rankOf = (item: Item) => Number(sourceOf(item) !== item.file.path);
  const sourcesFirst = items.toSorted((one, other) => rankOf(one) - rankOf(other));
  return [...Map.groupBy(sourcesFirst, sourceOf).values()];
}

/**
 * Says what a page lost: for the page, and for each translation that lost some of it, because equal sentences become
 * one finding. Then says the same of what translations lost besides.
 */
function lossFindings(losses: readonly Loss[], change: Change): readonly RuleFinding[] {
  const [first, ...others] = losses.filter(({ lost, was }) => partsOf(lost, was).length > 0);
  if (first === undefined) {
    return [];
  }
  const what = lossSentence(first, change);
  const rests = others.map((loss) => {
    const lost = lostBesides(first.lost, loss.lost);
    return { ...loss, lost, sharedWith: first.sharedWith ?? first };
  });
  const sharing = others.filter(
    ({ lost }, index) => lost.length > (rests[index]?.lost.length ?? 0),
  );
  return [
    ...[first, ...sharing].map(({ file }) => found('gone', { file: file.path }, what)),
    ...lossFindings(rests, change),
  ];
}

/** Facts that are the same in each language. Of any other kind, only how many a page lost can be compared. */
const commonKinds = ['operation', 'component', 'parameter', 'code', 'number'];

/** What a translation lost, and its source did not. */
function lostBesides(source: readonly Fact[], translation: readonly Fact[]): readonly Fact[] {
  const isCommon = ({ kind }: Fact) => commonKinds.includes(kind);
  const lostInBoth = new Set(source.map(keyOf));
  return [
    ...translation.filter((fact) => isCommon(fact) && !lostInBoth.has(keyOf(fact))),
    ...minus(translation, source, ({ kind }) => kind).filter((fact) => !isCommon(fact)),
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
  /** How the report names the fact; empty for words, rows and list items, which are only counted. */
  readonly name: string;
  /** Equal for two ways to write the same fact; the name by default. */
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
  const { blocks, uses, links } = page ?? emptyPage;
  const parameters = /^(?:Param|ParamField|ResponseField)$/u;
  return [
    ...factsInFrontMatter(page, pathsAfter.get(path) ?? path),
    ...blocks.flatMap(factsInBlock),
    ...uses
      .filter(({ kind, name }) => kind === 'component' && !parameters.test(name))
      .map(({ name }): Fact => ({ kind: 'component', name: `<${name}>` })),
    ...links.flatMap((link) => factOfLink(link, path, version, pathsAfter)),
  ];
}

/**
 * The key of a title is the page's path, so a title that was changed is not gone. The key of an operation is the
 * operation itself, so an operation that was changed is gone.
 */
function factsInFrontMatter(page: Page | undefined, pathAfter: string): readonly Fact[] {
  const fields: readonly Fact[] = [
    { kind: 'title', name: fieldOf(page, 'title'), key: pathAfter },
    ...['openapi', 'asyncapi', 'api'].map(
      (field) => ({ kind: 'operation', name: fieldOf(page, field) }) as const,
    ),
  ];
  return fields.filter(({ name }) => name !== '');
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
  pathsAfter: ReadonlyMap<string, string>,
): readonly Fact[] {
  const end = linksOf(version).resolve(target, path, kind);
  if (end.kind === 'nowhere' || /^(?:#|$)/u.test(target)) {
    return [];
  }
  const key = 'file' in end ? (pathsAfter.get(end.file) ?? end.file) : target.replace(/\/$/u, '');
  return [{ kind, name: target, key }];
}

/** How many different facts of a kind are named. Nobody reads more. */
const maxNamed = 4;

/** Lost words count from ten on, and from a seventh of the page on: a sentence that gets shorter loses fewer, and a lost section more. */
const leastWords = 10;
const leastShare = 1 / 7;

/** What a page lost, in words. */
function partsOf(lost: readonly Fact[], was: readonly Fact[]): readonly Sentence[] {
  const countWords = (facts: readonly Fact[]) =>
    facts.filter((fact) => fact.kind === 'word').length;
  const [gone, all] = [countWords(lost), countWords(was)];
  const isShorter = gone >= Math.max(leastWords, all * leastShare);
  const parts = Object.entries(names).flatMap(([kind, [one, more]]): readonly Sentence[] => {
    const facts = lost.filter((fact) => fact.kind === kind);
    const counts = Map.groupBy(facts, ({ name }) => name);
    if (counts.has('')) {
      return [facts.length === 1 ? [one] : say`${facts.length} ${[more]}`];
    }
    // A fifth one is named, because `1 more` says less.
    const left = counts.size > maxNamed + 1 ? counts.size - maxNamed : 0;
    const shown = [...counts].slice(0, counts.size - left).map(([name, { length }]) => {
      const times = length === 1 ? [] : say` (${length} times)`;
      return say`${[one]} ${name}${times}`;
    });
    return left > 0 ? [...shown, say`${left} more ${[more]}`] : shown;
  });
  return isShorter ? [...parts, say`${gone} of ${all} words`] : parts;
}

function lossSentence({ file, lost, was, sharedWith }: Loss, { before }: Change): Sentence {
  const nameOf = (path: string) =>
    kindIn(before, path) === 'page' ? addressOfPage(path, before) : path;
  const name = nameOf(pathBefore(file));
  const where = sharedWith
    ? say`${name}, but not from ${nameOf(pathBefore(sharedWith.file))}`
    : say`${name}`;
  const list = partsOf(lost, was).flatMap((part, index) => (index === 0 ? part : [', ', ...part]));
  return say`Gone from ${where}: ${list}.`;
}

/** Pages and snippets that went, with their translations. A dead address is a finding of its own. */
function goneFiles(change: Change): readonly RuleFinding[] {
  const dead = new Set(deadPages(change));
  const files = change.files
    .filter((file) => isPagePath(pathBefore(file)) && !dead.has(file))
    .filter((file) => wasShown(file, change) && !isShownNow(file, change))
    .map((file) => ({ file }));
  return bySource(files, change).flatMap((group) => {
    const [what] = group.map(({ file }) => goneFile(pathBefore(file), change));
    return what ? group.map(({ file }) => found('gone', { file: file.path }, what)) : [];
  });
}

function goneFile(path: string, { before, after }: Change): Sentence {
  if (kindIn(before, path) !== 'page') {
    return say`The snippet ${path} is gone.`;
  }
  const address = addressOfPage(path, before);
  const title = fieldOf(before.pages.get(path), 'title') || address;
  const destination = destinationOf(address, after.site);
  return destination === undefined
    ? say`The page ${title} at ${address} is gone.`
    : say`The page ${title} is gone, and ${address} redirects to ${destination} now.`;
}
