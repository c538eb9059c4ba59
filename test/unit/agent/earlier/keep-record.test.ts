import { expect, it, vi } from 'vitest';
import {
  createRecordKeeper,
  type Saved,
  savedIn,
} from '../../../../src/agent/earlier/keep-record.ts';
import { signRecord } from '../../../../src/agent/earlier/record.ts';
import type { Cache } from '../../../../src/runner/cache.ts';
import { CancelledError } from '../../../../src/text/error.ts';
import { jobRecord } from '../../../helpers/agent.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

type Outcome = Awaited<ReturnType<Cache['save']>>;

const pending: Saved = { kind: 'pending' };
const saved: Outcome = { kind: 'saved' };
const unavailable: Outcome = { kind: 'unavailable' };
const broken: Outcome = { kind: 'failed', problem: 'the cache is down' };
const refused: Saved = { kind: 'failed', problem: 'the comment could not be written' };

it.each<[Saved, Saved, Saved]>([
  [saved, broken, saved],
  [refused, saved, saved],
  [unavailable, saved, saved],
  [pending, saved, saved],
  [pending, broken, pending],
  [refused, pending, pending],
  [unavailable, unavailable, unavailable],
  [unavailable, broken, broken],
  [refused, unavailable, refused],
  [
    refused,
    broken,
    { kind: 'failed', problem: 'the comment could not be written, and the cache is down' },
  ],
])('a record with the comment %j and the cache %j is %j', (comment, cache, both) => {
  expect(savedIn([comment, cache])).toEqual(both);
});

/** A keeper whose cache returns these outcomes, each when it is released. */
function keeperOf(...outcomes: readonly Outcome[]) {
  const releases: (() => void)[] = [];
  const words: string[] = [];
  const save = (word: string) => {
    const outcome = outcomes[words.push(word) - 1] ?? unavailable;
    return new Promise<Outcome>((resolve) => releases.push(() => resolve(outcome)));
  };
  const runner = fakeRunner();
  const keeper = createRecordKeeper({ ...runner, cache: { ...runner.cache, save } });
  const release = async (count: number) => {
    await vi.waitFor(() => expect(releases).toHaveLength(count));
    releases.at(-1)?.();
  };
  return { keeper, words, release };
}

const records = [jobRecord(), jobRecord({ sentAtMs: 1 })] as const;
const [first, second] = records;

it.each([saved, unavailable, broken])('a first record can be %j', async (outcome) => {
  const { keeper, words, release } = keeperOf(outcome);
  keeper.save(first, 'mint_key');
  keeper.save(first, 'mint_key');
  expect(keeper.saved).toEqual(pending);
  await release(1);
  await keeper.settled();
  expect(keeper.saved).toEqual(outcome);
  expect(words).toEqual([signRecord(first, 'mint_key')]);
  keeper.save(second, 'mint_key');
  if (outcome === saved) {
    await release(2);
  }
  await keeper.settled();
  expect(words).toHaveLength(outcome === saved ? 2 : 1);
});

it('what is known later is saved after a first record, which is found if that fails', async () => {
  const { keeper, words, release } = keeperOf(saved, broken);
  for (const record of records) {
    keeper.save(record, 'mint_key');
  }
  await vi.waitFor(() => expect(words).toHaveLength(1));
  await release(1);
  await release(2);
  await keeper.settled();
  expect(keeper.saved).toEqual(saved);
  expect(words).toEqual(records.map((record) => signRecord(record, 'mint_key')));
});

it('a record is not saved if the run is cancelled before', async () => {
  const runner = fakeRunner();
  const save = () => Promise.reject(new CancelledError('received SIGINT'));
  const keeper = createRecordKeeper({ ...runner, cache: { ...runner.cache, save } });
  keeper.save(first, 'mint_key');
  await keeper.settled();
  expect(keeper.saved).toEqual({ kind: 'failed', problem: 'the run was cancelled' });
});
