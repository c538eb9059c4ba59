import { oneLine } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Block, BlockKind } from '../docs/page.ts';
import { destinationOf } from '../docs/redirects.ts';
import { addressOfPage } from '../docs/site.ts';
import { found, type Place, type RuleFinding, type Versions } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { deadPages } from './addresses.ts';
import {
  blockKey,
  hasText,
  isLong,
  isSaidElsewhere,
  leastKept,
  type Match,
  maxNear,
  titled,
} from './match.ts';
import {
  fieldOf,
  isHidden,
  isReached,
  isRead,
  isShown,
  kindIn,
  type PageChange,
  pageChangesOf,
  pathBefore,
} from './page-changes.ts';
import { keptPart, newItems, wordsOf } from './words.ts';

/** What readers could see before the change, and cannot see after it. */
export function removed(change: Change): readonly RuleFinding[] {
  return [
    ...removedPages(change),
    ...pageChangesOf(change)
      .filter(({ file }) => isRead(change.before, pathBefore(file)))
      .flatMap((page) => removedBlocks(page, change)),
  ];
}

/** Deleted pages that a redirect replaces, or that nothing led to. The others have dead addresses. */
function removedPages(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  return pageChangesOf(change)
    .filter(({ file }) => file.status === 'deleted' && isShown(before, file.path))
    .filter(({ file }) => !deadPages(change).includes(file))
    .map(({ file, before: page }) => {
      const address = addressOfPage(file.path, before);
      const destination = destinationOf(address, after.site);
      if (kindIn(before, file.path) === 'snippet') {
        return found('removed', { file: file.path }, say`The snippet ${file.path} is gone.`);
      }
      const title = fieldOf(page, 'title') || file.path;
      const what =
        destination === undefined
          ? say`The page ${title} at ${address} is gone.`
          : say`The page ${title} is gone, and ${address} redirects to ${destination} now.`;
      return found('removed', { file: file.path }, what);
    });
}

/** What went from a page of the change, and is new on none that readers see: the rest has only moved. */
const unmovedBlocks = oncePer((change: Change): ReadonlySet<Block> => {
  const pages = pageChangesOf(change);
  const added = pages
    .filter(({ file, after }) => isReached(change, file) && !isHidden(after))
    .flatMap(
      ({ file, after, match }) =>
        match?.added ?? (file.status === 'added' ? (after?.blocks ?? []) : []),
    );
  const removed = pages.flatMap(({ match }) => match?.removed ?? []);
  return new Set(newItems(added, removed, blockKey));
});

/** The tables that lost a column: that is one event, whatever their rows lost with it. */
export const cutTables = oncePer((change: Change): ReadonlySet<Block | undefined> => {
  const columns = [...unmovedBlocks(change)].filter(({ kind }) => kind === 'column');
  return new Set(columns.map(({ parent }) => parent));
});

function removedBlocks(
  { file, before, match }: PageChange,
  change: Change,
): readonly RuleFinding[] {
  if (before === undefined || match === undefined) {
    return [];
  }
  const gone = goneBlocks(match, change);
  const events = Map.groupBy([...gone].filter(isListed), (block) => eventOf(block, gone));
  const replaced = [...events].map(([block, parts]) => ({
    block,
    text: goneText(block, parts, gone),
    now: match.pairs.get(block) ?? replacementOf(block, match.added),
  }));
  // A list that became a table is one event.
  return [...Map.groupBy(replaced, ({ block, now }) => now ?? block).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const { block, now } = first;
    const text = group.map((one) => one.text).join('\n');
    const place = { file: file.path, line: now?.line ?? lineNow(block, match, before.blocks) };
    return foundGone(block, text, now, place);
  });
}

/** @param before what the report shows of its text; @param now what stands in its place */
function foundGone(
  block: Block,
  before: string,
  now: Block | undefined,
  place: Place,
): RuleFinding {
  const versions = blockVersions(block, before, now);
  return found('removed', place, say`${blockName(block)} ${became(block, now)}.`, versions);
}

function became(block: Block, now: Block | undefined): Sentence {
  if (now === undefined) {
    return say`is gone`;
  }
  const isRenamed = now.kind === 'callout' && block.kind === 'callout' && now.name !== block.name;
  return isRenamed ? say`became ${`<${now.name}>`}` : say`was replaced`;
}

