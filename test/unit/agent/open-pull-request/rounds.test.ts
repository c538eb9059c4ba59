import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarks } from '../../../../src/agent/open-pull-request/marks.ts';
import { addRound, type Mark, ordinal } from '../../../../src/agent/open-pull-request/rounds.ts';
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

const place = { repository: 'acme/docs', threadNumber: 12 };
const marks = createMarks('mint_key', place);
const first = { jobId: 'job_1', count: 1, rounds: [round()], lastForcePush: undefined };

const small = (mark: Mark): boolean =>
  mark.rounds.every(({ changed }) =>
    Object.values(changed ?? {}).every((number) => number < 1_000_000_000),
  );

describe('the mark', () => {
  it('is read as it was written, inside any text', () => {
    fc.assert(
      fc.property(fc.nat(999_999), rounds, fc.option(fc.nat()), fc.string(), (...row) => {
        const [count, list, push, text] = row;
        const lastForcePush = push === null ? undefined : String(push);
        const mark = { jobId: 'job_1', count, rounds: list, lastForcePush };
        fc.pre(small(mark));
        const written = marks.write(mark);
        expect(written).toMatch(/^<!-- [^\n>]*-->$/);
        expect(marks.read(`${text.replaceAll('<!--', '')}\n${written}\n`)).toEqual({
          ...mark,
          isSigned: true,
        });
        expect(carriesMarker(written)).toBe(true);
      }),
    );
  });

  it('is none for anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(marks.read(`<!-- docs-agent-action pull-request v1 job=${text}`)).toBeUndefined();
      }),
    );
    expect(marks.read(marks.write({ ...first, jobId: '..' }))).toBeUndefined();
    const own = marks.write(first);
    expect(marks.read(`> ${own}`)).toBeUndefined();
    expect(marks.read(own.replace('acme/product', '../../x'))?.rounds).toEqual([]);
  });

  it('is signed by one key, for one pull request, as it is', () => {
    const written = marks.write(first);
    const others = [
      createMarks('mint_other', place).read(written),
      createMarks('mint_key', { ...place, threadNumber: 13 }).read(written),
      createMarks('mint_key', { ...place, repository: 'acme/other' }).read(written),
      marks.read(written.replace('round=1', 'round=2')),
    ];
    expect(others.map((mark) => mark?.isSigned)).toEqual([false, false, false, false]);
    const renamed = { ...place, repository: 'Acme/Docs' };
    expect(createMarks('mint_key', renamed).read(written)?.isSigned).toBe(true);
  });

  it('keeps the latest rounds, and one for each run', () => {
    let mark: Mark | undefined;
    for (let run = 1; run <= 30; run += 1) {
      mark = addRound(mark, { ...first, round: round({ runId: String(run) }) });
    }
    const again = addRound(mark, {
      ...first,
      round: round({ runId: '30', changed: undefined }),
    });
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
