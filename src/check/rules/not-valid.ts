import type { Change, DocsVersion } from '../change.ts';
import type { PageProblem } from '../docs/limits.ts';
import { emptyPage, type Page } from '../docs/page.ts';
import { tooManyRedirects } from '../docs/redirects.ts';
import { topOf } from '../docs/site.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { minus } from './items.ts';
import { undefinedIn } from './names.ts';
import { canCompareSettings, couldBeRead, isShown, originOf } from './page-changes.ts';

/**
 * New problems of pages and settings: what the site cannot build, or drops, and what tools and models left behind. An
 * unchanged page has one if the change took away what gave one of its names a meaning.
 */
export function notValid(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const problemsIn = (path: string, version: DocsVersion) => {
    const page = version.pages.get(path) ?? emptyPage;
    const names = undefinedIn(path, page, version, change.knownComponents);
    return [...leftoversIn(page), ...names];
  };
  const pages = [...after.pages]
    .filter(([path]) => isShown(after, path) && couldBeRead(path, change))
    .flatMap(([path, page]) => {
      const was = problemsIn(originOf(path, change), before);
      const is = [...brokenIn(page), ...problemsIn(path, after)];
      return minus(is, was, messageKey).map(({ line, what }) =>
        found('not-valid', { file: path, line }, what),
      );
    });
  const settings = minus(after.site.problems, before.site.problems, messageKey)
    .filter(({ isLimit }) => !isLimit)
    .map(({ what, ...place }) => found('not-valid', place, cannotBeRead(what)));
  return [...pages, ...settings];
}

/** Equal for the same problem in both versions, whatever its line. */
function messageKey({ what }: { readonly what: Sentence }): string {
  return JSON.stringify(what);
}

/** @param problem a clause such as `is not valid JSON` */
export function cannotBeRead(problem: Sentence): Sentence {
  return say`The file ${problem}, so Mintlify cannot read it.`;
}

/** What keeps Mintlify from reading a page. */
function brokenIn({ problem }: Page): readonly PageProblem[] {
  return problem === undefined || problem.isLimit
    ? []
    : [{ ...problem, what: cannotBeRead(problem.what) }];
}

/** How chats mark their sources. */
const citation = /:contentReference\[|【\d+†/u;

/** What a tool or a model left in a page: a fence around the page or an open one, and marks of sources. */
function leftoversIn({ frontMatter, blocks, openFences }: Page): readonly PageProblem[] {
  const [first] = blocks;
  const isFenced =
    first?.kind === 'sample' &&
    (frontMatter.length === 0 || blocks.length === 1) &&
    /^(?:mdx?|markdown|)$/u.test(first.name) &&
    /^(?:---|#{1,3} )/u.test(first.text);
  const cited = blocks.filter(
    ({ kind, text }) => /^(?:paragraph|list-item|row)$/.test(kind) && citation.test(text),
  );
  return [
    ...(isFenced ? [{ line: first.line, what: fenced }] : []),
    ...openFences.map((line) => ({ line, what: openFence })),
    ...cited.map(({ line, text }) => ({
      line,
      what: say`${text} is not written for readers: write what they need in its place, or delete it.`,
    })),
  ];
}

const openFence = say`Another code block begins in this one, whose fence is not closed, so that readers see the text after it as code: close it.`;

const fenced = say`The whole page stands in one code block, so readers see its source: remove the fence.`;

/** Parts that could not be read or compared, so that they do not pass. */
export function notJudged(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const pages = change.files.flatMap(({ path }) => {
    const [was, is] = [before.pages.get(originOf(path, change)), after.pages.get(path)];
    if (was?.problem !== undefined) {
      return [unjudged({ file: path }, say`the page as it was before ${was.problem.what}`)];
    }
    const problem = is?.problem;
    const isNotValid = isShown(after, path) && !problem?.isLimit;
    return problem === undefined || isNotValid
      ? []
      : [unjudged({ file: path, line: problem.line }, say`the file ${problem.what}`)];
  });
  const settings = [
    tooManyRedirects(after.site),
    canCompareSettings(change)
      ? undefined
      : say`the settings before or after the change cannot be read, so neither settings nor links are compared`,
  ]
    .filter((problem) => problem !== undefined)
    .map((problem) => unjudged(topOf(after.site), problem));
  const limits = after.site.problems
    .filter(({ isLimit }) => isLimit)
    .map(({ file, line, what }) => unjudged({ file, line }, say`the file ${what}`));
  return [...change.unread, ...pages, ...settings, ...limits];
}
