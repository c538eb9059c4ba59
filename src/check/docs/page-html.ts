import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import type { Tag } from './page-tag.ts';

/** Elements whose content is no HTML. */
const rawText = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/** The opening tags of raw HTML, as a browser reads them, of which only a part may be there. */
export function tagsOfHtml(html: string, offset: number, line: number): readonly Tag[] {
  return tagsIn(html, offset, line, rawText);
}

/** The opening tags of XML, with names in lower case; those within comments are left out. */
export function tagsOfXml(xml: string): readonly Tag[] {
  return tagsIn(xml, 0, 1, new Map());
}

function tagsIn(html: string, offset: number, line: number, raw: typeof rawText): readonly Tag[] {
  const tags: Tag[] = [];
  const listener = {
    onStartTag(token: Token.TagToken) {
      const { location } = token;
      tags.push({
        name: token.tagName,
        attributes: token.attrs.map(({ name, value }) => {
          const place = location?.attrs?.[name];
          const start = offset + (place?.startOffset ?? 0);
          return {
            name,
            value,
            expression: undefined,
            start,
            end: offset + (place?.endOffset ?? 0),
          };
        }),
        line: line + (location?.startLine ?? 1) - 1,
        start: offset + (location?.startOffset ?? 0),
        end: offset + endOfElement(html, token),
      });
    },
  };
  tokenize(html, listener, raw);
  return tags;
}

/** What a reader sees of raw HTML. */
export function textOfHtml(html: string): string {
  let text = '';
  let isHidden = false;
  tokenize(html, {
    onStartTag: ({ tagName }) => {
      isHidden = tagName === 'script' || tagName === 'style';
    },
    onEndTag: () => {
      isHidden = false;
    },
    onText: (chars) => {
      text += isHidden ? '' : chars;
    },
  });
  return text;
}

interface Listener {
  onStartTag(token: Token.TagToken): void;
  onEndTag?(): void;
  onText?(text: string): void;
}

function tokenize(html: string, listener: Listener, raw = rawText): void {
  const onText = (token: Token.CharacterToken) => listener.onText?.(token.chars);
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        tokenizer.state = raw.get(token.tagName) ?? TokenizerMode.DATA;
        tokenizer.lastStartTagName = token.tagName;
        listener.onStartTag(token);
      },
      onEndTag: () => listener.onEndTag?.(),
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter() {},
      onComment() {},
      onDoctype() {},
      onEof() {},
    },
  );
  tokenizer.write(html, true);
}

/** A script belongs to the passage up to its closing tag. */
function endOfElement(html: string, token: Token.TagToken): number {
  const end = token.location?.endOffset ?? html.length;
  if (token.tagName !== 'script' && token.tagName !== 'style') {
    return end;
  }
  const close = html.toLowerCase().indexOf(`</${token.tagName}`, end);
  return close < 0 ? html.length : Math.max(end, html.indexOf('>', close) + 1);
}
