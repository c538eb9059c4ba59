import type { ErrorReason } from '../text/error.ts';

/** What a dry run found out about one thing that a real run needs. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly name: string;
  /** `unknown`: only a real run can tell. `note`: a real run starts all the same. */
  readonly level: 'good' | 'note' | 'unknown' | 'bad';
  /** One sentence: what was found, and where something is wrong, what to do. */
  readonly text: string;
  /** Why a real run would fail. */
  readonly reason?: ErrorReason;
}

/** A finding that is in order. */
export function good(name: string, text: string): Finding {
  return { name, level: 'good', text };
}

/** A finding that people should look at. */
export function note(name: string, text: string): Finding {
  return { name, level: 'note', text };
}

/** A finding that only a real run can make. */
export function unknown(name: string, text: string): Finding {
  return { name, level: 'unknown', text };
}
