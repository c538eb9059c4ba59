import type { Cache } from '../../runner/cache.ts';
import type { Runner } from '../../runner/runner.ts';
import { type JobRecord, signRecord } from './record.ts';

/** Whether a re-run would find the record of the step's job; `pending` as long as that is not known. */
export type Kept = 'no-record' | 'pending' | 'kept' | 'lost';

/** Whether the comment was written; `later` if the step may still write it when it ends. */
export type Shown = 'written' | 'not-written' | 'later';

/** Keeps the record of the step's job where a re-run finds it. */
export interface RecordKeeper {
  /** Whether a re-run finds the record. */
  readonly kept: Kept;
  /** Says that an earlier attempt has left the record, so that it need not be saved. */
  wasFound(): void;
  /**
   * Saves the record in the cache. A later record of the same request adds what is known by now: if the later record
   * cannot be saved, a re-run finds the first record.
   * @param shown whether the comment has the record, too
   */
  save(record: JobRecord, apiKey: string, shown: Promise<Shown>): void;
  /** Resolves once it is known whether a re-run finds the record, unless that depends on the end of the step. */
  settled(): Promise<void>;
  /**
   * Why the record was saved nowhere, so that a re-run would pay again, as a main clause; `undefined` if it was saved
   * somewhere, or if there is no place to save records.
   * @param isInComment whether the comment has the record; `undefined` if the step writes no comment
   */
  whyLost(isInComment: boolean | undefined): Promise<string | undefined>;
}

export function createRecordKeeper(runner: Runner): RecordKeeper {
  let kept: Kept = 'no-record';
  let saving: ReturnType<Cache['save']> | undefined;
  let settling = Promise.resolve();
  return {
    get kept() {
      return kept;
    },
    wasFound() {
      kept = 'kept';
    },
    save(record, apiKey, shown) {
      const saveInCache = () => runner.cache.save(signRecord(record, apiKey), runner.deadline);
      if (saving !== undefined) {
        // A re-run finds the newest entry, so the later record is saved after the first one.
        settling = Promise.all([saving, settling]).then(async ([first]) => {
          await (first.kind === 'saved' ? saveInCache().catch(() => undefined) : undefined);
        });
        return;
      }
      kept = 'pending';
      saving = saveInCache().catch(
        () => ({ kind: 'failed', problem: 'the run was cancelled' }) as const,
      );
      settling = Promise.all([shown, saving]).then(([inComment, inCache]) => {
        if (inComment === 'written' || inCache.kind === 'saved') {
          kept = 'kept';
        } else if (inComment === 'not-written') {
          kept = 'lost';
        }
        if (kept === 'lost' && inCache.kind === 'unavailable') {
          runner.log.debug(
            'There is neither a comment nor a cache service to keep the record of the job.',
          );
        }
      });
    },
    settled: () => settling,
    async whyLost(isInComment) {
      const inCache = await saving;
      return inCache === undefined || isInComment === true
        ? undefined
        : whyLost(inCache, isInComment);
    },
  };
}

/**
 * Why the record is in no place, if the comment does not have it; `undefined` if nobody has to be warned.
 * @param isInComment `undefined` if the step writes no comment, and false if it could not write it
 */
function whyLost(
  inCache: Awaited<ReturnType<Cache['save']>>,
  isInComment: false | undefined,
): string | undefined {
  switch (inCache.kind) {
    case 'saved':
      return undefined;
    case 'failed':
      return inCache.problem;
    case 'unavailable':
      // Without a comment, this runner never has a place for records, so people are not warned in each run.
      return isInComment === undefined
        ? undefined
        : 'the comment could not be written, and this runner has no cache service';
  }
}
