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
  oldHead,
  oneJob,
  open,
  permissions,
  pullBody,
  type Reply,
  type Routes,
  refusal,
  routes,
} from '../helpers/servers.ts';

/**
 * The docs repository `acme/docs` has become `acme/handbook`. GitHub redirects the old name, and both the
 * API's link and our sealed comment have it.
 */

/** The pull request, as GitHub returns it under any name of its repository. */
const pullOf = (full_name: string, sha = oldHead) => ({
  status: 200,
  body: pullBody(sha, { base: { ref: 'main', repo: { private: false, full_name } } }),
});

const redirect: Reply = (request, response) => {
  const status = request.method === 'GET' ? 301 : 307;
  response.writeHead(status, { location: request.url?.replace('/repos/acme/docs/', '/moved/') });
  response.end();
};

const listed: Reply = (request, response) => {
  const html_url = `http://${request.headers.host}/acme/handbook/pull/12`;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify([listedPull(12, { html_url })]));
};

const pulls = [pullOf('acme/handbook'), pullOf('acme/handbook', newHead)];

/** Everything under the new name, and redirects from the old one. */
const renamed: Routes = {
  ...Object.fromEntries(
    Object.entries({ ...open, [routes.labelled]: listed, [routes.pull]: pulls }).flatMap(
      ([route, reply]) => [
        [route.replace('/acme/docs/', '/acme/handbook/'), reply],
        [route.replace('/repos/acme/docs/', '/moved/'), reply],
        ...(route.includes('/acme/docs/') ? [[route, redirect]] : []),
      ],
    ),
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
    expect(markIn(written[0]?.[0]?.['body'], 'acme/handbook#12')).toMatchObject({ round: 2 });
    expect(annotations(run, 'warning')).toEqual([]);
  });

  it('keeps a run that is to skip from starting anything', async () => {
    const run = await runWithLabel(renamed, { ...inHandbook, 'on-open-pr': 'skip' });
    expect(run.api.posts).toEqual([]);
    expect(run.outputs['reason']).toBe('pull-request-open');
  });

  it('is found by its old name, too, once its comment has the new one', async () => {
    const body = [marked({ place: 'acme/handbook#12' })];
    const changes = { 'GET /moved/issues/12/comments': { status: 200, body } };
    const run = await runWithLabel({ ...renamed, ...changes }, { 'on-open-pr': 'skip' });
    expect(run.api.calls).toEqual([]);
    expect(run.outputs['reason']).toBe('pull-request-open');
  });

  it('keeps counting its rounds, although another login wrote the comment', async () => {
    const body = [marked({ author: 'docs-bot', round: 4 })];
    const comments = 'GET /repos/acme/handbook/issues/12/comments';
    const run = await runWithLabel({ ...renamed, [comments]: { status: 200, body } }, inHandbook);
    expect(run.outputs['message']).toContain('continued its pull request in round 5: ');
  });

  it('is not one of another repository that has the old name now', async () => {
    const changes = { 'GET /repos/acme/docs/pulls/12': pullOf('acme/docs') };
    const run = await runWithLabel({ ...renamed, ...changes }, inHandbook, (github) => [
      {
        status: 200,
        body: jobBody({ status: 'completed', prLink: `${github.url}/acme/docs/pull/12` }),
      },
      ...oneJob(github, { id: 'job_new' }),
    ]);
    expect(run.api.posts).toEqual([create]);
  });

  it('starts nothing if GitHub does not say what the link leads to', async () => {
    const changes = { 'GET /repos/acme/docs/pulls/12': refusal(500) };
    const run = await runWithLabel({ ...renamed, ...changes }, inHandbook);
    expect(run.api.posts).toEqual([]);
    expect(run.outputs['message']).toBe(
      'Nothing was started, because this run may belong to an open pull request, and pull request acme/docs#12 could not be read, because GitHub responded with 500: run the workflow again later.',
    );
  });
});

it('a new job in a renamed repository is not said to be missed by the next run', async () => {
  const nothing = { status: 200, body: [] };
  const changes = {
    'GET /repos/acme/handbook/issues': nothing,
    'GET /repos/acme/handbook/issues/12/comments': nothing,
  };
  const run = await runWithLabel({ ...renamed, ...changes }, inHandbook);
  expect(run.api.posts).toEqual([create]);
  expect(annotations(run, 'warning')).toEqual([]);
  const [comment] = run.sent('POST /repos/acme/handbook/issues/12/comments');
  expect(markIn(comment?.['body'], 'acme/handbook#12')).toMatchObject({ round: 1 });
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
