import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { githubClient } from '../../sandbox/github/client.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { annotations, type EventRun, readEvent, runOnEvent } from '../helpers/run.ts';

/** The comment on an issue of the local GitHub, as people see it. */

const numbered = v.object({ number: v.number() });

let sandbox: Sandbox;
let issues = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ workMs: 300, pickUpMs: 50 });
});

afterAll(() => sandbox.close());

/** Opens an issue for one test. */
async function openIssue(): Promise<number> {
  issues += 1;
  const client = githubClient(sandbox.github.url, sandbox.github.tokens.stranger);
  const path = `/repos/${PRODUCT_REPOSITORY}/issues`;
  const opened = await client.request('POST', path, numbered, { title: `Issue ${issues}` });
  return opened.number;
}

function label(number: number, login = 'maintainer') {
  const event = Object(readEvent('issues-labeled-by-owner'));
  return { ...event, issue: { ...event.issue, number }, sender: { login, type: 'User' } };
}

function run(number: number, step: Partial<EventRun> = {}) {
  return runOnEvent({
    eventName: 'issues',
    event: label(number, step.actor),
    actor: 'maintainer',
    githubUrl: sandbox.github.url,
    token: sandbox.github.tokens.actions,
    baseUrl: sandbox.url,
    ...step,
    inputs: { 'api-key': sandbox.apiKey, 'project-id': sandbox.projectId, ...step.inputs },
  });
}

async function comments(number: number) {
  const client = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
  const listed = await client.listComments(PRODUCT_REPOSITORY, number);
  return listed.map(({ user, body }) => ({ author: user.login, body }));
}

