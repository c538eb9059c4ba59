import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NavigationNode } from '../../../../src/check/docs/site.ts';
import { navigationChange, redirectLines } from '../../../../src/check/report/navigation.ts';
import { changeOf, docsJson, page as pageText } from '../../../helpers/change.ts';

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

  it('shows a page that moved to another group, and the groups around it', () => {
    const before = [group('Start', 'a', 'b'), group('More', 'c')];
    const after = [group('Start', 'a'), group('More', 'c', 'b', 'd')];
    expect(navigationChange(before, after)).toEqual([
      '  Start/',
      '-   b (moved)',
      '  More/',
      '+   b (moved)',
      '+   d',
    ]);
  });

  it('shows one line for a page that moved among its neighbours', () => {
    expect(
      navigationChange([group('Start', 'a', 'b', 'c')], [group('Start', 'c', 'a', 'b')]),
    ).toEqual(['  Start/', '!   c (moved)']);
  });

  it('shows a group whose icon changed', () => {
    const [was, is] = ['x', 'y'].map((icon) => ({
      ...group('Start', 'a'),
      settings: { icon: JSON.stringify(icon) },
    }));
    expect(was && is && navigationChange([was], [is])).toEqual(['! Start/ (icon changed)']);
  });

  it('keeps two groups with one name apart', () => {
    const before = [group('API', 'a'), group('API', 'b')];
    expect(navigationChange(before, [group('API', 'a'), group('API', 'b', 'c')])).toEqual([
      '  API/',
      '+   c',
    ]);
  });

  it('keeps names on their lines', () => {
    expect(navigationChange([], [group('a\n- b\u202E', '')])).toEqual([
      '+ a - b/',
      '+   (no name)',
    ]);
  });

  it('ends for a navigation that is deep, or long and reversed', () => {
    let deep = page('a');
    for (let depth = 0; depth < 5000; depth += 1) {
      deep = { label: 'g', kind: 'group', children: [deep] };
    }
    expect(navigationChange([], [deep]).length).toBeLessThan(30);
    const many = Array.from({ length: 20_000 }, (_, index) => page(String(index)));
    expect(navigationChange(many, many.toReversed())).toHaveLength(19_999);
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

describe('the redirects', () => {
  const lines = (was: readonly string[], is: readonly string[]) => {
    const [before, after] = [was, is].map((all) => {
      const redirects = all
        .map((one) => one.split(' '))
        .map(([source, destination]) => ({
          source,
          destination,
        }));
      return { 'docs.json': docsJson(['a'], { redirects }), 'a.mdx': pageText('Text') };
    });
    return redirectLines(changeOf({ before: before ?? {}, after: after ?? {} }));
  };

  it('are shown that lead elsewhere or are gone', () => {
    expect(lines(['/x /a', '/y /a', '/z /a'], ['/z /a', '/x /b', '/new /a'])).toEqual([
      '- redirect /x → /a',
      '+ redirect /x → /b',
      '- redirect /y → /a',
    ]);
    expect(lines(['/x /a', '/y /a'], ['/y /a', '/x /a'])).toEqual([]);
  });
});
