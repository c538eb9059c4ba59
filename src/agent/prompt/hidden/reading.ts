import type { Cut, Range } from './cut.ts';

/** What matters of a document beside its words, in the order in which it is rendered. */
export type Item =
  | {
      readonly kind: 'html';
      readonly parts: readonly Range[];
      readonly isBlock: boolean;
      /** Whether text follows before any tag of the renderer's does; in a list it may. */
      readonly meetsText: boolean;
    }
  /** Here the renderer puts in tags of its own: one block ends, or another begins. */
  | { readonly kind: 'boundary'; readonly at: number }
  /** A footnote, which is rendered elsewhere. */
  | { readonly kind: 'gap'; readonly start: number; readonly end: number }
  | { readonly kind: 'call'; readonly note: string; readonly label: Range };

/** The document without its footnotes, or one footnote: what is rendered in one piece. */
export interface Section extends Range {
  readonly items: readonly Item[];
}

export interface Footnote extends Section {
  readonly id: string;
  readonly label: Range;
  /** The footnote with its label. */
  readonly whole: Range;
}

/** A Markdown document, read for what its rendering does not show. */
export interface Reading {
  /** What Markdown itself hides. */
  readonly cuts: readonly Cut[];
  readonly body: Section;
  /** In the order of the source; of those with the same label only the first is ever shown. */
  readonly footnotes: readonly Footnote[];
}
