import { ErrorCodes, type Token, Tokenizer } from 'parse5';
import type { Range } from './cut.ts';
import { asGitHubReads } from './tags.ts';

/** A piece of HTML that is no text. */
export type HtmlToken = Comment | Tag;

export interface Comment extends Range {
  readonly kind: 'comment';
}

export interface Tag extends Range {
  readonly kind: 'tag';
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: readonly HtmlAttribute[];
}

export interface HtmlAttribute extends Range {
  readonly name: string;
  readonly value: string;
}

/** What a piece of HTML holds. Everything between the tokens is text. */
export interface HtmlReading {
  readonly tokens: readonly HtmlToken[];
  /** A comment or tag that has no end in here, and where it begins. */
  readonly open: { readonly kind: 'comment' | 'tag'; readonly start: number } | undefined;
}

/** Puts the tokenizer inside a comment. */
const commentStart = '<!--x';

/** What the renderer makes of the next block: it ends every tag that is not inside quotes. */
const nextBlock = '<p>';

/** A letter of the text that follows. Where it is no text any more, something has swallowed it. */
const probe = 'x';

/**
 * Reads HTML as a browser does.
 *
 * @param isInComment whether a comment that was begun before is still open
 * @param meetsText whether text follows, or a tag that begins the next block
 */
export function readHtml(html: string, isInComment: boolean, meetsText: boolean): HtmlReading {
  const lead = isInComment ? commentStart : '';
  const follows = meetsText ? probe + nextBlock : nextBlock + probe;
  const whole = lead + asGitHubReads(html) + follows;
  const reader = new TokenCollector(lead.length, html.length, whole.lastIndexOf(probe));
  new Tokenizer({ sourceCodeLocationInfo: true }, reader).write(whole, true);
  return { tokens: reader.tokens, open: reader.open };
}

class TokenCollector {
  readonly tokens: HtmlToken[] = [];
  open: HtmlReading['open'];
  readonly #shift: number;
  readonly #length: number;
  readonly #probe: number;
  #end = 0;
  #isCommentOpen = false;
  #hasProbe = false;

  /**
   * @param shift length of what stands before the HTML
   * @param length of the HTML itself
   * @param probeAt place of the letter in the whole
   */
  constructor(shift: number, length: number, probeAt: number) {
    this.#shift = shift;
    this.#length = length;
    this.#probe = probeAt;
  }

  onParseError({ code }: { readonly code: string }): void {
    this.#isCommentOpen ||= code === ErrorCodes.eofInComment;
  }

  onComment({ location }: Token.CommentToken): void {
    this.#add({ kind: 'comment', ...this.#rangeOf(location) });
  }

  onDoctype({ location }: Token.DoctypeToken): void {
    this.#add({ kind: 'comment', ...this.#rangeOf(location) });
  }

  onStartTag(token: Token.TagToken): void {
    this.#addTag(token, false);
  }

  onEndTag(token: Token.TagToken): void {
    this.#addTag(token, true);
  }

  onCharacter({ location }: Token.CharacterToken): void {
    this.#hasProbe ||= (location?.endOffset ?? 0) > this.#probe;
    this.#end = this.#rangeOf(location).end;
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onEof(): void {
    if (this.#hasProbe) {
      return;
    }
    const last = this.tokens.at(-1);
    if (this.#isCommentOpen) {
      this.open = { kind: 'comment', start: last?.start ?? 0 };
    } else if (last !== undefined && last.end === this.#length && this.#end === this.#length) {
      // It was ended, but only behind the letter.
      this.tokens.pop();
      this.open = { kind: 'tag', start: last.start };
    } else {
      this.open = { kind: 'tag', start: this.#end };
    }
  }

  #addTag({ tagName, attrs, location }: Token.TagToken, isEnd: boolean): void {
    const range = this.#rangeOf(location);
    const attributes = attrs.map(({ name, value }) => ({
      name,
      value,
      ...this.#rangeOf(location?.attrs?.[name] ?? null),
    }));
    // The block that follows is no part of this HTML.
    if (range.start < this.#length) {
      const own = attributes.filter(({ start }) => start < this.#length);
      this.#add({ kind: 'tag', name: tagName, isEnd, attributes: own, ...range });
    }
  }

  #add(token: HtmlToken): void {
    this.tokens.push(token);
    this.#end = token.end;
  }

  #rangeOf(location: Token.Location | null): Range {
    const inside = (offset: number) => Math.min(Math.max(offset - this.#shift, 0), this.#length);
    return { start: inside(location?.startOffset ?? 0), end: inside(location?.endOffset ?? 0) };
  }
}
