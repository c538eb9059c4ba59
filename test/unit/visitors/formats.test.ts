import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPageFinder } from '../../../src/visitors/docs-pages.ts';
import { fileText } from '../../../src/visitors/formats.ts';
import type { FormatName } from '../../../src/visitors/inputs.ts';
import { noVisitors, type VisitedPage } from '../../../src/visitors/page-list.ts';
import { readDay } from '../../../src/visitors/period.ts';
import { nastyPage, page } from '../../helpers/visitors.ts';

const period = { from: readDay('2026-01-01'), to: readDay('2026-02-01') };
const before = { from: readDay('2025-12-01'), to: period.from };
const totals = { human: 3, ai: 2, total: 4 };
const content = { list: { period, totals }, pages: [], before: undefined, find: undefined };

function write(name: FormatName, pages: readonly VisitedPage[], isCompared = false) {
  const previous = { period: before, totals: noVisitors };
  return fileText(name, { ...content, pages, before: isCompared ? previous : undefined });
}

/** A row as every format has it. */
function row({ path, human, ai, total, previous }: VisitedPage) {
  return {
    path,
    human,
    ai,
    total,
    days: '2026-01-01 to 2026-01-31',
    previous_human: previous?.human ?? null,
    previous_ai: previous?.ai ?? null,
    previous_total: previous?.total ?? null,
    previous_days: '2025-12-01 to 2025-12-31',
  };
}

const pages = fc.array(nastyPage, { maxLength: 9 });

/** The text as UTF-8 encodes it, which replaces lone surrogates. */
function inUtf8(text: string): string {
  return Buffer.from(text).toString();
}

describe('csv', () => {
  it('has a header, lines that end in CR LF, and quotes around every text', () => {
    expect(write('csv', [page('/a'), page('/b,"c"')])).toBe(
      [
        '"path","human","ai","total","days"',
        '"/a",10,0,10,"2026-01-01 to 2026-01-31"',
        '"/b,""c""",10,0,10,"2026-01-01 to 2026-01-31"',
        '',
      ].join('\r\n'),
    );
  });

  it('has the file of each path, if the docs are checked out', () => {
    const pages = [page('/a.md'), page('/b')];
    const docs = new Map([['/a', { path: '/a', file: 'docs/a, b.mdx' }]]);
    const find = createPageFinder(docs, pages);
    expect(fileText('csv', { ...content, pages, find }).split('\r\n')).toEqual([
      '"path","file","human","ai","total","days"',
      '"/a.md","docs/a, b.mdx",10,0,10,"2026-01-01 to 2026-01-31"',
      '"/b",,10,0,10,"2026-01-01 to 2026-01-31"',
      '',
    ]);
    const { rows } = JSON.parse(fileText('json', { ...content, pages, find }));
    expect(rows).toMatchObject([{ file: 'docs/a, b.mdx' }, { file: null }]);
  });

  it('without rows is a header', () => {
    expect(write('csv', [], true)).toBe(
      '"path","human","ai","total","days","previous_human","previous_ai","previous_total","previous_days"\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
    'defuses %j for spreadsheets',
    (path) => {
      const [, cells] = parse(write('csv', [page(path)]));
      expect(cells?.[0]).toBe(`'${path}`);
    },
  );

  it('has only figures outside of quotes, for any delimiter of a spreadsheet', () => {
    fc.assert(
      fc.property(pages, (given) => {
        const text = write('csv', given, true);
        expect(text.replace(/"(?:[^"]|"")*"/g, 'TEXT')).toMatch(
          /^(?:TEXT(?:,TEXT|,[\d.e+-]*)*\r\n)*$/,
        );
      }),
    );
  });

  it('is read back as the same rows', () => {
    fc.assert(
      fc.property(pages, (given) => {
        const records = parse(inUtf8(write('csv', given, true)), { columns: true });
        const expected = given.map((one) => {
          const defused = /^[=+\-@\t\r\n＝＋－＠]/.test(one.path) ? `'${one.path}` : one.path;
          const cells = Object.entries({ ...row(one), path: inUtf8(defused) });
          return Object.fromEntries(cells.map(([name, cell]) => [name, String(cell ?? '')]));
        });
        expect(records).toEqual(expected);
      }),
    );
  });
});

describe('json', () => {
  it('is one object of period, totals and rows', () => {
    const text = write('json', [page('/a'), page('/b'), page('/c')]);
    expect(text).toMatchInlineSnapshot(`
      "{
      "period":{"date_from":"2026-01-01","date_to":"2026-02-01"},
      "totals":{"human":3,"ai":2,"total":4},
      "rows":[
      {"path":"/a","human":10,"ai":0,"total":10,"days":"2026-01-01 to 2026-01-31"},
      {"path":"/b","human":10,"ai":0,"total":10,"days":"2026-01-01 to 2026-01-31"},
      {"path":"/c","human":10,"ai":0,"total":10,"days":"2026-01-01 to 2026-01-31"}
      ]
      }
      "
    `);
    expect(JSON.parse(text).rows).toHaveLength(3);
  });

  it('without rows is whole too, and names the period before in a comparison', () => {
    expect(JSON.parse(write('json', [], true))).toEqual({
      period: { date_from: '2026-01-01', date_to: '2026-02-01' },
      previous_period: { date_from: '2025-12-01', date_to: '2026-01-01' },
      totals: { human: 3, ai: 2, total: 4, previous_human: 0, previous_ai: 0, previous_total: 0 },
      rows: [],
    });
  });

  it.each([
    [{ from: period.from }, { date_from: '2026-01-01', date_to: null }],
    [{ to: period.to }, { date_from: null, date_to: '2026-02-01' }],
    [{}, { date_from: null, date_to: null }],
  ])('has null for an open end of the period: %j', (span, expected) => {
    const text = fileText('json', { ...content, list: { period: span, totals } });
    expect(JSON.parse(text).period).toEqual(expected);
  });

  it('is read back as the same rows', () => {
    fc.assert(
      fc.property(pages, (given) => {
        const { rows } = JSON.parse(inUtf8(write('json', given, true)));
        expect(rows).toEqual(given.map(row));
      }),
    );
  });
});
