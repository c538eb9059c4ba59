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

test('a pie is a table, and bars are left out', () => {
  const slices = [
    { label: 'Only human', value: 20_598 },
    { label: 'Both', value: 7 },
  ];
  const html = page([pieChart(slices), barChart('Visitors', slices), 'The end'].join('\n\n'));
  expect(html).toContain(
    '<tr><td>Only human</td><td align="right">20,598</td></tr><tr><td>Both</td><td align="right">7</td></tr>',
  );
  expect(html.match(/<table>/g)).toHaveLength(1);
  expect(html).toContain('<p>The end</p>');
  expect(html).not.toMatch(/mermaid|themeVariables|xychart/);
});

test('other code stays', () => {
  expect(page('```\npie "a" : 1\n```')).toContain(
    '<pre><code>pie &quot;a&quot; : 1\n</code></pre>',
  );
});
