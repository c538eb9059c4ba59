// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pages have templates of their own
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSearch } from '../../../../src/check/reading/search.ts';

function finds(
  text: string,
  {
    names = [],
    anchors = [],
    isFileGone = false,
  }: { names?: string[]; anchors?: string[]; isFileGone?: boolean },
) {
  return createSearch({ names: new Set(names), anchors: new Set(anchors), isFileGone })?.(text);
}

test('without questions there is nothing to search for', () => {
  expect(createSearch({ names: new Set(), anchors: new Set(), isFileGone: false })).toBeUndefined();
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
  '[Setup](/guides&#47;setup)',
  '[Setup](/guides&sol;setup)',
  "import Setup from '/snippets/setup.mdx';",
  'url: setup',
])('%s may use setup', (text) => {
  expect(finds(text, { names: ['setup'] })).toBe(true);
});

test.each([
  'Then setup the rest.',
  '[Go](/guides/set-up)',
  '[Go](/guides/setups)',
  '[Go](/other) and setup',
])('%s does not use setup.mdx', (text) => {
  expect(finds(text, { names: ['setup'] })).toBe(false);
});

test.each([
  ['![](/images/my%20logo.png)', 'my logo.png', true],
  ['![](</images/my logo.png>)', 'my logo.png', true],
  ['![](/images/(1).png)', '(1).png', true],
  ['![](/images/logo.png)', 'logo.png', true],
  ['![](/images/logo.svg)', 'logo.png', false],
  ['![](/images/a\\_b.png)', 'a_b.png', true],
])('%s, %s: %s', (text, name, isFound) => {
  expect(finds(text, { names: [name] })).toBe(isFound);
});

test.each([
  ['[x](#install)', 'install', true],
  ['[x](/a#Install)', 'install', true],
  ['[x](/a#install-it)', 'install', false],
  ['[x](/a#%C3%BCber)', 'über', true],
  ['# install', 'install', false],
])('%s, #%s: %s', (text, anchor, isFound) => {
  expect(finds(text, { anchors: [anchor] })).toBe(isFound);
});

test('a link to a page is found, however it is escaped', () => {
  const name = fc.stringMatching(/^[a-z0-9äß一_.-]{1,12}$/);
  const spelling = fc.constantFrom(
    (text: string) => text,
    encodeURIComponent,
    (text: string) => text.replace(/[^ß]+/gu, (part) => part.toUpperCase()),
    (text: string) => text.replace(/[_.-]/g, '\\$&'),
    (text: string) => text.replace(/./gu, (one) => `&#${one.codePointAt(0)};`),
  );
  const around = fc.constantFrom(
    ['[x](/a/', ')'],
    ['<a href="', '">'],
    ['![x](', ' "title")'],
    ["import X from './", ".mdx'"],
  );
  fc.assert(
    fc.property(name, spelling, around, (one, spell, [start = '', end = '']) => {
      const names = [one];
      return finds(`Text ${start}${spell(one)}${end} text`, { names }) === true;
    }),
  );
});

test.each([
  ['<img src={"/images/" + "logo" + ".png"} />', true],
  ['<img src={`/images/${name}.png`} />', true],
  ['<img src={"/images/other.png"} />', false],
])('%s may use a picture that is gone: %s', (text, isFound) => {
  expect(finds(text, { names: ['gone.png'], isFileGone: true })).toBe(isFound);
  expect(finds(text, { names: ['gone.png'] })).toBe(false);
});
