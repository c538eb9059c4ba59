import { describe, expect, it } from 'vitest';
import { annotations, type GitHubRun, runWithLabel } from '../helpers/run.ts';
import {
  bot,
  create,
  followUp,
  githubError,
  jobBody,
  json,
  listedPull,
  livingThread,
  marked,
  markIn,
  newHead,
  none,
  notFound,
  ok,
  oldHead,
  oneJob,
  oneJobTried,
  open,
  pullBody,
  type Reply,
  type Routes,
  refusal,
  reset,
  routes,
  type ScriptedGitHub,
  silence,
} from '../helpers/servers.ts';

/** The requests to GitHub, in alphabetical order. */
const callsOf = ({ github }: GitHubRun) =>
  github.calls.map((call) => call.split('?')[0]).toSorted();

const withoutPort = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');

describe('a job that opened a pull request', () => {
  it('leaves the label and one short comment on it', async () => {
    const run = await runWithLabel(none);
    expect(run.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'created' });
    expect(run.sent(routes.putLabel)).toEqual([{ labels: ['docs'] }]);
    expect(callsOf(run)).toEqual([
      routes.labelled,
      routes.comments,
      routes.pull,
      routes.files,
      routes.comment,
      routes.putLabel,
    ]);
    const [comment] = run.sent(routes.comment);
    expect(
      withoutPort(String(comment?.['body'])).replace(
        /(?<=<!-- docs-agent-action-[a-z-]+ ){.*}/,
        'JSON',
      ),
    ).toMatchInlineSnapshot(`
      "The docs agent opened this pull request: see <a href="http://HOST/acme/product/actions/runs/1001">a run</a> of <code>acme/product</code>. Its job is <code>job&#95;8f2</code>.

      The next run continues in this pull request as long as it is open and has the label <code>docs</code>. Take the label off to make this pull request your own.

      <!-- docs-agent-action-pull-request JSON -->
      "
    `);
    expect(markIn(comment?.['body'])).toEqual({
      jobId: 'job_8f2',
      last: { id: expect.stringMatching(/^0[\da-z]{8}\.[\da-f]{8}$/), head: oldHead },
      source: { id: '', name: 'acme/product' },
    });
    expect(annotations(run, 'warning')).toEqual([]);
  });

  it.each<[string, Routes, string]>([
    [
      'the label',
      { [routes.putLabel]: githubError(403, 'Resource not accessible') },
      'The label "docs" or our comment could not be left on acme/docs#12, because GitHub responded with 403 ("Resource not accessible"): give docs-token the permissions "issues: write" and "pull-requests: write" on acme/docs, and check that the conversation is not locked, because otherwise the next run may miss this pull request and start a second job.',
    ],
    [
      'the comment',
      { [routes.comment]: githubError(403, 'Locked') },
      'The label "docs" or our comment could not be left on acme/docs#12, because GitHub responded with 403 ("Locked"): give docs-token the permissions "issues: write" and "pull-requests: write" on acme/docs, and check that the conversation is not locked, because otherwise the next run may miss this pull request and start a second job.',
    ],
    [
      'a comment that a rate limit forbids for an hour',
      { [routes.comment]: { status: 429, headers: { 'retry-after': '3600' } } },
      'The label "docs" or our comment could not be left on acme/docs#12, because GitHub responded with 429: check that both are there, because otherwise the next run may miss this pull request and start a second job.',
    ],
    [
      'a broken comment',
      { [routes.comment]: { status: 502 } },
      'The label "docs" or our comment could not be left on acme/docs#12, because GitHub responded with 502: check that both are there, because otherwise the next run may miss this pull request and start a second job.',
    ],
  ])('passes with one warning if GitHub refuses %s', async (_name, changes, sentence) => {
    const run = await runWithLabel({ ...none, ...changes });
    expect(run.exitCode).toBe(0);
    expect(run.outputs['result']).toBe('pull-request');
    expect(annotations(run, 'warning')).toEqual([sentence]);
    expect(run.summary).toMatch(/^⚠️ The label .* on <code>acme\/docs&#35;12<\/code>/m);
    expect(run.count(routes.comment)).toBeLessThan(2);
  });

  it('on another server is one that the next run will not find', async () => {
    const run = await runWithLabel(none, {}, (github) =>
      oneJob(github, { prLink: 'https://gitlab.example/acme/docs/-/merge_requests/12' }),
    );
    expect(annotations(run, 'warning')).toEqual([
      'The pull request is on another server than this run, so the next run will not find it, and will start a second job: set on-open-pr to "new".',
    ]);
  });

  it("names the token that the step has, where that is the workflow's own", async () => {
    const denied = githubError(403, 'Resource not accessible');
    const here = Object.entries({ ...none, [routes.putLabel]: denied }).map(
      ([route, reply]) => [route.replace('/acme/docs/', '/acme/product/'), reply] as const,
    );
    const listing = { 'GET /repos/acme/product/issues': ok([]) };
    const run = await runWithLabel(
      { ...Object.fromEntries(here), ...listing },
      { 'docs-repository': '' },
      (github) => oneJob(github, { prLink: `${github.url}/acme/product/pull/12` }),
    );
    expect(annotations(run, 'warning')).toEqual([
      expect.stringContaining(
        ': give github-token the permissions "issues: write" and "pull-requests: write" on acme/product',
      ),
    ]);
  });

  it('is marked by the run that waits on for it', async () => {
    const run = await runWithLabel(none, { prompt: '', 'job-id': 'job_8f2' });
    expect(run.outputs['job-source']).toBe('attached');
    expect(run.count(routes.putLabel)).toBe(1);
    expect(run.count(routes.comment)).toBe(1);
  });

  it('is marked once, however often a step waits for it', async () => {
    const routesNow = {
      ...open,
      [routes.pull]: ok(pullBody(oldHead)),
    };
    const run = await runWithLabel(routesNow, { prompt: '', 'job-id': 'job_8f2' });
    expect(run.count(routes.putLabel) + run.count(routes.comment) + run.count(routes.edit)).toBe(0);
  });

  it('is left alone without a label', async () => {
    const run = await runWithLabel(none, { 'pr-label': '', 'on-open-pr': '' });
    expect(run.github.calls.filter((call) => !call.includes('/pulls/'))).toEqual([]);
  });
});

