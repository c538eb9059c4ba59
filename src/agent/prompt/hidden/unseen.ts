import type { Range } from './cut.ts';

/** Collects which parts of a piece of HTML nobody sees. */
export class Unseen {
  readonly #ranges: Range[] = [];
  #from: number | undefined;

  constructor(isHidden: boolean) {
    this.#from = isHidden ? 0 : undefined;
  }

  /** Goes on behind a token that is unseen itself, or that hides or shows what follows it. */
  pass(token: Range, hidesWhatFollows: boolean, isItselfUnseen: boolean): void {
    if (hidesWhatFollows) {
      this.#from ??= token.start;
    } else if (this.#from !== undefined || isItselfUnseen) {
      this.#ranges.push({ start: this.#from ?? token.start, end: token.end });
      this.#from = undefined;
    }
  }

  until(end: number): readonly Range[] {
    return this.#from === undefined ? this.#ranges : [...this.#ranges, { start: this.#from, end }];
  }
}

/** The text of a place, less what lies in the ranges. */
export function without(ranges: readonly Range[], place: Range, text: string): string {
  let rest = '';
  let at = place.start;
  for (const { start, end } of ranges) {
    if (end > at && start < place.end) {
      rest += text.slice(at, Math.max(start, at));
      at = Math.max(at, end);
    }
  }
  return at < place.end ? rest + text.slice(at, place.end) : rest;
}
