import { describe, expect, it, onTestFinished } from 'vitest';
import {
  annotations,
  csvRows,
  exportTranscript,
  runVisitors,
  type VisitorsRun,
} from '../helpers/run.ts';
import {
  batch,
  batches,
  type Reply,
  type Row,
  row,
  rows,
  scriptedApi,
} from '../helpers/servers.ts';

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

/** The same with a comparison. */
function compare(script: readonly Reply[], inputs: Readonly<Record<string, string>> = {}) {
  return run(script, { inputs: { compare: 'true', ...inputs } });
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
    const visitors = [row('/', { human: 300, ai: 5, total: 301 }), row('/gone', { total: 99 })];
    const before = { totals: { human: 800, ai: 100, total: 850 }, visitors, hasMore: false };
    const { result, calls } = await compare([{ status: 200, body: before }, batch(few)]);
    expect({ ...exportTranscript(result), calls }).toMatchSnapshot();
  });

  it('with compare names no page that hardly changed', async () => {
    const pages = (counts: readonly number[]) =>
      batch(counts.map((total, index) => row(`/page-${index}`, { total })));
    // As on most sites: the most visited pages have a few visitors more or less.
    const before = pages([4109, 2643, 1678, 90]);
    const { result } = await compare([before, pages([4097, 2635, 1700, 60])]);
    const [, lost = ''] = result.summary.split('#### Lost most');
    expect(lost.match(/\/page-\d/g)).toEqual(['/page-3']);
    expect(result.summary).not.toContain('#### Gained most');
    expect(result.summary).toContain('| 4,097 | 4,109 | −12 (−0.3%) |');
  });

  it('has the rows in another format, and as many top pages as are asked for', async () => {
    const { result } = await run(batches(few), { inputs: { format: 'json', top: '2' } });
    const { rows } = JSON.parse(result.files[`${name}.json`] ?? '');
    const days = '2026-01-01 to 2026-01-31';
    expect(rows).toEqual(few.map((page) => ({ ...page, days })));
    expect(JSON.parse(result.outputs['top-pages'] ?? '')).toEqual(few.slice(0, 2));
    expect(result.summary).not.toContain('<code>=1+1</code> | 0');
  });

  it.each([
    [0, 1],
    [250, 1],
    [251, 2],
  ])('of %d rows takes %d requests', async (count, requests) => {
    const all = rows(count);
    const { result, calls } = await run(batches(all));
    expect(calls.map((call) => /limit=.*/.exec(call)?.[0])).toEqual(
      ['limit=250&offset=0', 'limit=250&offset=250'].slice(0, requests),
    );
    expect(csvRows(result, csvFile).map(({ path }) => path)).toEqual(all.map(({ path }) => path));
    expect(result.outputs).toMatchObject({ 'page-count': String(count), complete: 'true' });
  });

  it('uses the defaults of empty inputs', async () => {
    const names = 'period date-from date-to compare format output-file top max-requests';
    const { calls, result } = await run(batches(few), {
      inputs: {
        period: 'last-30-days',
        ...Object.fromEntries(names.split(' ').map((input) => [input, ''])),
      },
      today: '2026-03-31T23:59:59Z',
    });
    expect(calls).toEqual([
      'GET /v1/analytics/acme/visitors?dateFrom=2026-03-01&dateTo=2026-03-31&limit=250&offset=0',
    ]);
    expect(Object.keys(result.files)).toEqual(['visitors-2026-03-01-to-2026-03-30.csv']);
    expect(result.outputs['message']).toContain('(2026-03-01 to 2026-03-30)');
  });

  it('stops after 90 requests by default', async () => {
    const { calls, result } = await run([batch([row('/')], true)], {
      inputs: { 'max-requests': '' },
    });
    expect(calls).toHaveLength(90);
    expect(result.outputs['complete']).toBe('false');
  });

  it('of all sends no dates, and says so when there is more', async () => {
    const { calls, result } = await run([batch(rows(250), true)], {
      inputs: { period: 'all', 'max-requests': '1', top: '' },
    });
    expect(calls).toEqual(['GET /v1/analytics/acme/visitors?limit=250&offset=0']);
    const message =
      'Exported 250 rows to "visitors-all-days.csv" (all days), but pages may be missing, because max-requests is used up: raise max-requests, or choose a shorter period.';
    expect(result.outputs).toEqual({
      human: '900',
      ai: '300',
      total: '1000',
      'page-count': '250',
      file: 'visitors-all-days.csv',
      'top-pages': JSON.stringify(rows(10)),
      complete: 'false',
      result: 'exported',
      message,
    });
    expect(annotations(result, 'notice')).toEqual([message]);
    expect(result.exitCode).toBe(0);
  });

  it('of this-month on the first of a month is of the previous month, which the message names', async () => {
    const { calls, result } = await run(batches(few), {
      inputs: { period: 'this-month' },
      today: '2026-03-01T00:00:00Z',
    });
    expect(calls[0]).toContain('dateFrom=2026-02-01&dateTo=2026-03-01');
    expect(result.outputs['message']).toContain('(2026-02-01 to 2026-02-28)');
  });

  it('with compare has every page that has no visitors any more', async () => {
    const before = rows(600, '/gone-');
    const { result } = await compare([...batches(before), batch(few)]);
    const paths = csvRows(result, csvFile).map(({ path }) => path);
    expect(paths.slice(few.length)).toEqual(before.map(({ path }) => path));
    expect(result.outputs).toMatchObject({ 'page-count': '3', complete: 'true' });
    expect(result.outputs['message']).toContain('Exported 603 rows to ');
    expect(result.summary).toContain('<sub>603 rows in ');
  });
});

