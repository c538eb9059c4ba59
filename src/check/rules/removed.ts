import { oneLine } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Block, BlockKind } from '../docs/page.ts';
import { createRedirects } from '../docs/redirects.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { addressOfPage, deadPages } from './addresses.ts';
import { hasText, keptPart, keyOf, type Match, newItems, wordsOf } from './match.ts';
import {
  isShown,
  kindIn,
  type PageChange,
  pageChangesOf,
  pathBefore,
  titleOf,
} from './page-changes.ts';

/** Shorter paragraphs are labels and captions. */
const leastWords = 8;

/** A page that lost so much of its text is looked at, whatever it lost. */
const maxLost = 0.2;
const leastLostWords = 15;

/** So much of a section's text stays where its heading alone went. */
const maxKept = 0.6;

/** What readers could see before the change, and cannot see after it. */
export function removed(change: Change): readonly RuleFinding[] {
  const moved = movedBlocks(change);
  return [
    ...removedPages(change),
    ...pageChangesOf(change)
      .filter(({ file }) => isShown(change.before, pathBefore(file)))
      .flatMap((page) => removedBlocks(page, moved)),
  ];
}

/** Deleted pages that a redirect replaces, or that nothing led to. The others have dead addresses. */
function removedPages(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const redirects = createRedirects(after.site);
  return pageChangesOf(change)
    .filter(({ file }) => file.status === 'deleted' && isShown(before, file.path))
    .filter(({ file }) => !deadPages(change).includes(file))
    .map(({ file, before: page }) => {
      const address = addressOfPage(file.path, before);
      const destination = redirects.match(address.slice(1))?.destination;
      if (kindIn(before, file.path) === 'snippet') {
        return found('removed', { file: file.path }, say`The snippet ${file.path} is gone.`);
      }
      const title = titleOf(page) || file.path;
      const what =
        destination === undefined
          ? say`The page ${title} at ${address} is gone.`
          : say`The page ${title} is gone, and ${address} redirects to ${destination} now.`;
      return found('removed', { file: file.path }, what);
    });
}

/** How often a text is new on each page of the change: what stands there now has only moved. */
type Moved = Map<string, number>;

function movedBlocks(change: Change): Moved {
  const moved: Moved = new Map();
  for (const { file, after, match } of pageChangesOf(change)) {
    const added = match?.added ?? (file.status === 'added' ? (after?.blocks ?? []) : []);
    for (const block of added) {
      const key = keyOf(block);
      moved.set(key, (moved.get(key) ?? 0) + 1);
    }
  }
  return moved;
}

function removedBlocks({ file, match }: PageChange, moved: Moved): readonly RuleFinding[] {
  if (match === undefined) {
    return [];
  }
  const absorbed = absorbedIn(match);
  const gone = new Set(
    match.removed.filter((block) => !takeMoved(block, moved) && !absorbed(block)),
  );
  keepSectionsWithText(gone, [...match.pairs.keys(), ...match.removed]);
  const isInside = (block: Block) =>
    hasAncestor(block, ({ parent }) => parent, gone) ||
    hasAncestor(block, ({ section }) => section, gone);
  const shown = [...gone].filter((block) => isListed(block) && !isInside(block));
  const findings = shown.map((block) => {
    const after = replacementOf(block, match.added);
    const place = { file: file.path, line: lineNear(block, match) };
    const part = lostPart(block, match.added);
    if (part !== undefined) {
      return found('removed', place, say`A part of a ${[nouns[block.kind]]} is gone.`, {
        before: part,
      });
    }
    const name = nameOf(block);
    const text = block.kind === 'section' ? textBelow(block, gone) : block.text;
    const before = name === text || text === '' ? undefined : text;
    return found('removed', place, whatBecame(block, name, after), { before, after });
  });
  const all = [...findings, ...emptiedRows(file.path, match, gone)];
  return all.length > 0 ? all : shrunk(file.path, match, gone);
}

/** Rows that are known by their first cell and lost most of the others, unless a column went that has a name. */
function emptiedRows(
  file: string,
  { pairs }: Match,
  gone: ReadonlySet<Block>,
): readonly RuleFinding[] {
  const columns = [...gone].filter((block) => block.kind === 'column' && isListed(block));
  const cut = new Set(columns.map(({ parent }) => parent));
  return [...pairs]
    .filter(([old, now]) => old.kind === 'row' && !cut.has(old.parent) && isHalved(old, now))
    .map(([{ text: before }, { text: after, line }]) =>
      found('removed', { file, line }, say`Most of a row of a table is gone.`, { before, after }),
    );
}

function isHalved(old: Block, now: Block): boolean {
  return wordsOf(now.text).length * 2 < wordsOf(old.text).length;
}

function whatBecame(
  { kind, name: component, section }: Block,
  name: string,
  replacement: string | undefined,
): Sentence {
  const noun = kind === 'callout' ? say`${`<${component}>`} callout` : [nouns[kind]];
  const thing = name === '' ? say`A ${noun}` : say`The ${noun} ${name}`;
  const isNested = section !== undefined && section.text !== name;
  if (replacement !== undefined) {
    return isNested
      ? say`${thing} was replaced in the section ${section.text}.`
      : say`${thing} was replaced.`;
  }
  return isNested
    ? say`${thing} is gone from the section ${section.text}.`
    : say`${thing} is gone.`;
}

