import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adaptivePauseMs, backOffMs } from '../../../src/agent/schedule.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const hourMs = 3_600_000;

describe('the adaptive schedule', () => {
  it.each([
    [0, 0, 5_000],
    [50_000, 0, 5_000],
    [100_000, 0, 10_000],
    [100_000, 0.5, 9_500],
    [600_000, 0, 60_000],
    [hourMs, 0.99, 60_000],
  ])('after %d ms, at chance %d, pauses %d ms', (waitedMs, chance, pauseMs) => {
    expect(adaptivePauseMs(waitedMs, chance)).toBeCloseTo(pauseMs, 3);
  });

  it('sees an end at most a tenth of the run time late, 5 s for short jobs, 60 s for long ones', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5 * hourMs }), random, (waitedMs, chance) => {
        const lateMs = adaptivePauseMs(waitedMs, chance);
        expect(lateMs).toBeLessThanOrEqual(Math.min(Math.max(waitedMs * 0.1, 5_000), 60_000));
      }),
    );
  });

  it('looks at most 95 times in the first hour, whatever chance says', () => {
    fc.assert(
      fc.property(fc.infiniteStream(random), (chances) => {
        let looks = 0;
        for (let waitedMs = 0; waitedMs < hourMs; looks += 1) {
          waitedMs += adaptivePauseMs(waitedMs, chances.next().value ?? 0);
        }
        expect(looks).toBeLessThanOrEqual(95);
      }),
    );
  });
});

describe('the back-off before a repeated POST', () => {
  it('doubles from 2 s to 60 s, less up to half', () => {
    expect([0, 1, 2, 5, 20].map((attempt) => backOffMs(attempt, 0))).toEqual([
      2_000, 4_000, 8_000, 60_000, 60_000,
    ]);
    expect(backOffMs(1, 0.999)).toBeCloseTo(2_002, 0);
  });
});
