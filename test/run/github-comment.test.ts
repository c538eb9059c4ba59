import { describe, expect, it } from 'vitest';
import { annotations, type EventRun, runWithComment as run } from '../helpers/run.ts';
import {
  active,
  apiKey,
  created,
  done,
  ended,
  githubToken,
  jobBody,
  json,
  left,
  list,
  livingJobs,
  livingThread,
  ok,
  patch,
  permissions,
  post,
  type Reply,
  type Routes,
  refusal,
  silence,
} from '../helpers/servers.ts';

const headings = (texts: readonly string[]) => texts.map((text) => text.split('\n')[0]);
const working = '### ⏳ Waiting for the agent';
const waits = '### ⏳ This run does not wait for the agent';
const opened = '### ✅ Pull request opened';
const completed = '### ✅ The job has completed';
const hex = (text: string) => Buffer.from(text).toString('hex');

/** Replaces what differs between runs. */
const normalise = (text = '') =>
  text
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/(Waited \| ).*( \|)/g, '$1TIME$2')
    .replace(/(?<=<!-- docs-agent-action-[a-z]+-)[\da-f-]+(?= -->)/g, 'SEAL');

const givenUp =
  'The comment on acme/product#7 could not be written, because GitHub did not respond.';

describe('a comment', () => {
  it('is created when the job starts, and updated when it ends', async () => {
    const inputs = { 'docs-token': 'ghp_docs' };
    const { written, github, ...result } = await run({}, { inputs });
    expect(result.outputs['result']).toBe('pull-request');
    expect(headings(written())).toEqual([working, opened]);
    const again = patch.replace('PATCH', 'GET');
    const calls = github.calls.filter((call) => call.includes('/comments'));
    expect(calls.toSorted()).toEqual([`${list}?per_page=100&page=1`, again, patch, post]);
    for (const { headers } of github.arrivals) {
      expect(headers.authorization).toBe(`token ${githubToken}`);
    }
    expect(written().join()).not.toContain(apiKey);
  });

  it('repeats no token that was written into another input', async () => {
    const token = 'ghp_D0cs-token';
    const inputs = { 'docs-token': token, 'fail-on': token };
    const { written, outputs } = await run({}, { inputs });
    expect(outputs['reason']).toBe('bad-input');
    const texts = written().map((text) => text.replaceAll('&#95;', '_').replaceAll('&#45;', '-'));
    expect(texts).toHaveLength(1);
    expect(texts.join()).toContain('fail-on');
    expect(texts.join()).not.toContain(token);
  });

  it('says since when and until when the step waits', async () => {
    const { written } = await run({}, { today: '2026-01-05T14:03:00Z' });
    expect(written()[0]).toContain(
      'This run has waited since 2026-01-05 14:03 UTC, and waits until 14:33 UTC at most.',
    );
  });

  it('shows the work on a job that only seemed to have completed', async () => {
    const inputs = { prompt: '', 'job-id': 'job_8f2' };
    const { written } = await run({}, { inputs }, [ended('completed'), active, active, done]);
    expect(headings(written())).toEqual([working, completed]);
  });

  it('shows an error after the start', async () => {
    const { written, ...result } = await run({}, {}, [created, refusal(401), refusal(401)]);
    expect(result.outputs['result']).toBe('error');
    expect(result.outputs['message']).toContain('responded with 401');
    expect(written().at(-1)).toMatch(
      /^### ❌ The step ended with an error\n\nJob <code>job&#95;8f2<\/code> may keep running\. The log of this run says why this step ended\.\n\n/,
    );
    expect(written().at(-1)).not.toMatch(/with 401|admin key/);
  });

  it.each<[string, Routes, number]>([
    ['shows that the run was cancelled', {}, 1],
    ['does not keep a cancelled run from ending', { [list]: silence }, 0],
  ])('%s', async (_name, routes, posts) => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.includes('started job')) kill('SIGTERM');
    };
    const { count, written, ...result } = await run(routes, { onLine }, [created, active]);
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(headings(written()).slice(posts)).toEqual(['### 🛑 Cancelled'].slice(1 - posts));
    expect(count(post)).toBe(posts);
    expect(result.stdout.includes(givenUp)).toBe(posts === 0);
  });

  it('is written on the issue with the given number, for any event', async () => {
    const step = { eventName: 'schedule', event: {}, inputs: { comment: '7' } };
    const { written } = await run({}, step);
    expect(headings(written())).toEqual([working, opened]);
  });

  const schedule = { eventName: 'schedule', event: {} };
  it.each<[string, Partial<EventRun>, warnings: number]>([
    ['the event is not about an issue', schedule, 0],
    [
      'a comment was asked for without an issue, which is warned of',
      { ...schedule, inputs: { comment: 'true' } },
      1,
    ],
    ['it is switched off', { inputs: { comment: 'false' } }, 0],
  ])('is not written if %s', async (_name, step, warnings) => {
    const result = await run({}, { ...step, inputs: { 'on-rerun': 'new', ...step.inputs } });
    expect(result.written()).toEqual([]);
    expect(annotations(result, 'warning')).toHaveLength(warnings);
  });
});

