import { canary } from './hostile-text.ts';

/** Our inline code: nothing in it can be syntax, a reference or a link. */
const inlineCode = /<code>((?:[\p{L}\p{N} ,./;"'()+=?%-]|:(?!\/\/)|&#\d+;)*)<\/code>/gu;

const anchor = /<a href="https?:\/\/[^\s"'<>|`*_[\]\\{}]*">([^<]*)<\/a>/g;

/** The seal of a comment, which is one word of letters, digits and hyphens. */
const marker = /<!-- docs-agent-action-[\da-z-]+ -->/g;

/** The frame around the details, and the line break before the size of a pull request. */
const frame =
  /^<details><summary>Details<\/summary>$|^<\/details>$|<br>(?=\d+ files? changed, \d)/gm;

/**
 * Finds untrusted text that has an effect in our Markdown: all of it must be in inline code, and the rest
 * must be our own words, tables and headings.
 *
 * @returns descriptions of the problems
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
