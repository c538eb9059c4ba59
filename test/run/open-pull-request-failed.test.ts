import { describe, expect, it } from 'vitest';
import { annotations, runWithLabel } from '../helpers/run.ts';
import {
  create,
  followUp,
  jobBody,
  markIn,
  newHead,
  none,
  oldHead,
  open,
  pullBody,
  type Reply,
  type Routes,
  refusal,
  reset,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

/** Jobs that fail or are archived, and have a pull request all the same. */

const withoutPort = (text = '') => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');

const ended = ({ url }: ScriptedGitHub, status: string): Reply => ({
  status: 200,
  body: jobBody({ status, prLink: `${url}/acme/docs/pull/12` }),
});

describe('a job that did not complete, but opened a pull request', () => {
  it.each([
    ['failed', 1, 'which has failed'],
    ['archived', 0, 'which is archived'],
  ])('%s: leaves the label and the comment there', async (status, exitCode, words) => {
    const run = await runWithLabel(none, {}, (github) => [
      { status: 201, body: jobBody() },
      ended(github, status),
    ]);
    expect(run.exitCode).toBe(exitCode);
    expect(run.outputs).toMatchObject({ result: status, 'pr-number': '12' });
    expect(run.sent(routes.putLabel)).toEqual([{ labels: ['docs'] }]);
    const [comment] = run.sent(routes.comment);
    expect(comment?.['body']).toContain(`Its job is <code>job&#95;8f2</code>, ${words}.`);
    expect(markIn(comment?.['body'])).toMatchObject({ jobId: 'job_8f2', round: 1 });
    expect(run.summary).not.toContain('starts a second job');
  });

  it('failed: warns if the label cannot be put there', async () => {
    const denied = { status: 403, body: { message: 'Resource not accessible' } };
    const run = await runWithLabel({ ...none, [routes.putLabel]: denied }, {}, (github) => [
      { status: 201, body: jobBody() },
      ended(github, 'failed'),
    ]);
    expect(annotations(run, 'warning')).toEqual([
      expect.stringMatching(/^The label "docs" could not be put on acme\/docs#12, /),
    ]);
  });

  it.each(['failed', 'archived'])('%s: gets the next prompt as a follow-up', async (status) => {
    const run = await runWithLabel(open, {}, (github) => [
      ended(github, status),
      ended(github, status),
      { status: 200, body: jobBody() },
      ended(github, 'completed'),
    ]);
    expect(run.api.posts).toEqual([followUp]);
    expect(run.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'followed-up' });
  });
});

describe('a follow-up that the API refuses', () => {
  const another: Routes = {
    ...open,
    [routes.pull]: { status: 200, body: pullBody(oldHead) },
    'GET /repos/acme/docs/pulls/13': { status: 200, body: pullBody(newHead, { number: 13 }) },
    'GET /repos/acme/docs/pulls/13/files': { status: 200, body: [] },
    'GET /repos/acme/docs/issues/13/comments': { status: 200, body: [] },
    'POST /repos/acme/docs/issues/13/labels': { status: 200, body: [] },
    'POST /repos/acme/docs/issues/13/comments': { status: 201, body: { id: 700 } },
  };

  /** The job of the pull request, the refusal, and what a new job does. */
  const script =
    (status: string, refused: Reply, ...after: readonly Reply[]) =>
    (github: ScriptedGitHub): readonly Reply[] => [
      ended(github, status),
      ended(github, status),
      refused,
      ...after,
    ];

  const startsAnew = (status: string, refused: Reply) => (github: ScriptedGitHub) => {
    const prLink = `${github.url}/acme/docs/pull/13`;
    return script(
      status,
      refused,
      { status: 201, body: { id: 'job_new', status: 'active' } },
      { status: 200, body: { id: 'job_new', status: 'completed', prLink } },
    )(github);
  };

  it.each([
    ['failed', 'has failed', 400],
    ['failed', 'has failed', 403],
    ['archived', 'is archived', 404],
    ['archived', 'is archived', 409],
    ['archived', 'is archived', 410],
    ['failed', 'has failed', 422],
  ])('to a job that %s: a new one starts, with a warning (%s, %d)', async (status, words, code) => {
    const run = await runWithLabel(another, {}, startsAnew(status, refusal(code)));
    expect(run.api.posts).toEqual([followUp, create]);
    expect(withoutPort(annotations(run, 'warning')[0])).toBe(
      `Job job_8f2 ${words} and takes no follow-up, because the API at HOST responded with ${code} ("refused with ${code}"): this run starts a new job instead of continuing acme/docs#12.`,
    );
    expect(annotations(run, 'warning')).toHaveLength(1);
    expect(run.outputs).toMatchObject({
      result: 'pull-request',
      'job-id': 'job_new',
      'job-source': 'created',
      'pr-number': '13',
    });
    expect(run.outputs['model']).toBe('');
    expect(run.outputs['message']).toContain(
      'Job job_new completed and opened a new pull request instead of continuing acme/docs#12: ',
    );
    expect(run.sent('POST /repos/acme/docs/issues/13/labels')).toEqual([{ labels: ['docs'] }]);
  });

  it('leaves no link of the old pull request if the new job opens none', async () => {
    const run = await runWithLabel(
      another,
      {},
      script(
        'failed',
        refusal(409),
        { status: 201, body: jobBody({ id: 'job_new' }) },
        { status: 200, body: jobBody({ id: 'job_new', status: 'completed' }) },
      ),
    );
    expect(run.outputs).toMatchObject({
      result: 'no-pull-request',
      'job-id': 'job_new',
      'pr-link': '',
      'pr-number': '',
    });
    expect(run.summary).not.toContain('pull/12');
  });

  it.each<[string, string, Reply, string]>([
    ['a fault of its own', 'failed', refusal(500), 'job-may-exist'],
    ['a broken connection', 'failed', reset, 'job-may-exist'],
    ['a time-out of the server', 'failed', refusal(408), 'job-may-exist'],
    ['a refused key', 'failed', refusal(401), 'key-refused'],
    ['missing credits', 'failed', refusal(402), 'forbidden'],
    ['a limit', 'failed', refusal(429, { 'retry-after': '86400' }), 'rate-limited'],
    ['a web page', 'failed', { status: 404, body: '<html>' }, 'unreadable-answer'],
    ['a completed job', 'completed', refusal(409), 'request-refused'],
  ])('starts nothing: %s', async (_name, status, refused, reason) => {
    const run = await runWithLabel(another, {}, startsAnew(status, refused));
    expect(run.api.posts).toEqual([followUp]);
    expect(run.outputs).toMatchObject({ result: 'error', reason, 'job-id': 'job_8f2' });
  });

  it('starts nothing where a run was asked for that very job', async () => {
    const run = await runWithLabel(another, { 'job-id': 'job_8f2' }, (github) => [
      ended(github, 'failed'),
      refusal(409),
      { status: 201, body: jobBody({ id: 'job_new' }) },
    ]);
    expect(run.api.posts).toEqual([followUp]);
    expect(run.outputs).toMatchObject({ result: 'error', reason: 'request-refused' });
  });

  it('and a new job that may exist: it is not sent again, and the old one is not named', async () => {
    const run = await runWithLabel(another, {}, script('failed', refusal(409), reset));
    expect(run.api.posts).toEqual([followUp, create]);
    expect(run.outputs).toMatchObject({
      result: 'error',
      reason: 'job-may-exist',
      'job-id': '',
      'pr-link': '',
    });
    expect(run.outputs['message']).toContain('a job may exist, so look for it in the dashboard');
  });
});
