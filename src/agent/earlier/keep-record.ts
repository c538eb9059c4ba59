import type { Cache } from '../../runner/cache.ts';
import type { Runner } from '../../runner/runner.ts';
import { type JobRecord, signRecord } from './record.ts';

/**
 * Whether a store, the comment or the cache, has the record of the step's job. `unavailable`: this run has no such
 * store. `pending`: that is not known yet.
 */
export type Saved = Awaited<ReturnType<Cache['save']>> | { readonly kind: 'pending' };

/** Whether any of the stores has the record, which is enough for a re-run. */
export function savedIn(stores: readonly Saved[]): Saved {
  const problems = stores.flatMap((store) => (store.kind === 'failed' ? [store.problem] : []));
  return (
    stores.find(({ kind }) => kind === 'saved') ??
    stores.find(({ kind }) => kind === 'pending') ??
    (problems.length === 0
      ? { kind: 'unavailable' }
      : { kind: 'failed', problem: problems.join(', and ') })
  );
}

/** Keeps the record of the step's job in the cache. */
export function createRecordKeeper({ cache, deadline }: Pick<Runner, 'cache' | 'deadline'>) {
  let saved: Saved = { kind: 'pending' };
  let saving = Promise.resolve();
  let last: JobRecord | undefined;
  const save = async (signed: string): Promise<void> => {
    if (saved.kind === 'pending' || saved.kind === 'saved') {
      const outcome = await cache
        .save(signed, deadline)
        .catch(() => ({ kind: 'failed', problem: 'the run was cancelled' }) as const);
      // If a later record cannot be saved, a re-run finds the first one.
      saved = saved.kind === 'saved' ? saved : outcome;
    }
  };
  return {
    get saved(): Saved {
      return saved;
    },
    /** Saves a changed record after the earlier ones, because a re-run finds the newest entry of the cache. */
    save(record: JobRecord, apiKey: string): void {
      if (record !== last) {
        last = record;
        saving = saving.then(() => save(signRecord(record, apiKey)));
      }
    },
    /** Resolves once nothing is being saved. */
    async settled(): Promise<void> {
      await saving;
    },
  };
}
