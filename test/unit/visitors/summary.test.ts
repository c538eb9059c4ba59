import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPageFinder,
  foldAddresses,
  type SitePages,
} from '../../../src/visitors/docs-pages.ts';
import { noVisitors, type VisitedPage } from '../../../src/visitors/page-list.ts';
import { dayAt, namedPeriod, spanBefore } from '../../../src/visitors/period.ts';
import type { Exported, Result } from '../../../src/visitors/result.ts';
import { summaryOf } from '../../../src/visitors/summary.ts';
import { nastyPage, page, visitorsInputs } from '../../helpers/visitors.ts';

const period = namedPeriod('last-month', dayAt(Date.UTC(2026, 1, 5)));

const defaults = { ...visitorsInputs({ compare: 'true', top: '100' }), period };

function exported(
  pages: readonly VisitedPage[],
  isCompared = true,
  inputs = defaults,
  docsPages?: SitePages,
): Exported {
  const { period } = inputs;
  const previousPeriod = spanBefore(period);
  const folded = foldAddresses(pages, createPageFinder(docsPages, pages));
  const list = { duplicates: 0, end: 'whole' } as const;
  return {
    result: 'exported',
    inputs,
    file: 'visitors.csv',
    list: {
      ...list,
      period,
      totals: { human: 900, ai: 300, total: 1000 },
      rows: new Map(pages.map((page) => [page.path, page])),
    },
    before:
      isCompared && previousPeriod
        ? {
            ...list,
            period: previousPeriod,
            totals: { human: 800, ai: 100, total: 850 },
            rows: new Map(),
          }
        : undefined,
    pages,
    folded,
  };
}

function summaryOfExport(result: Exported): string {
  return summaryOf(result, 'A sentence.');
}

