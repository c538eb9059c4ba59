import type { Change } from '../change.ts';
import { isAllowed } from '../docs/kinds.ts';
import { noDescription, type Page, type PageProblem } from '../docs/page.ts';
import type { Site } from '../docs/site.ts';
import type { Gap } from '../old-finding.ts';
import { type ChangedPage, changedDescriptions, changedPages, changedPictures } from './compare.ts';
import { pageNameOf } from './page-path.ts';

/** What the rules could not judge: pages that cannot be parsed now, and a site that cannot be read. */
export function gapsOf(change: Change): readonly Gap[] {
  const { site } = change.after;
  // That there is no such file any more is a gap already.
  const unreadable = site.pages.length === 0 && site.files.length > 0 ? site.problems : [];
  return [
    ...changedPages(change).flatMap(({ file, after }) =>
      after?.problem === undefined || isStray(file.path, after, site)
        ? []
        : [gapOf(file.path, 'the page', after.problem)],
    ),
    ...changedPictures(change).flatMap(({ file, after }) =>
      after?.problem === undefined ? [] : [gapOf(file.path, 'the picture', after.problem)],
    ),
    ...changedDescriptions(change).flatMap((description) => {
      const { file, before, after } = description;
      // A line of the earlier version would be shown in this one.
      const problem =
        after?.problem ?? (after && before?.problem && { ...before.problem, line: undefined });
      if (problem === undefined || isOtherFile(description, change)) {
        return [];
      }
      const isUnnamed = problem.what === noDescription.what && !site.apiFiles.includes(file.path);
      return [gapOf(file.path, 'the API description', isUnnamed ? onlyCalledSo : problem)];
    }),
    ...unreadable.map((problem) =>
      gapOf(problem.file, 'the navigation cannot be read: the file', problem),
    ),
  ];
}

const onlyCalledSo = {
  what: `${noDescription.what}: name it in allowed-paths if it is not meant to be one`,
  line: undefined,
};

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

function gapOf(file: string, subject: string, { what, line }: PageProblem): Gap {
  return { file, what: `${subject} ${what}`, ...(line === undefined ? {} : { line }) };
}
