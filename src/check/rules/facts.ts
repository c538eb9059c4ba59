import type { Change, DocsVersion } from '../change.ts';
import { byName } from '../docs/components.ts';
import { linksOf } from '../docs/links.ts';
import type { Block } from '../docs/page.ts';
import { found, type RuleFinding } from '../finding.ts';
import { say } from '../sentence.ts';
import { changedText } from './changed-text.ts';
import { leastKept, lostFacts, wordsIn } from './match.ts';
import {
  fieldOf,
  isRead,
  type PageChange,
  type Pair,
  pageChangesOf,
  pairsIn,
  pathBefore,
} from './page-changes.ts';
import { cutTables } from './removed.ts';
import { isNumber, keptPart, newItems, turnsIn, wordsOf } from './words.ts';

/** Existing sentences that say something else now: another number, the opposite, no duty, other code, another link. */
export function factChanged(change: Change): readonly RuleFinding[] {
  // What stood in a column that is gone went with it.
  const cut = cutTables(change);
  const isCut = ({ kind, parent }: Block) => kind === 'row' && cut.has(parent);
  const shown = pairsIn(change).filter(({ file }) => isRead(change.before, pathBefore(file)));
  const texts = shown.filter(({ old, now }) => saidBy(old) !== saidBy(now) && !isCut(old));
  const bodies = texts.flatMap((pair) => {
    const [words, targets] = [changedText(pair), changedTargets(pair, change)];
    // A finding on the words of a link says already that it went.
    return [...words, ...targets.filter(({ after }) => words.length === 0 || after !== '')];
  });
  const pages = pageChangesOf(change);
  return [...bodies, ...pages.flatMap(changedFields), ...pages.flatMap(changedOrder)];
}

/** Steps that changed places. */
function changedOrder({ file, before, after, match }: PageChange): readonly RuleFinding[] {
  const order = new Map(after?.blocks.map((block, index) => [block, index]));
  const steps = (before?.blocks ?? []).filter(({ isStep }) => isStep);
  const lists = Map.groupBy(steps, ({ parent, section }) => parent ?? section);
  return [...lists.values()].flatMap((list) => {
    const now = list.flatMap((step) => match?.pairs.get(step) ?? []);
    const places = now.map((step) => order.get(step) ?? 0);
    const index = places.findIndex((place, at) => place < (places[at - 1] ?? 0));
    const [first, second] = [now[index], now[index - 1]];
    if (first === undefined || second === undefined) {
      return [];
    }
    const what = say`The step ${first.text} comes before the step ${second.text} now.`;
    return found('fact-changed', { file: file.path, line: first.line }, what);
  });
}

/** A page's title and description that are turned around, or have another number. To write another one is plain. */
function changedFields({ file, before, after }: PageChange): readonly RuleFinding[] {
  return ['title', 'description'].flatMap((name) => {
    const [was, is] = [fieldOf(before, name), fieldOf(after, name)];
    const numbersIn = (text: string) => wordsOf(text).filter((word) => isNumber.test(word));
    const [old, now] = [numbersIn(was), numbersIn(is)];
    const isOther = old.length === now.length && old.join(' ') !== now.join(' ');
    const isTurned = turnsIn(was).join(' ') !== turnsIn(is).join(' ');
    const what = say`The ${[name]} of the page says something else now.`;
    return keptPart(wordsOf(was), is) >= leastKept && (isOther || isTurned)
      ? found('fact-changed', { file: file.path, line: 1 }, what, { before: was, after: is })
      : [];
  });
}

/** What can have changed in a block itself, and not in what stands in it. */
function saidBy(block: Block): string {
  return [wordsIn(block), ...block.targets].join('\n');
}