describe('top-pages of the checked-out docs', () => {
  const page = '/guides/déploiement & co';
  const files = {
    'docs/index.mdx': '',
    'docs/quickstart.mdx': '',
    'docs/api/index.md': '',
    // As macOS writes it: the accent is a letter of its own.
    'docs/guides/de\u0301ploiement & co.md': '',
    'docs/guides/notes.txt': '',
    'docs/.github/hidden.md': '',
    'docs/api/node_modules/package.md': '',
  };
  const inputs = { 'docs-root': 'docs' };

  it.each<[string, readonly string[], readonly string[], number]>([
    ['percent-encoded', ['/guides/d%C3%A9ploiement%20%26%20co'], [page], 0],
    ['with a slash at the end', ['/quickstart/', '/api/'], ['/quickstart', '/api'], 0],
    ['of a site below a path', ['/docs/quickstart', '/docs'], ['/quickstart', '/'], 0],
    ['of a site further below', ['/en/docs/quickstart/'], ['/quickstart'], 0],
    ['of a site too far below', ['/', '/a/en/docs/quickstart'], ['/'], 1],
    ['of other pages', ['/', '/notes', '/.github/hidden', '/api/node_modules/package'], ['/'], 3],
  ])('have the docs’ names of paths that are %s', async (_name, visited, paths, others) => {
    const all = visited.map((path) => row(path));
    const { result } = await run(batches(all), { files, inputs });
    const top = JSON.parse(result.outputs['top-pages'] ?? '');
    expect(top.map(({ path }: Row) => path)).toEqual(paths);
    expect(/ (\d+) of them other paths than/.exec(result.summary)?.[1] ?? '0').toBe(`${others}`);
    expect(result.outputs['page-count']).toBe(String(visited.length));
  });

  it('have each page once, with its file and the highest figures of its addresses', async () => {
    const visited = [
      row('/quickstart.md', { human: 0, ai: 700, total: 700 }),
      row('/Quickstart?utm_source=chat', { human: 300, ai: 10, total: 310 }),
      row('/api/', { human: 0, ai: 9, total: 9 }),
      row('/llms.txt', { human: 0, ai: 5, total: 5 }),
      row('/quickstart', { human: 1, ai: 1, total: 2 }),
    ];
    const { result } = await run(batches(visited), { files, inputs });
    expect(JSON.parse(result.outputs['top-pages'] ?? '')).toEqual([
      { path: '/quickstart', file: 'docs/quickstart.mdx', human: 300, ai: 700, total: 700 },
      { path: '/api', file: 'docs/api/index.md', human: 0, ai: 9, total: 9 },
    ]);
    // The file keeps the rows of the API.
    expect(csvRows(result, csvFile).map(({ path, file, ai }) => [path, file, ai])).toEqual([
      ['/quickstart.md', 'docs/quickstart.mdx', '700'],
      ['/Quickstart?utm_source=chat', 'docs/quickstart.mdx', '10'],
      ['/api/', 'docs/api/index.md', '9'],
      ['/llms.txt', '', '5'],
      ['/quickstart', 'docs/quickstart.mdx', '1'],
    ]);
    expect(result.outputs).toMatchObject({ 'page-count': '5', complete: 'true' });
    expect(result.summary).toContain('| 300 | 700 | 700 |');
    expect(result.summary).toContain('2 pages had AI visitors but no human visitors.');
  });

  it('are named by the same file of several, whatever the order of the folder', async () => {
    const twins = { 'docs/A/index.mdx': '', 'docs/A.mdx': '', 'docs/A.md': '' };
    const { result } = await run(batches([row('/a')]), { files: twins, inputs });
    expect(JSON.parse(result.outputs['top-pages'] ?? '')).toMatchObject([{ file: 'docs/A.md' }]);
  });

  it('are none, with a warning, if none of the visited paths is a page', async () => {
    const { result } = await run(batches([row('/guides/deploy')]), { files, inputs });
    expect(result.outputs['top-pages']).toBe('[]');
    const warning =
      'The output top-pages is empty, because none of the visited paths is a page below docs-root: give the folder whose pages have the paths that visitors see.';
    expect(annotations(result, 'warning')).toEqual([warning]);
    expect(result.summary).toContain(`> ⚠️ ${warning}\n`);
  });
});

