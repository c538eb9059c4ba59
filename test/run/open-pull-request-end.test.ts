import { describe, expect, it } from 'vitest';
import { annotations, type EventRun, runWithLabel } from '../helpers/run.ts';
import {
  active,
  create,
  followUp,
  githubError,
  jobBody,
  listedPull,
  marked,
  markIn,
  newHead,
  none,
  notFound,
  ok,
  oldHead,
  oneJob,
  open,
  pullBody,
  type Reply,
  type Routes,
  refusal,
  reset,
  routes,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

/** GitHub lists the pull request as open, and a moment later it is not. */
const closed: Routes = {
  ...open,
  [routes.pull]: ok(pullBody(oldHead, { state: 'closed' })),
};

describe('a pull request that is merged or closed after it was found', () => {
  const notice = 'acme/docs#12 has just been merged or closed.';

  it('is not continued: a new job is started', async () => {
    const run = await runWithLabel(closed, {}, (github) => [
      ...oneJob(github, { id: 'job_new', prLink: `${github.url}/acme/docs/pull/13` }),
    ]);
    expect(run.api.calls[0]).toBe(create);
    expect(run.outputs).toMatchObject({ 'job-source': 'created', 'pr-number': '13' });
    expect(annotations(run, 'notice')).toContainEqual(expect.stringContaining(notice));
  });

  it('does not hide an older one that is still open', async () => {
    const run = await runWithLabel(
      {
        ...closed,
        [routes.labelled]: ok([listedPull(12), listedPull(11)]),
        'GET /repos/acme/docs/issues/11/comments': ok([marked({ jobId: 'job_7e1' })]),
        'GET /repos/acme/docs/pulls/11': [
          ok(pullBody(oldHead, { number: 11 })),
          ok(pullBody(newHead, { number: 11 })),
        ],
        'GET /repos/acme/docs/pulls/11/files': ok([]),
      },
      {},
      twoJobs,
    );
    expect(run.api.posts).toEqual(['POST /v2/agent/acme/job/job_7e1/message']);
    expect(annotations(run, 'notice')).toContainEqual(expect.stringContaining(notice));
    expect(run.outputs['pr-number']).toBe('11');
  });
});

it('a pull request that is merged while its job works on it is warned of', async () => {
  const run = await runWithLabel({
    ...open,
    [routes.pull]: [ok(pullBody(oldHead)), ok(pullBody(newHead, { state: 'closed' }))],
  });
  expect(run.outputs['result']).toBe('pull-request');
  expect(annotations(run, 'warning')).toEqual([
    'acme/docs#12 is merged or closed by now, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.',
  ]);
  expect(run.summary).toContain('</code> is merged or closed by now');
  expect(run.outputs['message']).toContain('; it is merged or closed by now: ');
  expect(run.summary).not.toContain('**Next:**');
  const [comment] = run.sent(routes.edit);
  expect(comment?.['body']).toContain('</code> is merged or closed by now');
  expect(comment?.['body']).not.toContain('The next run continues');
});

it('a pull request that is merged is warned of, although its repository has another name by now', async () => {
  const run = await runWithLabel(
    {
      ...open,
      [routes.pull]: ok(
        pullBody(oldHead, {
          base: { ref: 'main', repo: { private: false, full_name: 'acme/handbook' } },
        }),
      ),
      'GET /repos/acme/handbook/issues/12/comments': ok([]),
      'GET /repos/acme/handbook/pulls/12': ok(pullBody(newHead, { state: 'closed' })),
      'GET /repos/acme/handbook/pulls/12/files': ok([]),
    },
    {},
    (github) => oneJob(github, { prLink: `${github.url}/acme/handbook/pull/12` }),
  );
  expect(annotations(run, 'warning')).toContainEqual(
    expect.stringContaining('acme/handbook#12 is merged or closed by now'),
  );
});

it('a new pull request that is merged before the last poll is not to be reviewed any more', async () => {
  const run = await runWithLabel({
    ...none,
    [routes.pull]: ok(pullBody(oldHead, { state: 'closed' })),
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
      [routes.labelled]: ok([listedPull(12, { html_url })]),
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
    expect(markIn(edit?.['body'])).toMatchObject({ last: { head: newHead } });
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
      'the open pull requests of acme/docs could not be read, because GitHub responded with 301: check the proxy and the firewall between this runner and GitHub.',
    );
  });
});

