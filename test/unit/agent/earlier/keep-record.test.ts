import { expect, it, vi } from 'vitest';
import { createRecordKeeper, type Shown } from '../../../../src/agent/earlier/keep-record.ts';
import { signRecord } from '../../../../src/agent/earlier/record.ts';
import type { Cache } from '../../../../src/runner/cache.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { jobRecord } from '../../../helpers/agent.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

type Saved = Awaited<ReturnType<Cache['save']>>;

const saved: Saved = { kind: 'saved' };
const unavailable: Saved = { kind: 'unavailable' };
const broken: Saved = { kind: 'failed', problem: 'the cache is down' };
const nowhere =
  'debug: There is neither a comment nor a cache service to keep the record of the job.';
const noPlace = 'the comment could not be written, and this runner has no cache service';

it.each<
  [Shown, Saved, boolean | undefined, kept: string, loss?: string | undefined, told?: string]
>([
  ['written', unavailable, true, 'kept'],
  ['not-written', saved, false, 'kept'],
  ['not-written', saved, undefined, 'kept'],
  ['written', broken, true, 'kept'],
  // Somebody has deleted the comment in the meantime.
  ['written', unavailable, false, 'kept', noPlace],
  ['later', broken, true, 'pending'],
  ['later', unavailable, false, 'pending', noPlace],
  ['not-written', broken, undefined, 'lost', 'the cache is down'],
  ['not-written', unavailable, false, 'lost', noPlace, nowhere],
  // Then there is no place to save it, of which nobody has to be warned.
  ['not-written', unavailable, undefined, 'lost', undefined, nowhere],
])('a record with a comment %s, a cache %j, in the end %s: %s', async (...row) => {
  const [shown, inCache, isInComment, kept, loss, told] = row;
  const words: string[] = [];
  const save = async (word: string) => {
    words.push(word);
    return inCache;
  };
  const runner = fakeRunner();
  const keeper = createRecordKeeper({ ...runner, cache: { ...runner.cache, save } });
  const record = jobRecord();
  expect(keeper.kept).toBe('no-record');
  keeper.save(record, 'mint_key', Promise.resolve(shown));
  expect(keeper.kept).toBe('pending');
  await keeper.settled();
  expect(keeper.kept).toBe(kept);
  expect(words).toEqual([signRecord(record, 'mint_key')]);
  expect(runner.told).toEqual(told === undefined ? [] : [told]);
  expect(await keeper.whyLost(isInComment)).toBe(loss);
});

it.each([
  [saved, 2],
  [unavailable, 1],
  [broken, 1],
])(
  'what is known later is saved after a first record with the outcome %j',
  async (first, count) => {
    const runner = fakeRunner();
    const saves: (() => void)[] = [];
    const words: string[] = [];
    const save = (word: string) => {
      words.push(word);
      return new Promise<Saved>((resolve) => saves.push(() => resolve(first)));
    };
    const keeper = createRecordKeeper({ ...runner, cache: { ...runner.cache, save } });
    const records = [jobRecord({ sent: 'follow-up' }), jobRecord({ wasActive: true })];
    for (const record of records) {
      keeper.save(record, 'mint_key', Promise.resolve('written'));
    }
    expect(words).toHaveLength(1);
    saves[0]?.();
    await vi.waitFor(() => expect(words).toHaveLength(count));
    saves[1]?.();
    await keeper.settled();
    expect(keeper.kept).toBe('kept');
    expect(words).toEqual(records.slice(0, count).map((record) => signRecord(record, 'mint_key')));
  },
);

it('a record is lost if the run is cancelled before it is saved', async () => {
  const runner = fakeRunner();
  const save = () => Promise.reject(new CancelledError('received SIGINT'));
  const keeper = createRecordKeeper({ ...runner, cache: { ...runner.cache, save } });
  expect(await keeper.whyLost(undefined)).toBeUndefined();
  keeper.save(jobRecord(), 'mint_key', Promise.resolve('not-written'));
  expect(await keeper.whyLost(undefined)).toBe('the run was cancelled');
  keeper.wasFound();
  expect(keeper.kept).toBe('kept');
});
