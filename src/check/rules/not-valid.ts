import { closest } from '../../text/closest.ts';
import type { Change } from '../change.ts';
import type { PageProblem } from '../docs/front-matter.ts';
import { emptyPage, type Page } from '../docs/page.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
import { isShown, kindIn, newItems, type PageChange, pageChangesOf } from './page-changes.ts';

/** What the site cannot build, or drops, and what tools and models left in pages. */
export function notValid(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const pages = pageChangesOf(change)
    .filter(({ file }) => isShown(after, file.path))
    .flatMap((page) => pageProblems(page, change));
  const settings = newItems(before.site.problems, after.site.problems, messageKey).map(
    ({ what, ...place }) => found('not-valid', place, cannotBeRead(what)),
  );
  return [...pages, ...settings];
}

/** Equal for a problem that was there before, wherever it stands now. */
function messageKey({ what }: { readonly what: Sentence }): string {
  return JSON.stringify(what);
}

/** @param problem a clause such as `is not valid JSON` */
function cannotBeRead(problem: Sentence): Sentence {
  return say`The file ${problem}, so Mintlify cannot read it.`;
}

function pageProblems({ file, before, after }: PageChange, change: Change): readonly RuleFinding[] {
  // What could not be read before is judged by nobody, which is a finding of another rule.
  const wasBroken = before?.problem !== undefined;
  const isPage = kindIn(change.after, file.path) === 'page';
  const problemsIn = (page = emptyPage) => [
    ...leftoversIn(page),
    ...unknownComponentsIn(page, before, change),
    // A snippet's names are what the pages give it.
    ...(isPage ? undefinedNamesIn(page) : []),
  ];
  return [
    ...(wasBroken ? [] : brokenIn(file.after, after)),
    ...newItems(problemsIn(before), problemsIn(after), messageKey),
  ].map(({ line, what }) => found('not-valid', { file: file.path, line }, what));
}

/** What keeps the parser from reading a page, such as a merge that was not finished. */
function brokenIn(text = '', { problem } = emptyPage): readonly PageProblem[] {
  if (problem === undefined) {
    return [];
  }
  const start = /^<{7}(?: |$)/mu.exec(text);
  if (start !== null && /^>{7}(?: |$)/mu.test(text)) {
    const line = text.slice(0, start.index).split('\n').length;
    const what = say`An unfinished merge left ${'<<<<<<<'} in the file: resolve the conflict.`;
    return [{ line, what }];
  }
  return problem.isLimit ? [] : [{ ...problem, what: cannotBeRead(problem.what) }];
}

/** A component that other pages have already evidently works, wherever it is defined, unless this page imported it. */
function unknownComponentsIn(
  page: Page,
  before: Page | undefined,
  { knownComponents }: Change,
): readonly PageProblem[] {
  const unknown = page.elements.filter(({ name }) => isUnknown(name, page));
  return [...Map.groupBy(unknown, ({ name }) => name)]
    .filter(([name]) => before?.names.has(name) || !knownComponents.has(name))
    .map(([name, [first]]) => ({ line: first?.line, what: undefinedComponent(name) }));
}

/** Those of Mintlify, as of August 2026 (https://mintlify.com/docs/components). */
const components = new Set(
  'Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Color.Item Color.Row Column Columns Danger Expandable FileTree Frame GitHub.Repo Heading Icon Info Latex Note Panel Param ParamField Prompt RequestExample ResponseExample ResponseField Snippet Step Steps Tab Tabs Tile Tip Tooltip Tree Tree.File Tree.Folder Update View Visibility Warning'.split(
    ' ',
  ),
);

function isUnknown(name: string, { names }: Page): boolean {
  return /^\p{Lu}/u.test(name) && !components.has(name) && !names.has(name.split('.')[0] ?? '');
}

function undefinedComponent(name: string): Sentence {
  const meant = closest(name, [...components]);
  const dropped = say`Nothing defines the component ${`<${name}>`}, so Mintlify drops it and what stands in it:`;
  return meant === undefined
    ? say`${dropped} import it, or use a component of Mintlify's.`
    : say`${dropped} did you mean ${`<${meant}>`}?`;
}

