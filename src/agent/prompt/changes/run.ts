import type { ComparisonPage } from '../../../github/compare.ts';
import type { EventPayload } from '../../../runner/event.ts';
import { inputError } from '../../../text/error.ts';

/** The run whose changes are asked for. */
export interface ChangesRun {
  readonly event: EventPayload;
  readonly eventName: string;
  /** The commit that the changes end at. */
  readonly sha: string;
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The workflow's file as `owner/name/path`. */
  readonly workflow: string;
}

/** A start, and what changed between it and the run's commit. */
export interface FoundStart {
  /** What people call the start, such as `v1.2.0`; empty for a plain commit. */
  readonly name: string;
  readonly page: ComparisonPage;
  /** Sentences about a start that is not the one that was asked for. */
  readonly warnings: readonly string[];
}

/** What to do without a start. */
export const advice = 'give a commit, a tag, a branch or last-success';

/**
 * The payload of the run's event.
 * @throws ActionError if it cannot be read
 */
export function payloadOf({ event }: ChangesRun): unknown {
  if (event.kind === 'unreadable') {
    throw inputError(
      'changes-since',
      `has to name the start of {{changes}}, because ${event.problem}`,
      advice,
    );
  }
  return event.payload;
}

/** Whether the start is in the history of the run's commit, or that commit itself. */
export function isInHistory({ relation }: ComparisonPage): boolean {
  return relation === 'ahead' || relation === 'identical';
}

/** The branch of a ref such as `refs/heads/main`. */
export function branchOf(ref: string): string | undefined {
  return /^refs\/heads\/(.+)$/.exec(ref)?.[1];
}

/** The tag of a ref such as `refs/tags/v1.2.0`. */
export function tagOf(ref: string): string | undefined {
  return /^refs\/tags\/(.+)$/.exec(ref)?.[1];
}

/** The first characters of a commit, as GitHub shows them. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