describe('an open pull request', () => {
  it('gets the prompt as a follow-up to its job', async () => {
    const run = await runWithLabel(open);
    expect(run.api.posts).toEqual([followUp]);
    expect(run.outputs).toMatchObject({
      result: 'pull-request',
      'job-source': 'followed-up',
      'job-id': 'job_8f2',
      'pr-number': '12',
    });
    expect(callsOf(run)).toEqual([
      routes.labelled,
      routes.comments,
      routes.comments,
      routes.pull,
      routes.pull,
      routes.files,
      routes.edit,
      'POST /graphql',
    ]);
    expect(String(run.sent(routes.edit)[0]?.['body'])).toMatch(
      /^The docs agent continued this pull request: see /,
    );
    expect(markIn(run.sent(routes.edit)[0]?.['body'])).toMatchObject({ last: { head: newHead } });
    expect(annotations(run, 'warning')).toEqual([]);
  });

  it('whose job is still active is found', async () => {
    const run = await runWithLabel(open, {}, (github) => [
      ok(jobBody({ status: 'active', prLink: null })),
      ...oneJob(github),
    ]);
    expect(run.outputs['job-source']).toBe('followed-up');
    expect(run.api.posts).toEqual([followUp]);
  });

  it('may be that of an active job which a comment of another App names, so nothing is started', async () => {
    const run = await runWithLabel(
      { ...open, [routes.comments]: ok([marked({ author: 'docs-agent[bot]' })]) },
      {},
      () => [ok(jobBody({ status: 'active', prLink: null }))],
    );
    expect(run.outputs).toMatchObject({ result: 'error', reason: 'pull-request-unreadable' });
    expect(run.outputs['message']).toContain(
      'job job_8f2, which a comment on pull request acme/docs#12 names, still runs, and Mintlify does not say which pull request it works on: run the workflow again when that job has ended.',
    );
    expect(run.api.posts).toEqual([]);
  });

  it('is said to be continued, not to be new', async () => {
    const run = await runWithLabel(open);
    const sentence = `Job job_8f2 completed and continued its pull request: ${run.github.url}/acme/docs/pull/12`;
    expect(run.outputs['message']).toBe(sentence);
    expect(run.stdout).toContain(sentence);
    expect(run.summary).toMatch(/^### ✅ Pull request continued\n/);
    expect(run.summary).toContain('**Next:** Review the pull request before it is merged.');
    expect(run.stdout + run.summary).not.toMatch(/opened a pull request|Pull request opened/);
  });

  it('that got nothing new is said to be unchanged', async () => {
    const run = await runWithLabel({
      ...open,
      [routes.pull]: ok(pullBody(oldHead)),
    });
    expect(run.outputs['message']).toMatch(
      /^Job job_8f2 completed and added nothing to its pull request: /,
    );
    expect(run.summary).toMatch(/^### ✅ Pull request unchanged\n/);
    expect(String(run.sent(routes.edit)[0]?.['body'])).toMatch(
      /^The docs agent left this pull request unchanged: see /,
    );
  });

  it('is said to be continued without a label too', async () => {
    const run = await runWithLabel(none, { 'job-id': 'job_8f2', 'pr-label': '', 'on-open-pr': '' });
    expect(run.outputs['message']).toMatch(
      /^Job job_8f2 completed and continued its pull request: /,
    );
  });

  it('keeps a run that is to skip from starting anything', async () => {
    const run = await runWithLabel(open, { 'on-open-pr': 'skip' });
    expect(run.api.calls).toEqual(['GET /v2/agent/acme/job/job_8f2']);
    expect(run.exitCode).toBe(0);
    expect(run.outputs).toMatchObject({
      result: 'skipped',
      reason: 'pull-request-open',
      'pr-link': `${run.github.url}/acme/docs/pull/12`,
      'pr-number': '12',
    });
    expect(annotations(run, 'notice').map(withoutPort)).toEqual([
      'Nothing was started, because the pull request of an earlier run is still open: merge or close http://HOST/acme/docs/pull/12, or take the label "docs" off it, and then run the workflow again.',
    ]);
    expect(callsOf(run)).toEqual([routes.labelled, routes.comments, routes.pull]);
  });

  it('does not matter to a run that starts a new job all the same', async () => {
    const run = await runWithLabel(open, { 'on-open-pr': 'new' });
    expect(run.api.posts).toEqual([create]);
    expect(run.count(routes.labelled)).toBe(0);
  });

  it.each(['docs refresh', '🤖 docs & "more"', 'docs+c/d?e=#1%'])(
    'is found by the label %s',
    async (label) => {
      const run = await runWithLabel(open, { 'pr-label': label, 'on-open-pr': 'skip' });
      const [call = ''] = run.github.calls;
      const { searchParams } = new URL(call.slice('GET '.length), run.github.url);
      expect(Object.fromEntries(searchParams)).toEqual({
        state: 'open',
        sort: 'created',
        direction: 'desc',
        labels: label,
        per_page: '100',
        page: '1',
      });
      expect(run.outputs['reason']).toBe('pull-request-open');
    },
  );
});

describe("a labelled pull request that is not provably a job's", () => {
  it('is passed over, with a notice', async () => {
    const run = await runWithLabel(open, {}, (github) => [
      ok(jobBody({ status: 'completed', prLink: `${github.url}/acme/docs/pull/13` })),
      ...oneJob(github, { id: 'job_new' }),
    ]);
    expect(run.api.posts).toEqual([create]);
    expect(annotations(run, 'notice')).toContain(
      'This run starts a new job, because acme/docs#12 was opened by no job that is known to be of this project.',
    );
  });

  it('does not hide an older one that is', async () => {
    const run = await runWithLabel(
      {
        ...open,
        [routes.labelled]: ok([listedPull(14), listedPull(12)]),
        'GET /repos/acme/docs/issues/14/comments': ok([]),
      },
      { 'on-open-pr': 'skip' },
    );
    expect(run.outputs['pr-number']).toBe('12');
    expect(annotations(run, 'notice')[0]).toBe(
      'This run continues in an older one, because acme/docs#14 was opened by no job that is known to be of this project.',
    );
  });

  it.each([
    ['of another App keeps its label as it is', { author: 'docs-agent[bot]' }, 0],
    ['of a colleague keeps its label as it is', { author: 'amy', association: 'MEMBER' }, 0],
    ['of nobody who is known here gets its label anew', { author: 'docs-bot' }, 1],
  ])('whose comment is that %s, and is never changed', async (_name, by, labels) => {
    const comment = marked(by);
    const run = await runWithLabel({ ...open, [routes.comments]: ok([comment]) });
    expect(run.api.posts).toEqual([followUp]);
    expect(run.count(routes.edit)).toBe(0);
    // People may have taken the label off meanwhile.
    expect(run.count(routes.putLabel)).toBe(labels);
    const [added] = run.sent(routes.comment);
    expect(markIn(added?.['body'])).toMatchObject({ jobId: 'job_8f2', last: { head: newHead } });
  });
});

describe('a pull request that our own comment names', () => {
  it('is continued although the API links none', async () => {
    const ended = ok(jobBody({ status: 'completed', prLink: null }));
    const run = await runWithLabel(open, {}, (github) => [ended, ...oneJob(github)]);
    expect(run.api.posts).toEqual([followUp]);
  });

  it('is gone if the API does not know its job any more', async () => {
    const gone = Array.from({ length: 3 }, () => refusal(404));
    const run = await runWithLabel(open, {}, (github) => [...gone, ...oneJob(github)]);
    expect(run.api.posts).toEqual([create]);
    expect(annotations(run, 'notice')).toContain(
      'This run starts a new job, because acme/docs#12 was opened by job job_8f2, which Mintlify does not know any more.',
    );
  });
});

describe('comments of strangers', () => {
  const forged = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      marked({ id: 1000 + index, author: 'stranger', jobId: `job_forged${index}` }),
    );

  /** An API that knows our job and one other, which works on another pull request. */
  const twoJobs = (github: ScriptedGitHub): readonly Reply[] => {
    const [ours] = oneJob(github);
    return [
      (request, response, body) => {
        if (request.url?.includes('job_forged') === true) {
          json(response, { error: 'Job not found' }, 404);
        } else if (request.url?.endsWith('/job_other') === true) {
          json(response, jobBody({ id: 'job_other', status: 'active' }));
        } else if (typeof ours === 'function') {
          ours(request, response, body);
        }
      },
    ];
  };
  const run = (comments: readonly unknown[], inputs: Readonly<Record<string, string>> = {}) =>
    runWithLabel({ ...open, [routes.comments]: ok(comments) }, inputs, twoJobs);
  const evil = { id: '666', name: 'evil/product' };

  it.each([
    ['are asked for after ours', [...forged(25), marked()]],
    ['are asked for after that of another token', [...forged(25), marked({ author: 'app[bot]' })]],
    [
      'about the same job do not say who asked for it',
      [marked({ id: 1, author: 'stranger', source: evil }), marked()],
    ],
    [
      'about the same job do not say so either if another token wrote ours',
      [marked({ id: 1, author: 'stranger', source: evil }), marked({ author: 'app[bot]' })],
    ],
    [
      'about a job that is active do not stop a run',
      [marked({ id: 1, author: 'stranger', jobId: 'job_other' }), marked()],
    ],
  ])('%s', async (_name, comments) => {
    const result = await run(comments);
    expect(result.api.posts).toEqual([followUp]);
    expect(result.api.calls[0]).toBe('GET /v2/agent/acme/job/job_8f2');
    const skipped = await run(comments, { 'on-open-pr': 'skip' });
    expect(skipped.outputs).toMatchObject({ result: 'skipped', reason: 'pull-request-open' });
  });

  it.each([
    ['25 jobs that nobody knows', forged(25), 5],
    ['a job that works on something else', [marked({ author: 'stranger', jobId: 'job_other' })], 1],
  ])('do not stop a run if a person has put the label there, and they name %s', async (...row) => {
    const [, comments, count] = row;
    for (const onOpen of ['continue', 'skip']) {
      const result = await run(comments, { 'on-open-pr': onOpen });
      expect(result.api.posts).toEqual([create]);
      const asked = result.api.calls.indexOf(create);
      expect(asked).toBe(count);
    }
  });

  it('do not keep the label off a pull request that a job has just opened', async () => {
    const comments = [marked({ author: 'stranger', head: oldHead })];
    const result = await runWithLabel({ ...none, [routes.comments]: ok(comments) });
    expect(result.count(routes.putLabel)).toBe(1);
    expect(result.count(routes.comment)).toBe(1);
  });
});

it('a token that relieves another one finds its pull request, and pays once', async () => {
  const thread = livingThread('/repos/acme/docs/issues/12/comments');
  const login = (name: string): Routes => ({
    'POST /graphql': ok({ data: { viewer: { login: name } } }),
  });
  let runId = 1000;
  const day = (routesNow: Routes) => {
    runId += 1;
    const env = { GITHUB_RUN_ID: String(runId) };
    return runWithLabel({ ...open, ...thread.routes, ...routesNow }, {}, oneJob, { env });
  };
  const first = await day({ [routes.labelled]: ok([]), ...login('docs-app[bot]') });
  expect(first.api.posts).toEqual([create]);
  Object.assign(thread.comments[0] ?? {}, { user: { login: 'docs-app[bot]', type: 'Bot' } });
  for (const name of [bot, 'docs-app[bot]', bot]) {
    const next = await day(login(name));
    expect(next.api.posts).toEqual([followUp]);
  }
  expect(thread.comments).toHaveLength(2);
});

it('a new API key finds the pull request of the old one', async () => {
  const run = await runWithLabel(open, { 'api-key': 'mint_new' });
  expect(run.api.posts).toEqual([followUp]);
  expect(markIn(run.sent(routes.edit)[0]?.['body'])).toMatchObject({ last: { head: newHead } });
});

describe('a label that much else has', () => {
  it('on issues does not hide an older pull request', async () => {
    const issues = Array.from({ length: 100 }, (_, index) =>
      listedPull(500 - index, { pull_request: null }),
    );
    const run = await runWithLabel(
      {
        ...open,
        [routes.labelled]: [ok(issues), ok([listedPull()])],
      },
      { 'on-open-pr': 'skip' },
    );
    expect(run.outputs['reason']).toBe('pull-request-open');
    expect(run.count(routes.labelled)).toBe(2);
  });
});

describe('when GitHub or the API does not tell', () => {
  const refused = githubError(403, 'Resource not accessible by integration');
  const silent = 'GitHub did not respond in time: re-run the workflow later.';
  const permissions =
    'give docs-token the permissions "issues: write" and "pull-requests: write" on acme/docs';

  it.each<[string, Routes, string]>([
    [
      'the list is refused',
      { [routes.labelled]: refused },
      `the open pull requests of acme/docs could not be read, because GitHub responded with 403 ("Resource not accessible by integration"): ${permissions}.`,
    ],
    [
      'the repository is unknown',
      { [routes.labelled]: notFound },
      'the open pull requests of acme/docs could not be read, because GitHub responded with 404 ("Not Found"): docs-token is empty, and this workflow\'s own token sees no repository acme/docs, so if that is its name, create a fine-grained token for it that has the permissions "issues: write" and "pull-requests: write", store it as a secret, and set docs-token to it.',
    ],
    [
      'the comments get no response',
      { [routes.comments]: silence },
      `the comments on pull request acme/docs#12 could not be read, because ${silent}`,
    ],
  ])('nothing is started: %s', async (_name, changes, problem) => {
    const run = await runWithLabel({ ...open, ...changes });
    expect(run.api.posts).toEqual([]);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ result: 'error', reason: 'pull-request-unreadable' });
    expect(run.outputs['message']).toBe(
      `Nothing was started, because this run may belong to an open pull request, and ${problem}`,
    );
  });

  it.each([
    [401, 'key-refused', 'it does not accept the API key, so create a new admin key'],
    [403, 'forbidden', 'create another admin key'],
    [429, 'rate-limited', 'the limits of a project are 100 new jobs'],
  ])(
    'nothing is started if the API refuses the key with %d, and that is the reason',
    async (...row) => {
      const [status, reason, advice] = row;
      const run = await runWithLabel(open, {}, () => [refusal(status)]);
      expect(run.api.posts).toEqual([]);
      expect(run.outputs).toMatchObject({ result: 'error', reason });
      expect(run.outputs['message']).toMatch(/^The API at /);
      expect(run.outputs['message']).toContain(advice);
    },
  );

  it('nothing is started if the API sends something else than the job', async () => {
    const run = await runWithLabel(open, {}, () => [{ status: 302, headers: { location: '/' } }]);
    expect(run.api.posts).toEqual([]);
    expect(run.outputs).toMatchObject({ result: 'error', reason: 'pull-request-unreadable' });
  });
});

