import { describe, expect, it, onTestFinished } from 'vitest';
import {
  annotations,
  csvRows,
  exportTranscript,
  runVisitors,
  type VisitorsRun,
} from '../helpers/run.ts';
import { batch, batches, type Reply, row, rows, scriptedApi } from '../helpers/servers.ts';

async function run(script: readonly Reply[], { inputs, ...step }: VisitorsRun = {}) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  const dates = inputs?.['period'] ? {} : { 'date-from': '2026-01-01', 'date-to': '2026-02-01' };
  const result = await runVisitors({
    baseUrl: api.url,
    ...step,
    inputs: { ...dates, ...inputs },
  });
  return { result, calls: api.calls };
}

const name = 'visitors-2026-01-01-to-2026-01-31';
const csvFile = `${name}.csv`;

const few = [
  row('/', { human: 500, ai: 100, total: 550 }),
  row('/a, "b" | <i>', { human: 40, ai: 20, total: 55 }),
  row('=1+1', { human: 0, ai: 12, total: 12 }),
];

describe('an export', () => {
  it('writes a file, numbers and a picture', async () => {
    const { result, calls } = await run(batches(few));
    expect({ ...exportTranscript(result), calls }).toMatchSnapshot();
  });

  it('with compare has both periods', async () => {
    const before = [row('/', { total: 300 }), row('/gone', { total: 99 })];
    const { result, calls } = await run([batch(before), batch(few)], {
      inputs: { compare: 'true' },
    });
    expect({ ...exportTranscript(result), calls }).toMatchSnapshot();
  });

  it('with compare names no page that hardly changed', async () => {
    const pages = (counts: readonly number[]) =>
      counts.map((total, index) => row(`/page-${index}`, { total }));
    // As on most sites: the most visited pages have a few visitors more or less.
    const before = pages([4109, 2643, 1678, 90]);
    const { result } = await run([batch(before), batch(pages([4097, 2635, 1700, 60]))], {
      inputs: { compare: 'true' },
    });
    const [, lost = ''] = result.summary.split('#### Lost most');
    expect(lost.match(/\/page-\d/g)).toEqual(['/page-3']);
    expect(result.summary).not.toContain('#### Gained most');
    expect(result.summary).toContain('| 4,097 | 4,109 | −12 (−0.3%) |');
  });

  it.each(['json', 'ndjson'])('in %s has the same rows', async (format) => {
    const { result } = await run(batches(few), { inputs: { format } });
    const text = result.files[`${name}.${format}`] ?? '';
    const found =
      format === 'json'
        ? JSON.parse(text).rows
        : text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
    expect(found).toEqual(few.map((page) => ({ ...page, days: '2026-01-01 to 2026-01-31' })));
  });

  it.each([
    [0, 1],
    [1, 1],
    [250, 1],
    [251, 2],
    [1000, 4],
  ])('of %d rows takes %d requests', async (count, requests) => {
    const all = rows(count);
    const { result, calls } = await run(batches(all));
    expect(calls).toHaveLength(requests);
    expect(calls.map((call) => /offset=(\d+)/.exec(call)?.[1])).toEqual(
      Array.from({ length: requests }, (_, index) => String(index * 250)),
    );
    const records = csvRows(result, csvFile);
    expect(records.map(({ path }) => path)).toEqual(all.map(({ path }) => path));
    expect(result.outputs).toMatchObject({
      'page-count': String(count),
      complete: 'true',
      result: 'exported',
    });
  });

  it('uses the defaults of empty inputs, in any time zone of the runner', async () => {
    const names = [
      'period',
      'date-from',
      'date-to',
      'compare',
      'format',
      'output-file',
      'top',
      'max-requests',
      'offset',
    ];
    for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
      const { calls, result } = await run(batches(few), {
        inputs: { period: 'last-30-days', ...Object.fromEntries(names.map((name) => [name, ''])) },
        today: '2026-03-31T23:59:59Z',
        env: { TZ: zone },
      });
      expect(calls).toEqual([
        'GET /v1/analytics/acme/visitors?dateFrom=2026-03-01&dateTo=2026-03-31&limit=250&offset=0',
      ]);
      expect(Object.keys(result.files)).toEqual(['visitors-2026-03-01-to-2026-03-30.csv']);
      expect(result.outputs['message']).toContain('(1–30 March 2026)');
    }
  });

  it.each([
    ['2026-01-05T08:00:00Z', '2026-01-06'],
    ['2026-01-05', '2026-01-06T10:30:00.5+02:00'],
  ])('asks for dates as they are given: %s to %s', async (from, to) => {
    const { calls, result } = await run(batches(few), {
      inputs: { 'date-from': from, 'date-to': to },
    });
    const { searchParams } = new URL(calls[0]?.split(' ')[1] ?? '', 'http://api.example');
    expect([searchParams.get('dateFrom'), searchParams.get('dateTo')]).toEqual([from, to]);
    expect(result.outputs).toMatchObject({
      'date-from': from,
      'date-to': to,
      file: expect.stringMatching(/^[\w.+-]+\.csv$/),
    });
    expect(result.summary).not.toContain('Whole days');
  });

  it('of all sends no dates, and says so when there is more', async () => {
    const { calls, result } = await run([batch(rows(250), true)], {
      inputs: { period: 'all', 'max-requests': '1' },
    });
    expect(calls).toEqual(['GET /v1/analytics/acme/visitors?limit=250&offset=0']);
    expect(Object.keys(result.files)).toEqual(['visitors-all.csv']);
    expect(result.outputs['message']).toBe(
      'Exported 250 pages to "visitors-all.csv" (all days that the API counts), but there are more, and max-requests is used up: to export the rest, run this action again with period all, offset 250.',
    );
    expect(result.outputs['date-from']).toBeUndefined();
  });

  it('of this-month on the first of a month is of the previous month, and says so', async () => {
    const { calls, result } = await run(batches(few), {
      inputs: { period: 'this-month' },
      today: '2026-03-01T00:00:00Z',
    });
    expect(calls[0]).toContain('dateFrom=2026-02-01&dateTo=2026-03-01');
    expect(annotations(result, 'notice')).toHaveLength(1);
    expect(result.summary).toContain('the previous month is used: 1–28 February 2026');
  });

  it('names only pages of the checked-out docs in top-pages', async () => {
    const files = {
      'docs/index.mdx': '',
      'docs/guides/deploy.md': '',
      'docs/.github/hidden.md': '',
      'docs/node_modules/package.md': '',
    };
    const paths = ['/guides/deploy', '/', '/deploy', '/.github/hidden', '/node_modules/package'];
    const visited = paths.map((path) => row(path));
    const { result } = await run(batches(visited), { files, inputs: { 'docs-root': 'docs' } });
    const pages: unknown = JSON.parse(result.outputs['top-pages'] ?? '');
    expect(pages).toEqual([visited[0], visited[1]]);
    expect(result.outputs['page-count']).toBe('5');
    expect(result.summary).toContain('3 of them other paths than pages below docs-root');
  });

  it.each([
    ['percent-encoded', '/guides/d%C3%A9ploiement%20%26%20co', '/guides/déploiement & co'],
    ['with a slash at the end', '/quickstart/', '/quickstart'],
    ['of a site below a path', '/docs/quickstart', '/quickstart'],
    ['of a site further below', '/en/docs/quickstart/', '/quickstart'],
  ])(
    'finds the page of a path that is %s, and names it as the docs do',
    async (_name, visited, path) => {
      const files = {
        'docs/index.mdx': '',
        'docs/quickstart.mdx': '',
        // As macOS writes it: the accent is a letter of its own.
        'docs/guides/de\u0301ploiement & co.md': '',
      };
      const { result } = await run(batches([row(visited)]), {
        files,
        inputs: { 'docs-root': 'docs' },
      });
      expect(JSON.parse(result.outputs['top-pages'] ?? '')).toEqual([row(path)]);
      expect(result.summary).not.toContain('other paths');
    },
  );

  it('warns if none of the visited paths is a page of the checked-out docs', async () => {
    const files = { 'docs/guides/deploy.mdx': '' };
    const { result } = await run(batches([row('/guides/deploy')]), {
      files,
      inputs: { 'docs-root': '.' },
    });
    expect(result.outputs['top-pages']).toBe('[]');
    expect(annotations(result, 'warning')).toEqual([
      'The output top-pages is empty, because none of the visited paths is a page below docs-root: give the folder whose pages have the paths that visitors see.',
    ]);
  });

  it('with compare has every page that has no visitors any more', async () => {
    const before = rows(600, '/gone-');
    const { result } = await run([...batches(before), batch(few)], { inputs: { compare: 'true' } });
    const paths = csvRows(result, csvFile).map(({ path }) => path);
    expect(paths.slice(few.length)).toEqual(before.map(({ path }) => path));
    expect(result.outputs).toMatchObject({ 'page-count': '3', complete: 'true' });
  });
});