describe('the summary', () => {
  it('compares with as many days before', () => {
    const march = { ...defaults, period: namedPeriod('last-month', dayAt(Date.UTC(2026, 3, 5))) };
    const pages = [page('/less', { total: 250, previous: { human: 280, ai: 0, total: 280 } })];
    const lines = summaryOfExport(exported(pages, true, march)).split('\n');
    expect(lines.filter((line) => /^\*\*|^\| (?:\w|<)/.test(line))).toEqual([
      '**900** human and **300** AI (30% of all), 200 counted as both. Previous period, 2026-01-29 to 2026-02-28: 850 visitors.',
      '| Human | 900 | 800 | +100 (+13%) |',
      '| AI | 300 | 100 | +200 (+200%) |',
      '| All | 1,000 | 850 | +150 (+18%) |',
      '| AI share | 30% | 12% | +18.2 points |',
      '| Page | Human | AI | All | Before | Change |',
      '| <code>/less</code> | 250 | 0 | 250 | 280 | −30 (−11%) |',
      '| Page | Now | Before | Change |',
      '| <code>/less</code> | 250 | 280 | −30 (−11%) |',
    ]);
  });

  it('counts visited paths that are no pages of the docs', () => {
    const pages = [page('/'), page('/wp-login.php'), page('/.env')];
    const summary = summaryOfExport(
      exported(pages, false, defaults, new Map([['', { path: '/', file: 'index.mdx' }]])),
    );
    expect(summary).toContain(
      '<sub>3 rows in <code>visitors.csv</code>, 2 of them other paths than pages below docs-root. ',
    );
  });

  it('judges by its addresses together whether only AI reads a page', () => {
    const rows = [
      page('/api/errors.md', { human: 0, ai: 700, total: 700 }),
      page('/api/errors', { human: 3, ai: 1, total: 4 }),
      page('/llms.txt', { human: 0, ai: 5, total: 5 }),
    ];
    const [, aiOnly = ''] = summaryOfExport(exported(rows, false)).split('#### Read only by AI');
    expect(aiOnly.match(/<code>\/.*<.code>/g)).toEqual(['<code>/llms.txt</code>']);
  });

  it('of a comparison with a period without visitors has no percentages', () => {
    const result = exported([page('/new', { total: 5, previous: noVisitors })]);
    const before = result.before && { ...result.before, totals: noVisitors };
    const summary = summaryOfExport({ ...result, before });
    expect(summary.match(/^\| (?:Human|AI share|<code>).*/gm)).toEqual([
      '| Human | 900 | 0 | +900 |',
      '| AI share | 30% | 0% | +30.0 points |',
      '| <code>/new</code> | 5 | 0 | 5 | 0 | +5 |',
      '| <code>/new</code> | 5 | 0 | +5 |',
    ]);
  });

  it('has no figures of a page before, if they are not known', () => {
    const result = exported([page('/first', { total: 5 })]);
    expect(summaryOfExport(result)).toMatch(
      /^\| <code>\/first<\/code>.* \| 5 \| 0 \| 5 \| {2}\| {2}\|$/m,
    );
  });

  it.each([
    [{ human: 900, ai: 100, total: 1000 }, '**900** human and **100** AI (10% of all).'],
    [{ human: 900, ai: 99, total: 1000 }, '**900** human and **99** AI (10% of all).'],
    [
      { human: 900, ai: 101, total: 1000 },
      '**900** human and **101** AI (10% of all), 1 counted as both.',
    ],
    // Approximate counts can contradict each other.
    [
      { human: 0, ai: 12, total: 10 },
      '**0** human and **12** AI (100% of all), 2 counted as both.',
    ],
    [noVisitors, 'The documentation had no visitors.'],
  ])('says who came: %j', (totals, sentence) => {
    const result = exported([], false);
    const summary = summaryOfExport({ ...result, list: { ...result.list, totals } });
    expect(summary.split('\n')[2]).toBe(sentence);
  });

  it('says how many pages only AI reads, if it does not show all of them', () => {
    const pages = Array.from({ length: 26 }, (_, index) =>
      page(`/${index}`, { human: 0, ai: 9, total: 9 }),
    );
    expect(summaryOfExport(exported(pages, false))).toContain(
      '26 pages had AI visitors but no human visitors. The top 25:',
    );
    expect(summaryOfExport(exported(pages.slice(1), false))).toContain(
      '25 pages had AI visitors but no human visitors.\n',
    );
  });

  it('shortens a long path', () => {
    const paths = [70, 71].map((length) => `/${'x'.repeat(length - 1)}`);
    const summary = summaryOfExport(
      exported(
        paths.map((path) => page(path)),
        false,
      ),
    );
    const shown = [...summary.matchAll(/<code>(\/x.*)<.code>/g)].map(([, path]) => path);
    expect(shown).toEqual([paths[0], `/${'x'.repeat(68)}&#8230;`]);
  });

  it('stays below 1 MiB with the most pages and the longest escapes', () => {
    const pages = Array.from({ length: 200 }, (_, index) =>
      page(`${index}${'�'.repeat(5000)}`, {
        human: index < 100 ? 0 : 999_999_999,
        ai: 999_999_999,
        total: 1_999_999_999 - index,
        previous: { human: 999_999_999, ai: 1, total: index % 2 ? 999_999_999 : 2_999_999_999 },
      }),
    );
    expect(Buffer.byteLength(summaryOfExport(exported(pages)))).toBeLessThan(1024 * 1024);
  });

  it('is never led astray by a path', () => {
    const outline = (text: string) =>
      text.split('\n').filter((line) => /^(#|```|>|\|)/.test(line)).length;
    fc.assert(
      fc.property(nastyPage, (nastyOne) => {
        const figures = { human: 9, ai: 4, total: 12, previous: undefined };
        const plain = summaryOfExport(exported([{ ...nastyOne, ...figures, path: '/plain' }]));
        const nasty = summaryOfExport(exported([{ ...nastyOne, ...figures }]));
        expect(outline(nasty)).toBe(outline(plain));
        expect(nasty.split('\n')).toHaveLength(plain.split('\n').length);
        expect(nasty.match(/<(?!\/?(?:code|sub)>)/g)).toBeNull();
      }),
    );
  });
});

describe('the summary without an export', () => {
  it.each<[Result, string]>([
    [{ result: 'cancelled' }, '🛑 The export of visitors was cancelled'],
    [
      { result: 'skipped', reason: 'no-secret', message: 'No.', level: 'notice' },
      '⏭️ The export of visitors was skipped',
    ],
    [
      { result: 'error', reason: 'forbidden', message: 'No.' },
      '❌ The export of visitors ended with an error',
    ],
  ])('says so, and why: $result', (result, heading) => {
    expect(summaryOf(result, 'Ask @owner.')).toBe(
      `### ${heading}\n\n<code>Ask &#64;owner.</code>\n`,
    );
  });
});

describe('the tables of the summary', () => {
  const shares = (human: number, ai = 0) => ({ human, ai, total: human + ai });
  const pages = [
    page('/grew', { total: 100, previous: shares(10) }),
    page('/shrank', { total: 10, previous: shares(100) }),
    page('/gone', { total: 0, previous: shares(50) }),
    page('/unknown', { total: 70 }),
    page('/ai', { ...shares(0, 9), previous: shares(9) }),
    page('/same', { total: 90, previous: shares(90) }),
  ];

  /** The paths in a table; none if there is no such table. */
  function listed(title: string, pages: readonly VisitedPage[], top = 9) {
    const given = {
      ...defaults,
      period: namedPeriod('last-30-days', dayAt(Date.UTC(2026, 1, 5))),
      top,
    };
    const [, section = ''] = summaryOfExport(exported(pages, true, given)).split(`#### ${title}\n`);
    const [table = ''] = section.split('####');
    return [...table.matchAll(/^\| <code>(.*?)<.code>/gm)].map(([, path]) => path);
  }

  it('rank by visitors, whatever the order, and keep the order of equal pages', () => {
    expect(listed('Most visited pages', pages, 3)).toEqual(['/grew', '/same', '/unknown']);
    const equal = ['/b', '/a', '/c'].map((path) => page(path));
    expect(listed('Most visited pages', equal, 2)).toEqual(['/b', '/a']);
  });

  it('have the pages that gained and lost, including those without visitors', () => {
    expect(listed('Gained most', pages)).toEqual(['/grew']);
    expect(listed('Lost most', pages)).toEqual(['/shrank', '/gone']);
  });

  it('pass over pages that hardly changed, however many visitors that is', () => {
    const changed = (path: string, total: number, before: number) =>
      page(path, { total, previous: shares(before) });
    const pages = [
      changed('/-4.9%', 951, 1000),
      changed('/-5%', 950, 1000),
      changed('/+4.9%', 1049, 1000),
      changed('/+5%', 1050, 1000),
      changed('/-1', 0, 1),
      changed('/-2', 0, 2),
      changed('/+1', 1, 0),
      changed('/+2', 2, 0),
      changed('/same', 7, 7),
    ];
    expect(listed('Lost most', pages)).toEqual(['/-5%', '/-2']);
    expect(listed('Gained most', pages)).toEqual(['/+5%', '/+2']);
  });

  it('have the pages that only AI reads', () => {
    // Approximate counts can contradict each other.
    const read = (path: string, ai: number) => page(path, { human: 0, ai, total: 20 - ai });
    const ai = [read('/few', 1), read('/most', 19), read('/more', 15)];
    expect(listed('Read only by AI', [...pages, ...ai], 2)).toEqual(['/most', '/more']);
  });
});
