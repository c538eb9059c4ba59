import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barChart, chartLabel, pieChart } from '../../../src/text/mermaid.ts';
import { nastyPath } from '../../helpers/visitors-pages.ts';

describe('a chart', () => {
  it('has labels without anything that Mermaid or HTML could read', () => {
    fc.assert(
      fc.property(nastyPath, (path) => {
        expect(chartLabel(path)).toMatch(/^[\p{L}\p{M}\p{N} ,./:()=+?_·…-]*$/u);
        expect(chartLabel(path).length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('of bars has a height that fits its bars', () => {
    const bars = [
      { label: '1. /a"b', value: 7 },
      { label: '2. /c', value: 3 },
    ];
    expect(barChart('Visitors', bars)).toMatchInlineSnapshot(`
      "\`\`\`mermaid
      %%{init: {"xyChart":{"width":900,"height":144},"themeVariables":{"xyChart":{"plotColorPalette":"#5b9bd5"}}}}%%
      xychart-beta horizontal
        x-axis ["1. /a·b", "2. /c"]
        y-axis "Visitors" 0 --> 7
        bar [7, 3]
      \`\`\`"
    `);
  });

  it('of slices leaves out empty ones', () => {
    const slices = [
      { label: 'A', value: 7 },
      { label: 'B', value: 0 },
    ];
    expect(pieChart(slices)).toMatchInlineSnapshot(`
      "\`\`\`mermaid
      %%{init: {"themeVariables":{"pie1":"#5b9bd5","pie2":"#f0a04b","pie3":"#8fbf6f"}}}%%
      pie showData
        "A" : 7
      \`\`\`"
    `);
  });

  it('of nothing is empty', () => {
    expect(barChart('Visitors', [{ label: '/', value: 0 }])).toBe('');
    expect(pieChart([])).toBe('');
  });
});
