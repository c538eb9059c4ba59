import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { CodeKind, CodePassage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import { changedPages, newItems, stoodUnparsed, withPlainSpaces } from './compare.ts';

const longestCode = 120;

const nouns = {
  script: 'a script',
  frame: 'a frame with another page',
  handler: 'an event handler',
  'script-url': 'an address that runs code',
  'raw-html': 'raw HTML',
  document: 'a tag that changes the whole document',
  import: 'an import of code',
  function: 'a function',
  expression: 'an expression that runs code',
  global: "a use of the browser's own objects",
  spread: 'spread properties',
} as const satisfies Record<CodeKind, string>;

/** Code in a page that no changed page had before: code that was moved ran on the site already. */
export function codeInPage(change: Change): readonly Finding[] {
  const pages = changedPages(change);
  const known = new Set(pages.flatMap(({ before }) => before?.code ?? []).map(codeOf));
  return pages.flatMap((page) =>
    newItems(page.before?.code ?? [], page.after?.code ?? [], codeOf)
      .filter((passage) => !known.has(codeOf(passage)) && !stoodUnparsed(page, passage.text))
      .map((passage) => ({
        rule: 'code-in-page' as const,
        file: page.file.path,
        line: passage.line,
        what: `has ${nouns[passage.kind]} that is new: ${shortened(codeOf(passage), longestCode)}`,
      })),
  );
}

function codeOf({ text }: CodePassage): string {
  return withPlainSpaces(text);
}