/** What a block is known by: its title, its address, or the first words of a callout; empty for the others. */
function nameOf({ kind, title, text }: Block): string {
  switch (kind) {
    case 'section':
    case 'picture':
      return oneLine(text, maxNameLength);
    case 'callout':
      return oneLine(text, maxWordsLength);
    case 'parameter':
    case 'tab':
    case 'step':
    case 'accordion':
    case 'card':
      return oneLine(title, maxNameLength);
    default:
      return '';
  }
}

/** Longer names push the rest out of view. */
const maxNameLength = 80;

/** Enough to find a callout again. */
const maxWordsLength = 50;

const nouns: Readonly<Record<BlockKind, string>> = {
  section: 'section',
  callout: 'callout',
  sample: 'sample',
  picture: 'picture',
  table: 'table',
  row: 'row of a table',
  column: 'column of a table',
  parameter: 'parameter',
  tab: 'tab',
  'list-item': 'list item',
  paragraph: 'paragraph',
  step: 'step',
  accordion: 'accordion',
  card: 'card',
};

function takeMoved(block: Block, moved: Moved): boolean {
  const left = moved.get(keyOf(block)) ?? 0;
  moved.set(keyOf(block), left - 1);
  return left > 0;
}

/** Tells whether a sentence stands in another one of its section now: two paragraphs may become one. */
function absorbedIn({ pairs, added, sectionBefore }: Match): (block: Block) => boolean {
  const changed = [...pairs].filter(([old, now]) => old.text !== now.text && hasText(now));
  const news = [
    ...added.filter(hasText).map((now) => ({ section: sectionBefore.get(now), text: now.text })),
    ...changed.map(([old, now]) => ({
      section: sectionBefore.get(now),
      text: newItems(wordsOf(old.text), wordsOf(now.text), String).join(' '),
    })),
  ];
  const bySection = Map.groupBy(news, ({ section }) => section);
  return (block) => {
    const isKept = block.section === undefined || pairs.has(block.section);
    const near = isKept ? (bySection.get(block.section) ?? []).slice(0, maxNear) : [];
    const words = wordsOf(block.text);
    return hasText(block) && near.some(({ text }) => keptPart(words, text) >= maxKept);
  };
}

/** More new text of one section is compared by nobody. */
const maxNear = 200;

/** A heading may go if what stood below it stays. */
function keepSectionsWithText(gone: Set<Block>, all: readonly Block[]): void {
  const below = Map.groupBy(all, ({ section }) => section);
  for (const section of [...gone].filter(({ kind }) => kind === 'section').reverse()) {
    const body = below.get(section) ?? [];
    const weigh = (blocks: readonly Block[]) =>
      blocks.reduce((sum, { text }) => sum + text.length, 0);
    const kept = weigh(body.filter((block) => !gone.has(block)));
    if (kept > 0 && kept >= maxKept * weigh(body)) {
      gone.delete(section);
    }
  }
}

function hasAncestor(
  block: Block,
  next: (block: Block) => Block | undefined,
  ancestors: ReadonlySet<Block>,
): boolean {
  for (let at = next(block); at !== undefined; at = next(at)) {
    if (ancestors.has(at) && isListed(at)) {
      return true;
    }
  }
  return false;
}

/** The text that went with a section, a line for each block; what stands in one of them is left out. */
function textBelow(section: Block, gone: ReadonlySet<Block>): string {
  const only = new Set([section]);
  return [...gone]
    .filter(
      (block) =>
        isListed(block) &&
        !(block.parent !== undefined && gone.has(block.parent)) &&
        hasAncestor(block, (one) => one.section, only),
    )
    .map(({ text }) => text)
    .join('\n');
}

function isListed({ kind, title, text }: Block): boolean {
  const words = wordsOf(`${title} ${text}`).length;
  return kind === 'paragraph' ? words >= leastWords : words > 0;
}

/** What went of a text whose beginning or end still stands in its section. */
function lostPart({ kind, section, text }: Block, added: readonly Block[]): string | undefined {
  const rest = added.find(
    (now) =>
      now.kind === kind &&
      hasText(now) &&
      now.section?.text === section?.text &&
      (text.startsWith(now.text) || text.endsWith(now.text)),
  );
  return rest && text.replace(rest.text, '').trim();
}

/** What stands in the place of a block now, as something else. */
function replacementOf(block: Block, added: readonly Block[]): string | undefined {
  const words = wordsOf(block.text);
  const now = added.find(
    ({ section, text }) =>
      section?.text === block.section?.text && keptPart(words, text) >= maxKept,
  );
  return now && (now.name === '' ? now.text : `<${now.name}> ${now.text}`);
}

/** The line of what stands before a block that is gone. */
function lineNear({ section }: Block, { pairs }: Match): number | undefined {
  return section === undefined ? undefined : pairs.get(section)?.line;
}

function shrunk(
  file: string,
  { pairs, removed, added }: Match,
  gone: ReadonlySet<Block>,
): readonly RuleFinding[] {
  const count = (blocks: Iterable<Block>) =>
    [...blocks].filter(hasText).reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  const moved = removed.filter((block) => !gone.has(block));
  const wordsBefore = count(pairs.keys()) + count(removed) - count(moved);
  const wordsAfter = count(pairs.values()) + count(added);
  const isSmaller = wordsBefore - wordsAfter >= Math.max(leastLostWords, wordsBefore * maxLost);
  const what = say`The page has ${wordsAfter} words now, and had ${wordsBefore} before.`;
  return isSmaller ? [found('removed', { file }, what)] : [];
}
