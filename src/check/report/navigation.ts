import { diffArrays } from 'diff';
import { oneLine } from '../../text/plain.ts';
import type { NavigationNode } from '../docs/site.ts';

/** A longer name would push its sign out of view. */
const maxLabelLength = 100;

/** Nobody reads a longer list of changes, and finding the shortest one takes the square of its length. */
const maxEdits = 1_000;

/** Deeper levels are no navigation. */
const maxDepth = 20;

/** An entry before and after; without one of them, it is gone or new. */
interface Entry {
  readonly old?: NavigationNode;
  readonly now?: NavigationNode;
}

interface Line {
  readonly sign: ' ' | '+' | '-';
  readonly depth: number;
  readonly text: string;
}

/**
 * The change of the navigation as a tree, for a block of the language `diff`: each entry that came or went,
 * with its neighbours, below the groups around it. A group in which too much changed is left out.
 */
export function navigationChange(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
): readonly string[] {
  const lines = changedLines(before, after, 0);
  const gone = new Set(lines.filter(({ sign }) => sign === '-').map(({ text }) => text));
  const come = new Set(lines.filter(({ sign }) => sign === '+').map(({ text }) => text));
  return lines.map(({ sign, depth, text }) => {
    const isMoved = sign !== ' ' && gone.has(text) && come.has(text);
    return `${sign} ${'  '.repeat(depth)}${text}${isMoved ? ' (moved)' : ''}`;
  });
}

function changedLines(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
  depth: number,
): readonly Line[] {
  const entries = entriesOf(before, after);
  const heads = entries.map((entry) => headOf(entry, depth));
  const isChanged = (index: number) => (heads[index] ?? []).some(({ sign }) => sign !== ' ');
  return entries.flatMap(({ old, now }, index) => {
    const below =
      depth < maxDepth ? changedLines(old?.children ?? [], now?.children ?? [], depth + 1) : [];
    const isShown = below.length > 0 || [index - 1, index, index + 1].some(isChanged);
    return isShown ? [...(heads[index] ?? []), ...below] : [];
  });
}

/** The lines for an entry itself: two, if it has another name now. */
function headOf({ old, now }: Entry, depth: number): readonly Line[] {
  const [was, is] = [old && nameOf(old), now && nameOf(now)];
  const line = (sign: Line['sign'], text: string | undefined): readonly Line[] =>
    text === undefined ? [] : [{ sign, depth, text }];
  return was === is ? line(' ', is) : [...line('-', was), ...line('+', is)];
}

function entriesOf(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
): readonly Entry[] {
  const namesBefore = new Set(before.map(nameOf));
  const namesAfter = new Set(after.map(nameOf));
  // A group whose name is new can be one whose name is gone.
  const isRenamed = (old: NavigationNode, now: NavigationNode): boolean =>
    old.kind === 'group' &&
    now.kind === 'group' &&
    !namesAfter.has(nameOf(old)) &&
    !namesBefore.has(nameOf(now)) &&
    old.children.map(nameOf).join('\n') === now.children.map(nameOf).join('\n');
  const parts =
    diffArrays([...before], [...after], {
      comparator: (old, now) => nameOf(old) === nameOf(now) || isRenamed(old, now),
      maxEditLength: maxEdits,
    }) ?? [];
  let [atBefore, atAfter] = [0, 0];
  return parts.flatMap(({ added, removed, count = 0 }) =>
    Array.from({ length: count }, (): Entry => {
      const old = added ? undefined : before[atBefore++];
      const now = removed ? undefined : after[atAfter++];
      return { ...(old && { old }), ...(now && { now }) };
    }),
  );
}

/** A page, or a group with a slash. */
function nameOf({ label, kind }: NavigationNode): string {
  const name = oneLine(label, maxLabelLength) || '(no name)';
  return kind === 'group' ? `${name}/` : name;
}
