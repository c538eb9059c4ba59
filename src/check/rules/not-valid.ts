import { closest } from '../../text/closest.ts';
import type { Change } from '../change.ts';
import { components, unplainComponents } from '../docs/components.ts';
import type { Page } from '../docs/page.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { apiProblems } from './api.ts';
import { newItems } from './match.ts';
import { isShown, kindIn, type PageChange, pageChangesOf } from './page-changes.ts';

/** What the site cannot build, or drops, and what tools and models left in pages. */
export function notValid(change: Change): readonly RuleFinding[] {
  const shown = pageChangesOf(change).filter(({ file }) => isShown(change.after, file.path));
  return [
    ...shown.flatMap((page) => [
      ...leftovers(page),
      ...problemOf(page),
      ...unknownComponents(page, change),
      ...undefinedNames(page, change),
    ]),
    ...settingsProblems(change),
  ];
}

/** A page that could not be parsed before is judged by nobody, which is a finding of another rule. */
function problemOf({ file, before, after }: PageChange): readonly RuleFinding[] {
  const problem = after?.problem;
  return problem === undefined || before?.problem !== undefined || hasConflict(file.after)
    ? []
    : [found('not-valid', { file: file.path, line: problem.line }, unreadable(problem.what))];
}

/** One that other pages have already evidently works, wherever it is defined. */
function unknownComponents(
  { file, before, after }: PageChange,
  { known }: Change,
): readonly RuleFinding[] {
  const had = new Set(namesOf(before));
  const first = new Map<string, number>();
  for (const one of after?.constructs ?? []) {
    if (one.kind === 'element' && isUnknown(one.name, after) && !had.has(one.name)) {
      first.set(one.name, first.get(one.name) ?? one.line);
    }
  }
  return [...first]
    .filter(([name]) => !known.hasWord(`<${name}`))
    .map(([name, line]) => found('not-valid', { file: file.path, line }, undefinedComponent(name)));
}

function undefinedComponent(name: string): Sentence {
  const meant = closest(name, [...components.keys()]);
  const dropped = say`Nothing defines the component ${`<${name}>`}, so Mintlify drops it and what stands in it:`;
  return meant === undefined
    ? say`${dropped} import it, or use a component of Mintlify's.`
    : say`${dropped} did you mean ${`<${meant}>`}?`;
}

/** The unknown components of a page that was there. */
function namesOf(page: Page | undefined): readonly string[] {
  return (page?.constructs ?? []).flatMap((one) =>
    one.kind === 'element' && isUnknown(one.name, page) ? [one.name] : [],
  );
}

function isUnknown(name: string, page: Page | undefined): boolean {
  const [first = ''] = name.split('.');
  return (
    /^\p{Lu}/u.test(name) &&
    !components.has(name) &&
    !unplainComponents.has(name) &&
    page?.names.has(first) !== true
  );
}

/** A snippet's names are what the pages give it. */
function undefinedNames(
  { file, before, after }: PageChange,
  change: Change,
): readonly RuleFinding[] {
  if (kindIn(change.after, file.path) !== 'page') {
    return [];
  }
  const undefinedIn = (page: Page | undefined) =>
    (page?.constructs ?? []).flatMap((one) =>
      one.kind === 'code' && one.name !== undefined && page?.names.has(one.name) === false
        ? [{ name: one.name, line: one.line }]
        : [],
    );
  return newItems(undefinedIn(before), undefinedIn(after), ({ name }) => name).map(
    ({ name, line }) =>
      found(
        'not-valid',
        { file: file.path, line },
        say`Nothing declares ${`{${name}}`}, so Mintlify drops it: write ${`\\{${name}\\}`} if readers should see it.`,
      ),
  );
}

