/** A part of a report. */
export interface Section {
  /** Plain words of ours. */
  readonly title: string;
  /**
   * The section without its title, in Markdown; empty if there is nothing to show.
   * @param mostRows of each table or list
   */
  readonly render: (mostRows: number) => string;
}

/** From what people like to read down to what must be said. */
const sizes = [100, 40, 15, 5] as const;

/**
 * Fits sections into a report: with shorter tables if need be, then without the last sections, which is
 * said in their place.
 *
 * @param maxLength in UTF-16 units
 * @param elsewhere where the rest can be read; follows "is" or "are"
 */
export function fitSections(
  sections: readonly Section[],
  maxLength: number,
  elsewhere: string,
): string {
  for (const size of sizes) {
    const text = sections.map((section) => whole(section, size)).join('');
    if (text.length <= maxLength) {
      return text;
    }
  }
  return firstSections(sections, maxLength, elsewhere);
}

function firstSections(sections: readonly Section[], maxLength: number, elsewhere: string): string {
  const smallest = sizes.at(-1) ?? 0;
  const leftOut: string[] = [];
  let text = '';
  for (const section of sections) {
    const next = whole(section, smallest);
    // Room for the sentence about what is left out.
    if (text.length + next.length <= maxLength - 500) {
      text += next;
    } else {
      leftOut.push(section.title);
    }
  }
  return `${text}**Left out**, because it would be too long here: ${leftOut.join('; ')}. The whole report is ${elsewhere}.\n\n`;
}

function whole({ title, render }: Section, mostRows: number): string {
  const text = render(mostRows);
  return text === '' ? '' : `#### ${title}\n\n${text}\n\n`;
}

/**
 * A table or list, of which only the first rows are shown if it is long.
 * @param render in Markdown; called with one row at least
 */
export function listSection<Row>(
  title: string,
  rows: readonly Row[],
  render: (shown: readonly Row[]) => string,
): Section {
  return {
    title,
    render(mostRows) {
      const { shown, rest } = firstRows(rows, mostRows);
      return rows.length === 0 ? '' : `${render(shown)}${rest}`;
    },
  };
}

/** The first rows, and how many there are besides. */
export function firstRows<Row>(
  rows: readonly Row[],
  mostRows: number,
): { readonly shown: readonly Row[]; readonly rest: string } {
  const shown = rows.slice(0, mostRows);
  const count = rows.length - shown.length;
  return { shown, rest: count === 0 ? '' : `\n\n… and ${count} more` };
}