describe('a list with mistakes', () => {
  it.each([
    [['/page-249'], '1 row came twice'],
    [['/page-248', '/page-249'], '2 rows came twice'],
  ])('has %j twice: the export is not complete, with a warning', async (twice, words) => {
    const again = [...twice.map((path) => row(path, { total: 9 })), row('/new')];
    const { result } = await run([batch(rows(250), true), batch(again)]);
    const message = `Exported 251 rows to "${csvFile}" (2026-01-01 to 2026-01-31), but pages may be missing, because the ranking changed during the export, and ${words}.`;
    expect(annotations(result, 'warning')).toEqual([message]);
    expect(result.outputs).toMatchObject({ message, 'page-count': '251', complete: 'false' });
    const found = csvRows(result, csvFile).filter(({ path }) => path === '/page-249');
    expect(found).toMatchObject([{ total: '10' }]);
  });

  it('has a row twice in the previous period: nothing is said of pages that it may lack', async () => {
    const before = [batch(rows(250), true), batch([row('/page-0')])];
    const { result } = await compare([...before, batch([row('/page-1'), row('/new')])]);
    expect(annotations(result, 'warning')).toEqual([
      `Exported 251 rows to "${csvFile}" (2026-01-01 to 2026-01-31), but pages of the previous period may be missing, because the ranking changed during the export, and 1 row came twice.`,
    ]);
    expect(result.outputs['complete']).toBe('false');
    const figures = csvRows(result, csvFile).map(({ path, previous_total: total }) => [
      path,
      total,
    ]);
    expect(figures.slice(0, 2)).toEqual([
      ['/page-1', '10'],
      ['/new', ''],
    ]);
  });

  it('has a row twice: no page of the previous period counts as lost', async () => {
    const now = [batch(rows(250), true), batch([row('/page-0')])];
    const { result } = await compare([batch([row('/gone', { total: 99 })]), ...now]);
    expect(csvRows(result, csvFile).map(({ path }) => path)).not.toContain('/gone');
    expect(result.summary).not.toContain('/gone');
  });

  it('ends with an empty batch that promises more: the export is not complete, with a warning', async () => {
    const { result, calls } = await run([batch(rows(250), true), batch([], true)]);
    expect(calls).toHaveLength(2);
    expect(result.exitCode).toBe(0);
    expect(annotations(result, 'warning')).toEqual([
      `Exported 250 rows to "${csvFile}" (2026-01-01 to 2026-01-31), but pages may be missing, because the API said that more follow, but sent none.`,
    ]);
    expect(result.outputs).toMatchObject({ result: 'exported', complete: 'false' });
  });
});