describe('a comment of an earlier run', () => {
  it('is updated by the next run', async () => {
    const { routes, texts } = livingThread();
    await run(routes);
    const env = { GITHUB_RUN_ID: '1002', GITHUB_RUN_ATTEMPT: '2' };
    await run(routes, { env }, [created, ended('completed')]);
    expect(headings(texts())).toEqual(['### ℹ️ No pull request was opened']);
    expect(texts()[0]).toContain('/actions/runs/1002/attempts/2');
  });

  const workflow = 'acme/product/.github/workflows/docs.yml@refs/heads/';

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['run', {}, 1],
    ['branch', { GITHUB_WORKFLOW_REF: `${workflow}next` }, 1],
    ['step', { GITHUB_ACTION: 'another' }, 2],
    ['job', { GITHUB_JOB: 'another' }, 2],
    ['workflow', { GITHUB_WORKFLOW_REF: `${workflow}next`.replace('docs', 'another') }, 2],
    ['leg of a matrix', { GITHUB_RUN_ID: '1001' }, 2],
  ])('and that of another %s', async (_name, env, count) => {
    const { routes, texts } = livingThread();
    const jobs = [livingJobs()];
    const inputs = { 'wait-minutes': '0' };
    const here = { GITHUB_WORKFLOW_REF: `${workflow}main` };
    await run(routes, { inputs, env: here }, jobs);
    await run(routes, { inputs, env: { ...here, GITHUB_RUN_ID: '1002', ...env } }, jobs);
    expect(headings(texts())).toEqual(Array(count).fill(waits));
  });

  it('follows the job, whichever step waits for it', async () => {
    const { routes, texts } = livingThread();
    await run(routes, { inputs: { 'wait-minutes': '0' } }, [created]);
    expect(headings(texts())).toEqual([waits]);
    const job = { 'job-id': 'job_8f2' };
    await run(routes, { inputs: { ...job, prompt: '' }, env: { GITHUB_ACTION: 'wait' } }, [done]);
    expect(headings(texts())).toEqual([completed]);
    const env = { GITHUB_ACTION: 'more', GITHUB_RUN_ID: '1003' };
    await run(routes, { inputs: job, env }, [done, active, active, done]);
    expect(texts()).toEqual([expect.stringContaining('/actions/runs/1003')]);
    // The step that created it finds it again.
    await run(routes, { env: { GITHUB_RUN_ID: '1004' } });
    expect(texts()).toEqual([expect.stringContaining('/actions/runs/1004')]);
  });

  it.each([
    ['of this step', left()],
    ['of this job, left by another step', left({ key: '0'.repeat(32), jobId: 'job_8f2' })],
    ['of a run before this attempt', left({ run: '1001.0' })],
  ])('is updated: %s', async (_name, comment) => {
    const { count } = await run({ [list]: ok([comment]) });
    expect([count(post), count(patch)]).toEqual([0, 2]);
  });

  it.each([
    ["a stranger's", left({ author: 'stranger' })],
    ['one whose author is gone', { ...left(), user: null }],
    ['another step', left({ key: 'f'.repeat(32) })],
    ['a sibling of a matrix', left({ run: '1001.1' })],
    ['one signed with another key', left({ signedWith: 'mint_other' })],
    ["another repository's", left({ repository: 'acme/other' })],
    ['one copied from another issue', left({ thread: 8 })],
    ['a forged job', { ...left(), body: left().body.replace(hex('job_old'), hex('job_8f2')) }],
    ['a later version', { ...left(), body: left().body.replace('-comment-', '-comments-') }],
    ['no marker at all', { ...left(), body: 'Thanks!' }],
    ['a comment without a text', { ...left(), body: null }],
  ])('is not touched: %s', async (_name, comment) => {
    const foreign = { ...comment, id: 777 };
    const { count, github } = await run({ [list]: ok([foreign]) });
    expect(count(post)).toBe(1);
    expect(github.calls.filter((call) => call.includes('777'))).toEqual([]);
  });

  it('is found beyond the first hundred', async () => {
    const chatter = (from: number) =>
      Array.from({ length: 100 }, (_, at) => ({ id: from + at, user: { login: 'a' }, body: 'x' }));
    const last = [...chatter(3000).slice(0, 5), left()];
    const { count, github } = await run({
      [list]: [chatter(1000), chatter(2000), last].map((body) => ({ status: 200, body })),
    });
    expect(count(list)).toBe(3);
    expect(github.calls).toContain(`${list}?per_page=100&page=3`);
    expect([count(post), count(patch)]).toEqual([0, 2]);
  });

  it('is not changed, and no other one written, if GitHub does not say which user github-token belongs to', async () => {
    const { written, stdout } = await run({
      'POST /graphql': ok({ errors: [{ message: 'no' }] }),
      [list]: ok([left({ id: 777 })]),
    });
    expect(written()).toEqual([]);
    expect(stdout).toContain('because GitHub does not say which user the token belongs to.\n');
  });
});

