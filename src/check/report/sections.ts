import { code, codeBlock, textTable } from '../../text/markdown.ts';
import { grouped } from '../../text/number.ts';
import type { Judgement } from '../old-judgement.ts';
import type { TouchedPage } from '../pages.ts';
import { redactorOf } from '../rules/redact.ts';
import { translationsWords } from './findings.ts';
import { fileLink, type Place } from './links.ts';
import { navigationChange, redirectLines } from './navigation.ts';
import { listSection, type Section } from './section.ts';
import { foldTranslations } from './translations.ts';
import { findVanished, type Vanished } from './vanished.ts';

const maxTextLength = 240;

const words: Readonly<Record<Vanished['kind'], string>> = {
  page: 'Page',
  heading: 'Heading',
  image: 'Image',
  text: 'Text',
};

/** What readers of the docs cannot see any more, before and after side by side. */
export function vanishedSection({ change }: Judgement, place: Place): Section {
  const folded = foldTranslations(
    findVanished(change),
    ({ kind, file }) => ({ path: file.path, group: kind }),
    change,
  );
  return listSection('What vanished', folded, (shown) =>
    textTable(
      ['', 'Before', 'After'],
      shown.map(({ item: { kind, file, before, after, more }, others }) => [
        `${words[kind]} ${kind === 'page' ? '' : 'in '}${fileLink(file.path, undefined, place)}${translationsWords(others)}${more === undefined ? '' : `, and ${grouped(more)} more`}`,
        code(before, maxTextLength),
        after === '' ? '—' : code(after, maxTextLength),
      ]),
    ),
  );
}

/** How the navigation changes, as a tree, and which redirects lead elsewhere or are gone. */
export function navigationSection({ change }: Judgement): Section {
  const { before, after } = change;
  // A navigation that cannot be read looks empty, and a finding or a gap says so.
  const isReadable = before.site.problems.length + after.site.problems.length === 0;
  const tree = isReadable ? navigationChange(before.site.navigation, after.site.navigation) : [];
  const lines = [...tree, ...redirectLines(change)].map(redactorOf(change));
  return listSection('Navigation', lines, (shown) =>
    codeBlock(shown.join('\n'), maxTreeLength, 'diff'),
  );
}

function linesWords({ lines }: TouchedPage): string {
  return lines === undefined
    ? 'not known'
    : `+${grouped(lines.additions)} −${grouped(lines.deletions)}`;
}

/** With 100 lines of 100 characters and their indentation, less than this. */
const maxTreeLength = 20_000;

/** The pages, most read first. */
export function pagesSection({ change, pages, readers }: Judgement, place: Place): Section {
  const folded = foldTranslations(pages, ({ path }) => ({ path, group: '' }), change);
  const hasReaders = readers.kind === 'known';
  const title = hasReaders ? 'Pages, most read first' : 'Pages';
  const header = ['Page', 'Status', 'Lines', ...(hasReaders ? ['Visitors in 30 days'] : [])];
  return listSection(title, folded, (shown) =>
    textTable(
      header,
      shown.map(({ item: page, others }) => [
        `${fileLink(page.path, undefined, place)}${translationsWords(others)}`,
        page.status,
        linesWords(page),
        ...(hasReaders ? [page.visitors === undefined ? '' : grouped(page.visitors)] : []),
      ]),
    ),
  );
}
