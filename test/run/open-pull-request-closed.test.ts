import { describe, expect, it } from 'vitest';
import { annotations, runWithLabel } from '../helpers/run.ts';
import {
  create,
  jobBody,
  listedPull,
  marked,
  markIn,
  newHead,
  none,
  oldHead,
  oneJob,
  open,
  pullBody,
  type Reply,
  type Routes,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

/** GitHub lists the pull request as open, and a moment later it is not. */
const closed: Routes = {
  ...open,
  [routes.pull]: { status: 200, body: pullBody(oldHead, { state: 'closed' }) },
};

describe('a pull request that is merged or closed after it was found', () => {
  const notice = 'acme/docs#12 is not continued, because it has just been merged or closed.';

  it('is not continued: a new job is started', async () => {
    const run = await runWithLabel(closed, {}, (github) => [
      {
        status: 200,
        body: jobBody({ status: 'completed', prLink: `${github.url}/acme/docs/pull/12` }),
      },
      ...oneJob(github, { id: 'job_new', prLink: `${github.url}/acme/docs/pull/13` }),
    ]);
    expect(run.api.posts).toEqual([create]);
    expect(run.outputs).toMatchObject({ 'job-source': 'created', 'pr-number': '13' });
    expect(annotations(run, 'notice')).toContain(notice);
  });

  it('does not hide an older one that is still open', async () => {
    const run = await runWithLabel(
      {
        ...closed,
        [routes.labelled]: { status: 200, body: [listedPull(12), listedPull(11)] },
        'GET /repos/acme/docs/issues/11/comments': {
          status: 200,
          body: [marked({ jobId: 'job_7e1', place: 'acme/docs#11' })],
        },
        'GET /repos/acme/docs/pulls/11': [
          { status: 200, body: pullBody(oldHead, { number: 11 }) },
          { status: 200, body: pullBody(newHead, { number: 11 }) },
        ],
        'GET /repos/acme/docs/pulls/11/files': { status: 200, body: [] },
      },
      {},
      twoJobs,
    );
    expect(run.api.posts).toEqual(['POST /v2/agent/acme/job/job_7e1/message']);
    expect(annotations(run, 'notice')).toContain(notice);
    expect(run.outputs['pr-number']).toBe('11');
  });
});

it('a pull request that is merged while its job works on it is warned of', async () => {
  const run = await runWithLabel({
    ...open,
    [routes.pull]: [
      { status: 200, body: pullBody(oldHead) },
      { status: 200, body: pullBody(newHead, { state: 'closed' }) },
    ],
  });
  expect(run.outputs['result']).toBe('pull-request');
  expect(annotations(run, 'warning')).toEqual([
    'acme/docs#12 was merged or closed while its job worked on it, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.',
  ]);
  expect(run.summary).toContain('</code> was merged or closed while its job worked on it');
  expect(run.outputs['message']).toContain('; it is merged or closed by now: ');
  expect(run.summary).toContain('**Next:** Compare its branch with the base branch');
  const [comment] = run.sent(routes.edit);
  expect(comment?.['body']).toContain('</code> was merged or closed while its job worked on it');
  expect(comment?.['body']).not.toContain('The next run continues');
});

it('a pull request that is merged is warned of, although its repository has another name by now', async () => {
  const run = await runWithLabel(
    {
      ...open,
      [routes.labelled]: (request, response) => {
        const html_url = `http://${request.headers.host}/acme/handbook/pull/12`;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify([listedPull(12, { html_url })]));
      },
      'GET /repos/acme/handbook/issues/12/comments': { status: 200, body: [] },
      'GET /repos/acme/handbook/pulls/12': {
        status: 200,
        body: pullBody(newHead, { state: 'closed' }),
      },
      'GET /repos/acme/handbook/pulls/12/files': { status: 200, body: [] },
    },
    {},
    (github) => oneJob(github, { prLink: `${github.url}/acme/handbook/pull/12` }),
  );
  expect(annotations(run, 'warning')).toContainEqual(
    expect.stringContaining('acme/handbook#12 was merged or closed while its job worked on it'),
  );
});

it('a new pull request that is merged before the last poll is not to be reviewed any more', async () => {
  const run = await runWithLabel({
    ...none,
    [routes.pull]: { status: 200, body: pullBody(oldHead, { state: 'closed' }) },
  });
  expect(run.outputs['message']).toMatch(
    /^Job job_8f2 completed and opened a pull request; it is merged or closed by now: /,
  );
  expect(run.summary).not.toContain('Review the pull request');
  const [comment] = run.sent(routes.comment);
  expect(comment?.['body']).toContain('The docs agent opened this pull request');
  expect(comment?.['body']).not.toContain('The next run continues');
});

/** An API with the jobs of the two pull requests. */
function twoJobs({ url }: ScriptedGitHub) {
  let status = 'completed';
  const reply: Reply = (request, response) => {
    const isOlder = request.url?.includes('job_7e1') === true;
    const fields = isOlder
      ? { id: 'job_7e1', prLink: `${url}/acme/docs/pull/11` }
      : { prLink: `${url}/acme/docs/pull/12` };
    status = request.method === 'POST' ? 'active' : status;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jobBody({ status, ...fields })));
    status = 'completed';
  };
  return [reply];
}

describe('a repository that was transferred', () => {
  const old = '/repos/acme/docs/';
  const moved = '/repositories/9/';
  const redirect: Reply = (request, response) => {
    const status = request.method === 'GET' ? 301 : 307;
    response.writeHead(status, { location: request.url?.replace(old, moved) });
    response.end();
  };

  it('is followed to its new place, at every request', async () => {
    const html_url = 'https://github.example/new-owner/docs/pull/12';
    const there: Routes = {
      ...open,
      [routes.labelled]: { status: 200, body: [listedPull(12, { html_url })] },
    };
    const redirected = Object.keys(there).filter((route) => route.includes(old));
    const run = await runWithLabel({
      ...Object.fromEntries(
        Object.entries(there).map(([route, reply]) => [route.replace(old, moved), reply]),
      ),
      ...Object.fromEntries(redirected.map((route) => [route, redirect])),
    });
    expect(run.api.posts).toEqual(['POST /v2/agent/acme/job/job_8f2/message']);
    const [edit] = run.sent(routes.edit.replace(old, moved));
    expect(markIn(edit?.['body'])).toMatchObject({ round: 2 });
    expect(annotations(run, 'warning')).toEqual([]);
  });

  it('to another host is not followed with the token, and nothing is started', async () => {
    const location = 'https://elsewhere.example/repositories/9/issues';
    const run = await runWithLabel({
      ...open,
      [routes.labelled]: { status: 301, headers: { location }, body: {} },
    });
    expect(run.api.calls).toEqual([]);
    expect(run.outputs['message']).toContain(
      'the open pull requests of acme/docs could not be read, because GitHub responded with 301: run the workflow again later.',
    );
  });
});

describe('a locked conversation', () => {
  it('keeps the comment of before, by which the next run finds the pull request', async () => {
    const message = 'Unable to update comment because issue is locked.';
    const run = await runWithLabel({
      ...open,
      [routes.edit]: { status: 403, body: { message } },
    });
    expect(run.outputs['result']).toBe('pull-request');
    expect(annotations(run, 'warning')).toEqual([
      `The comment on acme/docs#12 that the next run needs could not be written, because GitHub responded with 403 ("${message}"): give docs-token the permissions "issues: write" and "pull-requests: write" on acme/docs, and check that its conversation is not locked, because otherwise the next run may miss this pull request and start a second job.`,
    ]);
  });
});