/** Jobs that fail or are archived, and have a pull request all the same. */

const withoutPort = (text = '') => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');

const ended = ({ url }: ScriptedGitHub, status: string): Reply =>
  ok(jobBody({ status, prLink: `${url}/acme/docs/pull/12` }));

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
    expect(markIn(comment?.['body'])).toMatchObject({ jobId: 'job_8f2' });
    expect(run.summary).toContain('sends the prompt to this job again.');
  });

  it('failed: warns if the label cannot be put there', async () => {
    const denied = githubError(403, 'Resource not accessible');
    const run = await runWithLabel({ ...none, [routes.putLabel]: denied }, {}, (github) => [
      { status: 201, body: jobBody() },
      ended(github, 'failed'),
    ]);
    expect(annotations(run, 'warning')).toEqual([
      expect.stringMatching(
        /^The label "docs" or our comment could not be left on acme\/docs#12, /,
      ),
    ]);
  });

  it.each(['failed', 'archived'])('%s: gets the next prompt as a follow-up', async (status) => {
    const run = await runWithLabel(open, {}, (github) => [
      ended(github, status),
      ended(github, status),
      ok(jobBody()),
      ended(github, 'completed'),
    ]);
    expect(run.api.posts).toEqual([followUp]);
    expect(run.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'followed-up' });
  });
});

/** A second pull request, which a job opens instead of continuing the first one. */
const another: Routes = {
  ...open,
  [routes.pull]: ok(pullBody(oldHead)),
  'GET /repos/acme/docs/pulls/13': ok(pullBody(newHead, { number: 13 })),
  'GET /repos/acme/docs/pulls/13/files': ok([]),
  'GET /repos/acme/docs/issues/13/comments': ok([]),
  'POST /repos/acme/docs/issues/13/labels': ok([]),
  'POST /repos/acme/docs/issues/13/comments': { status: 201, body: { id: 700 } },
};

