import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { joinSignals } from '../../../src/network/joined-signal.ts';

it('is aborted with the first of its signals, and with its reason', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const joined = joinSignals([one.signal, two.signal]);
  expect(joined.signal.aborted).toBe(false);
  two.abort('two');
  one.abort('one');
  expect(joined.signal.reason).toBe('two');
});

it('is aborted at once if one of them already is', () => {
  const joined = joinSignals([new AbortController().signal, AbortSignal.abort('before')]);
  expect(joined.signal.reason).toBe('before');
});

it('leaves nothing behind', () => {
  const { signal } = new AbortController();
  for (let call = 0; call < 100; call += 1) {
    joinSignals([signal]).release();
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
