import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import { linksOf } from '../docs/links.ts';
import type { CodeKind, CodePassage, Page } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import {
  type ChangedPage,
  changedDescriptions,
  changedPages,
  changedPictures,
  newItems,
  stoodUnparsed,
  withPlainSpaces,
} from './compare.ts';

const longestCode = 120;

const nouns = {
  script: 'a script',
  frame: 'a frame with another page',
  handler: 'an event handler',
  'script-url': 'an address that runs code',
  'raw-html': 'raw HTML',
  document: 'a tag that changes the whole document',
  layer: 'a layer over the page',
  import: 'an import of code',
  function: 'a function',
  expression: 'an expression that runs code',
  global: "a use of the browser's own objects",
  undefined: 'a name that the page does not define',
  spread: 'spread properties',
} as const satisfies Record<Exclude<CodeKind, 'placeholder'>, string>;

/** Code in a page that no changed page had before: code that was moved ran on the site already. */
export function codeInPage(change: Change): readonly Finding[] {
  const pages = [
    ...changedPages(change),
    ...changedPictures(change),
    ...changedDescriptions(change),
  ];
  const known = new Set(pages.flatMap(({ before }) => passagesOf(before)).map(keyOf));
  return pages.flatMap((page) =>
    newItems(passagesOf(page.before), passagesOf(page.after), keyOf)
      .filter((passage) => !known.has(keyOf(passage)) && !stoodUnparsed(page, passage.text))
      .filter((passage) => !isKnownImport(passage, page, change))
      .map((passage) => ({
        rule: 'code-in-page' as const,
        file: page.file.path,
        line: passage.line,
        what: `has ${nouns[passage.kind]} that is new: ${shortened(codeOf(passage), longestCode)}`,
      })),
  );
}

type RunningPassage = CodePassage & { readonly kind: keyof typeof nouns };

/** All but placeholders, which run nothing; `undefined-name` judges those. */
function passagesOf(page: Page | undefined): readonly RunningPassage[] {
  return (page?.code ?? []).filter(
    (passage): passage is RunningPassage => passage.kind !== 'placeholder',
  );
}

/** Whether the site has the code already: a change of that file is a finding of its own. */
function isKnownImport(
  { kind, line }: CodePassage,
  { file, after: page }: ChangedPage,
  { before, after }: Change,
): boolean {
  const sources = (page?.imports ?? []).filter((one) => one.line === line);
  return (
    kind === 'import' &&
    sources.length > 0 &&
    sources.every(({ source }) => {
      const path = /^[./].*\.[cm]?[jt]sx?$/iu.test(source)
        ? linksOf(after).resolveImport(source, file.path)
        : undefined;
      const sha = path === undefined ? undefined : before.tree.get(path)?.sha;
      return path !== undefined && sha !== undefined && sha === after.tree.get(path)?.sha;
    })
  );
}

/** Code does something else with another constant. */
function keyOf({ text, uses }: CodePassage): string {
  return [text, ...uses].map(withPlainSpaces).join('\n');
}

function codeOf({ text }: CodePassage): string {
  return withPlainSpaces(text);
}