function undefinedNamesIn({ values, names }: Page): readonly PageProblem[] {
  return values
    .filter(({ text }) => !names.has(text))
    .map(({ text: name, line }) => {
      const [code, escaped] = [`{${name}}`, `\\{${name}\\}`];
      const what = say`Nothing declares ${code}, so Mintlify drops it: write ${escaped} if readers should see it.`;
      return { line, what };
    });
}

/** What a model writes in place of what it does not want to repeat. */
const placeholder =
  /\b(?:rest|remainder|remaining|existing|previous|original|other)\b[^.\n]{0,60}\b(?:unchanged|remains?|same|stays?|continues?|here|omitted|as before|goes)\b|\b(?:unchanged|omitted for brevity)\b/iu;

/** Paragraphs that say that something is missing, or that talk to somebody other than the reader. */
const unfinished = [
  /(?:^|[.!?] )\(?(?:(?:TODO|TBD|FIXME)(?::|$)|as an AI (?:language )?model\b|I['’]m sorry, but I\b|(?:sure|certainly|of course|absolutely)[!,.].{0,120}:$|(?:the )?(?:(?:rest|remainder) of (?:the|this|your)|remaining) (?:page|file|document|sections?|content|guide|article)\b.{0,20}\b(?:unchanged|the same|as before|as is)\W*$)/iu,
  /(?:^|[.!?] )(?:here(?: is|['’]s) (?:the|your) (?:updated|revised|complete|full) .{0,80}:$|let me know if you\b|note to (?:the )?reviewers?\b|lorem ipsum dolor\b|as of my (?:last|knowledge|training)\b|I (?:don['’]t|do not) have enough information\b)/iu,
  /^\[(?:insert|add|describe|screenshot)\b[^\]]*\]$|^(?:\.{3}|…).*(?:\.{3}|…)$/iu,
];

/** How chats mark their sources. */
const citation = /:contentReference\[|【\d+†/u;

/** What a model left in a page: comments and asides in place of text, or a fence around its answer. */
function leftoversIn({ frontMatter, blocks, unseen }: Page): readonly PageProblem[] {
  const [first] = blocks;
  const isFenced =
    first?.kind === 'sample' &&
    (frontMatter.length === 0 || blocks.length === 1) &&
    /^(?:mdx?|markdown|)$/u.test(first.name) &&
    /^(?:---|#{1,3} )/u.test(first.text);
  const comments = unseen.filter(({ kind }) => kind === 'comment');
  const paragraphs = blocks.filter(({ kind, text }) => kind === 'paragraph' && text.length < 150);
  const asides = paragraphs.filter(({ text }) => /^(?:\.{3}|…|\[|\{|<!--)/u.test(text));
  const placeholders = [
    ...[...comments, ...asides].filter(({ text }) => placeholder.test(text)),
    ...paragraphs.filter(({ text }) => unfinished.some((one) => one.test(text))),
    ...blocks.filter(
      ({ kind, text }) => /^(?:paragraph|list-item|row)$/.test(kind) && citation.test(text),
    ),
  ];
  return [
    ...(isFenced ? [{ line: first.line, what: fenced }] : []),
    ...placeholders.map(({ line, text }) => ({
      line,
      what: say`${text} is not written for readers: write what they need in its place, or delete it.`,
    })),
  ];
}

const fenced = say`The whole page stands in one code block, so readers see its source: remove the fence.`;

/** What could not be read or compared: it never passes. */
export function notJudged(change: Change): readonly RuleFinding[] {
  const pages = pageChangesOf(change).flatMap(({ file: { path }, before, after }) => {
    if (before?.problem !== undefined) {
      return [unjudged({ file: path }, say`the page as it was before ${before.problem.what}`)];
    }
    const problem = after?.problem;
    const isNotValid = isShown(change.after, path) && !problem?.isLimit;
    return problem === undefined || isNotValid
      ? []
      : [unjudged({ file: path, line: problem.line }, say`the file ${problem.what}`)];
  });
  return [...change.unread, ...pages];
}
