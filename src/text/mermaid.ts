import { decimal } from './number.ts';
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

/**
 * The default colours are hardly visible; these are, with dark and with light text on them. Which
 * slice gets which one is Mermaid's affair: its versions differ.
 */
const colours = ['#5b9bd5', '#f0a04b', '#8fbf6f'];

/** A pie of up to three slices, without those that are empty; empty text where all are. */
export function pieChart(slices: readonly Slice[]): string {
  const filled = slices.filter(({ value }) => value > 0);
  if (filled.length === 0) {
    return '';
  }
  const themeVariables = Object.fromEntries(
    colours.map((colour, index) => [`pie${index + 1}`, colour]),
  );
  return mermaid({ themeVariables }, [
    'pie showData',
    ...filled.map(({ label, value }) => `  "${chartLabel(label)}" : ${decimal(value)}`),
  ]);
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
  const settings = {
    xyChart: { width: 900, height },
    themeVariables: { xyChart: { plotColorPalette: colours[0] } },
  };
  return mermaid(settings, [
    'xychart-beta horizontal',
    `  x-axis [${bars.map(({ label }) => `"${chartLabel(label)}"`).join(', ')}]`,
    `  y-axis "${chartLabel(axis)}" 0 --> ${decimal(longest)}`,
    `  bar [${bars.map(({ value }) => decimal(value)).join(', ')}]`,
  ]);
}

function mermaid(settings: object, lines: readonly string[]): string {
  const directive = `%%{init: ${JSON.stringify(settings)}}%%`;
  return ['```mermaid', directive, ...lines, '```'].join('\n');
}
