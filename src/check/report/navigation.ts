import { oneLine } from '../../text/plain.ts';
import type { NavigationEntry } from '../docs/site.ts';
import { type NavigationDifference, trailOf } from '../rules/navigation.ts';

/** A longer name would push its sign out of view. */
const maxNameLength = 100;

/**
 * The change of the navigation, for a block of the language `diff`: each entry that came or went, below the
 * groups around it, and groups that are new, gone or have another name.
 */
export function navigationChange({
  added,
  gone,
  moved,
  names,
}: NavigationDifference): readonly string[] {
  const lines = [
    ...[...names]
      .filter(([old, name]) => old.split(' › ').at(-1) !== name.split(' › ').at(-1))
      .flatMap(([old, name]) => [
        { trail: name, text: `- ${nameOf(old)}/` },
        { trail: name, text: `+ ${nameOf(name)}/` },
      ]),
    ...added.map((entry) => lineFor(entry, '+')),
    ...moved.map(([, is]) => lineFor(is, '+', ' (moved)')),
    ...gone.map((entry) => lineFor(entry, '-')),
    ...moved.map(([was]) => lineFor(was, '-', ' (moved)')),
  ];
  const groups = Map.groupBy(lines, ({ trail }) => trail);
  return [...groups].flatMap(([trail, within]) => {
    const hasHead = trail === '' || within.some(({ text }) => text.endsWith('/'));
    return [...(hasHead ? [] : [`  ${nameOf(trail)}/`]), ...within.map(({ text }) => text)];
  });
}

function lineFor(
  entry: NavigationEntry,
  sign: '+' | '-',
  note = '',
): { trail: string; text: string } {
  const trail = trailOf(entry);
  const isGroup = entry.kind === 'group';
  const name = isGroup ? `${nameOf(trail)}/` : `${trail === '' ? '' : '  '}${nameOf(entry.label)}`;
  return { trail, text: `${sign} ${name}${note}` };
}

function nameOf(label: string): string {
  return oneLine(label, maxNameLength) || '(no name)';
}
