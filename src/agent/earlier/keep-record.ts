import type { Cache } from '../../runner/cache.ts';
import type { Runner } from '../../runner/runner.ts';
import { type JobRecord, signRecord } from './record.ts';

/** Whether a re-run would find the record of the step's job; `pending` as long as that is not known. */
export type Kept = 'no-record' | 'pending' | 'kept' | 'lost';

/** Whether the comment was written; `later` if it may still be when the step ends. */
export type Shown = 'written' | 'not-written' | 'later';

/** Keeps the record of the step's job where a re-run finds it. */
export interface RecordKeeper {
  /** Whether a re-run finds it. */
  readonly kept: Kept;
  /** An earlier attempt has left it. */
  wasFound(): void;
  /**
   * Saves it in the cache.
   * @param shown whether the comment has it, too
   */
  save(record: JobRecord, apiKey: string, shown: Promise<Shown>): void;
  /** Resolves once it is known whether a re-run finds it, unless that depends on the end of the step. */
  settled(): Promise<void>;
  /**
   * The warning that no place has it in the end; `undefined` if there is one, or never was one.
   * @param isInComment `undefined` without a comment
   */
  lossOf(record: JobRecord, isInComment: boolean | undefined): Promise<string | undefined>;
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
      kept = 'pending';
      saving = runner.cache
        .save(signRecord(record, apiKey), runner.deadline)
        .catch(() => ({ kind: 'failed', problem: 'the run was cancelled' }) as const);
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
    async lossOf({ jobId, sent }, isInComment) {
      const inCache = await saving;
      const hasPlace = inCache?.kind === 'failed' || isInComment !== undefined;
      if (inCache === undefined || inCache.kind === 'saved' || isInComment === true || !hasPlace) {
        return undefined;
      }
      const why =
        inCache.kind === 'failed'
          ? inCache.problem
          : 'the comment could not be written, and this runner has no cache service';
      const job = jobId === '' ? 'a job that may exist' : `job ${jobId}`;
      const again = sent === 'new' ? 'start a second job' : 'send the follow-up again';
      return `The record of ${job} could not be saved, because ${why}: a re-run of this workflow would ${again}.`;
    },
  };
}

/** The comment is optional, so the step waits no longer than this for it, all retries included. */
const limitMs = 10_000;

/**
 * Waits for something that the comment needs, but no longer than that is worth.
 * @returns `undefined` when the time is over
 */
export async function inTime<Outcome>(
  writing: Promise<Outcome>,
  { clock, deadline }: Pick<Runner, 'clock' | 'deadline'>,
): Promise<Outcome | undefined> {
  const done = new AbortController();
  const limit = AbortSignal.any([deadline, done.signal]);
  const timeOver = clock.sleep(limitMs, limit).then(
    () => undefined,
    () => undefined,
  );
  const outcome = await Promise.race([writing, timeOver]);
  done.abort();
  return outcome;
}
