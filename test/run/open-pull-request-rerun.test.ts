import { describe, expect, it } from 'vitest';
import {
  annotations,
  type MemoryCache,
  memoryCache,
  readEvent,
  runWithLabel,
} from '../helpers/run.ts';
import {
  active,
  bot,
  created,
  githubError,
  jobBody,
  livingThread,
  marked,
  newHead,
  none,
  ok,
  oldHead,
  oneJob,
  oneJobTried,
  open,
  permissions,
  pullBody,
  type Reply,
  type Routes,
  refusal,
  reset,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

/** Runs the step as an attempt of one run. */
function attempt(
  cache: MemoryCache,
  number: number,
  script: (github: ScriptedGitHub) => readonly Reply[] = oneJob,
  gitHub: Routes = open,
) {
  return runWithLabel(gitHub, { 'wait-minutes': number === 1 ? '0' : '' }, script, {
    cache,
    env: { GITHUB_RUN_ATTEMPT: String(number) },
  });
}

it('a re-run continues with the follow-up, and asks for no open pull request', async () => {
  const cache = memoryCache();
  const first = await attempt(cache, 1);
  expect(first.outputs).toMatchObject({ result: 'running', 'job-source': 'followed-up' });
  const again = await attempt(cache, 2);
  expect(again.api.posts).toEqual([]);
  expect(again.count(routes.labelled)).toBe(0);
  expect(again.outputs).toMatchObject({
    result: 'pull-request',
    'job-source': 'resumed',
    'job-id': 'job_8f2',
  });
});

/** A GitHub with a second pull request, which the job may open instead of continuing the first one. */
const another: Routes = {
  ...open,
  'GET /repos/acme/docs/pulls/13': ok(pullBody(newHead, { number: 13 })),
  'GET /repos/acme/docs/pulls/13/files': ok([]),
  'GET /repos/acme/docs/issues/13/comments': ok([]),
  'POST /repos/acme/docs/issues/13/labels': ok([]),
  'POST /repos/acme/docs/issues/13/comments': { status: 201, body: { id: 700 } },
};

describe('a re-run of a follow-up whose end no attempt has seen', () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  // The same in each attempt, as a real server is.
  const serverUrl = 'https://github.example';
  const completed =
    (number = 12) =>
    (): readonly Reply[] => [
      ok(jobBody({ status: 'completed', prLink: `${serverUrl}/acme/docs/pull/${number}` })),
    ];

  /** What a re-run says, so many minutes later. The pull request has this last commit then, unless it is another. */
  async function again(
    minutes: number,
    head: Reply,
    inputs: Readonly<Record<string, string>> = {},
    opened = 12,
  ) {
    const cache = memoryCache();
    const step = (number: number, today: string) => ({
      cache,
      today,
      env: { GITHUB_RUN_ATTEMPT: String(number), GITHUB_SERVER_URL: serverUrl },
    });
    const noWait = { ...inputs, 'wait-minutes': '0' };
    await runWithLabel(open, noWait, completed(), step(1, at(0)));
    const github = { ...another, [routes.pull]: head };
    const run = await runWithLabel(github, inputs, completed(opened), step(2, at(minutes)));
    expect(run.api.posts).toEqual([]);
    const [edit] = run.sent(routes.edit);
    return { ...run, said: run.outputs['message'] ?? '', left: String(edit?.['body']) };
  }

  it.each([1, 5, 60])('says what was added, %i min later', async (minutes) => {
    const run = await again(minutes, ok(pullBody(newHead)));
    expect(run.said).toMatch(/^Job job_8f2 completed and continued its pull request: /);
    expect(run.summary).toMatch(/^### ✅ Pull request continued\n/);
    expect(run.summary).toContain(`/acme/docs/compare/${oldHead}...${newHead}`);
    expect(run.left).toMatch(/^The docs agent continued this pull request: /);
    // Soon after the follow-up, what was read may be older than it.
    const lateS = Number(run.outputs['duration-seconds']) - Math.max(600 - minutes * 60, 0);
    expect(lateS).toBeGreaterThanOrEqual(0);
    expect(lateS).toBeLessThan(10);
  });

  it('says what was added without a label too', async () => {
    const inputs = { 'job-id': 'job_8f2', 'pr-label': '', 'on-open-pr': '' };
    const run = await again(60, ok(pullBody(newHead)), inputs);
    expect(run.said).toMatch(/^Job job_8f2 completed and continued its pull request: /);
    expect(run.summary).toContain(`/acme/docs/compare/${oldHead}...${newHead}`);
  });

  it.each([
    ['the pull request cannot be read', githubError(403, 'No')],
    ['its last commit is as before', ok(pullBody(oldHead))],
  ])('claims nothing if %s', async (_name, head) => {
    const run = await again(60, head);
    expect(run.said).toMatch(/^Job job_8f2 has completed and has a pull request: /);
    expect(run.summary).toMatch(/^### ✅ The job has completed\n/);
    expect(run.left).toMatch(/^The docs agent was asked to work on this pull request: /);
  });

  it('does not take for an end what may be older than the follow-up', async () => {
    const run = await again(5, ok(pullBody(oldHead)), { 'wait-minutes': '4' });
    expect(run.outputs).toMatchObject({ result: 'timed-out', 'job-source': 'resumed' });
    expect(run.said).toMatch(
      / Job job_8f2 may have been running at .*: to get its result, re-run the workflow\.$/,
    );
    expect(run.left).toBe('undefined');
  });

  it('does not call it completed and then active', async () => {
    const run = await again(1, ok(pullBody(newHead)));
    expect(run.stdout).toContain('resumed job job_8f2 of an earlier attempt in project acme.\n');
    expect(run.stdout).not.toContain('is active after');
  });

  it('is not taken for one that continued the pull request if the job opened another', async () => {
    const run = await again(60, ok(pullBody(newHead)), {}, 13);
    expect(run.said).toMatch(/^Job job_8f2 completed and opened a pull request: /);
    expect(run.summary).not.toContain('this run');
  });
});

describe('a re-run of a follow-up that an attempt has seen end', () => {
  const serverUrl = 'https://github.example';
  const prLink = `${serverUrl}/acme/docs/pull/12`;
  const asBefore: Reply = ok(jobBody({ status: 'completed', prLink }));
  const worked = [asBefore, asBefore, active, active, asBefore];

  /** Two attempts, the second one so many minutes after the follow-up, which added nothing. */
  async function attempts(first: readonly Reply[], again: Reply, minutes: number) {
    const cache = memoryCache();
    const github = { ...open, [routes.pull]: ok(pullBody(oldHead)) };
    const step = (number: number) => ({
      cache,
      today: new Date(Date.now() + (number - 1) * minutes * 60_000).toISOString(),
      env: { GITHUB_RUN_ATTEMPT: String(number), GITHUB_SERVER_URL: serverUrl },
    });
    const runs = [
      await runWithLabel(github, {}, () => first, step(1)),
      await runWithLabel(github, {}, () => [again], step(2)),
    ];
    return { runs, kept: cache.keys.map((key) => /-(true|false)-\w*-[\da-f]{64}$/.exec(key)?.[1]) };
  }

  it.each([1, 5])('says the same, %i min later, and does not wait for it', async (minutes) => {
    const { runs, kept } = await attempts(worked, asBefore, minutes);
    const said =
      'Job job_8f2 completed and added nothing to its pull request: https://github.example/acme/docs/pull/12';
    expect(runs.map(({ outputs }) => outputs['message'])).toEqual([said, said]);
    expect(runs[1]?.api.posts).toEqual([]);
    expect(Number(runs[1]?.outputs['duration-seconds'])).toBeLessThan(10);
    expect(runs[1]?.stdout).toContain(
      'of an earlier attempt in project acme, which has completed.',
    );
    const left = runs.map((run) => run.sent(routes.edit)[0]?.['body']);
    const unchanged = expect.stringMatching(/^The docs agent left this pull request unchanged: /);
    expect(left).toEqual([unchanged, unchanged]);
    // The second record says that a poll has seen the job active.
    expect(kept).toEqual(['false', 'true']);
  });

  it('sends the follow-up again if the job failed, as the first attempt promised', async () => {
    const failed: Reply = ok(jobBody({ status: 'failed', prLink }));
    const { runs } = await attempts([failed, failed, active, active, failed], failed, 1);
    expect(runs[0]?.summary).toContain(
      'Re-running the workflow sends the prompt to this job again',
    );
    expect(runs[1]?.api.posts).toEqual(['POST /v2/agent/acme/job/job_8f2/message']);
  });
});

it('a re-run of an older run says nothing of its commits, and leaves the comment of the newer one', async () => {
  const serverUrl = 'https://github.example';
  const thread = livingThread('/repos/acme/docs/issues/12/comments');
  thread.comments.push({ id: 501, user: { login: bot }, body: marked().body });
  const asBefore: Reply = ok(
    jobBody({ status: 'completed', prLink: `${serverUrl}/acme/docs/pull/12` }),
  );
  const cache = memoryCache();
  const heads = [oldHead, newHead, 'c'.repeat(40), 'd'.repeat(40)];
  /** @param before how many follow-ups the job got before */
  const run = (id: number, before: number, script: readonly Reply[], number = 1) =>
    runWithLabel(
      {
        ...open,
        ...thread.routes,
        [routes.pull]: [heads[before], heads[before + 1] ?? heads.at(-1)].map((head) =>
          ok(pullBody(head)),
        ),
      },
      {},
      () => script,
      {
        cache,
        today: new Date(Date.now() + id * 3_600_000).toISOString(),
        env: {
          GITHUB_RUN_ID: String(id),
          GITHUB_RUN_ATTEMPT: String(number),
          GITHUB_SERVER_URL: serverUrl,
        },
      },
    );
  const sends = [asBefore, asBefore, active, active, asBefore];
  await run(1001, 0, sends);
  await run(1002, 1, sends);
  const left = thread.texts();
  expect(left).toEqual([expect.stringContaining('continued this pull request: ')]);
  const again = await run(1001, 2, [asBefore], 2);
  expect(again.api.posts).toEqual([]);
  expect(again.outputs['message']).toMatch(/^Job job_8f2 has completed and has a pull request: /);
  expect(again.summary).not.toContain('/compare/');
  expect(thread.texts()).toEqual(left);
  // A person has pushed since.
  const newest = await run(1002, 3, [asBefore], 2);
  expect(newest.summary).toContain(`/acme/docs/compare/${newHead}...${heads[2]}`);
  expect(thread.texts()).toEqual(left);
});

it('a step that waits for a job does not say who opened its pull request', async () => {
  const attach = { prompt: '', 'job-id': 'job_8f2', 'on-open-pr': '' };
  const run = await runWithLabel(open, attach, ({ url }) => [
    ok(jobBody({ status: 'completed', prLink: `${url}/acme/docs/pull/12` })),
  ]);
  expect(run.outputs['message']).toMatch(/^Job job_8f2 has completed and has a pull request: /);
  expect(run.summary).toMatch(/^### ✅ The job has completed\n/);
});

it('a re-run of a follow-up that may have arrived sends nothing', async () => {
  const cache = memoryCache();
  const lost = (github: ScriptedGitHub): readonly Reply[] => {
    const prLink = `${github.url}/acme/docs/pull/12`;
    const done: Reply = ok(jobBody({ status: 'completed', prLink }));
    return [done, done, reset];
  };
  const first = await attempt(cache, 1, lost);
  expect(first.outputs['reason']).toBe('job-may-exist');
  expect(first.outputs['message']).toContain('Mintlify may have received the follow-up');
  expect(first.outputs['message']).toContain('with job-id job_8f2 and no prompt to wait for it');
  const again = await attempt(cache, 2);
  expect(again.api.posts).toEqual([]);
  expect(again.outputs['reason']).toBe('job-may-exist');
  expect(again.outputs['message']).toContain('the follow-up to job job_8f2');
});

it('a re-run resumes the job that was started instead of a follow-up that the API refused', async () => {
  const cache = memoryCache();
  const newJob = { id: 'job_new', prLink: null };
  const first = await attempt(cache, 1, (github) => {
    const prLink = `${github.url}/acme/docs/pull/12`;
    const failed: Reply = ok(jobBody({ status: 'failed', prLink }));
    return [failed, failed, refusal(409), { status: 201, body: jobBody(newJob) }];
  });
  expect(first.outputs).toMatchObject({ 'job-id': 'job_new', 'job-source': 'created' });
  const again = await attempt(cache, 2, () => [ok(jobBody({ ...newJob, status: 'completed' }))]);
  expect(again.api.posts).toEqual([]);
  expect(again.outputs).toMatchObject({ 'job-id': 'job_new', 'job-source': 'resumed' });
});

it('a dry run of a re-run finds the job of the pull request that the event is about', async () => {
  const cache = memoryCache();
  const event = Object(readEvent('issue-comment-by-owner'));
  const here: Routes = Object.fromEntries(
    Object.entries({
      ...open,
      [routes.comments]: ok([marked()]),
    }).map(([route, reply]) => [route.replace('/acme/docs/', '/acme/product/'), reply]),
  );
  const run = (
    number: number,
    more: Readonly<Record<string, string>>,
    script: typeof oneJob = oneJob,
  ) =>
    runWithLabel(
      { ...here, ...permissions({ owner: 'admin' }) },
      {
        'job-id': 'from-pull-request',
        'pr-label': '',
        'on-open-pr': '',
        comment: 'false',
        ...more,
      },
      (github) => script(github, { prLink: `${github.url}/acme/product/pull/12` }),
      {
        eventName: 'issue_comment',
        event: { ...event, issue: { ...event.issue, number: 12, pull_request: {} } },
        cache,
        env: { GITHUB_RUN_ATTEMPT: String(number) },
      },
    );
  await run(1, { 'wait-minutes': '0' });
  const again = await run(2, { 'dry-run': 'true' }, oneJobTried);
  expect(again.stdout).toContain('Real run: It would resume job job_8f2 of attempt 1,');
});

const startsJob = (): readonly Reply[] => [created];

it('a re-run after a job that failed looks for the pull request again', async () => {
  const cache = memoryCache();
  await attempt(cache, 1, startsJob, none);
  const failed = (github: ScriptedGitHub): readonly Reply[] => [
    ok(jobBody({ status: 'failed' })),
    ...oneJob(github),
  ];
  const again = await attempt(cache, 2, failed);
  expect(again.outputs['job-source']).toBe('followed-up');
  expect(again.api.posts).toHaveLength(1);
  expect(annotations(again, 'warning')).toEqual([]);
});

it('a re-run that fails after it read a job that failed says nothing of that job', async () => {
  const cache = memoryCache();
  await attempt(cache, 1, startsJob, none);
  const failed = (): readonly Reply[] => [ok(jobBody({ status: 'failed' }))];
  const silent = { ...open, [routes.labelled]: { status: 502 } };
  const again = await attempt(cache, 2, failed, silent);
  expect(again.api.posts).toEqual([]);
  expect(again.outputs).toMatchObject({ reason: 'pull-request-unreadable', 'job-id': '' });
});
