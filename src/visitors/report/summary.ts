import type { Counts } from '../../platform/visitor.ts';
import { code, table } from '../../text/markdown.ts';
import { pieChart } from '../../text/mermaid.ts';
import { change, grouped, percent, points, sumOf } from '../../text/number.ts';
import type { Before } from '../before.ts';
import { aiShare } from '../page.ts';
import type { Result } from '../result.ts';
import { many, notesOn, whatIsMissing } from './messages.ts';
import { aiOnlySection, changesSection, shiftsSection, topSection } from './summary-pages.ts';

/** The summary of every result, in Markdown. */
export function summaryOf(result: Result, message: string): string {
  switch (result.result) {
    case 'exported':
      return summaryOfExport(result);
    case 'cancelled':
      return sentence('🛑 The export of visitors was cancelled', message);
    case 'skipped':
      return sentence('⏭️ The export of visitors was skipped', message);
    case 'error':
      return sentence('❌ The export of visitors ended with an error', message);
  }
}

function sentence(heading: string, message: string): string {
  return `### ${heading}\n\n${code(message, 2000)}\n`;
}

/** The summary of an export: figures, then charts, then pages. */
export function summaryOfExport(result: Result & { readonly result: 'exported' }): string {
  const { inputs, done, file } = result;
  const { totals, before, findings } = done;
  const { words } = inputs.period;
  const missing = whatIsMissing(inputs, done);
  const notes = [
    inputs.period.notice ?? '',
    ...notesOn(result).map(({ text }) => text),
    missing === undefined ? '' : `The export is not complete: ${missing}.`,
  ];
  const parts = [
    `### 👥 ${many(totals.total, 'visitor')}, ${words}`,
    headline(totals, before),
    ...notes.filter((note) => note !== '').map((note) => `> ⚠️ ${note}`),
    totalsTable(totals, before),
    pieChart(partsOf(totals)),
    topSection(findings, before !== undefined),
    ...(before === undefined ? [] : [changesSection(findings), shiftsSection(findings)]),
    aiOnlySection(findings),
    `<sub>${many(done.pageCount, 'page')} in ${code(file)}. Whole days in UTC. Counts of unique visitors are approximate, and a person who reads two pages is one visitor of the site, so the pages do not add up to the totals.</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function headline(totals: Counts, before: Before | undefined): string {
  const { human, ai, total } = totals;
  if (total === 0) {
    return 'The documentation had no visitors.';
  }
  const both = sumOf(human, ai, -total);
  const overlap = both > 0 ? `, ${grouped(both)} counted as both` : '';
  const trend =
    before === undefined
      ? ''
      : ` Previous period, ${before.span.words}: ${many(before.totals.total, 'visitor')}.`;
  return `**${grouped(human)}** human and **${grouped(ai)}** AI (${percent(aiShare(totals))} of all)${overlap}.${trend}`;
}

function totalsTable(totals: Counts, before: Before | undefined): string {
  const figures = [
    ['Human', 'human'],
    ['AI', 'ai'],
    ['All', 'total'],
  ] as const;
  if (before === undefined) {
    return table(
      ['', 'Visitors'],
      figures.map(([name, figure]) => [name, grouped(totals[figure])]),
    );
  }
  const rows = figures.map(([name, figure]) => [
    name,
    grouped(totals[figure]),
    grouped(before.totals[figure]),
    change(totals[figure], before.totals[figure]),
  ]);
  const [share, shareBefore] = [aiShare(totals), aiShare(before.totals)];
  return table(
    ['', 'Visitors', 'Before', 'Change'],
    [...rows, ['AI share', percent(share), percent(shareBefore), points(share, shareBefore)]],
  );
}

/**
 * The parts of all visitors, which add up to `total`; empty if the approximate counts contradict each
 * other.
 */
export function partsOf({ human, ai, total }: Counts): readonly { label: string; value: number }[] {
  const parts = [
    { label: 'Only human', value: sumOf(total, -ai) },
    { label: 'Only AI', value: sumOf(total, -human) },
    { label: 'Both', value: sumOf(human, ai, -total) },
  ];
  return parts.some(({ value }) => value < 0) ? [] : parts;
}
