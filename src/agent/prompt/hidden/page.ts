import { decodeString } from 'micromark-util-decode-string';
import { type Cut, emptyComment, emptyTag, type HiddenKind, type Range } from './cut.ts';
import { type HtmlToken, readHtml, type Tag } from './html.ts';
import { isBlank, withoutInvisible } from './invisible.ts';
import { type HtmlItem, htmlAt, type JoinedHtml, joinHtml } from './joined-html.ts';
import type { Item, Section } from './reading.ts';
import { countsOfTag, roleOf, withoutAttributes } from './tags.ts';
import { Unseen, without } from './unseen.ts';

/** A token in its HTML. */
interface FoundToken {
  readonly token: HtmlToken;
  /** Whether it is a comment without an end. */
  readonly isOpen: boolean;
  /** Whether the HTML is a block of its own, and not in a line of text. */
  readonly isBlock: boolean;
  readonly joined: JoinedHtml;
}

const inLine = ['inline', emptyTag] as const;

/** What hides the text that follows. */
type Hiding =
  | { readonly by: 'comment' | 'rest' }
  | { readonly by: 'element'; readonly tag: string; readonly isInBlock: boolean };

/** The page so far: what it hides, and whether something is open that hides what comes next. */
export class Page {
  readonly cuts: Cut[] = [];
  readonly calls: (Item & { readonly kind: 'call' })[] = [];
  readonly #text: string;
  #hiding: Hiding | undefined;
  /** Where the hidden passage begins in the section that is being rendered, and what it counts as. */
  #from = 0;
  #kind: HiddenKind | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** A reader sees numbers, whatever the labels are. */
  relabel(label: Range, number: number): void {
    if (this.#text.slice(label.start, label.end) !== String(number)) {
      this.cuts.push({ ...label, place: 'exact', standIn: String(number) });
    }
  }

  render({ start, end, items }: Section): void {
    this.#from = start;
    for (let index = 0; index < items.length; index += 1) {
      const run = htmlAt(items, index);
      if (run.length > 0) {
        this.#renderHtml(run);
        index += run.length - 1;
      } else {
        this.#renderItem(items[index]);
      }
    }
    this.#cutPassage(end);
  }

