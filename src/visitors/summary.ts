import type { Counts } from '../platform/visitors.ts';
import { code, table } from '../text/markdown.ts';
import { change, grouped, percent, points, relativeChange, sumOf } from '../text/number.ts';
import { counted } from '../text/plain.ts';
import { type Findings, findingsOf, smallestChange } from './findings.ts';
import { noVisitors, type Page, type PreviousList } from './page-list.ts';
import { dayRange } from './period.ts';
import { type Exported, notesOn, problemOf, type Result } from './result.ts';

/**
 * A longer path would push the numbers out of view.
 */
const maxPathLength = 70;

/** How many blocks the bar of the most visited page has. */
const barLength = 24;

const headings = {
  cancelled: '🛑 The export of visitors was cancelled',
  skipped: '⏭️ The export of visitors was skipped',
  error: '❌ The export of visitors ended with an error',
} as const;

/** The summary in Markdown. */
export function summaryOf(result: Result, message: string): string {
  return result.result === 'exported'
    ? summaryOfExport(result)
    : `### ${headings[result.result]}\n\n${code(message, 2000)}\n`;
}

function summaryOfExport(result: Exported): string {
  const { inputs, file, list, before, folded } = result;
  const { totals } = list;
  const trend = before && createTrend(before);
  const pages = [...folded.pages, ...folded.others];
  const findings = findingsOf(pages, inputs.top, trend?.ratio ?? 1);
  const problem = problemOf(result);
  const notes = [
    ...notesOn(result).map(({ text }) => text),
    problem && `The export is not complete: ${problem.text}.`,
  ];
  return `${joined(
    `### 👥 ${counted(totals.total, 'visitor')}, ${dayRange(inputs.period)}`,
    headline(result),
    ...notes.map((note) => (note === undefined ? '' : `> ⚠️ ${note}`)),
    trend?.explanation ?? '',
    totalsTable(totals, trend),
    topSection(findings, trend),
    ...(trend === undefined ? [] : changesSections(findings, trend)),
    aiOnlySection(findings),
    `<sub>${counted(list.rows.size, 'row')} in ${code(file)}${otherPaths(result)}. ${explanations}</sub>`,
  )}\n`;
}

/** What the figures mean. What counts as AI is as Mintlify classifies traffic. */
const explanations = [
  'A page with several addresses, such as /page, /page/ and /page.md, has each figure of the address where it is highest, so at least as many visitors read it.',
  'Days are in UTC. Counts of unique visitors are approximate, and a person who reads two pages is one visitor of the site, so the pages do not add up to the totals.',
  'AI means assistants and coding agents that fetch a page for somebody, views of a page as Markdown among them; crawlers for search and training are in neither figure.',
].join(' ');

/** How figures are compared with those of the previous period. */
interface Trend {
  /** The site's totals of the previous period. */
  readonly totals: Counts;
  /** How many times as long the period is as the previous one. */
  readonly ratio: number;
  /** The headings of the cells of `of`. */
  readonly heads: readonly string[];
  /** Says why figures are also compared per day; empty if both periods have as many days. */
  readonly explanation: string;
  /** The figure before, the change and, for periods of different length, the change per day. */
  of(now: number, before: number | undefined): readonly string[];
}

function createTrend({ period, totals }: PreviousList): Trend {
  const ratio = period.lengthRatio;
  const heads = ['Before', 'Change', ...(ratio === 1 ? [] : ['Per day'])];
  return {
    totals,
    ratio,
    heads,
    explanation:
      ratio === 1 ? '' : 'The periods have different lengths, so changes are also given per day.',
    of(now, previous) {
      if (previous === undefined) {
        return heads.map(() => '');
      }
      const perDay = ratio === 1 ? [] : [relativeChange(now, previous * ratio)];
      return [grouped(previous), change(now, previous), ...perDay];
    },
  };
}

function headline({ list, before }: Exported): string {
  const { human, ai, total } = list.totals;
  if (total === 0) {
    return 'The documentation had no visitors.';
  }
  const both = sumOf(human, ai, -total);
  const overlap = both > 0 ? `, ${grouped(both)} counted as both` : '';
  const previous =
    before === undefined
      ? ''
      : ` Previous period, ${dayRange(before.period)}: ${counted(before.totals.total, 'visitor')}.`;
  return `**${grouped(human)}** human and **${grouped(ai)}** AI (${percent(aiShare(list.totals))} of all)${overlap}.${previous}`;
}

function totalsTable(totals: Counts, trend: Trend | undefined): string {
  const figures = [
    ['Human', 'human'],
    ['AI', 'ai'],
    ['All', 'total'],
  ] as const;
  const rows = figures.map(([name, figure]) => [
    name,
    grouped(totals[figure]),
    ...(trend?.of(totals[figure], trend.totals[figure]) ?? []),
  ]);
  if (trend === undefined) {
    return table(['', 'Visitors'], rows);
  }
  const [share, shareBefore] = [aiShare(totals), aiShare(trend.totals)];
  const shares = ['AI share', percent(share), percent(shareBefore), points(share, shareBefore)];
  const unused = trend.heads.slice(2).map(() => '');
  return table(['', 'Visitors', ...trend.heads], [...rows, [...shares, ...unused]]);
}

function topSection({ top }: Findings, trend: Trend | undefined): string {
  const longest = Math.max(...top.map(({ total }) => total));
  const rows = top.map(({ path, human, ai, total, previous }, index) => [
    `${index + 1}. ${code(path, maxPathLength)}<br>${bar({ human, ai, total }, longest)}`,
    ...[human, ai, total].map(grouped),
    ...(trend?.of(total, previous?.total) ?? []),
  ]);
  const header = ['Page', 'Human', 'AI', 'All', ...(trend?.heads ?? [])];
  return top.length === 0
    ? ''
    : section('Most visited pages', '█ human, ░ only AI', table(header, rows));
}

/** A bar that begins at zero. Approximate counts can contradict each other, so a part may be empty. */
function bar({ human, total }: Counts, longest: number): string {
  const blocks = (count: number) => Math.round((barLength * count) / longest);
  const humanBlocks = blocks(Math.min(human, total));
  return '█'.repeat(humanBlocks) + '░'.repeat(blocks(total) - humanBlocks);
}

function changesSections({ gained, lost }: Findings, trend: Trend): readonly string[] {
  const which = `Pages that changed by at least ${percent(smallestChange.share)} and ${counted(smallestChange.visitors, 'visitor')}.`;
  const tableOf = (pages: readonly Page[]) =>
    table(
      ['Page', 'Now', ...trend.heads],
      pages.map(({ path, total, previous = noVisitors }) => [
        code(path, maxPathLength),
        grouped(total),
        ...trend.of(total, previous.total),
      ]),
    );
  return [
    gained.length === 0 ? '' : section('Gained most', which, tableOf(gained)),
    lost.length === 0 ? '' : section('Lost most', which, tableOf(lost)),
  ];
}

function aiOnlySection({ aiOnly: { count, top } }: Findings): string {
  const rest = count > top.length ? ` The top ${top.length}:` : '';
  const rows = top.map(({ path, ai }) => [code(path, maxPathLength), grouped(ai)]);
  const words = `${counted(count, 'page')} had AI visitors but no human visitors.${rest}`;
  return count === 0 ? '' : section('Read only by AI', words, table(['Page', 'AI'], rows));
}

function otherPaths({ folded }: Exported): string {
  const count = folded.others.filter(({ total }) => total > 0).length;
  return count === 0 ? '' : `, ${grouped(count)} of them other paths than pages below docs-root`;
}

function section(title: string, ...parts: readonly string[]): string {
  return joined(`#### ${title}`, ...parts);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The share of AI visitors, 0 to 1; 0 without visitors. */
function aiShare({ ai, total }: Counts): number {
  return total === 0 ? 0 : Math.min(ai / total, 1);
}
