/** One run's work on a pull request. */
export interface Round {
  /** The day it ended, `2026-01-05`, UTC. */
  readonly date: string;
  /** `owner/name` of the repository of the run. */
  readonly repository: string;
  readonly runId: string;
  /** The beginning of the pull request's last commit after it; empty if that is not known. */
  readonly head: string;
  /** What it changed; `undefined` if that is not known. */
  readonly changed: Changed | undefined;
}

/** How much a round changed. */
export interface Changed {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** What our comment on a pull request tells the next run. */
export interface Mark {
  readonly jobId: string;
  /** How many rounds there were. */
  readonly count: number;
  /** The latest of them, oldest first. */
  readonly rounds: readonly Round[];
  /**
   * The latest force-push of the branch that a run has checked; `noForcePush` if there was none, and
   * `undefined` if no run could look.
   */
  readonly lastForcePush: string | undefined;
}

export const noForcePush = '0';

/** Where to check force-pushes from: all of them, where runs have left a mark, but none could look. */
export function checkedBy(mark: Mark | undefined): string | undefined {
  return mark && (mark.lastForcePush ?? noForcePush);
}

/** A comment is not an archive. */
export const mostRounds = 20;

/**
 * Adds a round to those that a comment has. A round that this same run has added already, in an
 * earlier attempt, is replaced.
 */
export function addRound(
  before: Mark | undefined,
  {
    jobId,
    round,
    lastForcePush,
  }: Pick<Mark, 'jobId' | 'lastForcePush'> & { readonly round: Round },
): Mark {
  const rounds = before?.rounds ?? [];
  const last = rounds.at(-1);
  const isSame = last?.runId === round.runId && last.repository === round.repository;
  const earlier = isSame ? rounds.slice(0, -1) : rounds;
  const count = (before?.count ?? 0) + (isSame ? 0 : 1);
  return {
    jobId,
    count,
    rounds: [...earlier, round].slice(-mostRounds),
    lastForcePush: lastForcePush ?? before?.lastForcePush,
  };
}

const firstOrdinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
] as const;

/** `first` to `tenth`, then `11th`, `12th`, `22nd`. */
export function ordinal(count: number): string {
  const tens = count % 100;
  const endings = ['th', 'st', 'nd', 'rd'];
  const ending = tens > 10 && tens < 20 ? 'th' : (endings[count % 10] ?? 'th');
  return firstOrdinals[count - 1] ?? `${count}${ending}`;
}