/** What a thing said below its title; a section has no other text. */
function goneText(block: Block, parts: readonly Block[], gone: ReadonlySet<Block>): string {
  const { kind, title, text } = block;
  if (kind !== 'section') {
    return text.startsWith(title) && titled.includes(kind) ? text.slice(title.length).trim() : text;
  }
  // The text of a block contains that of the blocks in it.
  const body = parts.filter((part) => part !== block && !(part.parent && gone.has(part.parent)));
  return body.map(({ text }) => text).join('\n');
}

/** The texts that the report shows, with what each is where that differs: a `<Warning>` can become a `<Note>`. */
function blockVersions(old: Block, before: string, now: Block | undefined): Versions {
  if (now === undefined) {
    return isKnownByText(old) ? {} : { before: before || undefined };
  }
  const [was, is] = [labelOf(old), labelOf(now)];
  return was === is
    ? { before: before || undefined, after: now.text }
    : { before: `${was}\n${before}`.trim(), after: `${is}\n${now.text}`.trim() };
}

function labelOf({ kind, name, title }: Block): string {
  if (kind === 'parameter') {
    return title;
  }
  return kind === 'sample' || name === '' ? name : `<${name}>`;
}

/** Where a block stands now; of what is gone, where the last thing before it stands, or else the next one. */
function lineNow(block: Block, { pairs }: Match, blocks: readonly Block[]): number | undefined {
  const index = blocks.indexOf(block);
  const isThere = (other: Block) => pairs.has(other);
  const near = blocks.slice(0, index + 1).findLast(isThere) ?? blocks.slice(index).find(isThere);
  return near && pairs.get(near)?.line;
}

/** What did not move to another page of the change, and is not said elsewhere in its section. */
function goneBlocks(match: Match, change: Change): ReadonlySet<Block> {
  const unmoved = unmovedBlocks(change);
  const gone = new Set(match.removed.filter((block) => unmoved.has(block)));
  const all = [...match.pairs.keys(), ...match.removed];
  const below = Map.groupBy(all, ({ section }) => section);
  // A heading may go if what stood below it stays.
  for (const section of [...gone].filter(({ kind }) => kind === 'section').reverse()) {
    const body = below.get(section) ?? [];
    const kept = body.filter((block) => !gone.has(block));
    if (kept.length > 0 && kept.length >= leastKept * body.length) {
      gone.delete(section);
    }
  }
  return new Set([...gone].filter((block) => !isSaidElsewhere(block, match)));
}

/** The outermost thing that went with a block in it: a section is one event, whatever stood in it. */
function eventOf(block: Block, gone: ReadonlySet<Block>): Block {
  let event = block;
  for (const next of ['parent', 'section'] as const) {
    for (let at = event[next]; at !== undefined; at = at[next]) {
      event = gone.has(at) && isListed(at) ? at : event;
    }
  }
  return event;
}

/** What its text shows has no name: that stands in the report beside it. */
function blockName(block: Block): Sentence {
  const { kind, name: component, title, text } = block;
  const noun = kind === 'callout' ? say`${`<${component}>`} callout` : [nouns[kind] ?? kind];
  const name = oneLine(kind === 'section' || isKnownByText(block) ? text : title, maxNameLength);
  return name === '' ? say`A ${noun}` : say`The ${noun} ${name}`;
}

function isKnownByText({ kind }: Block): boolean {
  return kind === 'picture' || kind === 'column';
}

/** Longer names push the rest out of view. */
const maxNameLength = 80;

const nouns: Partial<Readonly<Record<BlockKind, string>>> = {
  row: 'table row',
  column: 'table column',
  include: 'component',
  'list-item': 'list item',
};

function isListed({ kind, title, text }: Block): boolean {
  const isEmpty = wordsOf(`${title} ${text}`).length === 0;
  return kind === 'paragraph' ? isLong(text) : !isEmpty || kind === 'column';
}

/** What stands in the same section with most of a block's words, what is left of a text, or another callout of its kind. */
function replacementOf(block: Block, added: readonly Block[]): Block | undefined {
  const words = wordsOf(block.text);
  const isNamesake = (now: Block) => now.kind === block.kind && now.name === block.name;
  const isRest = (now: Block) =>
    hasText(now) && keptPart(wordsOf(now.text), block.text) >= leastKept;
  const near = added
    .filter(({ section }) => section?.text === block.section?.text)
    .slice(0, maxNear);
  return (
    near.find((now) => keptPart(words, now.text) >= leastKept || (hasText(block) && isRest(now))) ??
    near.find((now) => block.kind === 'callout' && isNamesake(now))
  );
}
