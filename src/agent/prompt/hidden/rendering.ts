import { type Cut, emptyComment } from './cut.ts';
import { Page } from './page.ts';
import type { Footnote, Reading } from './reading.ts';

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
  const unused = notes
    .unused()
    .map(
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
