import { type Sentence, say, unquoted } from '../sentence.ts';

/*
 * Limits for what the parsers get. A page above one of them is not judged. All limits are counts, never times, so
 * that the same change gets the same verdict on every machine.
 */

/** Twice the size of the largest page in six repositories of docs, with 3,800 pages. */
const maxBytes = 500_000;

/** Each limit of a page, and the words for what it counts. "Real pages" are those of the same six repositories. */
const limits = {
  /** Each line and each mark can become nodes, which take up to 10 kB of memory. Real pages have 5,000 lines. */
  lines: [30_000, 'lines'],
  /** Real pages have 10,000. */
  marks: [50_000, 'marks of Markdown'],
  /** The time grows with the square of their number. Real pages have 400. */
  looseItems: [3000, 'quotes and list items after empty lines'],
  /** The time for a paragraph grows with the square of its length, in characters, in lines, and in marks. */
  lineLength: [50_000, 'characters in a line'],
  linesOnEnd: [10_000, 'lines without an empty one'],
  marksOnEnd: [5000, 'marks of Markdown without an empty line'],
} as const;

const limitNames = Object.keys(limits) as (keyof typeof limits)[];

const mark = /[*_~[`$<{|&\\!]/gu;

/**
 * Marks that can open emphasis, a link, inline code or a formula. The parser reads each of them again for every later
 * mark of the same paragraph.
 */
const pairedMark = /[*_~[`$]/gu;

const itemMarks = /^(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))*/u;

/** Parsers of JavaScript and YAML overflow their stack at 400 to 800 nested brackets. Real pages have 20. */
export const maxDepth = 200;

export const tooDeep = say`is nested too deeply`;

/**
 * Marks of quotes, lists and keys before a text. Markdown and YAML allow any number, and the time for them grows
 * with the square or the cube of it; real files have less than ten.
 */
const deepMarks =
  /^(?:[ \t]*(?:>|(?:[-*+?]|\d{1,9}[.)])(?=[ \t]|$))){51}|^[ \t]{150,}(?:>|(?:[-*+?]|\d{1,9}[.)])(?:[ \t]|$))/;

/** Why a page, or a part of the settings, cannot be read. */
export interface PageProblem {
  /** A clause without its subject, such as `is not valid MDX: …`; the parser's words are a quotation. */
  readonly what: Sentence;
  readonly line?: number | undefined;
  /** True if only a limit of the check is exceeded, so that Mintlify may read the file. */
  readonly isLimit?: true;
}

/** Says why a page must not be given to the parsers; `undefined` for one that may. */
export function refusalOf(text: string): PageProblem | undefined {
  if (Buffer.byteLength(text) > maxBytes) {
    return { what: say`is larger than 500 kB`, isLimit: true };
  }
  const counts = new Counts();
  for (const [index, line] of text.split('\n').entries()) {
    const what = counts.add(line);
    if (what !== undefined) {
      return { what, line: index + 1, isLimit: true };
    }
  }
  return undefined;
}

/** Counts what the limits are for, line by line. */
class Counts implements Record<keyof typeof limits, number> {
  lines = 0;
  marks = 0;
  looseItems = 0;
  lineLength = 0;
  linesOnEnd = 0;
  marksOnEnd = 0;
  private depth = 0;

  /** @returns why the page is too much with this line */
  add(line: string): Sentence | undefined {
    this.lines += 1;
    this.marks += countOf(mark, line);
    this.lineLength = line.length;
    if (this.linesOnEnd === 0) {
      this.looseItems += countOf(/[>*+.)-]/gu, itemMarks.exec(line)?.[0] ?? '');
    }
    // A line of a quote can be empty, too.
    const isEmpty = /^[\s>]*$/u.test(line);
    this.linesOnEnd = isEmpty ? 0 : this.linesOnEnd + 1;
    // The parser reads each cell of a table by itself.
    const isRow = /^\s*\|/u.test(line);
    this.marksOnEnd = isEmpty || isRow ? 0 : this.marksOnEnd + countOf(pairedMark, line);
    if (deepMarks.test(line) || this.deepestIn(line) > maxDepth) {
      return tooDeep;
    }
    const exceeded = limitNames.find((name) => this[name] > limits[name][0]);
    if (exceeded === undefined) {
      return undefined;
    }
    const [limit, what] = limits[exceeded];
    return say`has more than ${limit} ${unquoted(what)}`;
  }

  /** The most brackets that are open at once in a line, with those that earlier lines left open. */
  private deepestIn(line: string): number {
    let deepest = 0;
    for (const [bracket] of line.matchAll(/[([{]|[)\]}]/gu)) {
      this.depth = '([{'.includes(bracket) ? this.depth + 1 : Math.max(0, this.depth - 1);
      deepest = Math.max(deepest, this.depth);
    }
    return deepest;
  }
}

/** Whether YAML is nested so deeply that its parser would take too long. */
export function isDeepYaml(text: string): boolean {
  return text.split('\n').some((line) => deepMarks.test(line));
}

/** The lines and marks of JSON or YAML: the parser makes no more parts than these. */
export function itemsIn(text: string): number {
  return countOf(/[\n,[{]|[-?:](?=\s)/gu, text);
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
