import type { PageProblem } from './page.ts';

/**
 * The block that the package `front-matter`, which Mintlify uses, takes out of a page; the pattern is its
 * own. It knows more marks than YAML between `---`, and may find the block or its end elsewhere.
 */
const block = /^(?:= yaml =|---)$[\s\S]*?^(?:= yaml =|---|\.\.\.)\s*$\n?/m;
const opening = /= yaml =|---/;

/** Some parsers end a line at these, and others do not. */
const doubtfulBreak = /[\u0085\u2028\u2029]|\r(?!\n)/;

/**
 * Whether others could find the front matter of a page elsewhere than we do, so that what we read as its
 * fields is text to them, or the other way round.
 *
 * @param yaml what stands between the marks as we read it; `undefined` for none
 */
export function doubtfulEnd(text: string, yaml: string | undefined): PageProblem | undefined {
  const isCertain = yaml === undefined ? !opensForOthers(text) : isSameForOthers(text, yaml);
  return isCertain ? undefined : { what: 'has front matter that can be read in two ways', line: 1 };
}

function opensForOthers(text: string): boolean {
  const first = text.split(/\r?\n/, 1)[0] ?? '';
  return opening.test(first) && block.test(text);
}

function isSameForOthers(text: string, yaml: string): boolean {
  if (doubtfulBreak.test(yaml) || /^(?:= yaml =|---|\.\.\.)/m.test(yaml)) {
    return false;
  }
  const found = block.exec(text);
  const between = found?.[0].replace(/^---|---\s*$/g, '');
  return found?.index === 0 && between?.trim() === yaml.trim();
}
