import { describe, expect, it } from 'vitest';
import { navigationChange } from '../../../../src/check/report/navigation.ts';
import { navigationDifference } from '../../../../src/check/rules/navigation.ts';
import { changeOf } from '../../../helpers/change.ts';

type Pages = readonly (string | { readonly group: string; readonly pages: Pages })[];

const group = (name: string, ...pages: Pages) => ({ group: name, pages });

function shown(before: Pages, after: Pages): readonly string[] {
  const settings = (pages: Pages) => ({ 'docs.json': JSON.stringify({ navigation: { pages } }) });
  const change = changeOf({ before: settings(before), after: settings(after) });
  return navigationChange(navigationDifference(change));
}

describe('the change of the navigation', () => {
  it('is empty without one, and for another order', () => {
    expect(shown([group('Start', 'a', 'b'), 'c'], ['c', group('Start', 'b', 'a')])).toEqual([]);
  });

  it('shows pages that came, went or moved, below the groups around them', () => {
    const before = [group('Start', 'a', 'b', 'x'), group('More', group('Deep', 'c'))];
    const after = [group('Start', 'a'), group('More', group('Deep', 'c', 'b', 'd')), 'e'];
    expect(shown(before, after)).toEqual([
      '  Start/',
      '-   x',
      '-   b (moved)',
      '  More › Deep/',
      '+   d',
      '+   b (moved)',
      '+ e',
    ]);
  });

  it('shows groups that are new or gone, with their pages', () => {
    const before = [group('Start', 'a'), group('More', 'b')];
    expect(shown(before, [group('Start', 'a', 'b'), group('New', 'c')])).toEqual([
      '- More/',
      '-   b (moved)',
      '+ New/',
      '+   c',
      '  Start/',
      '+   b (moved)',
    ]);
  });

  it('shows only the name of a group that has another one', () => {
    const within = group('Within', 'a');
    expect(shown([group('Start', within, 'b')], [group('Begin', within, 'b')])).toEqual([
      '- Start/',
      '+ Begin/',
    ]);
  });

  it('shows the pages of a group that stands in another group as moved', () => {
    const before = [group('One', group('Deep', 'a'), 'b'), group('Two', 'c')];
    expect(shown(before, [group('One', 'b'), group('Two', 'c', group('Deep', 'a'))])).toEqual([
      '- One › Deep/',
      '-   a (moved)',
      '+ Two › Deep/',
      '+   a (moved)',
    ]);
  });

  it('takes two groups for one renamed group only once', () => {
    const before = [group('One', 'a'), group('Two', 'b')];
    expect(shown(before, [group('Both', 'a', 'b')])).toEqual([
      '- One/',
      '+ Both/',
      '+   b (moved)',
      '- Two/',
      '-   b (moved)',
    ]);
  });

  it('takes a group around pages that stood in none for a new one', () => {
    expect(shown(['a'], [group('Start', 'a')])).toEqual([
      '- a (moved)',
      '+ Start/',
      '+   a (moved)',
    ]);
  });

  it('takes a group whose pages stand in none now for one that is gone', () => {
    expect(shown([group('Start', 'a')], ['a'])).toEqual([
      '- Start/',
      '-   a (moved)',
      '+ a (moved)',
    ]);
  });

  it('keeps names on their lines', () => {
    expect(shown([], [group('a\n- b\u202E', '\u202E')])).toEqual(['+ a - b/', '+   (no name)']);
  });
});