describe('after a continued job', () => {
  it('links what this run changed', async () => {
    const run = await runWithLabel(open);
    const link = `<a href="${run.github.url}/acme/docs/compare/${oldHead}...${newHead}">See what changed since the prompt was sent</a>.`;
    expect(run.summary).toContain(link);
    expect(run.sent(routes.edit)[0]?.['body']).toContain(link);
  });

  it('a record that cannot be left is a warning, since GitHub may not say whose comment it is', async () => {
    const run = await runWithLabel({ ...open, 'POST /graphql': { status: 502 } });
    expect(run.sent(routes.edit)).toEqual([]);
    expect(annotations(run, 'warning')).toEqual([
      'The label "docs" or our comment could not be left on acme/docs#12, because GitHub does not say which user the token belongs to: check that both are there, because otherwise the next run may miss this pull request and start a second job.',
    ]);
  });
});

describe('a dry run', () => {
  it.each<[string, Routes, string, RegExp]>([
    [
      'it would continue',
      open,
      'continue',
      /Real run: It would send the prompt to job job_8f2 as a follow-up\. This run continues in \S+pull\/12, /,
    ],
    [
      'it would skip',
      open,
      'skip',
      /Real run: It would be skipped\. .* merge or close \S+pull\/12,/,
    ],
    ['it would start a job', none, 'continue', /Real run: It would start a new job\./],
    [
      'it would pass over others',
      { ...open, [routes.comments]: ok([]) },
      'continue',
      /Real run: It would start a new job\. This run starts a new job, because acme\/docs#12 was /,
    ],
  ])('says that %s, and writes nothing', async (_name, changes, onOpen, sentence) => {
    const run = await runWithLabel(
      changes,
      { 'dry-run': 'true', 'on-open-pr': onOpen },
      oneJobTried,
    );
    expect(run.stdout).toMatch(sentence);
    expect(run.outputs).toEqual({ result: 'ready', message: expect.any(String) });
    expect([...run.github.calls, ...run.api.calls].filter((call) => !/^GET /.test(call))).toEqual(
      [],
    );
  });

  it('ends with a bad prompt as a real run would, and looks for no pull request', async () => {
    const inputs = { 'dry-run': 'true', 'on-open-pr': 'skip', prompt: '{{issue.title}}' };
    const run = await runWithLabel(open, inputs, oneJobTried);
    expect(run.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(run.stdout).not.toContain('pull/12');
    expect(run.count(routes.labelled)).toBe(0);
  });

  const needed = 'the permissions "issues: write" and "pull-requests: write"';

  it.each<[string, string, string]>([
    [
      'is missing',
      '',
      `Label: docs-token is empty, and the workflow's own token cannot put the label "docs" on a pull request of another repository: set docs-token to one that has ${needed} on acme/docs, unless github-token has them.`,
    ],
    [
      'is given',
      'ghp_reader',
      `Label: The agent's pull request gets the label "docs", for which docs-token needs ${needed} on acme/docs.`,
    ],
  ])('says what the label needs, if docs-token %s', async (_name, token, line) => {
    const inputs = { 'dry-run': 'true', 'on-open-pr': 'new', 'docs-token': token };
    const run = await runWithLabel(none, inputs, oneJobTried);
    expect(run.outputs['result']).toBe('ready');
    expect(run.stdout.split('\n')).toContain(line);
  });

  it('fails as a real run would', async () => {
    const refused = githubError(403, 'Resource not accessible');
    const changes = { ...open, [routes.labelled]: refused };
    const run = await runWithLabel(changes, { 'dry-run': 'true' }, oneJobTried);
    expect(run.outputs).toMatchObject({ result: 'error', reason: 'pull-request-unreadable' });
  });
});

describe('a request after the job that GitHub does not fulfil', () => {
  const listedOnce = ok([marked()]);

  it.each<[string, Routes, string]>([
    [
      'to edit the comment',
      { ...open, [routes.edit]: { status: 422 } },
      'because GitHub responded with 422: give docs-token the permissions "issues: write" and "pull-requests: write" on acme/docs',
    ],
    [
      'to list the comments again',
      { ...open, [routes.comments]: [listedOnce, reset] },
      'because GitHub did not respond (UND_ERR_SOCKET): check that both are there',
    ],
    [
      'to list them, in silence',
      { ...open, [routes.comments]: [listedOnce, silence] },
      // The limit for all that follows the job ends the third attempt.
      'because GitHub did not respond: check that both are there',
    ],
    [
      'to comment, in silence',
      { ...none, [routes.comment]: silence },
      'because GitHub did not respond in time: check that both are there',
    ],
  ])('%s, is one warning and no failure', async (_name, changes, problem) => {
    const run = await runWithLabel(changes);
    expect(run.exitCode).toBe(0);
    expect(run.outputs['result']).toBe('pull-request');
    expect(annotations(run, 'warning')).toEqual([
      `The label "docs" or our comment could not be left on acme/docs#12, ${problem}, because otherwise the next run may miss this pull request and start a second job.`,
    ]);
  });
});
