import { expect, it } from 'vitest';
import {
  annotations,
  type MemoryCache,
  memoryCache,
  readEvent,
  runWithLabel,
} from '../helpers/run.ts';
import {
  created,
  jobBody,
  marked,
  none,
  ok,
  oneJob,
  oneJobTried,
  open,
  permissions,
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
  expect(first.outputs['message']).toContain(
    'to wait for the job, set job-id to job_8f2 and leave out the prompt',
  );
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