describe('counts with fractions', () => {
  const site = { human: 12_345.5, ai: 6_789.25, total: 17_000.1 };
  const counts = [
    row('/', { human: 1234.56, ai: 7.5, total: 1240.06 }),
    row('/tiny', { human: 0.1, ai: 0.2, total: 0.3 }),
    row('/ai', { human: 0, ai: 12.25, total: 12.25 }),
  ];
  const before = [row('/', { human: 1000.1, ai: 0.3, total: 1000.2 })];
  const reply = (visitors: typeof counts): Reply => ({
    status: 200,
    body: { totals: site, visitors, hasMore: false },
  });

  it('are exported unchanged: outputs, file, tables, charts', async () => {
    const { result } = await run([reply(before), reply(counts)], { inputs: { compare: 'true' } });
    expect(result.outputs).toMatchObject({
      result: 'exported',
      human: '12345.5',
      ai: '6789.25',
      total: '17000.1',
      'previous-total': '17000.1',
      complete: 'true',
    });
    expect(JSON.parse(result.outputs['top-pages'] ?? '')).toEqual([
      counts[0],
      counts[2],
      counts[1],
    ]);
    const [days, previousDays] = ['2026-01-01 to 2026-01-31', '2025-12-01 to 2025-12-31'];
    expect(csvRows(result, csvFile).map((cells) => Object.values(cells))).toEqual([
      ['/', '1234.56', '7.5', '1240.06', days, '1000.1', '0.3', '1000.2', previousDays],
      ['/tiny', '0.1', '0.2', '0.3', days, '0', '0', '0', previousDays],
      ['/ai', '0', '12.25', '12.25', days, '0', '0', '0', previousDays],
    ]);
    expect(result.summary).toMatchSnapshot();
    // Rounding errors of binary fractions, and numbers that a chart cannot parse.
    expect(result.summary).not.toMatch(/\d\.\d{6}|\de[+-]\d/);
  });

  it.each(['json', 'ndjson'])('are the same in %s', async (format) => {
    const { result } = await run([reply(counts)], { inputs: { format } });
    expect(result.outputs['message']).toContain(
      '17,000.1 visitors, 12,345.5 human and 6,789.25 AI',
    );
    expect(result.files[`${name}.${format}`]).toContain(
      '{"path":"/","human":1234.56,"ai":7.5,"total":1240.06,"days":',
    );
  });

  it.each([
    ['negative', '{"human":-0.5,"ai":0,"total":1}'],
    ['endless', '{"human":1e999,"ai":0,"total":1}'],
    ['text', '{"human":"1","ai":0,"total":1}'],
    ['nothing', '{"human":null,"ai":0,"total":1}'],
  ])('are refused if they are not counts: %s', async (_name, text) => {
    const body = `{"totals":${text},"visitors":[],"hasMore":false}`;
    const { result } = await run([{ status: 200, body }], { speed: 30 });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'unreadable-answer' });
  });
});

