import { withoutInvisible } from './invisible.ts';

/** What can be hidden in Markdown, as the report names it. */
export const hiddenKinds = {
  comment: ['HTML comment', 'HTML comments'],
  tag: ['HTML tag', 'HTML tags'],
  attribute: ['HTML attribute', 'HTML attributes'],
  passage: ['passage that an HTML tag hides', 'passages that an HTML tag hides'],
  definition: ['link definition', 'link definitions'],
  label: ['link label', 'link labels'],
  title: ['link title', 'link titles'],
  link: ['link without text', 'links without text'],
  address: ['address that leads nowhere', 'addresses that lead nowhere'],
  description: ['image description', 'image descriptions'],
  footnote: ['unused footnote', 'unused footnotes'],
  cell: ['surplus table cell', 'surplus table cells'],
  note: ['note behind a code fence', 'notes behind a code fence'],
  invisible: ['invisible character', 'invisible characters'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

export type HiddenKind = keyof typeof hiddenKinds;

/** How many hidden parts of each kind were taken out. */
export type HiddenCounts = Readonly<Partial<Record<HiddenKind, number>>>;

/** A piece of the source, by its offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A piece of the source to be taken out.
 *
 * `place` says where it lies, and with it what may stand in its place when its neighbours would
 * become something else together: inside a line, a block of its own, or inside a block of HTML, of
 * which other parts stay. `exact` pieces are part of a construct that knows what is left of it.
 */
export interface Cut extends Range {
  readonly place: 'exact' | 'inline' | 'block' | 'in-html';
  /** `exact`: what is put in; otherwise what may stand in. */
  readonly standIn: string;
  /** Parts that are counted; none for what only changes its place. */
  readonly kind?: HiddenKind;
  readonly count?: number;
}

/** Stands in for what was taken out, where nothing at all would change what is left. */
export const emptyComment = '<!---->';

/** The same inside a line: a comment at its start would begin a block. */
export const emptyTag = '<b></b>';

/** Takes pieces out of the text; of pieces that overlap, all is taken out. */
export function applyCuts(text: string, cuts: readonly Cut[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const cut of joinOverlapping(cuts)) {
    parts.push(text.slice(at, cut.start), standInOf(cut, text));
    at = cut.end;
  }
  return [...parts, text.slice(at)].join('');
}

export function countCuts(cuts: readonly Cut[]): HiddenCounts {
  const counts: Partial<Record<HiddenKind, number>> = {};
  for (const { kind, count = 1 } of cuts) {
    if (kind !== undefined) {
      counts[kind] = (counts[kind] ?? 0) + count;
    }
  }
  return counts;
}

/** The same pieces, each once. */
export function withoutRepeats(cuts: readonly Cut[]): readonly Cut[] {
  return [
    ...new Map(cuts.map((cut) => [JSON.stringify(Object.entries(cut).sort()), cut])).values(),
  ];
}

/** Counts of several texts, added up. */
export function addCounts(all: readonly HiddenCounts[]): HiddenCounts {
  const sum: Partial<Record<HiddenKind, number>> = {};
  for (const kind of Object.keys(hiddenKinds) as HiddenKind[]) {
    const total = all.reduce((count, counts) => count + (counts[kind] ?? 0), 0);
    if (total > 0) {
      sum[kind] = total;
    }
  }
  return sum;
}

function joinOverlapping(cuts: readonly Cut[]): Cut[] {
  const joined: Cut[] = [];
  const ordered = cuts.toSorted(
    (a, b) =>
      a.start - b.start ||
      b.end - a.end ||
      Number(b.place === 'block') - Number(a.place === 'block'),
  );
  for (const cut of ordered) {
    const last = joined.at(-1);
    if (last !== undefined && cut.start < last.end) {
      if (cut.end > last.end) {
        joined[joined.length - 1] = {
          ...last,
          end: cut.end,
          place: 'block',
          standIn: emptyComment,
        };
      }
    } else {
      joined.push(cut);
    }
  }
  return joined;
}

function standInOf(cut: Cut, text: string): string {
  const { place, standIn } = cut;
  if (place === 'exact') {
    return standIn;
  }
  const { before, after, indent } = surroundings(cut, text);
  const opensLine = /^[ \t>]*$/.test(before);
  if (leavesNothing[place]({ cut, text, before, after, indent, opensLine })) {
    return '';
  }
  // What follows in the line is no block, and must not become one.
  return place === 'block' && after !== '' ? emptyTag : standIn;
}

interface Surroundings {
  readonly cut: Range;
  readonly text: string;
  /** The line before the piece, and the beginning of what stands in the line behind it. */
  readonly before: string;
  readonly after: string;
  readonly indent: number;
  readonly opensLine: boolean;
}

/** Whether nothing need stand in for a piece. */
const leavesNothing: Readonly<
  Record<Exclude<Cut['place'], 'exact'>, (s: Surroundings) => boolean>
> = {
  inline: ({ before, after }) => joinsSafely(before, after),
  // The next line may be part of what stood above, if nothing lies between.
  block: ({ cut, text, before, after, indent, opensLine }) =>
    opensLine && after === ''
      ? indentAfter(cut.end, text) <= indent
      : after !== '' && !opensLine && joinsSafely(before, after),
  // A blank line would end the block, and a line that begins otherwise may not begin one.
  'in-html': ({ before, opensLine }) => !opensLine && !/[<&][^\s<>]*$/.test(before),
};

/** No line that counts begins with more marks and white space than this. */
const longestLead = 200;

/** What stands before and behind a piece in its line; the end of a line without its white space. */
function surroundings({ start, end }: Range, text: string) {
  const lead = withoutInvisible(text.slice(Math.max(start - longestLead, 0), start));
  const before = /[^\r\n]*$/.exec(lead)?.[0] ?? '';
  const rest = withoutInvisible(text.slice(end, end + longestLead));
  const after = /^[^\r\n]*/.exec(rest)?.[0].trimEnd() ?? '';
  return { before, after: after.slice(0, 2), indent: before.length };
}

/** How far the next line that is not blank is indented: it may belong to what stood before. */
function indentAfter(end: number, text: string): number {
  const lead =
    /^[^\r\n]*(?:[\r\n]+[ \t>]*)+/.exec(text.slice(end, end + 2 * longestLead))?.[0] ?? '';
  const indent = /[^\r\n]*$/.exec(lead)?.[0] ?? '';
  return indent.replaceAll('\t', '    ').length;
}

/** Whether the two neighbours mean side by side what they meant apart. */
function joinsSafely(before: string, after: string): boolean {
  return (
    /(?:^|[\p{L}\p{N}\s.,;?)'"])$/u.test(before.slice(-2)) &&
    /^(?:$|[\p{L}\p{N}\s,?'"])/u.test(after)
  );
}
