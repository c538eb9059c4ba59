import { expect, test } from 'vitest';
import { renderPage } from '../../../sandbox/demo/page.ts';

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

test('a diff has its additions and deletions marked', () => {
  const html = page('```diff\n@@ -1 +1 @@\n-old <b>\n+new\n same\n```');
  expect(html).toContain(
    '<em>@@ -1 +1 @@</em>\n<del>-old &lt;b&gt;</del>\n<ins>+new</ins>\n same\n',
  );
});

test('other code stays', () => {
  expect(page('```\n+ a "b"\n```')).toContain('<pre><code>+ a &quot;b&quot;\n</code></pre>');
});
