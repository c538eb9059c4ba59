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

/** What Markdown makes of the next block: it ends every tag that is not inside quotes. */
const nextBlock = '<p>';

/**
 * Reads HTML as a browser does.
 *
 * @param isInComment whether a comment that was begun before is still open
 * @param isBlock whether the HTML of the next Markdown block follows
 */
export function readHtml(html: string, isInComment: boolean, isBlock: boolean): HtmlReading {
  const lead = isInComment ? commentStart : '';
  const reader = new TokenCollector(lead.length, html.length);
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reader);
  tokenizer.write(lead + asGitHubReads(html) + (isBlock ? nextBlock : ''), true);
  return { tokens: reader.tokens, open: reader.open };
}

class TokenCollector {
  readonly tokens: HtmlToken[] = [];
  open: HtmlReading['open'];
  readonly #shift: number;
  readonly #length: number;
  #end = 0;
  #problem: 'comment' | 'tag' | undefined;

  constructor(shift: number, length: number) {
    this.#shift = shift;
    this.#length = length;
  }

  onParseError({ code }: { readonly code: string }): void {
    if (code === ErrorCodes.eofInComment) {
      this.#problem = 'comment';
    } else if (code === ErrorCodes.eofInTag || code === ErrorCodes.eofInDoctype) {
      this.#problem = 'tag';
    }
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
    this.#end = this.#rangeOf(location).end;
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onEof(): void {
    if (this.#problem === 'comment') {
      this.open = { kind: 'comment', start: this.tokens.at(-1)?.start ?? 0 };
    } else if (this.#problem === 'tag') {
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