describe('an API that caps a page below 250 rows', () => {
  const all = rows(230);
  const capped = [batch(all.slice(0, 100), true), batch(all.slice(100, 200), true)];
  const asked = ({ calls }: { readonly calls: readonly string[] }) =>
    calls.map((call) => /limit=\d+&offset=\d+/.exec(call)?.[0]);

  it('is asked for every row, in pages of its own size', async () => {
    const { result, calls } = await run([...capped, batch(all.slice(200))]);
    expect(asked({ calls })).toEqual([
      'limit=250&offset=0',
      'limit=100&offset=100',
      'limit=100&offset=200',
    ]);
    expect(csvRows(result, csvFile).map(({ path }) => path)).toEqual(all.map(({ path }) => path));
    expect(result.outputs).toMatchObject({ complete: 'true', 'page-count': '230' });
  });

  it('is continued where it ended', async () => {
    const { result } = await run(capped, { inputs: { 'max-requests': '2' } });
    expect(result.outputs).toMatchObject({ complete: 'false', 'next-offset': '200' });
    const next = await run([batch(all.slice(200))], { inputs: { offset: '200' } });
    expect(asked(next)).toEqual(['limit=250&offset=200']);
  });
});

describe('a list with mistakes', () => {
  it.each([
    [['/page-249'], '1 row came twice'],
    [['/page-248', '/page-249'], '2 rows came twice'],
  ])('has %j twice: the export is not complete, with a warning', async (twice, words) => {
    const first = rows(250);
    const again = [...twice.map((path) => row(path)), row('/new')];
    const { result } = await run([batch(first, true), batch(again)]);
    expect(annotations(result, 'warning')).toEqual([
      `Exported 251 pages to "${csvFile}" (1–31 January 2026), but pages may be missing, because the ranking changed during the export, and ${words}.`,
    ]);
    expect(result.outputs).toMatchObject({ 'page-count': '251', complete: 'false' });
    expect(result.files[csvFile]?.match(/page-249/g)).toHaveLength(1);
  });

  it('has a row twice in the previous period: nothing is said of pages that it may lack', async () => {
    const before = [batch(rows(250), true), batch([row('/page-0')])];
    const { result } = await run([...before, batch([row('/page-1'), row('/new')])], {
      inputs: { compare: 'true' },
    });
    expect(result.outputs['complete']).toBe('false');
    const figures = csvRows(result, csvFile).map((cells) => [
      cells['path'],
      cells['previous_total'],
    ]);
    expect(figures.slice(0, 2)).toEqual([
      ['/page-1', '10'],
      ['/new', ''],
    ]);
  });

  it('has a row twice: no page of the previous period counts as lost', async () => {
    const now = [batch(rows(250), true), batch([row('/page-0')])];
    const { result } = await run([batch([row('/gone', { total: 99 })]), ...now], {
      inputs: { compare: 'true' },
    });
    expect(csvRows(result, csvFile).map(({ path }) => path)).not.toContain('/gone');
    expect(result.summary).not.toContain('/gone');
  });

  it('ends with an empty batch that promises more: the export is not complete, with a warning', async () => {
    const { result, calls } = await run([batch(rows(250), true), batch([], true)]);
    expect(calls).toHaveLength(2);
    expect(result.exitCode).toBe(0);
    expect(annotations(result, 'warning')).toHaveLength(1);
    expect(result.outputs).toMatchObject({
      result: 'exported',
      complete: 'false',
      'page-count': '250',
    });
    expect(result.outputs['next-offset']).toBeUndefined();
  });
});

