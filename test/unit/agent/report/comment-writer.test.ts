import { describe, expect, it } from 'vitest';
import { createCommentWriter } from '../../../../src/agent/report/comment-writer.ts';
import type { Written } from '../../../../src/github/own-comment.ts';
import { realClock } from '../../../../src/runner/clock.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';

/** The content of the comment. */
function news(text: string) {
  return { text, jobId: 'job_1', link: '', record: '' };
}

/** A keeper whose writes end when the test says so, or when it is stopped. */
function stage(clock = realClock) {
  const stop = new AbortController();
  const cancel = new AbortController();
  const texts: string[] = [];
  const problems: string[] = [];
  const open: ((written: Written) => void)[] = [];
  const failing: ((error: unknown) => void)[] = [];
  const writer = createCommentWriter({
    keeper: {
      findRecords: async () => ({ kind: 'found', records: [], hasForged: false }),
      write({ text }) {
        texts.push(text);
        return new Promise((resolve, reject) => {
          open.push(resolve);
          failing.push(reject);
          stop.signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
      },
    },
    clock,
    signal: cancel.signal,
    stop,
    onProblem: ({ problem }) => problems.push(problem),
  });
  const finishWrite = async (written: Written = { kind: 'written' }): Promise<void> => {
    open.shift()?.(written);
    await new Promise(setImmediate);
  };
  const failWrite = async (error: unknown): Promise<void> => {
    failing.shift()?.(error);
    await new Promise(setImmediate);
  };
  return { writer, texts, problems, finishWrite, failWrite, stop, cancel };
}

describe('the writer of the comment', () => {
  it('writes one text at a time, and skips outdated ones', async () => {
    const { writer, texts, finishWrite } = stage();
    void writer.show(news('one'));
    void writer.show(news('two'));
    void writer.show(news('three'));
    expect(texts).toEqual(['one']);
    await finishWrite();
    expect(texts).toEqual(['one', 'three']);
    await finishWrite();
    void writer.show(news('four'));
    expect(texts).toEqual(['one', 'three', 'four']);
  });

  it('waits for the last text, and leaves no timer behind', async () => {
    const { writer, texts, finishWrite, stop } = stage();
    void writer.show(news('one'));
    const finished = writer.finish(news('last'));
    await finishWrite();
    await finishWrite();
    await finished;
    expect(texts).toEqual(['one', 'last']);
    expect(stop.signal.aborted).toBe(false);
  });

  it('stops after 10 s', async () => {
    const clock = fakeClock();
    const { writer, problems, stop } = stage(clock);
    await writer.finish(news('last'));
    expect(clock.delaysMs).toEqual([10_000]);
    expect(stop.signal.aborted).toBe(true);
    expect(problems).toEqual(['GitHub did not respond in time']);
  });

  it('stops after 1.5 s when the run is cancelled', async () => {
    const clock = fakeClock();
    const { writer, cancel } = stage(clock);
    cancel.abort(new Error('cancelled'));
    await writer.finish(news('last'));
    expect(clock.delaysMs).toEqual([1500]);
  });

  it('reports a failure, and continues', async () => {
    const { writer, texts, problems, finishWrite } = stage();
    void writer.show(news('one'));
    const finished = writer.finish(news('last'));
    await finishWrite({ kind: 'failed', problem: 'no', isRefusal: true });
    await finishWrite();
    await finished;
    expect(problems).toEqual(['no']);
    expect(texts).toEqual(['one', 'last']);
  });

  it('survives an internal error, and reports it', async () => {
    const { writer, texts, problems, failWrite, stop } = stage(fakeClock());
    void writer.show(news('one'));
    await failWrite(new TypeError('no such thing'));
    void writer.show(news('two'));
    expect(problems).toEqual(['TypeError: no such thing']);
    expect(texts).toEqual(['one', 'two']);
    expect(stop.signal.aborted).toBe(false);
  });
});
