import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  annotations,
  exportTranscript,
  newWorkspace,
  readEvent,
  runVisitors,
  type VisitorsRun,
} from '../helpers/run.ts';
import {
  apiKey,
  batch,
  type Reply,
  refusal,
  row,
  rows,
  scriptedApi,
  silence,
} from '../helpers/servers.ts';

const file = 'visitors-2026-01-01-to-2026-01-31.csv';
const files = { [file]: 'from an earlier run' };

const dates = { 'date-from': '2026-01-01', 'date-to': '2026-02-01' };

async function run(script: readonly Reply[], { inputs, ...step }: VisitorsRun = {}) {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  const result = await runVisitors({
    baseUrl: api.url,
    files,
    inputs: { ...dates, ...inputs },
    ...step,
  });
  return { result, calls: api.calls };
}

const first = batch(rows(250), true);
const last = batch(rows(5, '/last-'));

describe('a request that fails', () => {
  it('is repeated with the same offset, and warned of once', async () => {
    const limited = refusal(429, { 'retry-after': '30' });
    const { result, calls } = await run([first, refusal(503), limited, last]);
    expect(result.outputs).toMatchObject({ result: 'exported', 'page-count': '255' });
    const offsets = calls.map((call) => /offset=(\d+)/.exec(call)?.[1]);
    expect(offsets).toEqual(['0', '250', '250', '250']);
    const said = (status: number, wait: string) =>
      expect.stringMatching(
        new RegExp(
          `^A request failed: the API at \\S+ responded with ${status} \\("refused with ${status}"\\); the next attempt is in ${wait}\\.$`,
        ),
      );
    expect(annotations(result, 'warning')).toEqual([said(503, '5 s')]);
    expect(result.stdout.split('\n')).toContainEqual(said(429, '30 s'));
    expect(Object.keys(result.files)).toEqual([file]);
  });

  it('with a Retry-After beyond an hour ends the step at once', async () => {
    const { result, calls } = await run([refusal(429, { 'retry-after': '4000' })]);
    expect(calls).toHaveLength(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'rate-limited' });
    expect(result.outputs['message']).toMatch(/asks to wait until .* UTC \(1 h 6 min\)/);
  });
});

describe('a file that cannot be written', () => {
  it('ends the step with a sentence, and leaves nothing of it behind', async () => {
    const workspace = newWorkspace();
    // The path is free when the step starts, and taken when the file is finished.
    const api = await scriptedApi([last], () => mkdirSync(join(workspace, file)));
    onTestFinished(() => api.close());
    const result = await runVisitors({ baseUrl: api.url, inputs: dates, workspace });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.outputs['message']).toMatch(
      /^The file "visitors-2026-01-01-to-2026-01-31\.csv" could not be written \(E/,
    );
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
    expect(result.files).toEqual({});
  });
});

describe('a refusal that no waiting mends', () => {
  it.each([
    ['401', [refusal(401)], 'key-refused', 1],
    ['404', [refusal(404)], 'project-not-found', 3],
    ['a redirect', [{ status: 302, headers: { location: '/' } }], 'request-refused', 1],
    ['a count that nobody can have', [batch([row('/', { total: 1e308 })])], 'unreadable-answer', 3],
    ['no list of visitors', [{ status: 200, body: '<html>' }], 'unreadable-answer', 3],
    ['401 in the middle', [first, refusal(401)], 'key-refused', 4],
  ] as const)('%s ends the step', async (_name, script, reason, requests) => {
    const { result, calls } = await run(script);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toEqual({
      'date-from': '2026-01-01',
      'date-to': '2026-02-01',
      ...(script.length > 1 && { human: '900', ai: '300', total: '1000' }),
      result: 'error',
      reason,
      message: annotations(result, 'error')[0],
    });
    expect(calls).toHaveLength(requests);
    expect(result.files).toEqual(files);
  });

  it('leaves the totals of the previous period, which were known before it', async () => {
    const { result } = await run([last, refusal(403)], { inputs: { compare: 'true' } });
    expect(result.outputs).toMatchObject({
      reason: 'forbidden',
      'previous-human': '900',
      'previous-ai': '300',
      'previous-total': '1000',
    });
    expect(result.outputs['total']).toBeUndefined();
  });

  it('lists the mistakes that the API found as harmless text', async () => {
    const details = [
      { message: 'dateFrom must be a date\n::error::not ours' },
      { message: '##[error]nor this <b>\u202E' },
    ];
    const { result } = await run([{ status: 400, body: { error: 'Invalid query', details } }]);
    const { log, summary } = exportTranscript(result);
    const sentence = (problems: string) =>
      `The API at 127.0.0.1:PORT responded with 400 ("Invalid query: dateFrom must be a date ::error::not ours; ${problems}"): it rejected the request for that reason, so check the inputs of this step.`;
    expect(log.slice(2)).toEqual([`::error::${sentence('## [error]nor this <b>')}`]);
    expect(summary).toEqual([
      '### ❌ The export of visitors ended with an error',
      '',
      `<code>${sentence('&#35;&#35;&#91;error&#93;nor this &#60;b&#62;')}</code>`,
    ]);
  });
});

