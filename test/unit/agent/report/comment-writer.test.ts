import { describe, expect, it } from 'vitest';
import { type Commenter, createCommenter } from '../../../src/agent/commenter.ts';
import type { Written } from '../../../src/github/comment.ts';
import { realClock } from '../../../src/runner/clock.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';

/** A keeper whose writes end when the test says so, or when it is broken off. */
function stage(clock = realClock) {
  const stop = new AbortController();
  const cancel = new AbortController();
  const texts: string[] = [];
  const problems: string[] = [];
  const open: ((written: Written) => void)[] = [];
  const broken: ((error: unknown) => void)[] = [];
  const commenter: Commenter = createCommenter({
    keeper: {
      write(text) {
        texts.push(text);
        return new Promise((resolve, reject) => {
          open.push(resolve);
          broken.push(reject);
          stop.signal.addEventListener('abort', () => reject(new Error('broken off')));
        });
      },
    },
    clock,
    cancelled: cancel.signal,
    stop,
    onProblem: (problem) => problems.push(problem),
  });
  const finishWrite = async (written: Written = { kind: 'written' }): Promise<void> => {
    open.shift()?.(written);
    await new Promise(setImmediate);
  };
  const breakWrite = async (error: unknown): Promise<void> => {
    broken.shift()?.(error);
    await new Promise(setImmediate);
  };
  return { commenter, texts, problems, finishWrite, breakWrite, stop, cancel };
}

describe('the commenter', () => {
  it('writes one text at a time, and skips what is out of date by then', async () => {
    const { commenter, texts, finishWrite } = stage();
    commenter.show('one', 'job_1');
    commenter.show('two', 'job_1');
    commenter.show('three', 'job_1');
    expect(texts).toEqual(['one']);
    await finishWrite();
    expect(texts).toEqual(['one', 'three']);
    await finishWrite();
    commenter.show('four', 'job_1');
    expect(texts).toEqual(['one', 'three', 'four']);
  });

  it('waits for the last text, and keeps no timer behind', async () => {
    const { commenter, texts, finishWrite, stop } = stage();
    commenter.show('one', 'job_1');
    const finished = commenter.finish('last', 'job_1');
    await finishWrite();
    await finishWrite();
    await finished;
    expect(texts).toEqual(['one', 'last']);
    expect(stop.signal.aborted).toBe(false);
  });

  it('breaks off after 10 s', async () => {
    const clock = fakeClock();
    const { commenter, problems, stop } = stage(clock);
    await commenter.finish('last', 'job_1');
    expect(clock.pausesMs).toEqual([10_000]);
    expect(stop.signal.aborted).toBe(true);
    expect(problems).toEqual(['GitHub did not answer in time']);
  });

  it('breaks off after 1.5 s when the run is cancelled', async () => {
    const clock = fakeClock();
    const { commenter, cancel } = stage(clock);
    cancel.abort(new Error('cancelled'));
    await commenter.finish('last', 'job_1');
    expect(clock.pausesMs).toEqual([1500]);
  });

  it('tells of what failed, and goes on', async () => {
    const { commenter, texts, problems, finishWrite } = stage();
    commenter.show('one', 'job_1');
    const finished = commenter.finish('last', 'job_1');
    await finishWrite({ kind: 'failed', problem: 'no', isRefusal: true });
    await finishWrite();
    await finished;
    expect(problems).toEqual(['no']);
    expect(texts).toEqual(['one', 'last']);
  });

  it('outlives a mistake, and tells of it', async () => {
    const { commenter, texts, problems, breakWrite, stop } = stage(fakeClock());
    commenter.show('one', 'job_1');
    await breakWrite(new TypeError('no such thing'));
    commenter.show('two', 'job_1');
    expect(problems).toEqual(['TypeError: no such thing']);
    expect(texts).toEqual(['one', 'two']);
    expect(stop.signal.aborted).toBe(false);
  });
});
