import { decimal } from './number.ts';
import { oneLine } from './plain.ts';

/** A slice of a pie chart, or a bar. */
interface Slice {
  readonly label: string;
  readonly value: number;
}

/** Characters that could be syntax in Mermaid, or in the HTML that it generates for labels. */
const meaningful = /[^\p{L}\p{M}\p{N} ,./:()=+?_-]/gu;

/** A longer label would leave no room for the bar. */
const maxLabelLength = 40;

/**
 * Formats untrusted text as a quoted label. Mermaid has no escape that works in all versions and
 * diagrams, so special characters become dots. The table next to each chart has the exact text.
 */
export function chartLabel(text: string): string {
  return oneLine(text, maxLabelLength).replace(meaningful, '·');
}

/**
 * Unlike the default colours, these are easy to see, with dark and with light text on them. Which slice
 * gets which colour depends on the version of Mermaid.
 */
const colours = ['#5b9bd5', '#f0a04b', '#8fbf6f'];

/** A pie chart of up to three slices, without empty ones; an empty string if all are empty. */
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
 * A chart of horizontal bars, the first one on top; an empty string if all are empty. Labels must be
 * unique, because Mermaid draws bars with the same label in the same place.
 * @param axis what the lengths of the bars mean
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
