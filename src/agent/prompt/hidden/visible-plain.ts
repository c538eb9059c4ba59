import type { HiddenCounts } from './cut.ts';
import { takeOutInvisible } from './invisible.ts';

/** Text of the event without what a reader of the page cannot see, and what that was. */
export interface VisibleText {
  readonly text: string;
  readonly removed: HiddenCounts;
}

/** What plain text shows, such as a title: everything but invisible characters. */
export function visiblePlainText(text: string): VisibleText {
  const { text: visible, taken } = takeOutInvisible(text);
  return { text: visible, removed: taken > 0 ? { invisible: taken } : {} };
}

/** Whether Markdown may hide something; nothing can be hidden in it without one of these marks. */
export function mayHide(markdown: string): boolean {
  return /[<[&|]|```|~~~/.test(markdown);
}
