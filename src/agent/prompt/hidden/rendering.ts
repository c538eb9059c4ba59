import { type Cut, emptyComment, emptyTag, type HiddenKind, type Range } from './cut.ts';
import { type HtmlToken, readHtml } from './html.ts';
import { isBlank } from './invisible.ts';
import { type HtmlItem, htmlAt, type JoinedHtml, joinHtml } from './joined-html.ts';
import type { Footnote, Item, Reading, Section } from './markdown.ts';
import { countsOfTag, roleOf, withoutAttributes } from './tags.ts';

/**
 * Finds what is hidden once a document is rendered to one page of HTML: comments and tags, what an
 * unclosed comment or tag swallows wherever it ends, and the footnotes that nothing refers to.
 *
 * Where a browser's rules for broken HTML would have to be followed to tell where something hidden
 * ends, it does not end: everything behind it is taken for hidden.
 */
export function findHiddenInPage({ body, footnotes }: Reading, text: string): readonly Cut[] {
  const page = new Page(text);
  const notes = new Footnotes(footnotes);
  page.render(body);
  // A footnote can call further ones.
  for (let next = 0; next < page.calls.length; next += 1) {
    const call = page.calls[next];
    const note = call && notes.called(call.note);
    if (call !== undefined && note !== undefined) {
      page.relabel(call.label, note.number);
      if (note.isNew) {
        page.relabel(note.footnote.label, note.number);
        page.render(note.footnote);
      }
    }
  }
  const unused = notes.unused().map(
    ({ whole }): Cut => ({ ...whole, place: 'block', standIn: emptyComment, kind: 'footnote' }),
  );
  return [...page.cuts, ...unused];
}

/** Footnotes stand at the end of the page, numbered by their first call. */
class Footnotes {
  readonly #byId: ReadonlyMap<string, Footnote>;
  readonly #numbers = new Map<Footnote, number>();
  readonly #all: readonly Footnote[];

  constructor(all: readonly Footnote[]) {
    this.#all = all;
    // Of those with the same label the first is shown.
    this.#byId = new Map(
      all.toSorted((a, b) => b.whole.start - a.whole.start).map((note) => [note.id, note]),
    );
  }

  called(id: string) {
    const footnote = this.#byId.get(id);
    if (footnote === undefined) {
      return undefined;
    }
    const known = this.#numbers.get(footnote);
    const number = known ?? this.#numbers.size + 1;
    this.#numbers.set(footnote, number);
    return { footnote, number, isNew: known === undefined };
  }

  unused(): readonly Footnote[] {
    return this.#all.filter((footnote) => !this.#numbers.has(footnote));
  }
}

/** What hides the text that follows. */
type Hiding =
  | { readonly by: 'comment' | 'rest' }
  | { readonly by: 'element'; readonly tag: string; readonly isInBlock: boolean };

/** The page so far: what it hides, and whether something is open that hides what comes next. */
class Page {
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

  #renderHtml(run: readonly HtmlItem[]): void {
    const joined = joinHtml(run, this.#text);
    const isBlock = run[0]?.isBlock === true;
    const { tokens, open } = readHtml(joined.html, this.#hiding?.by === 'comment', isBlock);
    const unseen: Range[] = [];
    let hiddenFrom = this.#hiding && 0;
    for (const token of tokens) {
      const isOpen = open?.kind === 'comment' && token === tokens.at(-1);
      const cut = this.#renderToken(token, isOpen, isBlock, joined);
      if (cut !== undefined) {
        this.cuts.push(...cut);
      }
      if (this.#hiding !== undefined) {
        hiddenFrom ??= token.start;
      } else if (hiddenFrom !== undefined) {
        unseen.push({ start: hiddenFrom, end: token.end });
        hiddenFrom = undefined;
      } else if (isUnseen(token)) {
        unseen.push(token);
      }
    }
    if (open?.kind === 'tag') {
      hiddenFrom ??= open.start;
      this.#swallow(joined.inSource({ start: open.start, end: open.start + 1 }).start);
    }
    if (hiddenFrom !== undefined) {
      unseen.push({ start: hiddenFrom, end: joined.html.length });
    }
    if (isBlock) {
      this.#cutBlocks(run, joined, unseen);
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

  #renderToken(
    token: HtmlToken,
    isOpen: boolean,
    isBlock: boolean,
    joined: JoinedHtml,
  ): readonly Cut[] | undefined {
    switch (this.#hiding?.by) {
      case undefined:
        return this.#renderShown(token, isOpen, isBlock, joined);
      case 'comment':
        if (!isOpen) {
          this.#show(joined.inSource(token).end);
        }
        return undefined;
      case 'element':
        if (token.kind === 'tag' && token.isEnd && token.name === this.#hiding.tag) {
          this.#show(joined.inSource(token).end);
        } else if (token.kind === 'tag' || isOpen) {
          this.#hiding = { by: 'rest' };
        }
        return undefined;
      case 'rest':
        return undefined;
    }
  }

  #renderShown(
    token: HtmlToken,
    isOpen: boolean,
    isBlock: boolean,
    joined: JoinedHtml,
  ): readonly Cut[] | undefined {
    const range = joined.inSource(token);
    const place = isBlock ? 'in-html' : 'inline';
    if (token.kind === 'comment') {
      if (isOpen) {
        this.#hide({ by: 'comment' }, range.start, 'comment');
        return undefined;
      }
      return [{ ...range, place, standIn: isBlock ? emptyComment : emptyTag, kind: 'comment' }];
    }
    const { name, isEnd } = token;
    const role = roleOf(name);
    if (role === 'kept') {
      const rest = withoutAttributes(token, joined.html);
      return rest === joined.html.slice(token.start, token.end)
        ? undefined
        : [{ ...range, place: 'exact', standIn: rest, ...countsOfTag(token) }];
    }
    if (role === 'dropped' || isEnd) {
      const standIn = isBlock ? `<${isEnd ? '/' : ''}div>` : emptyTag;
      return [{ ...range, place, standIn, kind: 'tag' }];
    }
    const hiding: Hiding =
      role === 'hiding' ? { by: 'element', tag: name, isInBlock: isBlock } : { by: 'rest' };
    this.#hide(hiding, range.start, 'passage');
    return undefined;
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

/** The text of a place, less what lies in the ranges. */
function without(ranges: readonly Range[], place: Range, text: string): string {
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
