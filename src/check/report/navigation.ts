import { listed, oneLine } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { NavigationNode } from '../docs/site.ts';
import { compareNavigation, type TreeChange } from '../rules/navigation-tree.ts';
import { changedRedirects } from '../rules/redirect-changed.ts';

/** A longer name would push its sign out of view. */
const maxLabelLength = 100;

/**
 * The change of the navigation as a tree, for a block of the language `diff`; one line for each entry.
 * Entries that only changed their place say so, and groups whose icon or other settings changed.
 */
export function navigationChange(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
): readonly string[] {
  const lines = compareNavigation(before, after).map((change) => ({
    ...change,
    text: textOf(change.node),
  }));
  const signs = new Map<string, string>();
  for (const { sign, text } of lines) {
    signs.set(text, (signs.get(text) ?? '') + sign);
  }
  return lines.map(({ sign, depth, text, settings }) => {
    const all = signs.get(text) ?? '';
    const isMoved = sign === '!' || (sign !== ' ' && all.includes('+') && all.includes('-'));
    const shown = sign === ' ' && settings.length > 0 ? '!' : sign;
    return `${shown} ${'  '.repeat(depth)}${text}${isMoved ? ' (moved)' : ''}${changed(settings)}`;
  });
}

/** Of longer lists, the finding says no more either. */
const mostSettings = 3;

function changed(settings: TreeChange['settings']): string {
  const names = settings.slice(0, mostSettings).map((key) => oneLine(key, maxLabelLength));
  return names.length === 0 ? '' : ` (${listed(names)} changed)`;
}

function textOf({ label, kind }: NavigationNode): string {
  const text = oneLine(label, maxLabelLength) || '(no name)';
  return kind === 'group' ? `${text}/` : text;
}

/** The redirects that lead elsewhere now or are gone, for the same block. */
export function redirectLines(change: Pick<Change, 'before' | 'after'>): readonly string[] {
  return changedRedirects(change).flatMap(({ source, was, is }) => {
    const lines = [`- redirect ${short(source)} → ${short(was)}`];
    return is === '' ? lines : [...lines, `+ redirect ${short(source)} → ${short(is)}`];
  });
}

function short(address: string): string {
  return oneLine(address, maxLabelLength);
}