  #renderItem(item: Item | undefined): void {
    if (item?.kind === 'boundary') {
      this.#cross(item.at);
    } else if (item?.kind === 'gap') {
      this.#cutPassage(item.start);
      this.#from = item.end;
    } else if (item?.kind === 'call') {
      this.calls.push(item);
    }
  }

  /** The end of a block ends what was opened in a line of it. */
  #cross(at: number): void {
    if (this.#hiding?.by === 'element') {
      if (this.#hiding.isInBlock) {
        this.#hiding = { by: 'rest' };
      } else {
        this.#show(at);
      }
    }
  }

  #hide(hiding: Hiding, from: number, kind: HiddenKind): void {
    this.#hiding = hiding;
    this.#from = from;
    this.#kind = kind;
  }

  #show(at: number): void {
    this.#cutPassage(at);
    this.#hiding = undefined;
  }

  /** Takes out what is hidden up to here; it counts once, in however many pieces. */
  #cutPassage(end: number): void {
    if (this.#hiding !== undefined && this.#from < end) {
      const kind = this.#kind && { kind: this.#kind };
      this.cuts.push({ start: this.#from, end, place: 'block', standIn: emptyComment, ...kind });
      this.#kind = undefined;
    }
  }

  /** Renders pieces of HTML between which the renderer puts nothing. */
  #renderHtml(run: readonly HtmlItem[]): void {
    const isBlock = run[0]?.isBlock === true;
    const joined = joinHtml(run, this.#text);
    const isInComment = this.#hiding?.by === 'comment';
    const { tokens, open } = readHtml(joined.html, isInComment, run.at(-1)?.meetsText === true);
    const unseen = new Unseen(this.#hiding !== undefined);
    for (const token of tokens) {
      const isOpen = open?.kind === 'comment' && token === tokens.at(-1);
      this.#renderToken({ token, isOpen, isBlock, joined });
      unseen.pass(token, this.#hiding !== undefined, isUnseen(token));
    }
    if (open?.kind === 'tag') {
      const rest = { start: open.start, end: joined.html.length };
      this.#swallow(joined.inSource(rest).start);
      unseen.pass(rest, true, true);
    }
    if (isBlock) {
      this.#cutReferences(joined);
      this.#cutBlocks(run, joined, unseen.until(joined.html.length));
    }
  }

  /** Takes out references to invisible characters; where HTML is text of Markdown, that has done so. */
  #cutReferences(joined: JoinedHtml): void {
    for (const { index, 0: reference } of joined.html.matchAll(/&#?\w+;/g)) {
      if (withoutInvisible(decodeString(reference)) === '') {
        const range = joined.inSource({ start: index, end: index + reference.length });
        this.cuts.push({ ...range, place: 'exact', standIn: '', kind: 'invisible' });
      }
    }
  }

  /** A tag without an end takes everything behind it for its attributes. */
  #swallow(from: number): void {
    if (this.#hiding === undefined) {
      this.#hide({ by: 'rest' }, from, 'passage');
    } else {
      this.#hiding = { by: 'rest' };
    }
  }

  #renderToken(found: FoundToken): void {
    const { token, isOpen, joined } = found;
    switch (this.#hiding?.by) {
      case undefined:
        if (token.kind === 'comment') {
          this.#renderComment(found);
        } else {
          this.#renderTag(token, found);
        }
        return;
      case 'comment':
        if (!isOpen) {
          this.#show(joined.inSource(token).end);
        }
        return;
      case 'element':
        if (token.kind === 'tag' && token.isEnd && token.name === this.#hiding.tag) {
          this.#show(joined.inSource(token).end);
        } else if (token.kind === 'tag' || isOpen) {
          this.#hiding = { by: 'rest' };
        }
        return;
      case 'rest':
        return;
    }
  }

  #renderComment({ token, isOpen, isBlock, joined }: FoundToken): void {
    const range = joined.inSource(token);
    if (isOpen) {
      this.#hide({ by: 'comment' }, range.start, 'comment');
      return;
    }
    const [place, standIn] = isBlock ? (['in-html', emptyComment] as const) : inLine;
    this.cuts.push({ ...range, place, standIn, kind: 'comment' });
  }

  #renderTag(tag: Tag, { isBlock, joined }: FoundToken): void {
    const range = joined.inSource(tag);
    const { name, isEnd } = tag;
    const role = roleOf(name);
    if (role === 'kept') {
      const standIn = withoutAttributes(tag, joined.html);
      if (standIn !== joined.html.slice(tag.start, tag.end)) {
        this.cuts.push({ ...range, place: 'exact', standIn, ...countsOfTag(tag) });
      }
    } else if (role === 'dropped' || isEnd) {
      const block = isEnd ? '</div>' : '<div>';
      const [place, standIn] = isBlock ? (['in-html', block] as const) : inLine;
      this.cuts.push({ ...range, place, standIn, kind: 'tag' });
    } else {
      const hiding: Hiding =
        role === 'hiding' ? { by: 'element', tag: name, isInBlock: isBlock } : { by: 'rest' };
      this.#hide(hiding, range.start, 'passage');
    }
  }

  /** Blocks of which nothing is seen go whole. */
  #cutBlocks(run: readonly HtmlItem[], joined: JoinedHtml, unseen: readonly Range[]): void {
    for (const [index, place] of joined.places.entries()) {
      const parts = run[index]?.parts ?? [];
      const start = parts[0]?.start ?? 0;
      const end = parts.at(-1)?.end ?? start;
      if (isBlank(without(unseen, place, joined.html)) && start < end) {
        this.cuts.push({ start, end, place: 'block', standIn: emptyComment });
      }
    }
  }
}

function isUnseen(token: HtmlToken): boolean {
  return token.kind === 'comment' || roleOf(token.name) !== 'kept';
}
