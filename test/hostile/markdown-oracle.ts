import { canary } from './hostile-text.ts';

/** Inline code of ours: nothing inside can be taken for syntax, a reference or a link. */
const inlineCode = /<code>((?:[\p{L}\p{N} ,./;"'()+=?%-]|:(?!\/\/)|&#\d+;)*)<\/code>/gu;

const anchor = /<a href="https?:\/\/[^\s"'<>|`*_[\]\\{}]*">([^<]*)<\/a>/g;

/** The marker of a comment, which holds ids and digests alone. */
const marker = /<!-- docs-agent-action v1(?: [a-z]+=[\w\-.~/@+=%:?[\],]*)+ -->/g;

/** The frame around the details, and the line break before the size of a pull request. */
const frame =
  /^<details><summary>Details<\/summary>$|^<\/details>$|<br>(?=\d+ files? changed, \d)/gm;

/**
 * Finds foreign text with an effect in Markdown of ours: whatever is foreign has to stand in inline
 * code, and what is left is our own words, a table and a heading.
 *
 * @returns what is wrong, in words
 */
export function findEffects(markdown: string): readonly string[] {
  const codes = [...markdown.matchAll(inlineCode)].map(([, inside = '']) => inside);
  const rest = markdown
    .replace(marker, '')
    .replace(inlineCode, 'CODE')
    .replace(anchor, '$1')
    .replace(frame, '')
    .replaceAll(/<\/?sub>/g, '');
  return [
    ...codes.filter((inside) => /www\./i.test(inside)).map((inside) => `a link: ${inside}`),
    ...(rest.includes(canary) ? [`foreign text: ${rest}`] : []),
    ...(/[<>@`[\]\\]/.test(rest) ? [`markup: ${rest}`] : []),
    ...(rest.match(/#+/g) ?? [])
      .filter((marks) => marks !== '###')
      .map((marks) => `marks: ${marks}`),
    ...((rest.match(/^#/gm) ?? []).length === 1 ? [] : ['headings are not one']),
    ...rest
      .split('\n')
      .filter((line) => line.startsWith('|') && !/^\|(?:[^|]*\|){2}$/.test(line))
      .map((line) => `cells: ${line}`),
  ];
}