/** Links that lead to another place; a page that moved is the same place. */
function changedTargets(
  { old, now, file, place, match }: Pair,
  { before, after, files }: Change,
): readonly RuleFinding[] {
  const renamed = new Map(files.map((one) => [pathBefore(one), one.path]));
  const was = linksTo(old.targets, pathBefore(file), before)
    .filter(({ isAlive }) => isAlive)
    .map((link) => ({ ...link, end: renamed.get(link.end) ?? link.end }));
  const is = linksTo(now.targets, file.path, after);
  // Under the same words, links can also have changed places.
  const haveSameWords = old.text === now.text && was.length === is.length;
  const onlyIn = (links: typeof is, others: typeof is) =>
    haveSameWords
      ? links.filter((link, index) => endOf(link) !== endOf(others[index]))
      : newItems(others, links, endOf);
  const added = onlyIn(is, was);
  // One that stands elsewhere in the section has only moved.
  const lost = lostFacts(match).get(old.section);
  const gone = onlyIn(was, is).filter((link) => haveSameWords || lost?.has(link.target));
  const [from, to] = [gone, added].map((links) => links.map(({ target }) => target).join('\n'));
  const what = to === '' ? say`A link is gone.` : say`A link leads to another place.`;
  return gone.length === 0 ? [] : [found('fact-changed', place, what, { before: from, after: to })];
}

interface LinkOfBlock {
  readonly target: string;
  readonly isAlive: boolean;
  /** The file where it ends; of a link to another site, its host. */
  readonly end: string;
  /** Where in the file; empty for its top, and on another site. */
  readonly anchor: string;
}

/** Of a heading with other characters than letters and digits, several anchors are known. */
function endOf(link: LinkOfBlock | undefined): string {
  return `${link?.end}#${link?.anchor.replace(/[^\p{L}\p{N}]/gu, '')}`;
}

function linksTo(
  targets: readonly string[],
  from: string,
  version: DocsVersion,
): readonly LinkOfBlock[] {
  return targets.map((target) => {
    const { kind, ...end } = linksOf(version).resolve(target, from);
    const anchor = 'anchor' in end ? (end.anchor ?? '') : '';
    const host = URL.parse(target)?.host || target.replace(/#.*$/u, '').replace(/\/$/u, '');
    return { target, isAlive: kind !== 'nowhere', end: 'file' in end ? end.file : host, anchor };
  });
}

/** Samples of which a line changed or went, or lines changed places. A sample that went is `removed`. */
export function sampleChanged(change: Change): readonly RuleFinding[] {
  return pairsIn(change)
    .filter(({ old }) => old.kind === 'sample')
    .flatMap(({ old, now, place }) => {
      const keyOf = (line: string) => lineKey(line, now.name);
      const [was, is] = [sampleLines(old), sampleLines(now)];
      const [gone, added] = [newItems(is, was, keyOf), newItems(was, is, keyOf)];
      const kept = newItems(added, is, keyOf).map(keyOf).join('\n');
      if (gone.length === 0 && kept === was.map(keyOf).join('\n')) {
        return [];
      }
      const versions = gone.length > 0 ? [gone, added] : [was, is];
      const [before = '', after] = versions.map((lines) => lines.join('\n'));
      const what = after === '' ? say`A part of a sample is gone.` : say`A sample changed.`;
      return found('sample-changed', place, what, { before, after });
    });
}

/** How a comment begins, by language: `//` divides in Python. In a language that is not listed, every line counts. */
const comments = byName({
  '#': 'sh bash zsh fish python py yaml yml toml ruby rb r dockerfile docker makefile env dotenv powershell elixir graphql hcl terraform tf',
  '//': 'js jsx javascript ts tsx typescript json json5 jsonc java kotlin kt scala groovy swift go rust rs c cpp c++ csharp cs c# dart php proto solidity',
  '--': 'sql lua',
});

/** Nobody runs an empty line or a comment, be it on its own or behind code without quotes. */
function sampleLines({ name, text }: Block): readonly string[] {
  const sign = comments.get(name.toLowerCase()) ?? '$.';
  const comment = new RegExp(`^([^"'\`]*?)(?:^|\\s)${sign}(?:\\s.*)?$`, 'u');
  const lines = text.split(/\r?\n|\r/u).map((line) => line.replace(comment, '$1'));
  return lines.filter((line) => line.trim() !== '');
}

/** Languages in which the indentation says what belongs to what. */
const isIndented = /^(?:py|ya?ml)/iu;

/** Without indentation that says nothing, and without the comma that an item gets when another one follows it. */
function lineKey(line: string, language: string): string {
  return (isIndented.test(language) ? line.trimEnd() : line.trim()).replace(/,$/u, '');
}
