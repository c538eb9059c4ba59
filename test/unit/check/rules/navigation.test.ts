import { describe, expect, it } from 'vitest';
import type { NavigationEntry } from '../../../../src/check/docs/site.ts';
import { navigationDifference, trailOf } from '../../../../src/check/rules/navigation.ts';
import { changeOf } from '../../../helpers/change.ts';

type Pages = readonly (string | { readonly group: string; readonly pages: Pages })[];

const group = (name: string, ...pages: Pages) => ({ group: name, pages });

const nameOf = (entry: NavigationEntry) => `${trailOf(entry)}/${entry.label}`;

function difference(before: Pages, after: Pages): readonly string[] {
  const settings = (pages: Pages) => ({ 'docs.json': JSON.stringify({ navigation: { pages } }) });
  const change = changeOf({ before: settings(before), after: settings(after) });
  const { gone, added, moved } = navigationDifference(change);
  return [
    ...gone.map((entry) => `- ${nameOf(entry)}`),
    ...added.map((entry) => `+ ${nameOf(entry)}`),
    ...moved.map((pair) => pair.map(nameOf).join(' → ')),
  ];
}

describe('the difference of two navigations', () => {
  it('is empty without one, and for another order', () => {
    expect(difference([group('Start', 'a', 'b'), 'c'], ['c', group('Start', 'b', 'a')])).toEqual(
      [],
    );
  });

  it('is the pages that came, went or moved', () => {
    const before = [group('Start', 'a', 'b', 'x'), group('More', group('Deep', 'c'))];
    const after = [group('Start', 'a'), group('More', group('Deep', 'c', 'b', 'd')), 'e'];
    expect(difference(before, after)).toEqual([
      '- Start/x',
      '+ More › Deep/d',
      '+ /e',
      'Start/b → More › Deep/b',
    ]);
  });

  it('has the pages of groups that are new or gone', () => {
    const before = [group('Start', 'a'), group('More', 'b')];
    expect(difference(before, [group('Start', 'a', 'b'), group('New', 'c')])).toEqual([
      '+ New/c',
      'More/b → Start/b',
    ]);
  });

  it('takes the pages of a group with another name as moved', () => {
    expect(difference([group('Start', 'a')], [group('Begin', 'a')])).toEqual(['Start/a → Begin/a']);
  });

  it('takes the pages of a group that stands in another group as moved', () => {
    const before = [group('One', group('Deep', 'a'), 'b'), group('Two', 'c')];
    expect(difference(before, [group('One', 'b'), group('Two', 'c', group('Deep', 'a'))])).toEqual([
      'One › Deep/a → Two › Deep/a',
    ]);
  });

  it('takes a group around pages that stood in none for a new one', () => {
    expect(difference(['a'], [group('Start', 'a')])).toEqual(['/a → Start/a']);
  });

  it('takes a group whose pages stand in none now for one that is gone', () => {
    expect(difference([group('Start', 'a')], ['a'])).toEqual(['Start/a → /a']);
  });
});
