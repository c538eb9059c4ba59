import { describe, expect, it } from 'vitest';
import { findVanished } from '../../../../src/check/report/vanished.ts';
import { changeOf, page, type Texts } from '../../../helpers/change.ts';

const vanished = (before: Texts, after: Texts) =>
  findVanished(changeOf({ before, after })).map((each) => ({
    kind: each.kind,
    path: each.file.path,
    before: each.before,
    after: each.after,
  }));

const sentence = (name: string) => `This is a sentence about ${name}, long enough to be missed.`;

describe('what vanished', () => {
  it('is nothing if text was added or reworded', () => {
    const before = { 'a.mdx': page(`## One\n\n${sentence('one')}`) };
    const after = { 'a.mdx': page(`## One\n\n${sentence('two')}\n\n## Two\n\nMore.`) };
    expect(vanished(before, after)).toEqual([]);
  });

  it('has what stands in its place', () => {
    const before = {
      'a.mdx': page(`## One\n\n${sentence('one')}\n\n![](/a.png)\n\n${sentence('x')}`),
    };
    const after = { 'a.mdx': page(`## First\n\nShort.\n\n![](/b.png)\n\n${sentence('x')}`) };
    expect(vanished(before, after)).toEqual([
      { kind: 'heading', path: 'a.mdx', before: 'One', after: 'First' },
      { kind: 'image', path: 'a.mdx', before: '/a.png', after: '/b.png' },
      { kind: 'text', path: 'a.mdx', before: sentence('one'), after: '' },
    ]);
  });

  it('has what text was shortened to, but no text or heading that only stands there', () => {
    const shownFor = (text: string) =>
      vanished({ 'a.mdx': page(sentence('one')) }, { 'a.mdx': page(text) })
        .filter(({ kind }) => kind === 'text')
        .map((each) => each.after);
    expect(shownFor('A sentence about one.')).toEqual(['A sentence about one.']);
    expect(shownFor('Ask the support team.')).toEqual(['']);
    expect(shownFor('## A sentence about one')).toEqual(['']);
  });

  it('names the page that text moved to', () => {
    const before = { 'a.mdx': page(`${sentence('one')}\n\nKept.`), 'b.mdx': page('Old.') };
    const after = { 'a.mdx': page('Kept.'), 'b.mdx': page(`Old.\n\n${sentence('one')}`) };
    expect(vanished(before, after)).toEqual([
      { kind: 'text', path: 'a.mdx', before: sentence('one'), after: 'moved to b.mdx' },
    ]);
  });

  it('is a deleted page, with its title and its redirect', () => {
    const settings = (redirects: readonly object[]) =>
      JSON.stringify({ navigation: { pages: ['a'] }, redirects });
    const before = {
      'docs.json': settings([]),
      'a.mdx': page('A.'),
      'g/b.mdx': page('B.', 'title: Bee'),
    };
    const redirects = [{ source: '/g/:page', destination: '/a' }];
    const after = { 'docs.json': settings(redirects), 'a.mdx': page('A.') };
    expect(vanished(before, after)).toEqual([
      { kind: 'page', path: 'g/b.mdx', before: 'Bee', after: 'redirects to /a' },
    ]);
  });

  it('is a few passages of a page that lost all of them, and the number of the others', () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    const before = { 'a.mdx': page(names.map(sentence).join('\n\n')) };
    const lost = findVanished(changeOf({ before, after: { 'a.mdx': page('Short.') } }));
    expect(lost.map((each) => each.before)).toEqual(names.slice(0, 3).map(sentence));
    expect(lost.map((each) => each.more)).toEqual([undefined, undefined, 2]);
  });

  it('is one of two that were alike', () => {
    const [before, after] = ['## A\n\n## B\n\n## A', '## A\n\n## B'].map((text) => page(text));
    expect(vanished({ 'a.mdx': before ?? '' }, { 'a.mdx': after ?? '' })).toEqual([
      { kind: 'heading', path: 'a.mdx', before: 'A', after: '' },
    ]);
  });
});