describe('a follow-up that the API refuses', () => {
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
      ok({ id: 'job_new', status: 'completed', prLink }),
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
    expect(run.outputs).not.toHaveProperty('model');
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
        ok(jobBody({ id: 'job_new', status: 'completed' })),
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

/** A job that gets a follow-up, and opens pull request 13 beside the one it had. */
function opensAnother({ url }: ScriptedGitHub): readonly Reply[] {
  const reply = (status: string, number: number): Reply =>
    ok(jobBody({ status, prLink: `${url}/acme/docs/pull/${number}` }));
  return [
    reply('completed', 12),
    reply('completed', 12),
    reply('active', 12),
    reply('completed', 13),
  ];
}

it('a job that opens another pull request does not continue its own, and says so', async () => {
  const run = await runWithLabel(another, {}, opensAnother);
  expect(run.outputs).toMatchObject({ result: 'pull-request', 'pr-number': '13' });
  expect(withoutPort(run.outputs['message'] ?? '')).toBe(
    'Job job_8f2 completed and opened a new pull request instead of continuing acme/docs#12: http://HOST/acme/docs/pull/13',
  );
  expect(run.summary).toMatch(/^### ✅ Pull request opened\n/);
  const line =
    'The job opened this pull request instead of continuing <a href="http://HOST/acme/docs/pull/12"><code>acme/docs&#35;12</code></a>.';
  expect(withoutPort(run.summary)).toContain(line);
  expect(run.summary).not.toMatch(/this run changed/);
  expect(run.summary).toContain('**Next:** Review the pull request before it is merged.');
  const body = withoutPort(
    String(run.sent('POST /repos/acme/docs/issues/13/comments')[0]?.['body']),
  );
  expect(body).toMatch(/^The docs agent opened this pull request: see /);
  expect(body).toContain(line);
});

describe('a state that is equal to the one before the follow-up', () => {
  const linked = ({ url }: ScriptedGitHub) => ({ prLink: `${url}/acme/docs/pull/12` });
  const answers =
    (...statuses: readonly string[]) =>
    (github: ScriptedGitHub) =>
      statuses.map((status) => ok(jobBody({ status, ...(status !== 'active' && linked(github)) })));

  it('is not the end, although the job was active before', async () => {
    // Two reads find the job, and the third response is that to the follow-up.
    const script = answers('completed', 'completed', 'active', 'active', 'completed', 'active');
    const run = await runWithLabel(open, {}, (github) => [
      ...script(github),
      ok(jobBody({ status: 'failed', ...linked(github) })),
    ]);
    expect(run.outputs).toMatchObject({ status: 'failed', result: 'failed' });
    expect(run.exitCode).toBe(1);
  });

  it('is the end ten minutes later', async () => {
    const run = await runWithLabel(
      { ...open, [routes.pull]: ok(pullBody(oldHead)) },
      {},
      answers('completed'),
    );
    expect(run.outputs).toMatchObject({ result: 'pull-request', 'duration-seconds': '602' });
    // The agent may begin later.
    expect(run.outputs['message']).toMatch(/^Job job_8f2 has completed and has a pull request: /);
    expect(markIn(run.sent(routes.edit)[0]?.['body'])).toMatchObject({ last: { head: '' } });
    expect(run.stdout).toContain('Job job_8f2 has completed after 10 min');
  });

  it('without a link is of the pull request that led to the job', async () => {
    const script = () => [ok(jobBody({ status: 'completed', prLink: null }))];
    const run = await runWithLabel(open, {}, script);
    expect(run.outputs).toMatchObject({
      result: 'pull-request',
      'pr-link': `${run.github.url}/acme/docs/pull/12`,
      'pr-head-sha': newHead,
    });
    expect(run.outputs['message']).toBe(
      `Job job_8f2 completed and continued its pull request: ${run.github.url}/acme/docs/pull/12`,
    );
  });
});

it('a follow-up to the job of an input that adds no commit is not said to continue anything', async () => {
  const inputs = { 'job-id': 'job_8f2', 'pr-label': '', 'on-open-pr': '' };
  const run = await runWithLabel({ ...none, [routes.pull]: ok(pullBody(oldHead)) }, inputs);
  expect(run.outputs['message']).toMatch(
    /^Job job_8f2 completed and added nothing to its pull request: /,
  );
  expect(run.summary).toContain('This run added no commits.');
  const changed = await runWithLabel(none, inputs);
  expect(changed.outputs['message']).toContain(' continued its pull request: ');
  expect(changed.summary).toContain(`/acme/docs/compare/${oldHead}...${newHead}`);
});

it('a job that opens one of the same number elsewhere does not continue its own', async () => {
  const changes = {
    ...open,
    'GET /repos/acme/other/pulls/12': ok(
      pullBody(newHead, {
        base: { ref: 'main', repo: { private: false, full_name: 'acme/other' } },
      }),
    ),
    'GET /repos/acme/other/pulls/12/files': ok([]),
  };
  const run = await runWithLabel(changes, {}, ({ url }) => {
    const before = ok(jobBody({ status: 'completed', prLink: `${url}/acme/docs/pull/12` }));
    const after = ok(jobBody({ status: 'completed', prLink: `${url}/acme/other/pull/12` }));
    return [before, before, active, after];
  });
  expect(withoutPort(run.outputs['message'] ?? '')).toBe(
    'Job job_8f2 completed and opened a new pull request instead of continuing acme/docs#12: http://HOST/acme/other/pull/12',
  );
});

/** A job that has its pull request, and keeps working on a follow-up, which shows at the given poll. */
const busy =
  (visibleAfter = 0) =>
  ({ url }: ScriptedGitHub): readonly Reply[] => {
    const prLink = `${url}/acme/docs/pull/12`;
    const before: Reply = ok(jobBody({ status: 'completed', prLink }));
    const stale = Array.from({ length: 3 + visibleAfter }, () => before);
    return [...stale, ok(jobBody({ status: 'active' }))];
  };

const proven = (url: string) => ({
  'pr-link': `${url}/acme/docs/pull/12`,
  'pr-number': '12',
  'pr-repository': 'acme/docs',
});

describe('a run that ends before the job has continued its pull request', () => {
  it.each([0, 2])('has its link when it times out', async (visibleAfter) => {
    const run = await runWithLabel(open, { 'wait-minutes': '1' }, busy(visibleAfter));
    expect(run.outputs).toMatchObject({
      result: 'timed-out',
      status: 'active',
      ...proven(run.github.url),
    });
    expect(run.summary).toContain('Pull request: <a href=');
    expect(run.stdout).not.toContain('has completed');
  });

  it.each([
    [2, / Job job_8f2 was running at /, '</code> was running at '],
    [99, / Job job_8f2 may have been running at /, '</code> may have been running at '],
  ])('says whether it has seen the job at work (poll %d)', async (visibleAfter, said, lead) => {
    const run = await runWithLabel(open, { 'wait-minutes': '1' }, busy(visibleAfter));
    expect(run.outputs['message']).toMatch(said);
    expect(run.summary).toContain(lead);
  });

  it('has its link when it does not wait, and does not call the job completed', async () => {
    const run = await runWithLabel(open, { 'wait-minutes': '0' }, busy());
    expect(run.outputs).toMatchObject({
      result: 'running',
      status: 'active',
      ...proven(run.github.url),
    });
    expect(run.summary).toContain('<code>job&#95;8f2</code>, active');
    expect(run.summary).not.toContain('completed');
  });

  it('has its link when it is cancelled', async () => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.includes('sent a follow-up')) kill('SIGINT');
    };
    const run = await runWithLabel(open, {}, busy(), { onLine });
    expect(run.outputs).toMatchObject({ result: 'cancelled', ...proven(run.github.url) });
  });

  it('says which label the run needs that waits for a new job', async () => {
    const run = await runWithLabel(none, { 'wait-minutes': '0' });
    expect(run.summary).toContain(
      'run this action with job-id <code>job&#95;8f2</code>, the same pr-label and no prompt.',
    );
    expect(run.count(routes.putLabel)).toBe(0);
  });
});

