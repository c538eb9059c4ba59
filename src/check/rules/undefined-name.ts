import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { CodePassage, Page } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import { changedPages, stoodUnparsed, withPlainSpaces } from './compare.ts';
import { isPage } from './page-path.ts';

const longestName = 80;

/**
 * Names in braces in the text of a page that it does not define: most of them were meant as they are
 * written, but MDX puts in the value of a variable. In a snippet, the page that includes it gives the value.
 */
export function undefinedName(change: Change): readonly Finding[] {
  return changedPages(change)
    .filter(({ file }) => isPage(change.after, file.path))
    .flatMap((page) => {
      const old = placeholdersOf(page.before);
      return [...placeholdersOf(page.after)]
        .filter(([text, passage]) => !old.has(text) && !stoodUnparsed(page, passage.text))
        .map(([text, { line }]) => ({
          rule: 'undefined-name' as const,
          file: page.file.path,
          line,
          what: `names ${shortened(text, longestName)}, which the page does not define, so that it may fail to build: escape the braces, or make it code`,
        }));
    });
}

/** The first passage of each name. */
function placeholdersOf(page: Page | undefined): ReadonlyMap<string, CodePassage> {
  const passages = (page?.code ?? []).filter(({ kind }) => kind === 'placeholder');
  return new Map(passages.toReversed().map((one) => [withPlainSpaces(one.text), one]));
}
