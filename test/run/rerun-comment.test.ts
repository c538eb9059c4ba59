import { describe, expect, it } from 'vitest';
import {
  annotations,
  denied,
  type EventRun,
  memoryCache,
  readEvent,
  runWithComment,
} from '../helpers/run.ts';
import {
  active,
  created,
  done,
  ended,
  jobBody,
  json,
  list,
  livingJobs,
  livingThread,
  ok,
  patch,
  post,
  prLink,
  type Reply,
  type Routes,
  reset,
  sealedIn,
  working,
} from '../helpers/servers.ts';

/** The comment is the record of a run that writes one; mostly, there is no cache here. */

/** Runs the step as an attempt, without waiting. */
function attempt(
  number: number,
  { routes = {}, script = [created, active], inputs, env, ...step }: AttemptRun = {},
) {
  return runWithComment(
    routes,
    {
      ...step,
      inputs: { 'wait-minutes': '0', ...inputs },
      env: { GITHUB_RUN_ATTEMPT: String(number), ...env },
    },
    script,
  );
}

interface AttemptRun extends Partial<EventRun> {
  readonly routes?: Routes;
  readonly script?: readonly Reply[];
}

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('the comment', () => {
  it.each<[string, number, AttemptRun]>([
    ['two runs', 1, { env: { GITHUB_RUN_ID: '1002' } }],
    ['two uses with different prompts', 2, { inputs: { prompt: 'Mention --quiet.' } }],
  ])('leads a re-run of each of %s to its own job', async (_name, count, other) => {
    const { routes, texts } = livingThread();
    const script = [livingJobs()];
    const run = { routes, script };
    await attempt(1, run);
    await attempt(1, { ...run, ...other });
    const again = await attempt(2, run);
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_1' });
    expect(annotations(again, 'warning')).toEqual([]);
    const otherAgain = await attempt(2, { ...run, ...other });
    expect(otherAgain.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_2' });
    expect(texts()).toHaveLength(count);
  });

  it('that two steps share leads each to what it did itself', async () => {
    const { routes } = livingThread();
    const run = { routes, script: [livingJobs()] };
    const followUp = {
      ...run,
      inputs: { prompt: 'Shorter, please.', 'job-id': 'job_1' },
      env: { GITHUB_ACTION: '__second' },
    };
    await attempt(1, run);
    await attempt(1, followUp);
    for (const step of [run, followUp]) {
      const again = await attempt(2, step);
      expect(again.outputs['job-source']).toBe('resumed');
      expect(again.api.posts).toEqual([]);
    }
  });

  it('of a re-run of a follow-up says what the earlier attempt sent', async () => {
    const { routes, texts } = livingThread();
    const inputs = { prompt: 'Shorter, please.', 'job-id': 'job_8f2' };
    const working = { status: 200, body: jobBody() };
    await attempt(1, { routes, inputs, script: [ended('completed', { prLink }), working] });
    const again = await attempt(2, { routes, inputs, script: [working] });
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', result: 'running' });
    expect(again.outputs['pr-link']).toBeUndefined();
    expect(texts()).toEqual([
      expect.stringMatching(
        /was running at[\s\S]*got its follow-up from an earlier attempt[\s\S]*sent by an earlier attempt: input prompt/,
      ),
    ]);
  });

  it('tells a re-run that a job may exist', async () => {
    const { routes, texts } = livingThread();
    const first = await attempt(1, { routes, script: [reset] });
    expect(first.outputs['reason']).toBe('job-may-exist');
    expect(texts()[0]).toContain('a job may exist');
    const again = await attempt(2, { routes });
    expect(again.outputs['reason']).toBe('job-may-exist');
    expect(again.outputs['message']).toContain('Attempt 1 of this run got no response');
    // It is a notice, which leaves the comment about the job as it is.
    expect(texts().map((text) => text.includes('/attempts/2'))).toEqual([false, true]);
  });

  it('of somebody else, with our marker changed, is not used', async () => {
    const { routes, comments } = livingThread();
    await attempt(1, { routes });
    const [ours] = comments;
    const body = String(ours?.body).replace(hex('"job_8f2"'), hex('"job_forged"'));
    comments.push({ id: 777, user: { login: 'stranger' }, body });
    const again = await attempt(2, { routes, script: [active] });
    expect(again.outputs['job-source']).toBe('resumed');
    Object.assign(Object(ours), { body });
    const last = await attempt(3, { routes });
    expect(last.outputs['job-source']).toBe('created');
    expect(last.stdout).toContain('No record of an earlier attempt of this run was found: ');
  });

  it.each([
    ['before', '<!--', 'Thanks! <!--'],
    ['behind', '-->', '--> Thanks!'],
  ])(
    'leads a re-run to its job although somebody typed %s its hidden line',
    async (_n, mark, typed) => {
      const { routes, comments } = livingThread();
      await attempt(1, { routes });
      const [ours] = comments;
      Object.assign(Object(ours), { body: String(ours?.body).replace(mark, typed) });
      const again = await attempt(2, { routes });
      expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_8f2' });
    },
  );

  it('says that the agent is working, and since when and until when a re-run waits', async () => {
    const { routes, texts } = livingThread();
    const shown: string[] = [];
    const poll: Reply = (_request, response) => {
      shown.push(texts()[0] ?? '');
      json(response, jobBody());
    };
    const today = '2026-01-05T14:03:00Z';
    await attempt(1, { routes, inputs: { 'wait-minutes': '0.02' }, today });
    expect(texts()[0]).toContain('### ⏳ The waiting time is over');
    await attempt(2, {
      routes,
      inputs: { 'wait-minutes': '' },
      today: '2026-01-05T23:50:40Z',
      script: [poll, poll, poll, poll, done],
    });
    expect(shown.at(-1)).toMatch(/^### ⏳ Waiting for the agent$/m);
    expect(shown.at(-1)).toContain(
      'This attempt has waited since 2026-01-05 23:50 UTC, and waits until 2026-01-06 00:21 UTC at most.',
    );
    expect(texts()).toHaveLength(1);
  });

  it('has an answer of its own for each question, and each its own record', async () => {
    const { routes, texts } = livingThread();
    const event = Object(readEvent('issue-comment-by-owner'));
    const ask = (id: number, number = 1) =>
      attempt(number, {
        routes,
        eventName: 'issue_comment',
        event: {
          ...event,
          issue: { ...event.issue, number: 7 },
          comment: { ...event.comment, id },
        },
        env: { GITHUB_RUN_ID: String(2000 + id), GITHUB_RUN_ATTEMPT: String(number) },
      });
    await ask(1);
    await ask(2);
    const again = await ask(1, 2);
    expect(again.outputs['job-source']).toBe('resumed');
    expect(texts()).toHaveLength(2);
  });

  it('leads a re-run to its job although the repository was renamed', async () => {
    const thread = livingThread();
    const routes = Object.fromEntries(
      Object.entries({ ...working, ...thread.routes }).flatMap(([route, reply]) => [
        [route, reply],
        [route.replace('/repos/acme/product/', '/repos/umbrella/product-2/'), reply],
      ]),
    );
    const named = (GITHUB_REPOSITORY: string, GITHUB_RUN_ATTEMPT: string) => ({
      routes,
      env: { GITHUB_REPOSITORY, GITHUB_REPOSITORY_ID: '4711', GITHUB_RUN_ATTEMPT },
    });
    await attempt(1, named('acme/product', '1'));
    const again = await attempt(2, named('umbrella/product-2', '2'));
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_8f2' });
    expect(thread.texts()).toHaveLength(1);
  });

  it('is written as soon as a follow-up is sent, whatever state the API still returns', async () => {
    const before = ended('completed', { prLink });
    const inputs = { 'job-id': 'job_8f2', prompt: 'Shorter, please.', 'wait-minutes': '1' };
    const result = await attempt(1, { inputs, script: [before, before, before, active] });
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(result.summary).toContain('To get its result, re-run the workflow, or run');
    expect(sealedIn(result.written()[0])).toMatchObject({ records: [expect.anything()] });
    expect(result.written()[0]).toMatch(/^### ⏳ Waiting for the agent[\s\S]*, active /);
  });

  it('that is only written once the step ends has the record, too', async () => {
    const inputs = { 'wait-minutes': '1' };
    // Not documented, but nothing rules it out.
    const script = [{ status: 201, body: jobBody({ status: 'completed' }) }, active];
    const result = await attempt(1, { inputs, script });
    expect(result.outputs['result']).toBe('timed-out');
    expect(sealedIn(result.written().at(-1))).toMatchObject({ records: [expect.anything()] });
  });
});

const failing = { status: 502 };
const lost = (why: string) =>
  `The record of job job_8f2 could not be saved, because ${why}: re-running the workflow starts a second job.`;

describe('a run whose comment fails', () => {
  const gone = (reply: Reply): Routes => ({
    [patch]: reply,
    [patch.replace('PATCH', 'GET')]: reply,
  });
  const nowhere = lost('the comment could not be written');

  it.each<[string, Routes]>([
    ['the comments are not listed', { [list]: failing }],
    ['the comment is refused', { [post]: { status: 403, body: {} } }],
  ])('warns once, in the log and the summary, without a cache: %s', async (_name, routes) => {
    const result = await runWithComment(routes);
    const warnings = annotations(result, 'warning').filter((text) => text.includes('record'));
    expect(warnings).toEqual([nowhere]);
    expect(result.summary).toMatch(/^⚠️ The record of job .* starts a second job\.$/m);
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('says what a re-run does before it has ended, if the comment is refused without a cache', async () => {
    const routes = { [post]: { status: 403, body: {} } };
    const result = await attempt(1, { routes, inputs: { 'wait-minutes': '0.02' } });
    expect(result.summary).toContain('Re-running the workflow starts a second job.');
  });

  it.each([
    ['and a warning says if not', [], [nowhere]],
    ['and no warning if it was', [ok([])], []],
  ])('says that its record may be saved at the end, %s', async (_name, replies, warnings) => {
    const routes = { [list]: [failing, failing, failing, ...replies, failing] };
    const result = await attempt(1, { routes, inputs: { 'wait-minutes': '0.02' } });
    expect(result.summary).toContain(
      'also waits for this job, unless a warning says that its record could not be saved.',
    );
    const said = annotations(result, 'warning').filter((text) => text.includes('record'));
    expect(said).toEqual(warnings);
  });

  it('says that a re-run starts a second job if somebody deletes it and it cannot be created anew', async () => {
    const created = { status: 201, body: { id: 501 } };
    const routes = { ...gone({ status: 404 }), [post]: [created, { status: 502 }] };
    const result = await runWithComment(routes);
    expect(annotations(result, 'warning')).toContain(nowhere);
    expect(result.summary).toContain('⚠️ The record of job');
  });

  it.each([404, 410])('creates another comment with the record after %d', async (status) => {
    const result = await runWithComment(gone({ status }));
    expect(annotations(result, 'warning')).toEqual([]);
    const written = result.written();
    expect(written).toHaveLength(3);
    expect(sealedIn(written.at(-1))).toMatchObject({ records: [expect.anything()] });
  });

  it.each<[string, Routes, Partial<EventRun>]>([
    ['the cache has the record', { [list]: failing }, { cache: memoryCache() }],
    ['a re-run is to start a new job', { [list]: failing }, { inputs: { 'on-rerun': 'new' } }],
    ['only its last update is refused', { [patch]: { status: 401 } }, {}],
  ])('does not warn of the record where %s', async (_name, routes, step) => {
    const warnings = annotations(await runWithComment(routes, step), 'warning');
    expect(warnings.filter((text) => text.includes('record'))).toEqual([]);
  });

  it('says nothing if the comment has it in the end, although the cache is read-only', async () => {
    const routes = { [list]: [failing, failing, failing, ok([])] };
    const cache = memoryCache(denied);
    const result = await runWithComment(routes, { cache });
    expect(cache.operations).toEqual(['save']);
    expect(annotations(result, 'warning')).toEqual([]);
    expect(sealedIn(result.written().at(-1))).toMatchObject({ records: [expect.anything()] });
  });

  it('is resumed by what the cache has, and leaves that in its own comment', async () => {
    const cache = memoryCache();
    await attempt(1, { cache, routes: { [post]: { status: 403, body: {} } } });
    const again = await attempt(2, { cache, script: [active] });
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', result: 'running' });
    expect(sealedIn(again.written().at(-1))).toMatchObject({ records: [expect.anything()] });
  });
});

describe('where GitHub does not list the comments', () => {
  const unlisted = (status: number, message = '') => ({ [list]: { status, body: { message } } });

  it.each([
    [502, 'Bad gateway'],
    [403, 'Resource protected by organization SAML enforcement'],
    [404, 'Not Found'],
  ])('with %d "%s", a re-run starts nothing', async (status, message) => {
    const result = await attempt(2, { routes: unlisted(status, message) });
    expect(result.outputs).toMatchObject({
      result: 'error',
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining(
        `its record could not be read: GitHub responded with ${status}`,
      ),
    });
  });

  const lacking = unlisted(403, 'Resource not accessible by personal access token');

  it('because the token may not, a re-run starts nothing, and says which permission it lacks', async () => {
    for (const cache of [undefined, memoryCache()]) {
      const result = await attempt(2, { routes: lacking, ...(cache && { cache }) });
      expect(result.outputs).toMatchObject({
        result: 'error',
        reason: 'earlier-attempt-unknown',
        message: expect.stringContaining(
          '; give github-token the permission "issues: write" ("pull-requests: write" for a pull request), and re-run the workflow, or look for the job',
        ),
      });
      expect(result.api.posts).toEqual([]);
    }
  });

  it.each([2, 3])(
    'because the token may not, the record in the cache is enough: %d',
    async (number) => {
      const cache = memoryCache();
      await attempt(1, { cache, routes: lacking });
      const again = await attempt(number, { cache, routes: lacking, script: [active] });
      expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_8f2' });
      expect(again.api.posts).toEqual([]);
    },
  );

  it.each([
    ['a re-run resumes the job of the last attempt in the cache', {}, 2, { 'job-id': 'job_8f2' }],
    [
      'the record of another prompt in the cache is not enough',
      { prompt: 'Describe the limit.' },
      2,
      { reason: 'earlier-attempt-unknown' },
    ],
    [
      'nor is one of an earlier attempt than the last',
      {},
      3,
      { reason: 'earlier-attempt-unknown' },
    ],
  ])('%s', async (_name, inputs, number, outputs) => {
    const cache = memoryCache();
    await attempt(1, { cache, inputs });
    const again = await attempt(number, { cache, routes: unlisted(404), script: [active] });
    expect(again.outputs).toMatchObject(outputs);
    expect(again.api.posts).toEqual([]);
  });
});

it.each([
  ['before', (line: string) => `  ${line}`],
  ['behind', (line: string) => `${line}\t \r`],
])('the hidden line counts with a blank %s it', async (_name, edited) => {
  const { routes, comments } = livingThread();
  await attempt(1, { routes });
  const [comment] = comments;
  Object.assign(comment ?? {}, { body: comment?.body.replace(/^<!--.*-->$/m, edited) });
  const again = await attempt(2, { routes, script: [active] });
  expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_8f2' });
  expect(again.api.posts).toEqual([]);
  expect(comments).toHaveLength(1);
});

it('two runs that overlap leave both records in the comment that they share', async () => {
  const { routes, texts } = livingThread();
  const other = { status: 201, body: jobBody({ id: 'job_other' }) };
  const env = { GITHUB_RUN_ID: '1002' };
  const during: Reply = (_request, response) => {
    void attempt(1, { routes, env, script: [other] }).then(() => json(response, jobBody()));
  };
  await runWithComment(routes, {}, [created, during, done]);
  expect(texts()).toHaveLength(1);
  expect(sealedIn(texts()[0])).toMatchObject({ records: [expect.anything(), expect.anything()] });
  const script = [ok(jobBody({ id: 'job_other' }))];
  const again = await attempt(2, { routes, env, script });
  expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_other' });
});
