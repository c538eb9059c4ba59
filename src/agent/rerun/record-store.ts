import type { RecordSearch as CommentSearch } from '../../github/comment.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { Cache, CacheSearch } from '../../runner/cache.ts';
import type { Clock } from '../../runner/clock.ts';
import { limitMs, stoppedLimitMs } from '../report/comment-writer.ts';
import { createEntries, type Entries } from './entries.ts';
import { type JobRecord, latestOf } from './record.ts';

/** The record of an earlier attempt, as far as one could be found. */
export type RecordSearch =
  | { readonly kind: 'found'; readonly record: JobRecord }
  | {
      readonly kind: 'none';
      /** Whether something claims to be this step's record, and its signature is not ours. */
      readonly hasForged: boolean;
    }
  /** There is no place where a record would surely be found: neither a comment nor the cache can be read. */
  | { readonly kind: 'no-store' }
  /** `problem` is a main clause. */
  | { readonly kind: 'unanswered'; readonly problem: string };

/** How saving a record ended. */
export type Saved =
  | { readonly kind: 'saved' }
  /** The comment will have it once the step ends. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'no-store' }
  | { readonly kind: 'failed'; readonly problem: string };

/**
 * Keeps the record of a step's job where a re-run finds it: in the comment and in the cache, as far as
 * there are any. Each makes up for what can happen to the other: people delete comments, runs that
 * overlap overwrite each other's, and the cache is read-only for some events and missing on some servers.
 */
export interface RecordStore {
  /** @param subject see `subjectOf` */
  find(subject: string): Promise<RecordSearch>;
  /** Never rejects. */
  save(record: JobRecord): Promise<Saved>;
}

export interface RecordStoreDeps {
  /** Looks for records in all comments of the thread; `undefined` when the run has no comment. */
  readonly findInComment: (signal: AbortSignal) => Promise<CommentSearch | undefined>;
  /** Writes the comment, with the record in it; see `StepComment.showWorking`. */
  readonly saveInComment: () => Promise<'written' | 'not written' | 'later'>;
  readonly cache: Cache;
  /** The number of this attempt. */
  readonly attempt: number;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function createRecordStore(deps: RecordStoreDeps): RecordStore {
  const entries = createEntries(deps.apiKey);
  return {
    async find(subject) {
      const [comment, cached] = await Promise.all([
        deps.findInComment(deps.signal),
        deps.cache.find(entries.prefixOf(subject), deps.signal),
      ]);
      return combine([lookInComment(comment), lookInCache(cached, entries)], subject, deps.attempt);
    },
    async save(record) {
      const limit = limited(deps);
      const problem = 'the run was cancelled';
      const [inComment, inCache] = await Promise.all([
        inTime(deps.saveInComment(), limit, deps.clock),
        deps.cache
          .save(entries.write(record), limit)
          .catch(() => ({ kind: 'failed', problem }) as const),
      ]);
      if (inComment === 'written' || inCache.kind === 'saved') {
        return { kind: 'saved' };
      }
      if (inComment === 'later') {
        return { kind: 'pending' };
      }
      return inCache.kind === 'unavailable' ? { kind: 'no-store' } : inCache;
    },
  };
}

/** What one of the two places holds. */
type Look =
  | { readonly kind: 'looked'; readonly texts: readonly string[]; readonly hasForged: boolean }
  | { readonly kind: 'absent' | 'refused' }
  | { readonly kind: 'unanswered'; readonly problem: string };

function lookInComment(search: CommentSearch | undefined): Look {
  switch (search?.kind) {
    case undefined:
      return { kind: 'absent' };
    case 'found':
      return { kind: 'looked', texts: search.records, hasForged: search.hasForged };
    case 'failed':
      return isLasting(search)
        ? { kind: 'refused' }
        : { kind: 'unanswered', problem: search.problem };
  }
}

/** Such a refusal most likely met the earlier attempt, too; limits and dead tokens come and go. */
function isLasting({ isRefusal, status, problem }: RequestFailure): boolean {
  return isRefusal && status !== 401 && status !== 429 && !/rate limit/i.test(problem);
}

function lookInCache(search: CacheSearch, entries: Entries): Look {
  switch (search.kind) {
    case 'unavailable':
      return { kind: 'absent' };
    case 'failed':
      return { kind: 'unanswered', problem: search.problem };
    case 'none':
      return { kind: 'looked', texts: [], hasForged: false };
    case 'found': {
      const text = entries.read(search.key);
      return {
        kind: 'looked',
        texts: text === undefined ? [] : [text],
        hasForged: text === undefined,
      };
    }
  }
}

/**
 * The last record wins, wherever it is. So each place that may hold it has to be read, unless the
 * record of the attempt before this one was found: none can be later.
 */
function combine(looks: readonly Look[], subject: string, attempt: number): RecordSearch {
  const unanswered = looks.find((look) => look.kind === 'unanswered');
  const looked = looks.filter((look) => look.kind === 'looked');
  const record = latestOf(
    looked.flatMap(({ texts }) => texts),
    subject,
  );
  if (unanswered !== undefined && record?.attempt !== attempt - 1) {
    return unanswered;
  }
  if (record !== undefined) {
    return { kind: 'found', record };
  }
  return looked.length === 0 || looks.some(({ kind }) => kind === 'refused')
    ? { kind: 'no-store' }
    : { kind: 'none', hasForged: looked.some(({ hasForged }) => hasForged) };
}

/** A signal that leaves a cancelled step a moment to save what it can. */
function limited({ signal, clock }: RecordStoreDeps): AbortSignal {
  const limit = new AbortController();
  const end = async () => {
    await clock.sleep(stoppedLimitMs, new AbortController().signal);
    limit.abort();
  };
  if (signal.aborted) {
    void end();
  } else {
    signal.addEventListener('abort', () => void end(), { once: true });
  }
  return limit.signal;
}

async function inTime<Outcome>(
  writing: Promise<Outcome>,
  limit: AbortSignal,
  clock: Clock,
): Promise<Outcome | 'not written'> {
  const done = new AbortController();
  const timeOver = clock
    .sleep(limitMs, AbortSignal.any([limit, done.signal]))
    .catch(() => undefined)
    .then(() => 'not written' as const);
  const outcome = await Promise.race([writing, timeOver]);
  done.abort();
  return outcome;
}
