import type { StateStore } from '../common/state-store.ts';
import type { CheckInputs } from './inputs.ts';
import type { Judgement } from './judgement.ts';
import type { Result } from './result.ts';
import type { Target } from './target.ts';

/** What the step knows so far. Reports read it; only a store changes it. */
export interface State {
  readonly inputs?: CheckInputs;
  readonly target?: Target;
  /** The commit that is being judged; known before the rest is read. */
  readonly headSha?: string;
  /** Folder of the docs where the change began, empty for the top; known once it was found. */
  readonly docsRoot?: string;
  /** How many files the pull request changes. */
  readonly changedFiles?: number;
  readonly previewLink?: string;
  readonly judgement?: Judgement;
  readonly end?: { readonly result: Result; readonly message: string };
}

export type CheckState = StateStore<State>;
