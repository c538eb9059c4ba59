import type { postprocess } from 'micromark';
import type { Cut, HiddenKind, Range } from './cut.ts';
import { isBlank } from './invisible.ts';
import type { Footnote, Item } from './reading.ts';

type Event = ReturnType<typeof postprocess>[number];
export type Token = Event[1];
export type Context = Event[2];

/** What a token means for what is known. */
export type Handler = (walk: Walk, token: Token, context: Context) => void;

/** A link or image that is being read. */
export interface Link {
  readonly isImage: boolean;
  /** Whether all of it is hidden by what it stands in. */
  readonly isHidden: boolean;
  isInText: boolean;
  hasText: boolean;
  text: Range;
  /** `[label]` or `[]` behind the text. */
  reference?: Range;
  /** The label that leads to a definition, as written. */
  label: string;
  hasResource: boolean;
  destination?: Range;
  title?: Range;
}

/** A definition that is being read. */
export interface Definition {
  id: string;
  destination: Range;
  title?: Range;
}

/** What stands for a label, once all definitions are known. */
export interface Reference extends Range {
  readonly id: string;
  readonly isImage: boolean;
  readonly hidesLabel: boolean;
}

/** A label behind brackets that make no link here. */
export interface LooseLabel extends Range {
  readonly id: string;
  /** Where its brackets open. */
  readonly open: number;
}

interface OpenSection {
  start: number;
  id: string;
  label: Range;
  readonly items: Item[];
}

export const nowhere: Range = { start: 0, end: 0 };

/** What is known on the way through a document. */
export class Walk {
  readonly text: string;
  readonly cuts: Cut[] = [];
  readonly links: Link[] = [];
  readonly sections: OpenSection[] = [{ start: 0, id: '', label: nowhere, items: [] }];
  readonly footnotes: Footnote[] = [];
  readonly references: Reference[] = [];
  readonly definitions: (Definition & Range)[] = [];
  definition: Definition = { id: '', destination: nowhere };
  /** How many constructs are open whose inside is not rendered as Markdown. */
  unrendered = 0;
  /** Where brackets open in the text of this block that no link has used. */
  brackets: number[] = [];
  readonly looseLabels: LooseLabel[] = [];
  lists = 0;
  htmlParts: Range[] = [];
  fenceInfo: Range | undefined;
  columns = 0;
  column = 0;

  constructor(text: string) {
    this.text = text;
  }

  slice({ start, end }: Range): string {
    return this.text.slice(start, end);
  }

  cut(range: Range, kind?: HiddenKind, standIn = ''): void {
    if (range.start < range.end || standIn !== '') {
      this.cuts.push({ ...range, place: 'exact', standIn, ...(kind && { kind }) });
    }
  }

  add(item: Item): void {
    if (this.unrendered === 0) {
      this.sections.at(-1)?.items.push(item);
    }
  }

  /** Something that a reader sees. */
  show(range: Range): void {
    const link = this.links.at(-1);
    if (link?.isInText === true && !link.hasText) {
      link.hasText = !isBlank(this.slice(range));
    }
  }

  showImage(): void {
    const link = this.links.at(-1);
    if (link?.isInText === true) {
      link.hasText = true;
    }
  }
}

export function rangeOf({ start, end }: Token): Range {
  return { start: start.offset, end: end.offset };
}
