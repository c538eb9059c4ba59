import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRound,
  type Mark,
  ordinal,
  readMark,
  writeMark,
} from '../../../../src/agent/open-pull-request/rounds.ts';
import { carriesMarker } from '../../../../src/github/marker.ts';
import { round } from '../../../helpers/open-pull-request.ts';

const rounds = fc.array(
  fc.record({
    date: fc.constantFrom('2026-01-05', '2031-12-31'),
    repository: fc.constantFrom('acme/product', 'a-b/.github', 'x_y/z.z'),
    runId: fc.integer({ min: 1, max: 2 ** 40 }).map(String),
    head: fc.constantFrom('', '0123456789ab'),
    changed: fc.option(fc.record({ files: fc.nat(), additions: fc.nat(), deletions: fc.nat() }), {
      nil: undefined,
    }),
  }),
  { maxLength: 20 },
);

const small = (mark: Mark): boolean =>
  mark.rounds.every(({ changed }) =>
    Object.values(changed ?? {}).every((number) => number < 1_000_000_000),
  );

describe('the mark', () => {
  it('is read as it was written, inside any text', () => {
    fc.assert(
      fc.property(fc.nat(999_999), rounds, fc.string(), (count, list, text) => {
        const mark = { jobId: 'job_1', count, rounds: list };
        fc.pre(small(mark));
        const written = writeMark(mark);
        expect(written).toMatch(/^<!-- [^\n>]*-->$/);
        expect(readMark(`${text.replaceAll('<!--', '')}\n${written}\n`)).toEqual(mark);
        expect(carriesMarker(written)).toBe(true);
      }),
    );
  });

  it('is none for anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readMark(`<!-- docs-agent-action pull-request v1 job=${text}`)).toBeUndefined();
      }),
    );
    expect(readMark(writeMark({ jobId: '..', count: 1, rounds: [] }))).toBeUndefined();
    const own = writeMark({ jobId: 'job_1', count: 1, rounds: [round()] });
    expect(readMark(`> ${own}`)).toBeUndefined();
    expect(readMark(own.replace('acme/product', '../../x'))?.rounds).toEqual([]);
  });

  it('keeps the latest rounds, and one for each run', () => {
    let mark: Mark | undefined;
    for (let run = 1; run <= 30; run += 1) {
      mark = addRound(mark, 'job_1', round({ runId: String(run) }));
    }
    const again = addRound(mark, 'job_1', round({ runId: '30', changed: undefined }));
    expect(again.count).toBe(30);
    expect(again.rounds).toHaveLength(20);
    expect(again.rounds.at(-1)).toMatchObject({ runId: '30', changed: undefined });
  });

  it('has ordinals', () => {
    const numbers = [1, 3, 10, 11, 12, 13, 21, 22, 23, 24, 101, 111, 112];
    expect(numbers.map(ordinal).join(' ')).toBe(
      'first third tenth 11th 12th 13th 21st 22nd 23rd 24th 101st 111th 112th',
    );
  });
});
