import { oneLine } from '../../text/plain.ts';
import type { NavigationEntry } from '../docs/site.ts';
import { type NavigationDifference, trailOf } from '../rules/navigation.ts';
import { maxQuoteLength } from '../sentence.ts';

/**
 * The change of the navigation, for a block of the language `diff`: each entry that came or went, below the
 * groups around it, and groups that are new, gone or have another name.
 */
export function navigationChange({ added, gone, moved }: NavigationDifference): readonly string[] {
  const lines = [
    ...gone.map((entry) => lineFor(entry, '-')),
    ...moved.map(([was]) => lineFor(was, '-', ' (moved)')),
    ...added.map((entry) => lineFor(entry, '+')),
    ...moved.map(([, is]) => lineFor(is, '+', ' (moved)')),
  ];
  const groups = Map.groupBy(lines, ({ entry }) => trailOf(entry));
  return [...groups].flatMap(([trail, within]) => {
    const hasHead = trail === '' || within.some(({ entry }) => entry.kind === 'group');
    return [...(hasHead ? [] : [`  ${nameOf(trail)}/`]), ...within.map(({ text }) => text)];
  });
}

function lineFor(entry: NavigationEntry, sign: '+' | '-', note = '') {
  const { kind, label, trails } = entry;
  const name =
    kind === 'group'
      ? `${nameOf([...trails.slice(-2, -1), label].join(' › '))}/`
      : `${trails.length === 0 ? '' : '  '}${nameOf(label)}`;
  return { entry, text: `${sign} ${name}${note}` };
}

function nameOf(label: string): string {
  return oneLine(label, maxQuoteLength) || '(no name)';
}