describe('a list that changes while it is exported', () => {
  /** An API whose list of 3,000 rows has one row more, or less, at its top with each request. */
  async function exportWhile(change: 'grows' | 'shrinks') {
    const top = Array.from({ length: 20 }, (_, index) => row(`/top-${index}`));
    const all = [...top, ...rows(2990)];
    const starts = Array.from({ length: 20 }, (_, request) =>
      change === 'grows' ? 10 - request : 10 + request,
    );
    const script = Array.from({ length: 13 }, (_, request) => {
      const listed = all.slice(Math.max(0, starts[request] ?? 0));
      const from = request * 250;
      return batch(listed.slice(from, from + 250), from + 250 < listed.length);
    });
    return await run(script);
  }

  it('grows: rows come twice, so it is not complete', async () => {
    const { result } = await exportWhile('grows');
    expect(result.outputs).toMatchObject({ complete: 'false', 'page-count': '3000' });
    expect(annotations(result, 'warning')).toEqual([
      `Exported 3,000 rows to "${csvFile}" (2026-01-01 to 2026-01-31), but pages may be missing, because the ranking changed during the export, and 10 rows came twice.`,
    ]);
  });

  // Offsets do not show it, which visitors/README.md says.
  it('shrinks: rows are passed over, and nothing shows it', async () => {
    const { result } = await exportWhile('shrinks');
    const paths = new Set(csvRows(result, csvFile).map(({ path }) => path));
    expect(rows(2990).filter(({ path }) => !paths.has(path))).toHaveLength(11);
    expect(result.outputs['complete']).toBe('true');
    expect(annotations(result, 'warning')).toEqual([]);
  });
});

describe('a site without visitors', () => {
  it('says what to check', async () => {
    const totals = { human: 0, ai: 0, total: 0 };
    const { result } = await run([{ status: 200, body: { totals, visitors: [], hasMore: false } }]);
    const warning =
      'The API counted no visitors at all: check the dates and project-id, and that analytics are on in the dashboard.';
    expect(annotations(result, 'warning')).toEqual([warning]);
    expect(result.summary).toContain(`> ⚠️ ${warning}\n`);
    expect(result.outputs).toMatchObject({ result: 'exported', total: '0', complete: 'true' });
    expect(result.exitCode).toBe(0);
  });
});

describe('an export that uses up max-requests', () => {
  it('has half of max-requests for each period of a comparison', async () => {
    const [before] = batches(rows(1000));
    const script = [...(before ? [before] : []), ...batches(rows(700))];
    const { result, calls } = await compare(script, { 'max-requests': '3' });
    expect(
      calls.map((call) => /dateFrom=([\d-]+).*offset=(\d+)/.exec(call)?.slice(1).join(' ')),
    ).toEqual(['2025-12-01 0', '2026-01-01 0', '2026-01-01 250']);
    expect(result.outputs).toMatchObject({ complete: 'false', 'page-count': '500' });
    expect(result.outputs['message']).toMatch(
      /, but pages and pages of the previous period may be missing, because half of max-requests is used up: raise max-requests, or choose a shorter period\.$/,
    );
    expect(result.files[csvFile]?.split('\r\n')[251]).toBe(
      '"/page-250",10,0,10,"2026-01-01 to 2026-01-31",,,,"2025-12-01 to 2025-12-31"',
    );
  });

  it('with compare lists no page as lost that the requests did not reach', async () => {
    const before = [...rows(249), row('/unreached', { total: 99 })];
    const script = [batch(before), batch(rows(250, '/other-'), true)];
    const { result } = await compare(script, { 'max-requests': '2' });
    expect(result.outputs).toMatchObject({ complete: 'false', 'page-count': '250' });
    expect(csvRows(result, csvFile)).toHaveLength(250);
    expect(result.summary).not.toMatch(/Lost most|\/unreached/);
  });

  it('is not complete if the previous period did not fit into its half', async () => {
    const script = [batch(rows(250), true), batch(few)];
    const { result } = await compare(script, { 'max-requests': '2' });
    const problem =
      'pages of the previous period may be missing, because half of max-requests is used up: raise max-requests, or choose a shorter period.';
    expect(annotations(result, 'notice')).toEqual([
      `Exported 253 rows to "${csvFile}" (2026-01-01 to 2026-01-31), but ${problem}`,
    ]);
    expect(result.summary).toContain(`> ⚠️ The export is not complete: ${problem}\n`);
    expect(result.outputs['complete']).toBe('false');
  });
});