/** Replaces what differs between runs. */
function normalise(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/job(_|&#95;)[0-9a-f]{12}/g, 'JOB')
    .replace(/(Waited \| ).*( \|)/g, '$1TIME$2')
    .replace(/(?<=<!-- docs-agent-action-[a-z]+-)[\da-f-]+(?= -->)/g, 'SEAL');
}

describe('one comment', () => {
  it('shows the result to the person who set the label', async () => {
    const issue = await openIssue();
    expect((await run(issue)).outputs['result']).toBe('pull-request');
    const [comment, ...others] = await comments(issue);
    expect(others).toEqual([]);
    expect(comment?.author).toBe('github-actions[bot]');
    expect(normalise(comment?.body ?? '')).toMatchInlineSnapshot(`
      "### ✅ Pull request opened

      Pull request: <a href="http://HOST/acme/docs/pull/1"><code>acme/docs&#35;1</code></a> <code>Docs: Describe the new flag.</code><br>1 file changed, 4 lines added, 0 deleted:

      - <code>index.mdx</code>

      Requested by <code>maintainer</code>.

      **Next:** Review the pull request and merge it.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Job | <code>JOB</code>, completed |
      | Model | <code>sandbox-editor-1</code> |
      | Repository | <code>acme/docs</code> |
      | Waited | TIME |
      | Prompt | input prompt, 22 characters, SHA-256 <code>21f698eca8b6</code> |
      | Run | <a href="http://HOST/acme/product/actions/runs/1001"><code>1001.1</code></a> |

      </details>

      <!-- docs-agent-action-comment-SEAL -->
      "
    `);
  });

  it('is updated by the next run', async () => {
    const issue = await openIssue();
    await run(issue);
    const env = { GITHUB_RUN_ID: '1002', GITHUB_RUN_ATTEMPT: '2' };
    await run(issue, { inputs: { prompt: 'Do nothing. [sandbox: no-change]' }, env });
    const [comment, ...others] = await comments(issue);
    expect(others).toEqual([]);
    expect(comment?.body).toContain('No pull request was opened');
    expect(comment?.body).toContain('/actions/runs/1002/attempts/2');
  });

  it.each([
    ['step', { GITHUB_ACTION: 'another' }],
    ['job', { GITHUB_JOB: 'another' }],
    [
      'workflow',
      { GITHUB_WORKFLOW_REF: 'acme/product/.github/workflows/another.yml@refs/heads/main' },
    ],
  ])('is not shared with another %s', async (_name, env) => {
    const issue = await openIssue();
    await run(issue);
    await run(issue, { env: { ...env, GITHUB_RUN_ID: '1002' } });
    expect(await comments(issue)).toHaveLength(2);
  });

  it('is the same for a workflow that runs from another branch', async () => {
    const issue = await openIssue();
    for (const [branch, runId] of [
      ['main', '2001'],
      ['next', '2002'],
    ]) {
      const workflow = `acme/product/.github/workflows/docs.yml@refs/heads/${branch}`;
      await run(issue, { env: { GITHUB_WORKFLOW_REF: workflow, GITHUB_RUN_ID: runId } });
    }
    expect(await comments(issue)).toHaveLength(1);
  });

  it('is not shared by the legs of a matrix', async () => {
    const issue = await openIssue();
    await run(issue);
    await run(issue);
    expect(await comments(issue)).toHaveLength(2);
  });

  it('follows the job, whichever step waits for it', async () => {
    const issue = await openIssue();
    const first = await run(issue, { inputs: { 'wait-minutes': '0' } });
    expect((await comments(issue))[0]?.body).toContain('The agent is working');
    const job = first.outputs['job-id'] ?? '';
    const env = { GITHUB_ACTION: 'wait' };
    await run(issue, { inputs: { prompt: '', 'job-id': job }, env });
    expect((await comments(issue))[0]?.body).toContain('Pull request opened');
    const inputs = { prompt: 'Mention --quiet. [sandbox: slow 1s]', 'job-id': job };
    await run(issue, { inputs, env: { GITHUB_ACTION: 'more', GITHUB_RUN_ID: '1003' } });
    const all = await comments(issue);
    expect(all).toHaveLength(1);
    expect(all[0]?.body).toContain('/actions/runs/1003');
    // The step that created it finds it again.
    await run(issue, { env: { GITHUB_RUN_ID: '1004' } });
    expect(await comments(issue)).toHaveLength(1);
  });

  it("leaves a stranger's comment with our marker alone", async () => {
    const issue = await openIssue();
    await run(issue);
    const [ours] = await comments(issue);
    const stranger = githubClient(sandbox.github.url, sandbox.github.tokens.stranger);
    const path = `/repos/${PRODUCT_REPOSITORY}/issues/${issue}/comments`;
    await stranger.request('POST', path, v.unknown(), { body: `Mine.\n${ours?.body}` });
    await run(issue, { env: { GITHUB_RUN_ID: '1002' } });
    const [updated, copy, ...others] = await comments(issue);
    expect(others).toEqual([]);
    expect(updated?.body).toContain('/actions/runs/1002');
    expect(copy?.body).toBe(`Mine.\n${ours?.body}`);
  });

  it('shows a time-out', async () => {
    const issue = await openIssue();
    const prompt = 'Take your time. [sandbox: slow 60s]';
    await run(issue, { inputs: { prompt, 'wait-minutes': '0.01' } });
    expect((await comments(issue))[0]?.body).toContain('The waiting time is over');
  });

  it('is written on the issue with the given number, for any event', async () => {
    const issue = await openIssue();
    const inputs = { comment: String(issue) };
    await run(issue, { eventName: 'schedule', event: {}, inputs });
    expect(await comments(issue)).toHaveLength(1);
  });

  it('is not written if the event is not about an issue, or if it is switched off', async () => {
    const issue = await openIssue();
    const scheduled = await run(issue, { eventName: 'schedule', event: {} });
    expect(scheduled.stdout).toContain('::debug::The event is not about an issue or pull request');
    await run(issue, { inputs: { comment: 'false' } });
    expect(await comments(issue)).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is shown to a person with triage permission, in addition to the comment about a job', async () => {
    const issue = await openIssue();
    await run(issue);
    const refused = await run(issue, { actor: 'triager', env: { GITHUB_RUN_ID: '1002' } });
    expect(refused.outputs['reason']).toBe('actor-not-allowed');
    await run(issue, { actor: 'triager', env: { GITHUB_RUN_ID: '1003' } });
    const [job, refusal, ...others] = await comments(issue);
    expect(others).toEqual([]);
    expect(job?.body).toContain('Pull request opened');
    expect(normalise(refusal?.body ?? '')).toMatchInlineSnapshot(`
      "### ⏭️ Skipped

      Nothing was started, because triager has the permission triage on acme/product, but needs write: ask someone with that permission to trigger the run, or lower required-permission.

      <details><summary>Details</summary>

      | | |
      |---|---|
      | Run | <a href="http://HOST/acme/product/actions/runs/1003"><code>1003.1</code></a> |

      </details>

      <!-- docs-agent-action-notice-SEAL -->
      "
    `);
  });

  it('is not shown to a stranger', async () => {
    const issue = await openIssue();
    const refused = await run(issue, { actor: 'stranger', inputs: { comment: 'true' } });
    expect(refused.outputs['reason']).toBe('actor-not-allowed');
    expect(annotations(refused, 'warning')).toEqual([]);
    expect(await comments(issue)).toEqual([]);
  });
});
