import type { ErrorReason } from '../../text/error.ts';

/** What a dry run found out about one thing that a real run needs. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly name: string;
  /** `unknown`: only a real run can tell. `note`: a real run goes on all the same. */
  readonly level: 'good' | 'note' | 'unknown' | 'bad';
  /** One sentence: what was found, and where something is wrong, what to do. */
  readonly text: string;
  /** Why a real run would fail. */
  readonly reason?: ErrorReason;
}

export function good(name: string, text: string): Finding {
  return { name, level: 'good', text };
}

export function note(name: string, text: string): Finding {
  return { name, level: 'note', text };
}
