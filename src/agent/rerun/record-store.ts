import type { RecordSearch as CommentSearch } from '../../github/comment.ts';
import type { Cache } from '../../runner/cache.ts';
import type { CacheSearch } from '../../runner/cache-process.ts';
import type { Clock } from '../../runner/clock.ts';
import { createSigner } from '../../text/signature.ts';
import { hashOfStep, type JobRecord, latestOf, type StepIdentity, writeRecord } from './record.ts';

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
  | { readonly kind: 'no-store' }
  | { readonly kind: 'failed'; readonly problem: string };

/** Keeps the record of a step's job where a re-run finds it: in the comment, else in the cache. */
export interface RecordStore {
  find(): Promise<RecordSearch>;
  /** Never rejects. */
  save(record: JobRecord): Promise<Saved>;
}

export interface RecordStoreDeps {
  /** Looks for records in the step's comment; `undefined` when the run has no comment. */
  readonly findInComment: (signal: AbortSignal) => Promise<CommentSearch | undefined>;
  /** Writes the comment, with the record in it; resolves to whether that worked. */
  readonly saveInComment: () => Promise<boolean>;
  readonly cache: Cache;
  readonly identity: StepIdentity;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** As long as a step waits for a comment at all. */
const commentLimitMs = 10_000;

/** A cancelled step has to end within 2 s. */
const cancelledLimitMs = 1000;

export function createRecordStore(deps: RecordStoreDeps): RecordStore {
  const entries = createEntries(deps.apiKey, deps.identity);
  return {
    async find() {
      const [comment, cached] = await Promise.all([
        deps.findInComment(deps.signal),
        deps.cache.find(entries.prefix, deps.signal),
      ]);
      return combine([lookInComment(comment), lookInCache(cached, entries)], deps.identity.runId);
    },
    async save(record) {
      const limit = limited(deps);
      if (await inTime(deps.saveInComment(), limit, deps.clock)) {
        return { kind: 'saved' };
      }
      const problem = 'the run was cancelled';
      const saved = await deps.cache
        .save(entries.write(record), limit)
        .catch(() => ({ kind: 'failed', problem }) as const);
      return saved.kind === 'unavailable' ? { kind: 'no-store' } : saved;
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
      // Most likely it was refused to the earlier attempt, too, which then used the cache.
      return search.isRefusal && search.status !== 429
        ? { kind: 'refused' }
        : { kind: 'unanswered', problem: search.problem };
  }
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

/** The last record wins, wherever it is: so no place may be left out that may hold it. */
function combine(looks: readonly Look[], runId: string): RecordSearch {
  const unanswered = looks.find((look) => look.kind === 'unanswered');
  if (unanswered !== undefined) {
    return unanswered;
  }
  const looked = looks.filter((look) => look.kind === 'looked');
  const record = latestOf(
    looked.flatMap(({ texts }) => texts),
    runId,
  );
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
    await clock.sleep(cancelledLimitMs, new AbortController().signal);
    limit.abort();
  };
  if (signal.aborted) {
    void end();
  } else {
    signal.addEventListener('abort', () => void end(), { once: true });
  }
  return limit.signal;
}

async function inTime(
  writing: Promise<boolean>,
  limit: AbortSignal,
  clock: Clock,
): Promise<boolean> {
  const done = new AbortController();
  const timeOver = clock
    .sleep(commentLimitMs, AbortSignal.any([limit, done.signal]))
    .catch(() => undefined)
    .then(() => false);
  const isWritten = await Promise.race([writing, timeOver]);
  done.abort();
  return isWritten;
}

/** The entries of a step in the cache. */
interface Entries {
  readonly prefix: string;
  write(record: JobRecord): string;
  /** The text of a record; `undefined` for a key that was not signed here. */
  read(key: string): string | undefined;
}

/** A record is a part of the key. What the entry contains is of no use. */
function createEntries(apiKey: string, identity: StepIdentity): Entries {
  const signer = createSigner(apiKey, 'record v1');
  const step = hashOfStep(identity);
  const prefix = `docs-agent-action-v1-${step}-`;
  return {
    prefix,
    write(record) {
      const text = writeRecord(record);
      return `${prefix}${text}-${signer.sign([step, text])}`;
    },
    read(key) {
      const [, text = '', mac = ''] = /^(.*)-([\da-f]{64})$/.exec(key.slice(prefix.length)) ?? [];
      return key.startsWith(prefix) && signer.verify([step, text], mac) ? text : undefined;
    },
  };
}
