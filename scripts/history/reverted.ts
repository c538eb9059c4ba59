import type { MergedChange } from './changes.ts';

/** How a change was taken back: by a commit that says so, by restoring all its files, or some of them. */
export type Reverted = 'said' | 'restored' | 'partly-restored';

const mostMs = 30 * 24 * 3_600_000;

/**
 * Finds changes that a later one took back.
 * @param changes newest first
 * @returns how, by SHA
 */
export function findReverted(changes: readonly MergedChange[]): ReadonlyMap<string, Reverted> {
  const said = new Set(
    changes.map((later, index) => {
      // Several may have the same title: the newest one before is meant.
      return changes.slice(index + 1).find((change) => saysItReverts(later, change))?.sha;
    }),
  );
  return new Map(
    changes.flatMap((change, index) => {
      const reverted = said.has(change.sha) ? 'said' : restoredBy(change, changes.slice(0, index));
      return reverted === undefined ? [] : [[change.sha, reverted]];
    }),
  );
}

function restoredBy(change: MergedChange, later: readonly MergedChange[]): Reverted | undefined {
  const found = later
    .filter(({ committedMs }) => committedMs - change.committedMs <= mostMs)
    .map((each) => howRestored(change, each));
  return found.find((how) => how === 'restored') ?? found.find((how) => how !== undefined);
}

function saysItReverts(later: MergedChange, change: MergedChange): boolean {
  const shas = [...later.message.matchAll(/This reverts commit ([0-9a-f]{7,40})/g)];
  if (shas.some(([, sha = '']) => change.commits.some((commit) => commit.startsWith(sha)))) {
    return true;
  }
  const number = /^Reverts [\w.-]+\/[\w.-]+#(\d+)/m.exec(later.message)?.[1];
  if (number !== undefined) {
    return numberOf(change.subject) === number;
  }
  const title = /^Revert "(.*)"(?: \(#\d+\))?$/.exec(later.subject)?.[1];
  return title !== undefined && withoutNumber(title) === withoutNumber(titleOf(change));
}

function numberOf(subject: string): string | undefined {
  return (/\(#(\d+)\)$/.exec(subject) ?? /^Merge pull request #(\d+)/.exec(subject))?.[1];
}

/** A merge commit has the title of its pull request below. */
function titleOf({ subject, message }: MergedChange): string {
  const below = message
    .split('\n')
    .slice(1)
    .find((line) => line.trim() !== '');
  return subject.startsWith('Merge pull request #') ? (below ?? subject) : subject;
}

function withoutNumber(title: string): string {
  return title.replace(/ \(#\d+\)$/, '').trim();
}

function howRestored(change: MergedChange, later: MergedChange): Reverted | undefined {
  const after = new Map(later.files.map((file) => [file.path, file]));
  const restored = change.files.filter(({ path, before, after: changed }) => {
    const file = after.get(path);
    return file !== undefined && file.after === before && file.before === changed;
  });
  if (restored.length === 0) {
    return undefined;
  }
  return restored.length === change.files.length ? 'restored' : 'partly-restored';
}
