import { describe, expect, it } from 'vitest';
import { createStateStore } from '../../../src/check/state-store.ts';

interface State {
  readonly name?: string;
  readonly count?: number | undefined;
}

describe('a state store', () => {
  it('merges fields into the state, and reports each change', () => {
    const seen: State[] = [];
    const store = createStateStore<State>({ name: 'a' }, (state) => seen.push(state));
    store.learn({ count: 1 });
    store.learn({ name: 'b' });
    expect(store.current).toEqual({ name: 'b', count: 1 });
    expect(seen).toEqual([
      { name: 'a', count: 1 },
      { name: 'b', count: 1 },
    ]);
  });

  it('reports nothing before a change', () => {
    const store = createStateStore<State>({ name: 'a' }, () => {
      throw new Error('too early');
    });
    expect(store.current).toEqual({ name: 'a' });
  });

  it('never changes an earlier state object', () => {
    const initial: State = Object.freeze({ name: 'a' });
    const store = createStateStore(initial, () => {});
    const before = store.current;
    store.learn({ name: 'b' });
    expect([initial, before]).toEqual([{ name: 'a' }, { name: 'a' }]);
  });

  it('keeps the change even if the callback throws', () => {
    const store = createStateStore<State>({}, () => {
      throw new Error('no space left');
    });
    expect(() => store.learn({ count: 1 })).toThrow('no space left');
    expect(store.current).toEqual({ count: 1 });
  });
});
