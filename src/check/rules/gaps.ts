import type { Change } from '../change.ts';
import { noDescription } from '../docs/api-description.ts';
import { isAllowed } from '../docs/kinds.ts';
import type { Page } from '../docs/page.ts';
import type { Site } from '../docs/site.ts';
import type { Gap } from '../finding.ts';
import { type ChangedPage, changedDescriptions, changedPages, changedPictures } from './compare.ts';
import { pageNameOf } from './page-path.ts';

/** What the rules could not judge: pages that cannot be parsed now, and a site that cannot be read. */
export function gapsOf(change: Change): readonly Gap[] {
  const { site } = change.after;
  const unreadable = site.pages.length === 0 ? site.problems : [];
  return [
    ...changedPages(change).flatMap(({ file, after }) =>
      after?.problem === undefined || isStray(file.path, after, site)
        ? []
        : [{ file: file.path, what: `the page ${clause(after.problem)}` }],
    ),
    ...changedPictures(change).flatMap(({ file, after }) =>
      after?.problem === undefined
        ? []
        : [{ file: file.path, what: `the picture ${clause(after.problem)}` }],
    ),
    ...changedDescriptions(change).flatMap((description) => {
      const { file, before, after } = description;
      const problem = after?.problem ?? (after === undefined ? undefined : before?.problem);
      return problem === undefined || isOtherFile(description, change)
        ? []
        : [{ file: file.path, what: `the API description ${clause(problem)}` }];
    }),
    ...unreadable.map(({ file, line, what }) => ({
      file,
      what: `the navigation cannot be read: the file ${what} (line ${line})`,
    })),
  ];
}

/** Whether a file has only the name of an API description, and the input names it among other files. */
function isOtherFile(
  { file, before, after }: ChangedPage,
  { after: { site }, allowedPaths }: Change,
): boolean {
  const problems = [before, after].flatMap((page) => page?.problem?.what ?? []);
  const versions = [before, after].filter((page) => page !== undefined);
  return (
    isAllowed(file.path, 'other', allowedPaths) &&
    !site.apiFiles.includes(file.path) &&
    problems.length === versions.length &&
    problems.every((what) => what === noDescription.what)
  );
}

/**
 * Whether a file that is not valid MDX was never meant to be a page: plain Markdown that the navigation
 * does not name, and that has no front matter. It is judged as the Markdown that it is.
 */
export function isStray(path: string, { problem, frontMatter }: Page, site: Site): boolean {
  const name = pageNameOf(path, site);
  return (
    /\.md$/iu.test(path) &&
    problem?.what.startsWith('is not valid MDX') === true &&
    frontMatter.length === 0 &&
    !site.pages.some(({ page }) => page === name)
  );
}

function clause({ what, line }: { what: string; line: number | undefined }): string {
  return line === undefined ? what : `${what} (line ${line})`;
}