describe('an export in parts', () => {
  const all = rows(700);

  it('stops when max-requests is used up, and says how to continue', async () => {
    const { result, calls } = await run(batches(all), { inputs: { 'max-requests': '2' } });
    expect(calls).toHaveLength(2);
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({
      complete: 'false',
      'next-offset': '500',
      'page-count': '500',
    });
    expect(annotations(result, 'notice')).toEqual([result.outputs['message']]);
    expect(result.outputs['message']).toMatchInlineSnapshot(
      `"Exported 500 pages to "visitors-2026-01-01-to-2026-01-31.csv" (1–31 January 2026), but there are more, and max-requests is used up: to export the rest, run this action again with date-from 2026-01-01, date-to 2026-02-01, offset 500."`,
    );
  });

  it.each([
    ['date-from', '2026-01-01'],
    ['date-to', '2026-02-01'],
  ])('says how to continue with only %s', async (name, date) => {
    const dates = { 'date-from': '', 'date-to': '', [name]: date };
    const { result } = await run(batches(all), { inputs: { ...dates, 'max-requests': '1' } });
    expect(result.outputs[name]).toBe(date);
    expect(result.outputs[name === 'date-to' ? 'date-from' : 'date-to']).toBeUndefined();
    expect(result.outputs['message']).toMatch(
      new RegExp(`run this action again with ${name} ${date}, offset 250\\.$`),
    );
  });

  it('continues in a new file', async () => {
    const { result, calls } = await run([batch(all.slice(500))], { inputs: { offset: '500' } });
    expect(calls).toEqual([expect.stringContaining('offset=500')]);
    expect(Object.keys(result.files)).toEqual([`${name}-offset-500.csv`]);
    expect(result.outputs).toMatchObject({ complete: 'true', 'page-count': '200' });
    expect(annotations(result, 'notice')).toEqual([
      expect.stringContaining('can be missing from both files'),
    ]);
  });

  it('spends at most half of max-requests on the time before', async () => {
    const before = batches(rows(1000)).slice(0, 1);
    const { result, calls } = await run([...before, ...batches(all)], {
      inputs: { compare: 'true', 'max-requests': '3' },
    });
    expect(
      calls.map((call) => /dateFrom=([\d-]+).*offset=(\d+)/.exec(call)?.slice(1).join(' ')),
    ).toEqual(['2025-12-01 0', '2026-01-01 0', '2026-01-01 250']);
    expect(result.outputs).toMatchObject({ complete: 'false', 'next-offset': '500' });
    expect(result.outputs['message']).toMatch(/, offset 500, without compare\.$/);
    expect(result.files[csvFile]?.split('\r\n')[251]).toBe(
      '"/page-250",10,0,10,"2026-01-01 to 2026-01-31",,,,"2025-12-01 to 2025-12-31"',
    );
  });

  it('has the requests that the time before left over', async () => {
    const { result } = await run([batch(few), ...batches(all)], {
      inputs: { compare: 'true', 'max-requests': '4' },
    });
    expect(result.outputs).toMatchObject({ complete: 'true', 'page-count': '700' });
  });

  it('with compare lists no page as lost that the requests did not reach', async () => {
    const before = [...rows(249), row('/unreached', { total: 99 })];
    const script = [batch(before), batch(rows(250, '/other-'), true)];
    const { result } = await run(script, { inputs: { compare: 'true', 'max-requests': '2' } });
    expect(result.outputs).toMatchObject({ complete: 'false', 'page-count': '250' });
    expect(csvRows(result, csvFile)).toHaveLength(250);
    expect(result.summary).not.toContain('Lost most');
    expect(result.summary).not.toContain('/unreached');
  });

  it('is not complete if the previous period did not fit into its half', async () => {
    const script = [batch(rows(250), true), batch(few)];
    const { result } = await run(script, { inputs: { compare: 'true', 'max-requests': '2' } });
    expect(result.outputs['complete']).toBe('false');
    expect(result.outputs['next-offset']).toBeUndefined();
    expect(annotations(result, 'notice')).toMatchInlineSnapshot(`
      [
        "Exported 3 pages to "visitors-2026-01-01-to-2026-01-31.csv" (1–31 January 2026), but only 250 pages of the previous period could be compared, because it uses at most half of max-requests.",
      ]
    `);
    expect(result.summary).toContain(
      'The export is not complete: only 250 pages of the previous period',
    );
  });
});
