import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import { changedPages, newItems, withPlainSpaces } from './compare.ts';

const longestCode = 120;

/** Code in a page that no changed page had before: code that was moved ran on the site already. */
export function codeInPage(change: Change): readonly Finding[] {
  const pages = changedPages(change);
  const known = new Set(pages.flatMap(({ before }) => before?.code ?? []).map(codeOf));
  return pages.flatMap(({ file, before, after }) =>
    newItems(before?.code ?? [], after?.code ?? [], codeOf)
      .filter((passage) => !known.has(codeOf(passage)))
      .map((passage) => ({
        rule: 'code-in-page' as const,
        file: file.path,
        line: passage.line,
        what: `has new code: ${shortened(codeOf(passage), longestCode)}`,
      })),
  );
}

function codeOf({ text }: Passage): string {
  return withPlainSpaces(text);
}
