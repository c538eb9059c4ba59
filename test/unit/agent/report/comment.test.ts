import { describe, expect, it } from 'vitest';
import { type CommentOptions, createComment } from '../../../../src/agent/report/comment.ts';
import { endReport, workingReport } from '../../../../src/agent/report/report.ts';
import type { Result } from '../../../../src/agent/result.ts';
import type { State } from '../../../../src/agent/state.ts';
import type { GitHub } from '../../../../src/github/client.ts';
import { noFacts } from '../../../../src/github/event.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { fakeSession, githubResponse } from '../../../helpers/fake-github.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { job, pullRequest } from '../../../helpers/jobs.ts';
import { documentWatch } from '../../../helpers/pull-requests.ts';

const order: CommentOptions = {
  inputs: { comment: { kind: 'event', isLoud: false }, githubToken: 'token', docsToken: '' },
  facts: { ...noFacts, thread: { number: 7, isPullRequest: false } },
  subject: 'job',
  apiKey: 'mint_key',
  projectId: 'acme-x7q1',
  matrix: '',
};

/** Writes a comment on a GitHub without comments, and returns its text. */
function stage() {
  const runner = fakeRunner({
    GITHUB_REPOSITORY: 'acme/docs',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '1001',
  });
  const session = fakeSession(({ request }) =>
    request.startsWith('GET') ? githubResponse(200, []) : githubResponse(201, { id: 501 }),
  );
  const github: GitHub = { graphqlUrl: '', as: () => session, close: async () => {} };
  const texts = () =>
    session.seen
      .filter(({ request }) => /^(?:POST|PATCH) \S+\/comments/.test(request))
      .map(({ parameters }) => String(parameters['body']));
  return { comment: createComment(github, runner), runner, session, texts };
}

const inputs = agentInputs({ 'project-id': 'acme-x7q1' });
const ended = job({ status: 'completed', pullRequest });
const opened: State = {
  inputs,
  sinceMs: 0,
  askedBy: 'octocat',
  job: ended,
  link: pullRequest,
  pullRequest: documentWatch,
};

function endOf(result: Result, message = 'message' in result ? result.message : 'A sentence.') {
  return { result, message, tookMs: 81_000 };
}

describe('the comment', () => {
  it('says at the end what the summary says', async () => {
    const { comment, runner, texts } = stage();
    const end = endOf({ result: 'pull-request', job: ended, url: pullRequest.url });
    const state = { ...opened, end };
    comment.open(order);
    await comment.finish(end, state);
    const summary = endReport(end, state, runner.environment);
    expect(texts()).toEqual([expect.stringMatching(/^### ✅ Pull request opened\n/)]);
    expect(texts()[0]?.startsWith(`${summary}\n<!-- docs-agent-action `)).toBe(true);
  });

  it('shows an active job, and no other', async () => {
    const { comment, runner, texts } = stage();
    comment.open(order);
    void comment.showWorking({ inputs });
    void comment.showWorking({ inputs, job: ended });
    void comment.showWorking({ inputs, job: job() });
    await comment.finish(endOf({ result: 'running', job: job() }), {
      inputs,
      sinceMs: 0,
      job: job(),
    });
    const working = workingReport({ inputs, job: job() }, runner.environment);
    expect(texts()).toHaveLength(2);
    expect(texts()[0]?.startsWith(working)).toBe(true);
  });

  it('says nothing before it is opened', async () => {
    const { comment, session } = stage();
    void comment.showWorking({ inputs, job: job() });
    await comment.finish(endOf({ result: 'running', job: job() }), { inputs, job: job() });
    expect(session.seen).toEqual([]);
  });

  it.each<[string, Partial<CommentOptions>, readonly string[]]>([
    ['where none is wanted', { inputs: { ...order.inputs, comment: { kind: 'off' } } }, []],
    [
      'where the event is about no issue',
      { facts: noFacts },
      ['debug: The event is not about an issue or pull request, so no comment is written.'],
    ],
    [
      'without a token',
      { inputs: { ...order.inputs, githubToken: '' } },
      ['debug: The comment on acme/docs#7 could not be written, because github-token is empty.'],
    ],
    [
      'without a token, although one was asked for by number',
      { inputs: { ...order.inputs, githubToken: '', comment: { kind: 'thread', number: 9 } } },
      ['warning: The comment on acme/docs#9 could not be written, because github-token is empty.'],
    ],
  ])('is not written %s', async (_name, fields, told) => {
    const { comment, runner, session } = stage();
    comment.open({ ...order, ...fields });
    void comment.showWorking({ inputs, job: job() });
    await comment.finish(endOf({ result: 'running', job: job() }), { inputs, job: job() });
    expect(session.seen).toEqual([]);
    expect(runner.told).toEqual(told);
  });
});

describe("the project's id", () => {
  it.each<Result>([
    { result: 'timed-out', job: job() },
    {
      result: 'error',
      reason: 'job-not-found',
      message:
        'The API responded with 404 ("Project acme-x7q1 has no job job_1"): there is no job job_1 in project acme-x7q1, so check job-id.',
    },
  ])('is in no comment: $result', async (result) => {
    const { comment, texts } = stage();
    comment.open(order);
    void comment.showWorking({ inputs, job: job() });
    await comment.finish(endOf(result), { inputs, sinceMs: 0, job: job() });
    expect(texts()).toHaveLength(2);
    expect(texts().join()).not.toContain('x7q1');
    for (const text of texts()) {
      expect(text).toContain('job&#95;1');
    }
  });
});
