import { type CodeKind, type CodePassage, emptyPage, type Page } from './page.ts';
import { tagsOfXml } from './page-html.ts';
import type { Tag } from './page-tag.ts';
import { isScriptUrl } from './page-url.ts';

const elements = new Map<string, CodeKind>([
  ['script', 'script'],
  ['handler', 'script'],
  ['foreignobject', 'frame'],
  ['iframe', 'frame'],
  ['object', 'frame'],
  ['embed', 'frame'],
]);

/** Entities can stand for tags, style sheets of XML can run code, and HTML has no tags such as `<_:script>`. */
const declarations = /<!ENTITY\b|<\?xml-stylesheet\b|<[^\s<>/!?a-z][^\s<>]*/giu;

/**
 * What a browser would execute if it showed the picture by itself. The reading errs towards finding too
 * much: texts count as tags where only XML's or only HTML's parser would take them for such.
 */
export function svgPage(text: string): Page {
  const tags = tagsOfXml(text).flatMap((tag) => codeOf(tag, text));
  const others = [...text.matchAll(declarations)].map(({ 0: found, index }): CodePassage => {
    const line = text.slice(0, index).split('\n').length;
    return { kind: 'document', text: found, line };
  });
  return { ...emptyPage, code: [...tags, ...others] };
}

function codeOf({ name, attributes, line, start, end }: Tag, text: string): readonly CodePassage[] {
  // A prefix is any name: `<s:script>`.
  const element = elements.get(name.split(':').at(-1) ?? '');
  const found = element === undefined ? [] : [element];
  const kinds = attributes.flatMap(({ name, value = '' }): readonly CodeKind[] => {
    if (/^on/iu.test(name)) {
      return ['handler'];
    }
    return isScriptUrl(value) ? ['script-url'] : [];
  });
  return [...found, ...kinds].map((kind) => ({ kind, text: text.slice(start, end), line }));
}
