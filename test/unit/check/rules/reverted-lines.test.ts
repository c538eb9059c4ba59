import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../helpers/change.ts';

const lines = [
  '# Limits',
  'You may send 100 requests an hour.',
  '---',
  'Ask us for more of them.',
  'End',
];

/** The text with some lines replaced; an empty text removes a line. */
function text(changes: Readonly<Record<number, string>> = {}): string {
  return lines
    .map((line, index) => changes[index] ?? line)
    .filter(Boolean)
    .join('\n');
}

function found(was: string, before: string, after: string) {
  const earlier = [{ path: 'a.mdx', commit: 'abcdef0123456', before: was, after: before }];
  return findingsOf(
    { before: { 'a.mdx': before }, after: { 'a.mdx': after }, earlier },
    'reverted-lines',
  );
}

describe('reverted-lines', () => {
  const changed = { 1: 'You may send 500 requests an hour.' };

  it('finds a line that goes back to what it was', () => {
    expect(found(text(), text(changed), `Intro\n${text()}`)).toEqual([
      {
        rule: 'reverted-lines',
        severity: 'review',
        file: 'a.mdx',
        line: 3,
        what: 'is again as it was before commit abcdef0: You may send 100 requests an hour.',
        was: 'You may send 500 requests an hour.',
      },
    ]);
  });

  it('finds one of two lines', () => {
    const both = { ...changed, 3: 'Ask nobody for more of them.' };
    expect(found(text(), text(both), text(changed))).toHaveLength(1);
  });

  it('says once what a page has many of', () => {
    const many = (limit: number, count: number) =>
      Array.from({ length: 2 * count }, (_, index) =>
        index % 2 === 0 ? `Plan ${index} has ${limit} requests an hour.` : `Kept ${index}.`,
      ).join('\n');
    const whats = (count: number) =>
      found(many(1, count), many(2, count), many(1, count)).map(({ what }) => what);
    expect(whats(3)).toHaveLength(3);
    expect(whats(4)).toEqual([expect.stringMatching(/Plan 0 .* \(and 3 other places\)$/u)]);
  });

  it('finds what comes back or goes again as a whole', () => {
    expect(found(text(), text({ 1: '' }), text())).toHaveLength(1);
    expect(found(text({ 1: '' }), text(), text({ 1: '' }))).toMatchObject([
      { what: 'removes what commit abcdef0 added' },
    ]);
  });

  it.each([
    [
      'another change of the line',
      text(changed),
      text({ 1: 'You may send 900 requests an hour.' }),
    ],
    ['a change of another line', text(changed), text({ ...changed, 3: 'Ask.' })],
    ['a trivial line', text({ 2: '***' }), text()],
    ['nothing', text(changed), text(changed)],
  ])('lets pass %s', (_, before, after) => {
    expect(found(text(), before, after)).toEqual([]);
  });

  it('lets pass a part of what was added', () => {
    const longer = text({ 1: `${lines[1]}\nA second sentence on limits.` });
    expect(found(text({ 1: '' }), longer, text())).toEqual([]);
  });
});
