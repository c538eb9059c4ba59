import { diffArrays } from 'diff';
import { oneLine } from '../../text/plain.ts';
import type { NavigationNode } from '../docs/site.ts';

/** A longer name would push its sign out of view. */
const maxLabelLength = 100;

/** Nobody reads a longer list of changes, and finding the shortest one takes the square of its length. */
const maxEdits = 1_000;

/** Deeper levels are no navigation. */
const maxDepth = 20;

interface Indented {
  readonly depth: number;
  readonly text: string;
  /** The group that it stands in; empty at the top. */
  readonly group: string;
}

interface Line extends Indented {
  readonly sign: ' ' | '+' | '-';
}

/**
 * The change of the navigation as a tree, for a block of the language `diff`: each entry that came or went,
 * below the groups around it. Empty if nothing changed, or too much for a tree.
 */
export function navigationChange(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
): readonly string[] {
  const lines = changedLines(linesOf(before), linesOf(after));
  const gone = new Set(lines.filter(({ sign }) => sign === '-').map(({ text }) => text));
  const come = new Set(lines.filter(({ sign }) => sign === '+').map(({ text }) => text));
  return withGroups(lines).map(({ sign, depth, text }) => {
    const isMoved = sign !== ' ' && gone.has(text) && come.has(text);
    return `${sign} ${'  '.repeat(depth)}${text}${isMoved ? ' (moved)' : ''}`;
  });
}

function changedLines(before: readonly Indented[], after: readonly Indented[]): readonly Line[] {
  const [keysBefore, keysAfter] = [keysOf(before, after), keysOf(after, before)];
  const parts = diffArrays(keysBefore, keysAfter, { maxEditLength: maxEdits }) ?? [];
  let [old, current] = [0, 0];
  return parts.flatMap(({ added, removed, count = 0 }): readonly Line[] => {
    const lines = removed ? before.slice(old, old + count) : after.slice(current, current + count);
    const sign = removed ? '-' : added ? '+' : ' ';
    old += added ? 0 : count;
    current += removed ? 0 : count;
    return lines.map((line) => ({ ...line, sign }));
  });
}

/**
 * What tells that two lines are the same entry. A page that stands in another group has moved, and not the
 * groups around it; a group that the other version lacks may only have another name.
 */
function keysOf(lines: readonly Indented[], others: readonly Indented[]): string[] {
  const groups = new Set(others.map(({ group }) => group));
  return lines.map(
    ({ depth, text, group }) => `${depth} ${groups.has(group) ? group : ''} ${text}`,
  );
}

/** Keeps the lines that changed, the groups that they stand in, and their neighbours there. */
function withGroups(lines: readonly Line[]): readonly Line[] {
  const open: Line[] = [];
  const kept: Line[] = [];
  for (const [index, line] of lines.entries()) {
    const isNear = [lines[index - 1], line, lines[index + 1]].some(
      (one) => one !== undefined && one.sign !== ' ' && one.depth === line.depth,
    );
    open.splice(line.depth);
    if (line.sign === ' ' && !isNear) {
      open[line.depth] = line;
    } else {
      kept.push(...open.splice(0).filter((group) => group !== undefined), line);
    }
  }
  return kept;
}

function linesOf(nodes: readonly NavigationNode[], depth = 0, group = ''): readonly Indented[] {
  return nodes.flatMap(({ label, kind, children }) => {
    const name = oneLine(label, maxLabelLength) || '(no name)';
    const text = kind === 'group' ? `${name}/` : name;
    const inside = depth < maxDepth ? linesOf(children, depth + 1, text) : [];
    return [{ depth, text, group }, ...inside];
  });
}
