import { expect, test } from 'vitest';
import { renderPage } from '../../../sandbox/demo/page.ts';
import { barChart, pieChart } from '../../../src/text/mermaid.ts';

const page = (markdown: string, intro = '') =>
  renderPage([{ title: 'Summary & more', markdown }], { intro });

test('the page fits a phone, and has a heading for itself and for each section', () => {
  const html = page('### Done', '# The demo');
  expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  expect(html.match(/<h\d>.*?<\/h\d>/g)).toEqual([
    '<h1>The demo</h1>',
    '<h2>Summary &#38; more</h2>',
    '<h3>Done</h3>',
  ]);
});

test('a pie is drawn, and bars are left out', () => {
  const slices = [
    { label: 'Only human', value: 750 },
    { label: 'Both', value: 250 },
  ];
  const html = page([pieChart(slices), barChart('Visitors', slices), 'The end'].join('\n\n'));
  expect(html).toContain('>Only human: 750 (75%)</text>');
  expect(html).toContain('>Both: 250 (25%)</text>');
  // Three quarters clockwise from the top, and the last one.
  expect(html).toContain('d="M90 90 L90.0 10.0 A80 80 0 1 1 10.0 90.0 Z"');
  expect(html).toContain('d="M90 90 L10.0 90.0 A80 80 0 0 1 90.0 10.0 Z"');
  expect(html).toContain('<p>The end</p>');
  expect(html).not.toMatch(/mermaid|themeVariables|xychart/);
});

test('other code stays', () => {
  expect(page('```\npie "a" : 1\n```')).toContain(
    '<pre><code>pie &quot;a&quot; : 1\n</code></pre>',
  );
});
