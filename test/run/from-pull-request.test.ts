import { describe, expect, it } from 'vitest';
import { annotations, type EventRun, readEvent, runWithLabel } from '../helpers/run.ts';
import {
  followUp,
  githubToken,
  installation,
  jobBody,
  listedPull,
  marked,
  newHead,
  ok,
  oldHead,
  oneJob,
  oneJobTried,
  permissions,
  pullBody,
  type Routes,
  refusal,
  type ScriptedGitHub,
} from '../helpers/servers.ts';

const comments = 'GET /repos/acme/product/issues/7/comments';
const pull = 'GET /repos/acme/product/pulls/7';

/** The event's pull request, with our comment, before and after a follow-up. */
const working: Routes = {
  ...permissions({ owner: 'admin' }),
  ...installation,
  [comments]: ok([marked()]),
  [pull]: [ok(pullBody(oldHead)), ok(pullBody(newHead))],
  [`${pull}/files`]: ok([{ filename: 'a.mdx' }]),
};

const here = ({ url }: ScriptedGitHub) => ({ prLink: `${url}/acme/product/pull/7` });

/** The event, about thread 7. */
function eventOf(name: string, isPullRequest: boolean): Partial<EventRun> {
  const event = Object(readEvent(name));
  const { issue } = event;
  return name.startsWith('pull-request')
    ? {
        eventName: 'pull_request_target',
        event: { ...event, pull_request: { ...event.pull_request, number: 7 } },
      }
    : {
        eventName: 'issue_comment',
        event: {
          ...event,
          issue: { ...issue, number: 7, ...(isPullRequest && { pull_request: {} }) },
        },
      };
}

const onComment = eventOf('issue-comment-by-owner', true);

/** Runs the step on an event of the pull request. */
function run(
  routes: Routes = {},
  step = onComment,
  inputs: Readonly<Record<string, string>> = {},
  script = (github: ScriptedGitHub) => oneJob(github, here(github)),
) {
  const given = { 'pr-label': '', 'on-open-pr': '', 'docs-repository': '', comment: 'false' };
  const all = { ...given, 'job-id': 'from-pull-request', ...inputs };
  return runWithLabel({ ...working, ...routes }, all, script, step);
}

