import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchOf } from '../../../../src/check/reading/unchanged.ts';
import { changeOf, docsJson, page } from '../../../helpers/change.ts';

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
  "import Setup from '/snippets/setup.mdx';",
  'url: setup',
])('%s may use setup', (text) => {
  expect(finds(text, 'guides/setup.mdx')).toBe(true);
});

test.each([
  'Then setup the rest.',
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
  ['![](/images/a\\_b.png)', 'a_b.png', true],
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

test('a link to a page is found, however it is escaped', () => {
  const name = fc.stringMatching(/^[a-z0-9äß一_.-]{1,12}$/);
  const spelling = fc.constantFrom(
    (text: string) => text,
    encodeURIComponent,
    (text: string) => text.replace(/[^ß]+/gu, (part) => part.toUpperCase()),
    (text: string) => text.replace(/[_.-]/g, '\\$&'),
  );
  const around = fc.constantFrom(
    ['[x](/a/', ')'],
    ['<a href="', '">'],
    ['![x](', ' "title")'],
    ["import X from './", ".mdx'"],
  );
  fc.assert(
    fc.property(name, spelling, around, (one, spell, [start = '', end = '']) => {
      return finds(`Text ${start}${spell(one)}${end} text`, `a/${one}.mdx`) === true;
    }),
  );
});
