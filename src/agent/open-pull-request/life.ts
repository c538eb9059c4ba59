import type { LostCommit } from './lost-commits.ts';
import type { Before, Outcome } from './outcome.ts';
import type { Round } from './rounds.ts';

/** What the step knows of a pull request that earlier runs may have worked on, and later ones may. */
export interface Life {
  /** The comment on it that asked for this run. */
  readonly question?: string;
  /** Its state before this run's follow-up. */
  readonly before?: Before;
  /** The latest force-push of its branch that needs no check; see `Mark.lastForcePush`. */
  readonly checkedForcePush?: string | undefined;
  /** Whether that is merged or closed, where the job has opened another one since. */
  readonly isBeforeClosed?: boolean | undefined;
  /** What the follow-up made of it. */
  readonly outcome?: Outcome;
  /** What the branch has lost since an earlier run looked. */
  readonly lost?: readonly LostCommit[];
  /** Which round this is, and those before it, oldest first, if our comment tells. */
  readonly count?: number;
  readonly earlier?: readonly Round[];
  /** All this for people, in Markdown; missing until the job has ended. */
  readonly text?: string;
}
