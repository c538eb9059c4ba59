import { code, table } from '../../text/markdown.ts';
import { barChart } from '../../text/mermaid.ts';
import { change, grouped, percent, points } from '../../text/number.ts';
import { aiShare, noVisitors, type Page } from '../page.ts';
import { type Findings, fewestForShare, smallestChange } from './findings.ts';
import { many } from './messages.ts';

/**
 * A longer path would push the numbers out of view. With 100 rows in each of five tables and the longest
 * escapes, the summary stays below 400 kB. GitHub's limit is 1 MiB.
 */
const maxPathLength = 70;

/** More bars would be hard to read, and the table has the rest. */
const maxBars = 20;

/** The most visited pages, as a chart and as a table. */
export function topSection({ top }: Findings, isCompared: boolean): string {
  if (top.length === 0) {
    return '';
  }
  const bars = top.slice(0, maxBars).map(({ path, total }, index) => ({
    // The rank keeps shortened labels apart.
    label: `${index + 1}. ${path}`,
    value: total,
  }));
  const rows = top.map((page, index) => [
    `${index + 1}. ${code(page.path, maxPathLength)}`,
    ...figures(page),
    ...(isCompared ? trend(page) : []),
  ]);
  const header = ['Page', 'Human', 'AI', 'All', ...(isCompared ? ['Before', 'Change'] : [])];
  return section('Most visited pages', barChart('Visitors', bars), table(header, rows));
}

/** The pages that gained and lost most visitors, without small changes. */
export function changesSection({ gained, lost }: Findings): string {
  const which = `Pages that changed by at least ${percent(smallestChange.share)} and ${many(smallestChange.visitors, 'visitor')}.`;
  const header = ['Page', 'Now', 'Before', 'Change'];
  const rows = (pages: readonly Page[]) =>
    pages.map((page) => [code(page.path, maxPathLength), grouped(page.total), ...trend(page)]);
  const sections = [
    gained.length === 0 ? '' : section('Gained most', which, table(header, rows(gained))),
    lost.length === 0 ? '' : section('Lost most', which, table(header, rows(lost))),
  ];
  return sections.filter((part) => part !== '').join('\n\n');
}

/** The pages whose share of AI visitors changed most. */
export function shiftsSection({ shifted }: Findings): string {
  if (shifted.length === 0) {
    return '';
  }
  const rows = shifted.map(({ path, previous = noVisitors, ...page }) => {
    const [now, before] = [aiShare(page), aiShare(previous)];
    return [code(path, maxPathLength), percent(now), percent(before), points(now, before)];
  });
  return section(
    'AI share shifted most',
    `Only pages with at least ${fewestForShare} visitors in both periods.`,
    table(['Page', 'Now', 'Before', 'Change'], rows),
  );
}

/** The pages that only AI reads. */
export function aiOnlySection({ aiOnly: { count, top } }: Findings): string {
  if (count === 0) {
    return '';
  }
  const rest = count > top.length ? ` The top ${top.length}:` : '';
  return section(
    'Read only by AI',
    `${many(count, 'page')} had AI visitors but no human visitors.${rest}`,
    table(
      ['Page', 'AI'],
      top.map(({ path, ai }) => [code(path, maxPathLength), grouped(ai)]),
    ),
  );
}

function section(title: string, ...parts: readonly string[]): string {
  return [`#### ${title}`, ...parts].filter((part) => part !== '').join('\n\n');
}

function figures({ human, ai, total }: Page): readonly string[] {
  return [grouped(human), grouped(ai), grouped(total)];
}

function trend({ total, previous }: Page): readonly string[] {
  return previous === undefined
    ? ['', '']
    : [grouped(previous.total), change(total, previous.total)];
}