describe('a pull request in the comment', () => {
  const docsToken = 'github_pat_d0cs';
  /** A repository that only `docs-token` can read, unless it is the workflow's own. */
  function secretRoutes(repository: string): Routes {
    const head = { ref: 'docs-agent/secret-launch', sha: 'a'.repeat(40) };
    const sizes = { changed_files: 41, additions: 42, deletions: 43 };
    const title = 'Announce the secret launch';
    const pull = { title, state: 'open', head, base: { ref: 'main' }, ...sizes };
    const allowed = repository === 'acme/product' ? githubToken : docsToken;
    const reply =
      (body: unknown): Reply =>
      (request, response) => {
        const mayRead = request.headers.authorization === `token ${allowed}`;
        json(response, body, mayRead ? 200 : 404);
      };
    return {
      [`GET /repos/${repository}/pulls/12`]: reply(pull),
      [`GET /repos/${repository}/pulls/12/files`]: reply([{ filename: 'secret/launch.mdx' }]),
    };
  }

  /** The step's outputs, and the text of the comment. */
  async function commentOn(repository: string) {
    const fields = { source: { repository, ref: 'docs-agent/secret-launch' } };
    const inputs = { 'docs-token': docsToken, 'project-id': 'acme-x7q1' };
    const { written, ...result } = await run(secretRoutes(repository), { inputs }, ({ url }) => [
      { status: 201, body: jobBody(fields) },
      ended('completed', { ...fields, prLink: `${url}/${repository}/pull/12` }),
    ]);
    expect(result.outputs['pr-title']).toBe('Announce the secret launch');
    expect(written()).toHaveLength(2);
    expect(written().join()).not.toContain('x7q1');
    // Issues and summaries have the same readers.
    expect(result.summary).not.toContain('x7q1');
    return { text: written().at(-1), all: written().join(), ...result };
  }

  it('is only a link if it is in another repository', async () => {
    const { all, summary } = await commentOn('acme/docs');
    expect(all).toContain('<code>acme/docs&#35;12</code>');
    expect(`${all}${summary}`).not.toMatch(/secret|launch|41 files|42 lines|43 deleted/);
  });

  it('has its title, size and files if it is in the same repository', async () => {
    const { text } = await commentOn('acme/product');
    expect(normalise(text)).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      Pull request: <a href="http://HOST/acme/product/pull/12"><code>acme/product&#35;12</code></a> <code>Announce the secret launch</code><br>41 files changed, 42 lines added, 43 deleted:

      - <code>secret/launch.mdx</code>
      - and 40 more

      Requested by <code>owner</code>.

      **Next:** Review the pull request before it is merged.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>job&#95;8f2</code>, completed |
      | Model | <code>model-1</code> |
      | Repository | <code>acme/product</code>, branch <code>docs-agent/secret-launch</code> |
      | Waited | TIME |
      | Prompt | input prompt, 22 characters, SHA-256 <code>21f698eca8b6</code> |
      | Run | <a href="http://HOST/acme/product/actions/runs/1001"><code>1001.1</code></a> |

      </details>

      <!-- docs-agent-action-comment-SEAL -->
      "
    `);
  });
});

describe('a refusal', () => {
  it('is shown to a person with triage permission, in addition to the comment about a job', async () => {
    const { routes, texts } = livingThread();
    const withTriager = { ...permissions({ triager: 'triage' }), ...routes };
    await run(withTriager);
    const refused = { event: 'issues-labeled-by-triager', actor: 'triager' };
    for (const GITHUB_RUN_ID of ['1002', '1003']) {
      const { outputs } = await run(withTriager, { ...refused, env: { GITHUB_RUN_ID } });
      expect(outputs['reason']).toBe('actor-not-allowed');
    }
    expect(texts()).toEqual([expect.stringContaining(opened), expect.anything()]);
    expect(normalise(texts()[1])).toMatchInlineSnapshot(`
      "### ⏭️ Skipped

      Nothing was started, because triager has the permission triage on acme/product, but needs write: ask someone with that permission to trigger the run, or lower required-permission.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Run | <a href="http://HOST/acme/product/actions/runs/1003"><code>1003.1</code></a> |

      </details>

      <!-- docs-agent-action-notice "c05b343d1d12566351469402c3fcf2fc" -->
      "
    `);
  });

  it('is not shown to a stranger', async () => {
    const stranger = { event: 'issues-labeled-by-template', actor: 'stranger' };
    const result = await run(permissions({ stranger: 'read' }), {
      ...stranger,
      inputs: { comment: 'true' },
    });
    expect(result.outputs['reason']).toBe('actor-not-allowed');
    expect(annotations(result, 'warning')).toEqual([]);
    expect(result.written()).toEqual([]);
  });
});
