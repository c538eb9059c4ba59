import type { Range } from './cut.ts';
import type { Item } from './reading.ts';

export type HtmlItem = Item & { readonly kind: 'html' };

/** Pieces of HTML between which the renderer puts nothing, as one text. */
export interface JoinedHtml {
  readonly html: string;
  /** The piece of the source that a piece of the HTML came from, quote marks between lines included. */
  readonly inSource: (piece: Range) => Range;
  /** Where each item lies in the HTML. */
  readonly places: readonly Range[];
}

interface Line {
  readonly at: number;
  readonly source: Range;
}

/** Puts the lines of HTML together, without what Markdown has before them. */
export function joinHtml(items: readonly HtmlItem[], text: string): JoinedHtml {
  const lines: Line[] = [];
  const places: Range[] = [];
  let html = '';
  for (const { parts } of items) {
    const start = html.length;
    for (const source of parts) {
      lines.push({ at: html.length, source });
      html += `${text.slice(source.start, source.end)}\n`;
    }
    places.push({ start, end: html.length });
  }
  /** The place of a character, and of the end of the one before. */
  const sourceOf = (at: number, character: number): number => {
    const line = lines[indexOfLine(lines, character)];
    return line === undefined ? 0 : Math.min(line.source.start + at - line.at, line.source.end);
  };
  return {
    html,
    places,
    inSource: ({ start, end }) => ({ start: sourceOf(start, start), end: sourceOf(end, end - 1) }),
  };
}

/** The last line that begins at or before an offset. */
function indexOfLine(lines: readonly Line[], at: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle]?.at ?? 0) <= at) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/** The items from `index` on that make one piece of HTML; none where something else stands. */
export function htmlAt(items: readonly Item[], index: number): readonly HtmlItem[] {
  const run: HtmlItem[] = [];
  for (let next = index; next < items.length; next += 1) {
    const item = items[next];
    if (item?.kind !== 'html' || (run.length > 0 && !item.isBlock)) {
      break;
    }
    run.push(item);
    if (!item.isBlock) {
      break;
    }
  }
  return run;
}