/** What a merge, a model or a copy left in a page. */
function leftovers({ file, before, after }: PageChange): readonly RuleFinding[] {
  const { path, after: text = '' } = file;
  const isUnmerged = hasConflict(text) && !hasConflict(file.before);
  const conflict = isUnmerged
    ? [
        {
          line: text.split('\n').findIndex((one) => one.startsWith('<<<<<<<')) + 1,
          what: say`An unfinished merge left ${'<<<<<<<'} in the file: resolve the conflict.`,
        },
      ]
    : [];
  const fence =
    isFenced(after) && !isFenced(before)
      ? [
          {
            line: after?.blocks[0]?.line,
            what: say`The whole page stands in one code block, so readers see its source: remove the fence.`,
          },
        ]
      : [];
  const placeholders = newItems(
    placeholdersIn(before),
    placeholdersIn(after),
    (one) => one.text,
  ).map(({ line, text: words }) => ({
    line,
    what: say`The placeholder ${words} stands where text belongs: write the text.`,
  }));
  return [...conflict, ...fence, ...placeholders].map(({ line, what }) =>
    found('not-valid', { file: path, line }, what),
  );
}

function hasConflict(text: string | undefined): boolean {
  return text !== undefined && /^<{7}(?: |$)/mu.test(text) && /^>{7}(?: |$)/mu.test(text);
}

/** A page that begins with a code block in which its front matter stands. */
function isFenced(page: Page | undefined): boolean {
  const [first] = page?.blocks ?? [];
  return (
    first?.kind === 'sample' &&
    page?.frontMatter.length === 0 &&
    /^(?:mdx?|markdown|)$/u.test(first.name) &&
    /^(?:---|#{1,3} )/u.test(first.text)
  );
}

/** What a model writes in place of what it does not want to repeat. */
const placeholder =
  /\b(?:rest|remainder|remaining|existing|previous|original|other)\b[^.\n]{0,60}\b(?:unchanged|remains?|same|stays?|continues?|here|omitted|as before|goes)\b|\b(?:unchanged|omitted for brevity)\b/iu;

function placeholdersIn(
  page: Page | undefined,
): readonly { readonly text: string; readonly line: number }[] {
  const comments = (page?.constructs ?? []).filter((one) => one.kind === 'comment');
  const asides = (page?.blocks ?? []).filter(
    ({ kind, text }) =>
      kind === 'paragraph' && text.length < 150 && /^(?:\.{3}|…|\[|\(|\{|<!--)/u.test(text),
  );
  return [...comments, ...asides].filter(({ text }) => placeholder.test(text));
}

/** Errors in the settings, and in the descriptions of APIs, that were not there before. */
function settingsProblems(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const old = new Set(before.site.problems.map(({ what }) => JSON.stringify(what)));
  const settings = after.site.problems.filter(({ what }) => !old.has(JSON.stringify(what)));
  const descriptions = apiProblems(change).filter(({ isBroken }) => isBroken);
  return [...settings, ...descriptions].map(({ file, line, what }) =>
    found('not-valid', { file, line }, unreadable(what)),
  );
}

/** @param problem a clause such as `is not valid JSON` */
function unreadable(problem: Sentence): Sentence {
  return say`The file ${problem}, so Mintlify cannot read it.`;
}

/** What could not be read or compared: it is never routine. */
export function notJudged(change: Change): readonly RuleFinding[] {
  const unparsed = pageChangesOf(change).flatMap(({ file, before, after }) => {
    if (before?.problem !== undefined && (after !== undefined || file.status === 'deleted')) {
      return [unjudged({ file: file.path }, say`the page as it was before ${before.problem.what}`)];
    }
    const isBroken = after?.problem !== undefined && !isShown(change.after, file.path);
    return isBroken
      ? [
          unjudged(
            { file: file.path, line: after.problem.line },
            say`the file ${after.problem.what}`,
          ),
        ]
      : [];
  });
  const descriptions = apiProblems(change)
    .filter(({ isBroken }) => !isBroken)
    .map(({ file, line, what }) => unjudged({ file, line }, say`the API description ${what}`));
  return [...change.unread, ...unparsed, ...descriptions];
}