/** A token without a permission that only the next run needs. */

const refused = githubError(403, 'Resource not accessible by integration');
const needed = 'the permissions "issues: write" and "pull-requests: write"';

describe('a pull request that the token may not read', () => {
  const unread: Routes = { ...none, [routes.pull]: refused, [routes.files]: refused };
  const sentence = `The title and files of pull request acme/docs#12 could not be read, because GitHub responded with 403 ("Resource not accessible by integration"): give docs-token ${needed} on acme/docs.`;

  it.each(['new', 'continue'])(
    'is a warning in the log and the summary if a later run has to read it, with on-open-pr %s',
    async (onOpen) => {
      const run = await runWithLabel(unread, { 'on-open-pr': onOpen });
      expect(run.outputs['result']).toBe('pull-request');
      expect(annotations(run, 'warning')).toEqual([sentence]);
      expect(run.summary).toMatch(/^⚠️ The title and files of pull request .* could not be read/m);
    },
  );

  it('is a line of the log without a label', async () => {
    const run = await runWithLabel(unread, { 'pr-label': '', 'on-open-pr': '' });
    expect(annotations(run, 'warning')).toEqual([]);
    expect(run.stdout).toContain(
      'could not be read, because GitHub responded with 403 ("Resource not accessible by integration"): give docs-token the permission "pull-requests: read" on acme/docs.',
    );
  });

  it('of a private repository asks for a token with all that it needs', async () => {
    const hidden = notFound;
    const run = await runWithLabel(
      { ...none, [routes.pull]: hidden, [routes.files]: hidden },
      { 'on-open-pr': 'new' },
    );
    expect(run.stdout).toContain(
      `docs-token is empty, and this workflow's own token sees no repository acme/docs, so if that is its name, create a fine-grained token for it that has ${needed}, store it`,
    );
  });

  it('is looked for with an empty token, which says what a token needs', async () => {
    const run = await runWithLabel(none, { 'github-token': '' });
    expect(run.outputs['message']).toBe(
      `Nothing was started, because this run may belong to an open pull request, and input docs-token is empty: leave docs-token out, or give it ${needed} on acme/docs.`,
    );
  });
});