describe('job-id: from-pull-request', () => {
  it.each([
    ['a comment on it', onComment],
    ['an event of it', eventOf('pull-request-by-owner', true)],
  ])('sends the prompt to the job of the pull request, on %s', async (_name, step) => {
    const docs = { 'docs-repository': 'acme/docs', 'docs-token': 'ghp_docs' };
    const result = await run({}, step, docs);
    const own = `token ${githubToken}`;
    expect(result.github.arrivals.filter(({ headers }) => headers.authorization !== own)).toEqual(
      [],
    );
    expect(result.api.posts).toEqual([followUp]);
    expect(result.outputs).toMatchObject({
      result: 'pull-request',
      'job-id': 'job_8f2',
      'job-source': 'followed-up',
      'pr-number': '7',
    });
    expect(annotations(result, 'warning')).toEqual([]);
    expect(result.count('POST /repos/acme/product/issues/7/labels')).toBe(0);
  });

  it('is answered in one comment: what was asked, by whom, and what came of it', async () => {
    const event = Object(onComment.event);
    const body = `/docs Mention \`--watch\`, @team.\r\n\`\`\`\n<!-- x --> ${'y'.repeat(1000)}`;
    const replies = 'POST /repos/acme/product/issues/7/comments';
    const result = await run(
      {
        [replies]: { status: 201, body: { id: 700 } },
        'PATCH /repos/acme/product/issues/comments/700': ok({ id: 700 }),
      },
      { ...onComment, event: { ...event, comment: { ...event.comment, body } } },
      { comment: 'auto' },
    );
    expect(result.count(replies)).toBe(1);
    const edits = result.sent('PATCH /repos/acme/product/issues/comments/700');
    const text = String((edits.at(-1) ?? result.sent(replies)[0])?.['body']);
    expect(text).toMatch(/^### ✅ Pull request continued\n/);
    const [answer = ''] = /<a href="[^"]*compare[\s\S]*?(?=\n\n<details)/.exec(text) ?? [];
    expect(
      answer.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replace(/y{900,}/, 'Y'),
    ).toMatchInlineSnapshot(`
      "<a href="http://HOST/acme/product/compare/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb">See what changed since the prompt was sent</a>.

      Requested by <code>owner</code>:

      \`\`\`\`text
      /docs Mention \`--watch\`, @team.
      \`\`\`
      <!-- x --> Y…
      \`\`\`\`

      **Next:** Review the pull request before it is merged. To ask for another change, write a comment that begins with <code>/docs</code> and a space."
    `);
  });

  it('says so if no commit came of it', async () => {
    const result = await run({ [pull]: ok(pullBody(oldHead)) });
    expect(result.summary).toContain('This run added no commits.');
  });

  it('waits for that job without a prompt', async () => {
    const result = await run({}, onComment, { prompt: '' });
    expect(result.api.posts).toEqual([]);
    expect(result.outputs).toMatchObject({ 'job-id': 'job_8f2', 'job-source': 'attached' });
    // Where it stood before is only of interest to a follow-up.
    expect(result.summary).not.toMatch(/this run (changed|added)/i);
  });

  const noJob =
    'Nothing was sent, because no job of this project is known to have opened pull request acme/product#7: give pr-label to the step that starts the jobs, because it leaves a comment by which its pull requests are found.';

  it('is skipped without our comment', async () => {
    const result = await run({ [comments]: ok([]) });
    expect(result.api.calls).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({
      result: 'skipped',
      reason: 'no-job-for-pull-request',
      message: noJob,
    });
    expect(result.outputs['job-id']).toBeUndefined();
    expect(annotations(result, 'notice')).toEqual([noJob]);
  });

  const replies = 'POST /repos/acme/product/issues/7/comments';

  const skip = { 'job-id': 'new', 'pr-label': 'docs', 'on-open-pr': 'skip' };

  it.each<[string, string, number, Routes, string?, Readonly<Record<string, string>>?]>([
    ['with a command is answered', '/docs Mention --watch.', 1, { [comments]: ok([]) }],
    ['without one gets no answer', 'Looks good.', 0, { [comments]: ok([]) }],
    [
      'that is to start a job gets none',
      '/docs Go.',
      0,
      { 'GET /repos/acme/product/issues': ok([listedPull(7)]) },
      'pull-request-open',
      skip,
    ],
  ])('a skipped comment %s', async (_name, body, count, ...rest) => {
    const [routes, reason = 'no-job-for-pull-request', inputs] = rest;
    const event = Object(onComment.event);
    const result = await run(
      { ...routes, [replies]: { status: 201, body: { id: 700 } } },
      { ...onComment, event: { ...event, comment: { ...event.comment, body } } },
      { comment: 'auto', ...inputs },
    );
    expect(result.outputs['reason']).toBe(reason);
    expect(result.sent(replies)).toHaveLength(count);
    for (const reply of result.sent(replies)) {
      expect(reply['body']).toMatch(/^### ⏭️ Skipped\n\n.*no job of this project is known/);
    }
  });

  it('has the link of the pull request when it is cancelled', async () => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.includes('sent a follow-up')) kill('SIGINT');
    };
    const result = await run({}, { ...onComment, onLine });
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'pr-number': '7' });
  });

  it.each([
    ['another pull request', ({ url }: ScriptedGitHub) => `${url}/acme/product/pull/8`],
    ['the same number elsewhere', ({ url }: ScriptedGitHub) => `${url}/acme/docs/pull/7`],
  ])('is skipped if the job in the comment has %s', async (_name, linkOf) => {
    const result = await run({}, onComment, {}, (github) => [
      ok(jobBody({ status: 'completed', prLink: linkOf(github) })),
    ]);
    expect(result.api.posts).toEqual([]);
    expect(result.outputs['reason']).toBe('no-job-for-pull-request');
  });

  it('is skipped if the pull request is merged or closed', async () => {
    const gone = ok(pullBody(oldHead, { state: 'closed' }));
    const result = await run({ [pull]: gone });
    expect(result.api.posts).toEqual([]);
    expect(result.outputs).toMatchObject({
      result: 'skipped',
      reason: 'no-job-for-pull-request',
      'job-id': jobBody().id,
      message:
        'Nothing was sent, because pull request acme/product#7 is merged or closed: reopen it if it was only closed, or start a new job for what is left to do.',
    });
  });

  it('is skipped on a plain issue', async () => {
    const result = await run({}, eventOf('issue-comment-by-owner', false));
    expect(result.api.calls).toEqual([]);
    expect(result.outputs['message']).toBe(
      'Nothing was sent, because acme/product#7 is not a pull request: comment on a pull request that the agent has opened.',
    );
  });

  it('is an error on an event without a pull request', async () => {
    const result = await run({}, { eventName: 'schedule', event: 'schedule' });
    expect(result.outputs).toMatchObject({
      reason: 'bad-input',
      message:
        'Input job-id is "from-pull-request", but the event schedule is not about a pull request: use it on issue_comment or on an event of pull requests, or give the id of a job.',
    });
  });

  it.each<[string, Routes]>([
    ['GitHub', { [comments]: { status: 500 } }],
    ['the API', {}],
    ['the API, whoever names the job,', { [comments]: ok([marked({ author: 'stranger' })]) }],
  ])('is an error if %s does not tell', async (name, changes) => {
    const result = await run(changes, onComment, {}, (github) =>
      name.startsWith('the API') ? [{ status: 302 }] : oneJob(github, here(github)),
    );
    expect(result.api.posts).toEqual([]);
    expect(result.outputs['reason']).toBe('pull-request-unreadable');
  });

  it.each([
    ['has failed', 'failed'],
    ['was archived', 'archived'],
  ])('is an error, and no new job, if the job %s and takes no follow-up', async (_name, status) => {
    const result = await run({}, onComment, {}, (github) => {
      const job = ok(jobBody({ status, ...here(github) }));
      return [job, job, refusal(409)];
    });
    expect(result.api.posts).toEqual([followUp]);
    expect(result.outputs).toMatchObject({ result: 'error', 'pr-number': '7' });
  });

  it.each([
    [
      'what it would continue',
      {},
      /Real run: It would send the prompt to job job_8f2 as a follow-up\./,
    ],
    ['that it would be skipped', { [comments]: ok([]) }, /would be skipped/],
    [
      'that it would be skipped, because the pull request is closed',
      { [pull]: ok(pullBody(oldHead, { state: 'closed' })) },
      /would be skipped\. Nothing was sent, because pull request acme\/product#7 is merged or closed/,
    ],
  ])('says in a dry run %s', async (_name, changes, sentence) => {
    const result = await run(changes, onComment, { 'dry-run': 'true' }, (github) =>
      oneJobTried(github, here(github)),
    );
    expect(result.outputs['result']).toBe('ready');
    expect(result.stdout).toMatch(sentence);
    expect([...result.api.posts, ...result.github.posts]).toEqual([]);
  });

  it('does not take our own comment on the pull request for a question', async () => {
    const event = Object(onComment.event);
    const comment = { ...event.comment, body: marked().body };
    const result = await run({}, { ...onComment, event: { ...event, comment } });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'own-comment' });
    expect(result.github.calls).toEqual([]);
  });
});
