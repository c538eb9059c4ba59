import { shortSummary } from '../common/result.ts';
import type { Counts } from '../platform/visitors.ts';
import { code, table } from '../text/markdown.ts';
import { change, grouped, percent, points } from '../text/number.ts';
import { counted } from '../text/plain.ts';
import { topPages, type VisitedPage } from './page-list.ts';
import { daysOf } from './period.ts';
import { type Exported, problemOf, type Result, warningsOf } from './result.ts';

/** A longer path would push the numbers out of view. */
const maxPathLength = 70;

/** GitHub shows a longer table, but people do not read it. The file has every page. */
const maxShown = 25;

/**
 * Smaller changes are not listed. Otherwise the most visited pages, which have their own table, would
 * always come first, because even a small percentage of their visitors is a large number.
 */
const smallestChange = { share: 0.05, visitors: 2 } as const;

/** The summary in Markdown. */
export function summaryOf(result: Result, message: string): string {
  return result.result === 'exported'
    ? summaryOfExport(result)
    : shortSummary('The export of visitors', result.result, message);
}

function summaryOfExport(result: Exported): string {
  const { inputs, file, list, before, folded } = result;
  const problem = problemOf(result);
  const notes = [
    ...warningsOf(result),
    ...(problem ? [`The export is not complete: ${problem.text}.`] : []),
  ];
  const isCompared = before !== undefined;
  const pages = [...folded.pages, ...folded.others];
  const aiOnly = pages.filter(({ human, ai }) => human === 0 && ai > 0);
  const size = Math.min(inputs.top, maxShown);
  const top = topPages(pages, size, ({ total }) => total);
  const gained = topPages(pages, size, gain);
  const lost = topPages(pages, size, (page) => -gain(page));
  const topAi = topPages(aiOnly, size, ({ ai }) => ai);
  const changed = `Pages that changed by at least ${percent(smallestChange.share)} and ${counted(smallestChange.visitors, 'visitor')}.`;
  const onlyAi = `${counted(aiOnly.length, 'page')} had AI visitors but no human visitors.${aiOnly.length > size ? ` The top ${size}:` : ''}`;
  return `${paragraphs(
    `### 👥 ${counted(list.totals.total, 'visitor')}, ${daysOf(list.period)}`,
    headline(result),
    ...notes.map((note) => `> ⚠️ ${note}`),
    totalsTable(list.totals, before?.totals),
    section('Most visited pages', '', visitorsTable(top, isCompared)),
    section('Gained most', changed, changesTable(gained)),
    section('Lost most', changed, changesTable(lost)),
    section(
      'Read only by AI',
      onlyAi,
      pageTable(topAi, ['AI'], ({ ai }) => [grouped(ai)]),
    ),
    `<sub>${counted(result.pages.length, 'row')} in ${code(file)}${otherPaths(folded.others)}. ${explanations}</sub>`,
  )}\n`;
}

/** What the figures mean. Mintlify decides which visitors count as AI. */
const explanations = [
  'A page with several addresses, such as /page, /page/ and /page.md, has each figure of the address where it is highest, so at least as many visitors read it.',
  'Days are in UTC. Counts of unique visitors are approximate, and a person who reads two pages is one visitor of the site, so the pages do not add up to the totals.',
  'AI means assistants and coding agents that fetch a page for somebody, views of a page as Markdown among them; crawlers for search and training are in neither figure.',
].join(' ');

function headline({ list, before }: Exported): string {
  const { human, ai, total } = list.totals;
  if (total === 0) {
    return 'The documentation had no visitors.';
  }
  const both = human + ai - total;
  const overlap = both > 0 ? `, ${grouped(both)} counted as both` : '';
  const previous =
    before === undefined
      ? ''
      : ` Previous period, ${daysOf(before.period)}: ${counted(before.totals.total, 'visitor')}.`;
  return `**${grouped(human)}** human and **${grouped(ai)}** AI (${percent(aiShare(list.totals))} of all)${overlap}.${previous}`;
}

/** The names of the columns that a comparison adds to a table. */
const comparedHeads = ['Before', 'Change'];

/** The cells of the columns `comparedHeads`; empty if the figure before is unknown. */
function comparedCells(now: number, before: number | undefined): readonly string[] {
  return before === undefined ? ['', ''] : [grouped(before), change(now, before)];
}

function totalsTable(totals: Counts, before: Counts | undefined): string {
  const header = ['', 'Visitors', ...(before ? comparedHeads : [])];
  const rows = (['human', 'ai', 'total'] as const).map((figure) => [
    { human: 'Human', ai: 'AI', total: 'All' }[figure],
    grouped(totals[figure]),
    ...(before ? comparedCells(totals[figure], before[figure]) : []),
  ]);
  if (before === undefined) {
    return table(header, rows);
  }
  const [now, previous] = [aiShare(totals), aiShare(before)];
  return table(header, [
    ...rows,
    ['AI share', percent(now), percent(previous), points(now, previous)],
  ]);
}

function visitorsTable(pages: readonly VisitedPage[], isCompared: boolean): string {
  const heads = ['Human', 'AI', 'All', ...(isCompared ? comparedHeads : [])];
  return pageTable(pages, heads, ({ human, ai, total, previous }) => [
    ...[human, ai, total].map(grouped),
    ...(isCompared ? comparedCells(total, previous?.total) : []),
  ]);
}

function changesTable(pages: readonly VisitedPage[]): string {
  return pageTable(pages, ['Now', ...comparedHeads], ({ total, previous }) => [
    grouped(total),
    ...comparedCells(total, previous?.total),
  ]);
}

/** A table with a row for each page; empty if there are no pages. */
function pageTable(
  pages: readonly VisitedPage[],
  heads: readonly string[],
  cellsOf: (page: VisitedPage) => readonly string[],
): string {
  const rows = pages.map((page) => [code(page.path, maxPathLength), ...cellsOf(page)]);
  return rows.length === 0 ? '' : table(['Page', ...heads], rows);
}

/** A section of the summary; empty if its table is empty. */
function section(title: string, words: string, table: string): string {
  return table === '' ? '' : paragraphs(`#### ${title}`, words, table);
}

/** By how much the visitors increased; 0 if that is unknown, or too small to be listed. */
function gain({ total, previous }: VisitedPage): number {
  const difference = previous === undefined ? 0 : total - previous.total;
  const least = Math.max(smallestChange.visitors, smallestChange.share * (previous?.total ?? 0));
  return Math.abs(difference) < least ? 0 : difference;
}

function otherPaths(others: readonly VisitedPage[]): string {
  const count = others.length;
  return count === 0 ? '' : `, ${grouped(count)} of them other paths than pages below docs-root`;
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The share of AI visitors, 0 to 1; 0 without visitors. */
function aiShare({ ai, total }: Counts): number {
  return total === 0 ? 0 : Math.min(ai / total, 1);
}
