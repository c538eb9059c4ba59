import { describe, expect, it, onTestFinished } from 'vitest';
import { type CacheService, startCacheService } from '../../sandbox/runner/cache-service.ts';
import { livingThread, patch, post, runWithComment, sealedIn } from '../helpers/comment-run.ts';
import { annotations } from '../helpers/run.ts';
import { active, commentsPath, created, done, jobBody, type Reply } from '../helpers/servers.ts';

/** What keeps the record of a job when its comment fails, or another run writes it, too. */

const variables = (cache: CacheService) => {
  const { GITHUB_SERVER_URL: _, ...env } = cache.variables('v1');
  return env;
};

async function startCache(fault?: 'denied'): Promise<CacheService> {
  const cache = await startCacheService({ fault: () => fault });
  onTestFinished(() => cache.close());
  return cache;
}

describe('a run of which no place has the record in the end', () => {
  const broken = { status: 502 };
  const deleted = { status: 404, body: { message: 'Not Found' } };
  const single = patch.replace('PATCH', 'GET');
  const lost = (why: string) =>
    `The record of job job_8f2 could not be saved, because ${why}: a re-run of this workflow would start a second job.`;
  const noCache = lost('the comment could not be written, and this runner has no cache service');

  it.each([
    ['the comment answers 502, without a cache', { [`GET ${commentsPath}`]: broken }],
    ['the comment is deleted meanwhile, without a cache', { [patch]: deleted, [single]: deleted }],
    ['the comment is refused, without a cache', { [post]: { status: 403, body: {} } }],
  ])('warns once, in the log and the summary: %s', async (_name, routes) => {
    const result = await runWithComment(routes);
    const warnings = annotations(result, 'warning').filter((text) => text.includes('record'));
    expect(warnings).toEqual([noCache]);
    expect(result.summary).toMatch(/^⚠️ The record of job .* would start a second job\.$/m);
    expect(result.outputs['result']).toBe('pull-request');
  });

  it('warns of a comment that was deleted where the cache is read-only', async () => {
    const env = variables(await startCache('denied'));
    const result = await runWithComment({ [patch]: deleted, [single]: deleted }, { env });
    expect(annotations(result, 'warning')).toContain(lost('the cache is read-only for this run'));
  });

  it('says nothing where the cache has it, or a re-run is to start a new job', async () => {
    const env = variables(await startCache());
    const routes = { [`GET ${commentsPath}`]: broken };
    const saved = await runWithComment(routes, { env });
    const unwanted = await runWithComment(routes, { inputs: { 'on-rerun': 'new' } });
    for (const result of [saved, unwanted]) {
      expect(annotations(result, 'warning')).toEqual([]);
    }
  });
});

it('a later attempt than that of a record that is found may have left one in a place that fails', async () => {
  const thread = livingThread();
  const env = variables(await startCache());
  const noWait = { 'wait-minutes': '0' };
  await runWithComment(thread.routes, { inputs: noWait, env });
  const broken = { ...thread.routes, [`GET ${commentsPath}`]: { status: 502 } };
  const attempt = (number: string) =>
    runWithComment(broken, { inputs: noWait, env: { ...env, GITHUB_RUN_ATTEMPT: number } }, [
      active,
    ]);
  expect((await attempt('3')).outputs['reason']).toBe('earlier-attempt-unknown');
  expect((await attempt('2')).outputs['job-source']).toBe('resumed');
});

it('two runs that overlap leave both records in the comment that they share', async () => {
  const thread = livingThread();
  const env = (run: string, attempt = '1') => ({
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: attempt,
  });
  const other = { status: 201, body: jobBody({ id: 'job_other' }) };
  const during: Reply = (_request, response) => {
    void runWithComment(thread.routes, { inputs: { 'wait-minutes': '0' }, env: env('1002') }, [
      other,
    ]).then(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(jobBody()));
    });
  };
  await runWithComment(thread.routes, { env: env('1001') }, [created, during, done]);
  expect(thread.texts()).toHaveLength(1);
  expect(sealedIn(thread.texts()[0])).toMatchObject({
    records: [expect.anything(), expect.anything()],
  });
  const again = await runWithComment(
    thread.routes,
    { inputs: { 'wait-minutes': '0' }, env: env('1002', '2') },
    [{ status: 200, body: jobBody({ id: 'job_other' }) }, active],
  );
  expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_other' });
});
