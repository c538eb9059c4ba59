import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NavigationNode } from '../../../../src/check/docs/site.ts';
import { navigationChange } from '../../../../src/check/report/navigation.ts';

const page = (label: string): NavigationNode => ({ label, kind: 'page', children: [] });
const group = (label: string, ...pages: readonly string[]): NavigationNode => ({
  label,
  kind: 'group',
  children: pages.map(page),
});

describe('the change of the navigation', () => {
  it('is empty without one', () => {
    const tree = [group('Start', 'a', 'b'), page('c')];
    expect(navigationChange(tree, tree)).toEqual([]);
  });

  it('shows a page that moved to another group, the groups around it, and its neighbours', () => {
    const before = [group('Start', 'a', 'b'), group('More', 'c')];
    const after = [group('Start', 'a'), group('More', 'c', 'b', 'd')];
    expect(navigationChange(before, after)).toEqual([
      '  Start/',
      '    a',
      '-   b (moved)',
      '  More/',
      '    c',
      '+   b (moved)',
      '+   d',
    ]);
  });

  it('shows a page that moved among its neighbours where it was and where it is', () => {
    expect(
      navigationChange([group('Start', 'a', 'b', 'c')], [group('Start', 'c', 'a', 'b')]),
    ).toEqual(['  Start/', '+   c (moved)', '    a', '    b', '-   c (moved)']);
  });

  it('shows the page, and not the groups, that moved over the edge of a group', () => {
    const before = [group('Start', 'a', 'b'), group('More', 'c', 'd')];
    expect(navigationChange(before, [group('Start', 'a', 'b', 'c'), group('More', 'd')])).toEqual([
      '  Start/',
      '    b',
      '+   c (moved)',
      '  More/',
      '-   c (moved)',
      '    d',
    ]);
  });

  it('shows the pages of a group that is gone where they are now', () => {
    const before = [group('Start', 'a'), group('More', 'b')];
    expect(navigationChange(before, [group('Start', 'a', 'b')])).toEqual([
      '  Start/',
      '    a',
      '+   b (moved)',
      '- More/',
      '-   b (moved)',
    ]);
  });

  it('shows only the name of a group that has another one', () => {
    expect(navigationChange([group('Start', 'a', 'b')], [group('Begin', 'a', 'b')])).toEqual([
      '- Start/',
      '+ Begin/',
    ]);
  });

  it('keeps two groups with one name apart', () => {
    const before = [group('API', 'a'), group('API', 'b')];
    expect(navigationChange(before, [group('API', 'a'), group('API', 'b', 'c')])).toEqual([
      '  API/',
      '    b',
      '+   c',
    ]);
  });

  it('keeps names on their lines', () => {
    expect(navigationChange([], [group('a\n- b\u202E', '')])).toEqual([
      '+ a - b/',
      '+   (no name)',
    ]);
  });

  it('ends for a navigation that is deep, and shows none that changed too much', () => {
    let deep = page('a');
    for (let depth = 0; depth < 5000; depth += 1) {
      deep = { label: 'g', kind: 'group', children: [deep] };
    }
    expect(navigationChange([], [deep]).length).toBeLessThan(30);
    const many = Array.from({ length: 20_000 }, (_, index) => page(String(index)));
    expect(navigationChange(many, many.toReversed())).toEqual([]);
  });

  const tree = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'b', 'c', 'd').map(page),
      fc
        .tuple(fc.constantFrom('X', 'Y'), fc.array(fc.constantFrom('a', 'b', 'c', 'd')))
        .map(([label, pages]) => group(label, ...pages)),
    ),
    { maxLength: 5 },
  );

  it('has as many more new entries than gone ones as the navigation has grown', () => {
    const size = (nodes: readonly NavigationNode[]): number =>
      nodes.reduce((sum, { children }) => sum + 1 + size(children), 0);
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const lines = navigationChange(before, after);
        const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
        expect(count('+') - count('-')).toBe(size(after) - size(before));
        expect(lines.length === 0).toBe(JSON.stringify(before) === JSON.stringify(after));
      }),
    );
  });
});
