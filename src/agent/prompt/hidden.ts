import { counted, listed } from '../../text/plain.ts';

/** The names that reports give to what was hidden in a text. */
const hiddenKinds = {
  html: ['HTML comment, tag or attribute', 'HTML comments, tags and attributes'],
  drawing: ['diagram or formula', 'diagrams and formulas'],
  title: ['link title', 'link titles'],
  link: ['link without text', 'links without text'],
  address: ['part of an address', 'parts of addresses'],
  description: ['image description', 'image descriptions'],
  word: ['word that Markdown does not show', 'words that Markdown does not show'],
  unclear: ['passage that may not be visible', 'passages that may not be visible'],
  invisible: ['invisible character', 'invisible characters'],
} as const satisfies Record<string, readonly [one: string, many: string]>;

export type HiddenKind = keyof typeof hiddenKinds;

/** Text of the event, without the parts that a reader of GitHub's page cannot see. */
export interface VisibleText {
  readonly text: string;
  /** The kind of each part that was left out. Markdown that renders to nothing is not counted. */
  readonly hidden: readonly HiddenKind[];
  /** True if the text still has marks that GitHub may read differently. */
  readonly isUnclear: boolean;
}

/** Describes what was left out, such as `2 link titles`; empty if nothing was left out. */
export function describeHidden(hidden: readonly HiddenKind[]): string {
  return listed(
    Object.entries(hiddenKinds).flatMap(([kind, [one, many]]) => {
      const found = hidden.filter((each) => each === kind).length;
      return found > 0 ? [counted(found, one, many)] : [];
    }),
  );
}
