import { expect, test } from 'vitest';
import {
  anchorTargets,
  searchOf,
  unchangedPages,
} from '../../../../src/check/reading/unchanged.ts';
import { changeOf, docsJson, page, type Texts } from '../../../helpers/change.ts';

/** Whether a text may use a file that a change takes away. */
function finds(text: string, gone: string) {
  const after = { 'index.mdx': page('Home') };
  return searchOf(changeOf({ before: { ...after, [gone]: 'Gone.' }, after }))?.(text);
}

test('without anything that is gone there is nothing to search for', () => {
  const before = { 'index.mdx': page('Home') };
  const after = { ...before, 'new.mdx': page('New') };
  expect(searchOf(changeOf({ before, after }))).toBeUndefined();
});

test('only links lead to a new page outside of the navigation', () => {
  const before = { 'docs.json': docsJson(['index']), 'index.mdx': page('Home') };
  const after = { ...before, 'guides/new.mdx': page('New') };
  const search = searchOf(changeOf({ before, after }));
  expect([search?.('[New](/guides/new)'), search?.('Text.')]).toEqual([true, false]);
});

test.each([
  '[Setup](/guides/setup)',
  '[Setup](setup)',
  '[Setup]( ./setup.mdx#install )',
  '<a href="../Setup/">',
  "<Card href='setup?tab=1'>",
  '<Card href={`/guides/setup`}>',
  '[s]: setup',
  '[s]: <setup>',
  '[Setup](/guides/s%65tup)',
  '[Setup](/guides/SETUP)',
  '<a href=setup>',
  'x|setup',
  'x:  setup',
  "import Setup from '/snippets/setup.mdx';",
  'url: setup',
])('%s may use setup', (text) => {
  expect(finds(text, 'guides/setup.mdx')).toBe(true);
});

test.each([
  'Then setup the rest.',
  'x:     setup',
  '[Go](/guides/setup.mdx.x)',
  '[Go](/guides/set-up)',
  '[Go](/guides/setups)',
  '[Go](/other) and setup',
])('%s does not use setup.mdx', (text) => {
  expect(finds(text, 'guides/setup.mdx')).toBe(false);
});

test.each([
  ['![](/images/my%20logo.png)', 'my logo.png', true],
  ['![](</images/my logo.png>)', 'my logo.png', true],
  ['![](/images/(1).png)', '(1).png', true],
  ['![](/images/logo.png)', 'logo.png', true],
  ['![](/images/logo.svg)', 'logo.png', false],
  ['![](/images/a\\_b\\-c.png)', 'a_b-c.png', true],
  ['![](/images/u\u0308.png)', 'ü.png', true],
  [`![](/images/${'x'.repeat(296)}.png)`, `${'x'.repeat(296)}.png`, true],
])('%s, %s: %s', (text, name, isFound) => {
  expect(finds(text, `images/${name}`)).toBe(isFound);
});

test.each([
  ['[x](#install)', 'install', true],
  ['[x](/a#Install)', 'install', true],
  ['[x](/a#install-it)', 'install', false],
  ['[x](/a#%C3%BCber)', 'über', true],
  ['# install', 'install', false],
])('%s, #%s: %s', (text, anchor, isFound) => {
  const before = { 'a.mdx': page(`<div id="${anchor}" />\n\nText.`) };
  const change = changeOf({ before, after: { 'a.mdx': page('Text.') } });
  expect(searchOf(change)?.(text)).toBe(isFound);
});

const docs = { 'index.mdx': page('Home') };
const redirects = (...sources: readonly string[]) => ({
  'docs.json': docsJson(['index'], {
    redirects: sources.map((source) => ({ source, destination: '/' })),
  }),
});

test.each<[string, before: Texts, after: Texts, used: string, unused: string]>([
  ['redirects', redirects('/a/old/x:y*', '/left'), redirects('/left'), '/a/old/x1', '/left'],
  ['a group in a redirect', redirects('/a/old/([0-9]+)'), {}, '/a/old/7', '/b/new'],
  ['an index page', { 'guides/index.mdx': 'A' }, {}, '/guides', '/guide'],
  ['a file that moved', { 'a/one.mdx': 'A' }, { 'a/two.mdx': 'A' }, '/a/one', '/a/two'],
  ['a README that pages may import', { 'x/README.md': 'A' }, { 'x/README.md': 'B' }, 'x', 'y'],
  ['headings of a snippet', { 'snippets/s.mdx': '## A' }, { 'snippets/s.mdx': 'A' }, '#a', '#b'],
  [
    ...([
      'a variable',
      { 'docs.json': docsJson([], { variables: { 'api-url': 1, x: 2 } }) },
    ] as const),
    ...([
      { 'docs.json': docsJson([], { variables: { x: 2 } }) },
      '{{ api-url }}',
      '{{x}}',
    ] as const),
  ],
  ['a snippet', { 'snippets/s.mdx': 'A' }, { 'snippets/s.mdx': 'B' }, '/snippets/s.mdx', 't'],
  ['a page that moved, not its anchors', { 'a.mdx': '## X' }, { 'b.mdx': '## X' }, '/a', '#x'],
])('the search is for %s', (_what, before, after, used, unused) => {
  const change = changeOf({ before: { ...docs, ...before }, after: { ...docs, ...after } });
  const search = searchOf(change);
  expect([search?.(`[x](${used})`), search?.(`[x](${unused})`)]).toEqual([true, false]);
});

test('nothing is searched for where text of a page changed', () => {
  const texts = (text: string) => ({ ...docs, 'a.mdx': page(text) });
  expect(searchOf(changeOf({ before: texts('A'), after: texts('B') }))).toBeUndefined();
});

test('pages whose anchors changed pages link to now are read, and unchanged pages and snippets', () => {
  const others = {
    'b.mdx': page('B'),
    'c.mdx': page('C'),
    'snippets/s.mdx': 'S',
    'README.md': 'R',
  };
  const before = {
    ...others,
    'a.mdx': page('[x](/b#x) [y](/c)'),
    'old/d.mdx': page('[x](../c#x)'),
  };
  const after = {
    ...others,
    'a.mdx': page('[x](/b#x) [y](/c#y) [z](/z#z)'),
    'd.mdx': before['old/d.mdx'],
  };
  const change = changeOf({ before, after });
  expect(anchorTargets(change)).toEqual(['c.mdx', 'c.mdx']);
  expect(unchangedPages(change).map(({ path }) => path)).toEqual([
    'b.mdx',
    'c.mdx',
    'snippets/s.mdx',
  ]);
});
