import { oneLine } from './plain.ts';

/** A part of a pie, or a bar. */
export interface Slice {
  readonly label: string;
  readonly value: number;
}

/** Everything that could be more than text to Mermaid, or to the HTML that it makes of labels. */
const meaningful = /[^\p{L}\p{M}\p{N} ,./:()=+?_-]/gu;

/** A longer label would leave no room for its bar. */
const maxLabelLength = 40;

/**
 * Text from outside as a label between quotes. Mermaid has no escape that all its versions and
 * diagrams understand, so what is not plain text is shown as a dot: beside a chart stands a table.
 */
export function chartLabel(text: string): string {
  return oneLine(text, maxLabelLength).replace(meaningful, '·');
}

/** A pie of the slices that are not empty; empty text without any. */
export function pieChart(slices: readonly Slice[]): string {
  const lines = slices
    .filter(({ value }) => value > 0)
    .map(({ label, value }) => `  "${chartLabel(label)}" : ${value}`);
  return lines.length === 0 ? '' : mermaid(['pie showData', ...lines]);
}

const barHeight = 32;
const axesHeight = 80;

/**
 * Horizontal bars, the first one uppermost; empty text where no bar has a length. Labels must
 * differ, or their bars are drawn in one place.
 * @param axis what the bars' lengths count
 */
export function barChart(axis: string, bars: readonly Slice[]): string {
  const longest = Math.max(0, ...bars.map(({ value }) => value));
  if (longest === 0) {
    return '';
  }
  const height = axesHeight + barHeight * bars.length;
  return mermaid([
    `%%{init: {"xyChart": {"width": 900, "height": ${height}}}}%%`,
    'xychart-beta horizontal',
    `  x-axis [${bars.map(({ label }) => `"${chartLabel(label)}"`).join(', ')}]`,
    `  y-axis "${chartLabel(axis)}" 0 --> ${longest}`,
    `  bar [${bars.map(({ value }) => value).join(', ')}]`,
  ]);
}

function mermaid(lines: readonly string[]): string {
  return ['```mermaid', ...lines, '```'].join('\n');
}
