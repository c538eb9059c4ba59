import type { StateStore } from '../common/state-store.ts';
import type { Counts } from '../platform/visitor.ts';
import type { VisitorsInputs } from './inputs.ts';
import type { Result } from './result.ts';

/** What the step knows so far. Reports read it; only a store changes it. */
export interface State {
  readonly inputs?: VisitorsInputs;
  /** Of the whole site; known after the first response. */
  readonly totals?: Counts;
  /** The same for the previous period, in a comparison. */
  readonly previousTotals?: Counts;
  readonly end?: { readonly result: Result; readonly message: string };
}

export type VisitorsState = StateStore<State>;
