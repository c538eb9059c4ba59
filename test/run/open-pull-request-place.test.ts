import { describe, expect, it } from 'vitest';
import { annotations, type EventRun, readEvent, runWithLabel } from '../helpers/run.ts';
import {
  create,
  followUp,
  jobBody,
  listedPull,
  marked,
  markIn,
  newHead,
  none,
  ok,
  oldHead,
  oneJob,
  open,
  permissions,
  pullBody,
  type Reply,
  type Routes,
  refusal,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

/**
 * The docs repository `acme/docs` has become `acme/handbook`. GitHub redirects the old name, and the API's
 * link has it.
 */

/** The pull request, as GitHub returns it under any name of its repository. */
const pullOf = (full_name: string, sha = oldHead) =>
  ok(pullBody(sha, { base: { ref: 'main', repo: { private: false, full_name } } }));

const redirect: Reply = (request, response) => {
  const status = request.method === 'GET' ? 301 : 307;
  response.writeHead(status, { location: request.url?.replace('/repos/acme/docs/', '/moved/') });
  response.end();
};

const pulls = [pullOf('acme/handbook'), pullOf('acme/handbook', newHead)];

/** Everything under the new name, and redirects from the old one. */
const renamed: Routes = {
  ...Object.fromEntries(
    Object.entries({ ...open, [routes.pull]: pulls }).flatMap(([route, reply]) => [
      [route.replace('/acme/docs/', '/acme/handbook/'), reply],
      [route.replace('/repos/acme/docs/', '/moved/'), reply],
      ...(route.includes('/acme/docs/') ? [[route, redirect]] : []),
    ]),
  ),
};

const inHandbook = { 'docs-repository': 'acme/handbook' };
const edit = 'PATCH /repos/acme/handbook/issues/comments/601';

describe('a pull request whose repository was renamed', () => {
  it('gets the next prompt, and its comment counts under the new name from then on', async () => {
    const run = await runWithLabel(renamed, inHandbook);
    expect(run.api.posts).toEqual([followUp]);
    expect(run.outputs).toMatchObject({ 'job-source': 'followed-up', 'pr-number': '12' });
    const written = [run.sent(edit), run.sent('POST /repos/acme/handbook/issues/12/comments')];
    expect(written.map(({ length }) => length)).toEqual([1, 0]);
    expect(markIn(written[0]?.[0]?.['body'])).toMatchObject({ last: { head: newHead } });
    expect(annotations(run, 'warning')).toEqual([]);
  });

  it('keeps a run that is to skip from starting anything', async () => {
    const run = await runWithLabel(renamed, { ...inHandbook, 'on-open-pr': 'skip' });
    expect(run.api.posts).toEqual([]);
    expect(run.outputs['reason']).toBe('pull-request-open');
  });

  it('is not one of another repository that has the old name now', async () => {
    const changes = { 'GET /repos/acme/docs/pulls/12': pullOf('acme/docs') };
    const run = await runWithLabel({ ...renamed, ...changes }, inHandbook, (github) => [
      ok(jobBody({ status: 'completed', prLink: `${github.url}/acme/docs/pull/12` })),
      ...oneJob(github, { id: 'job_new' }),
    ]);
    expect(run.api.posts).toEqual([create]);
  });

  it('starts nothing if GitHub does not say what the link leads to', async () => {
    const changes = { 'GET /repos/acme/docs/pulls/12': refusal(500) };
    const run = await runWithLabel({ ...renamed, ...changes }, inHandbook);
    expect(run.api.posts).toEqual([]);
    expect(run.outputs['message']).toBe(
      'Nothing was started, because this run may belong to an open pull request, and pull request acme/docs#12 could not be read, because GitHub responded with 500: re-run the workflow later.',
    );
  });
});

it('a new job in a renamed repository is not said to be missed by the next run', async () => {
  const nothing = ok([]);
  const changes = {
    'GET /repos/acme/handbook/issues': nothing,
    'GET /repos/acme/handbook/issues/12/comments': nothing,
  };
  const run = await runWithLabel({ ...renamed, ...changes }, inHandbook);
  expect(run.api.posts).toEqual([create]);
  expect(annotations(run, 'warning')).toEqual([]);
  const [comment] = run.sent('POST /repos/acme/handbook/issues/12/comments');
  expect(markIn(comment?.['body'])).toMatchObject({ jobId: 'job_8f2' });
});

it('a comment on a pull request of a renamed repository becomes a follow-up', async () => {
  const event = Object(readEvent('issue-comment-by-owner'));
  const step: Partial<EventRun> = {
    eventName: 'issue_comment',
    event: { ...event, issue: { ...event.issue, number: 12, pull_request: {} } },
  };
  const here = Object.fromEntries(
    Object.entries({ ...renamed, [routes.pull]: redirect }).map(([route, reply]) => [
      route.replace('/acme/handbook/', '/acme/product/'),
      reply,
    ]),
  );
  const found = { 'GET /moved/pulls/12': pullOf('acme/product') };
  const inputs = { 'job-id': 'from-pull-request', 'on-open-pr': '', comment: 'false' };
  const run = await runWithLabel(
    { ...here, ...found, ...permissions({ owner: 'admin' }) },
    inputs,
    oneJob,
    step,
  );
  expect(run.api.posts).toEqual([followUp]);
});

/** Several product repositories with one docs repository, and one label. */

const ours = { id: '11', name: 'acme/product' };
const shop = { id: '22', name: 'acme/shop' };

/** Runs the step in `acme/product`, with comments on the labelled pull request. */
function run(
  comments: readonly unknown[],
  inputs: Readonly<Record<string, string>> = {},
  { id = ours.id, changes = {}, script = oneJob }: RunOptions = {},
) {
  const routesNow = { ...open, [routes.comments]: ok(comments), ...changes };
  return runWithLabel(routesNow, inputs, script, { env: { GITHUB_REPOSITORY_ID: id } });
}

interface RunOptions {
  readonly id?: string;
  readonly changes?: Routes;
  readonly script?: (github: ScriptedGitHub) => readonly Reply[];
}

const newJob = (github: ScriptedGitHub) => oneJob(github, { id: 'job_new' });

describe('a pull request that another repository asked for', () => {
  const notice = (what: string) =>
    `This run ${what}, because acme/docs#12 was asked for by acme/shop.`;

  it.each(['continue', 'skip'])('is passed over, with on-open-pr %s', async (onOpen) => {
    const result = await run(
      [marked({ source: shop })],
      { 'on-open-pr': onOpen },
      { script: newJob },
    );
    expect(result.api.posts).toEqual([create]);
    expect(result.outputs).toMatchObject({ 'job-source': 'created', 'job-id': 'job_new' });
    expect(annotations(result, 'notice')).toContain(notice('starts a new job'));
  });

  it('does not hide an older one of this repository', async () => {
    const comments = 'GET /repos/acme/docs/issues/14/comments';
    const other = marked({ source: shop, jobId: 'job_shop' });
    const result = await run(
      [marked({ source: ours })],
      {},
      {
        changes: {
          [routes.labelled]: ok([listedPull(14), listedPull(12)]),
          [comments]: ok([other]),
        },
      },
    );
    expect(result.api.posts).toEqual([followUp]);
    expect(annotations(result, 'notice')).toContain(
      notice('continues in an older one').replace('#12', '#14'),
    );
  });

  it('is passed over whatever strangers write there', async () => {
    const comments = [
      marked({ id: 9, author: 'stranger', source: ours }),
      marked({ author: 'shop-app[bot]', source: shop }),
    ];
    const result = await run(comments, {}, { script: newJob });
    expect(result.api.posts).toEqual([create]);
  });

  it('is continued by its own repository, whatever others have written since', async () => {
    const comments = [
      marked({ source: ours, author: 'product-app[bot]' }),
      marked({ id: 602, source: shop }),
    ];
    expect((await run(comments)).api.posts).toEqual([followUp]);
  });
});

describe('the repository that asked', () => {
  it.each([
    ['was renamed', { id: ours.id, name: 'acme/old-name' }, ours.id, followUp],
    ['is another one that took its name', { id: '33', name: ours.name }, ours.id, create],
    ['has no id on this runner', ours, '', followUp],
    ['had no id when it asked', { id: '', name: 'Acme/Product' }, ours.id, followUp],
    ['is another one without an id', { id: '', name: shop.name }, ours.id, create],
  ])('%s', async (_name, source, id, call) => {
    const script = call === create ? newJob : oneJob;
    const result = await run([marked({ source })], {}, { id, script });
    expect(result.api.posts).toEqual([call]);
  });

  it('is written down when the pull request is opened', async () => {
    const result = await runWithLabel(none, {}, oneJob, { env: { GITHUB_REPOSITORY_ID: ours.id } });
    expect(markIn(result.sent(routes.comment)[0]?.['body'])).toMatchObject({ source: ours });
  });

  it('is written down by a run that only waits, if nobody has written it yet', async () => {
    const result = await run([], { prompt: '', 'job-id': 'job_8f2' });
    expect(markIn(result.sent(routes.comment)[0]?.['body'])).toMatchObject({ source: ours });
  });

  it('stays what it was if another one waits for the job', async () => {
    const comments = [marked({ head: 'c'.repeat(40), source: shop })];
    const result = await run(comments, { prompt: '', 'job-id': 'job_8f2' });
    expect(result.outputs['result']).toBe('pull-request');
    expect(result.sent(routes.edit)).toEqual([]);
  });

  it('does not matter to a comment on the pull request, and stays what it was', async () => {
    const event = Object(readEvent('issue-comment-by-owner'));
    const step: Partial<EventRun> = {
      eventName: 'issue_comment',
      event: { ...event, issue: { ...event.issue, number: 12, pull_request: {} } },
      env: { GITHUB_REPOSITORY_ID: ours.id },
    };
    const here: Routes = Object.fromEntries(
      Object.entries({
        ...open,
        [routes.comments]: ok([marked({ source: shop })]),
        [routes.pull]: [ok(pullBody()), ok(pullBody('b'.repeat(40)))],
      }).map(([route, reply]) => [route.replace('/acme/docs/', '/acme/product/'), reply]),
    );
    const inputs = { 'job-id': 'from-pull-request', 'on-open-pr': '', comment: 'false' };
    const result = await runWithLabel(
      { ...here, ...permissions({ owner: 'admin' }) },
      inputs,
      (github) => oneJob(github, { prLink: `${github.url}/acme/product/pull/12` }),
      step,
    );
    expect(result.api.posts).toEqual([followUp]);
    const [edit] = result.sent('PATCH /repos/acme/product/issues/comments/601');
    expect(markIn(edit?.['body'])).toMatchObject({ last: { head: newHead }, source: shop });
  });
});

it('many pull requests of other repositories do not let a second job start unseen', async () => {
  const pulls = Array.from({ length: 21 }, (_, index) => listedPull(500 - index));
  const comments = Object.fromEntries(
    pulls.map(({ number }) => [
      `GET /repos/acme/docs/issues/${number}/comments`,
      ok([marked({ source: shop })]),
    ]),
  );
  const result = await run([], {}, { changes: { ...comments, [routes.labelled]: ok(pulls) } });
  expect(result.api.posts).toEqual([]);
  expect(result.outputs['message']).toContain(
    'acme/docs has 21 open pull requests with the label "docs", and none of the newest 20 is known to come from a run of acme/product: give pr-label a label that nothing else uses.',
  );
});