describe('a cancelled export', () => {
  const message =
    'The run was cancelled and nothing was exported: a file from an earlier run is unchanged.';
  const cancelled = (...log: readonly string[]) => ({
    exitCode: 1,
    files,
    log: [
      `::add-mask::${apiKey}`,
      `Exporting the visitors of project acme to ${file}: 2026-01-01 to 2026-01-31.`,
      ...log,
      `::error::${message}`,
    ],
    outputs: {
      'date-from': '2026-01-01',
      'date-to': '2026-02-01',
      human: '900',
      ai: '300',
      total: '1000',
      result: 'cancelled',
      message,
    },
    summary: ['### 🛑 The export of visitors was cancelled', '', `<code>${message}</code>`],
  });

  it('during a request leaves an earlier file unchanged, and nothing else behind', async () => {
    const cancel = new AbortController();
    const api = await scriptedApi([first, silence], (_arrival, count) => {
      if (count === 2) cancel.abort();
    });
    onTestFinished(() => api.close());
    const result = await runVisitors({
      baseUrl: api.url,
      files,
      inputs: dates,
      cancel: cancel.signal,
    });
    // The runner's second signal, which would come after 7.5 s, is not needed.
    expect(result.signal).toBeNull();
    expect(exportTranscript(result)).toEqual(cancelled());
  });

  it('during a delay does the same', async () => {
    const { result } = await run([first, refusal(503, { 'retry-after': '600' })], {
      onLine: (line, _stream, kill) => {
        if (line.startsWith('::warning::')) kill('SIGINT');
      },
    });
    expect(exportTranscript(result)).toEqual(
      cancelled(
        '::warning::A request failed: the API at 127.0.0.1:PORT responded with 503 ("refused with 503"); the next attempt is in 10 min.',
      ),
    );
  });

  it('ends if the log breaks, without a signal', async () => {
    const { result } = await run([first, refusal(503)], {
      onLine: (line) => line.startsWith('Exporting') && 'break the log',
      env: { RUNNER_DEBUG: '1' },
    });
    expect(result.outputs).toMatchObject({ result: 'cancelled' });
    expect(result.files).toEqual(files);
  });
});

describe('a run that gets no secrets', () => {
  const ofDependabot =
    'Nothing was done, because GitHub passes neither Actions secrets nor variables to a run that Dependabot triggered: store the API key as a Dependabot secret, or run this step after the merge, on push.';
  const ofFork =
    'Nothing was done, because GitHub passes neither secrets nor variables to a pull request from another repository: run this step after the merge, on push (not on pull_request: closed), and never check out the fork on pull_request_target.';

  it.each([
    ['pull_request', 'pull-request-from-fork', 'notice', ofFork],
    ['pull_request', 'pull-request-by-dependabot', 'notice', ofDependabot],
    // Dependabot's run, re-run by a person.
    ['push', 'push-by-writer', 'warning', ofDependabot, { GITHUB_ACTOR: 'dependabot[bot]' }],
  ] as const)('is skipped: %s, %s', async (eventName, event, level, message, env?) => {
    const inputs = { 'api-key': '', 'project-id': '' };
    const step = { eventName, event: readEvent(event), inputs, ...(env && { env }) };
    const { result, calls } = await run([last], step);
    expect(calls).toEqual([]);
    const { summary, ...rest } = exportTranscript(result);
    expect(rest).toEqual({
      exitCode: 0,
      files,
      log: [`::${level}::${message}`],
      outputs: { result: 'skipped', reason: 'no-secret', message },
    });
    expect(summary[0]).toBe('### ⏭️ The export of visitors was skipped');
  });

  it('is an error if the event cannot be read', async () => {
    const { result } = await run([last], {
      eventName: 'pull_request',
      inputs: { 'api-key': '' },
      env: { GITHUB_EVENT_PATH: '/nowhere/event.json' },
    });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.outputs['message']).toContain('Input api-key is empty');
  });
});

describe('the key', () => {
  it('is masked first, and is nowhere else', async () => {
    const { result } = await run([refusal(401)]);
    const [mask, ...log] = result.stdout.split('\n');
    expect(mask).toBe(`::add-mask::${apiKey}`);
    expect(JSON.stringify([log, result.stderr, result.summary, result.outputs])).not.toContain(
      apiKey,
    );
  });
});
