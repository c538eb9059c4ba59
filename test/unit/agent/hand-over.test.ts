import { expect, it } from 'vitest';
import { promptIdOf } from '../../../src/agent/earlier/record.ts';
import { handOver } from '../../../src/agent/hand-over.ts';
import { followUpOf } from '../../../src/agent/job/follow-up.ts';
import type { PolledJob } from '../../../src/agent/job/polled-job.ts';
import { resultOfJob } from '../../../src/agent/result.ts';
import type { HandedOver, Work } from '../../../src/agent/stage.ts';
import type { Job } from '../../../src/platform/job.ts';
import { readPullRequestLink } from '../../../src/platform/pull-request-link.ts';
import {
  agentInputs,
  asked,
  foundNothing,
  grantedTo,
  job,
  jobRecord,
  waitingStage,
} from '../../helpers/agent.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';
import {
  apiKey,
  githubSession,
  marked,
  markIn,
  newHead,
  oldHead,
  open,
  pullBody,
  type Reply,
  type Routes,
  routes,
} from '../../helpers/servers.ts';

const server = 'https://github.example';
const linkTo = (place: string) => readPullRequestLink(`${server}/${place}`, server);
const elsewhere = readPullRequestLink('https://ghe.example/a/b/pull/3', server);
const ended = job({ id: 'job_8f2', status: 'completed', pullRequest: linkTo('acme/docs/pull/12') });

interface Given {
  readonly job?: Job;
  /** The job before the follow-up. */
  readonly before?: Job;
  /** Whether a poll has seen the job active since. */
  readonly wasActive?: boolean;
  readonly source?: PolledJob['source'];
  readonly inputs?: Readonly<Record<string, string>>;
  /** The last commit of the pull request that this run has found. */
  readonly foundHead?: string;
  readonly replies?: Routes;
  readonly tokens?: { readonly githubToken: string; readonly docsToken: string };
}

/** What is handed over at last, the log, what was written on GitHub, and the record there. */
async function over(given: Given) {
  const {
    source = 'created',
    foundHead,
    tokens = { githubToken: '', docsToken: 'a-token' },
  } = given;
  const replies = { [routes.pull]: ok(pullBody(newHead)), ...given.replies };
  const { server: github, github: client } = await githubSession({ ...open, ...replies });
  const variables = { GITHUB_REPOSITORY: 'acme/product', GITHUB_REPOSITORY_ID: '1' };
  const run = { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: '1001' };
  const runner = fakeRunner({ ...variables, ...run });
  const granted = grantedTo('octocat');
  const inputs = agentInputs({
    'api-key': apiKey,
    'pr-label': 'docs',
    'on-open-pr': 'continue',
    'docs-repository': 'acme/docs',
    ...given.inputs,
  });
  const access = { ...granted, inputs: { ...granted.inputs, ...tokens } };
  const seen = given.job ?? ended;
  const link = linkTo('acme/docs/pull/12');
  const pullRequest =
    foundHead === undefined || link.kind !== 'link'
      ? undefined
      : {
          jobId: 'job_8f2',
          link,
          isOpen: true,
          headSha: foundHead,
        };
  const stage = waitingStage({ ...asked({ access, inputs }), job: seen });
  const started = { ...stage.started, source, id: 'job_8f2' };
  const hasFollowUp = given.before !== undefined || source === 'followed-up';
  const sent = followUpOf(given.before ?? ended, foundHead);
  const followUp = hasFollowUp ? { ...sent, wasActive: given.wasActive ?? true } : undefined;
  const found = { ...foundNothing, pullRequest };
  let last: HandedOver | undefined;
  const record = source === 'attached' ? undefined : { ...jobRecord(sentAt), followUp };
  const waiting = { ...stage, started, found, record };
  const result = resultOfJob(seen);
  const stages = 'link' in result ? handOver(result.link, waiting, { runner, github: client }) : [];
  for await (const { handedOver } of stages) {
    last = handedOver;
  }
  const writes = github.arrivals.filter(
    ({ method, path }) => method !== 'GET' && path !== '/graphql',
  );
  const comment: unknown = writes.map(({ body }) => JSON.parse(body).body).find(Boolean);
  const mark = markIn(comment);
  return {
    comment: String(comment).replace(/\n\n<!--.*/s, ''),
    lines: [
      ...(last === undefined ? [] : [describeWork(last.work)]),
      ...runner.told,
      ...writes.map(
        ({ method, path }) => `${method} ${path.replace('/repos/acme/docs/issues/', '')}`,
      ),
      ...(mark ? [describeMark(mark)] : []),
    ],
  };
}

function describeWork(work: Work): string {
  switch (work.kind) {
    case 'opened':
      return work.instead === undefined ? 'opened' : `opened instead of ${work.instead.url}`;
    case 'continued':
      return work.url;
    default:
      return work.kind;
  }
}

function describeMark({
  jobId,
  last: { id, head },
  source,
}: NonNullable<ReturnType<typeof markIn>>) {
  const prompt = id === own ? 'this prompt' : `prompt ${id}`;
  return `${jobId}, ${prompt}, ${head.at(0)}, ${source.name}`;
}

const sentAt = { sentAtMs: Date.UTC(2026, 5, 1) };
/** The id of the prompt that this run sent, and those of prompts before and after it. */
const own = promptIdOf(jobRecord(sentAt));
const earlier = '000000000.1';
const later = 'zzzzzzzzz.1';
/** A comment with the last prompt, and the commit after it. */
const after = (id: string, head = newHead) => marked({ last: { id, head } });
const noLabel = { inputs: { 'pr-label': '', 'on-open-pr': '' } };
/** An earlier attempt of this run has sent the follow-up. */
const resumed = { source: 'resumed', foundHead: oldHead, before: ended } as const;
const ok = (body: unknown): Reply => ({ status: 200, body });
const comments = (...all: readonly object[]) => ({ [routes.comments]: ok(all) });
const isClosed = { [routes.pull]: ok(pullBody(newHead, { state: 'closed' })) };
const refused = (status: number): Reply => ({ status, body: { message: 'No' } });
const silent = { 'POST /graphql': refused(502) };
const compared = `${server}/acme/docs/compare/${oldHead}...${newHead}`;
const other = { id: '2', name: 'acme/other' };
const needed = 'the permissions "issues: write" and "pull-requests: write" on acme/docs';
const otherwise =
  'because otherwise the next run may miss this pull request and start a second job.';

it.for<readonly [string, Given, ...lines: string[]]>([
  [
    'is new: the label and a comment are left',
    { inputs: { 'docs-repository': 'Acme/Docs' }, replies: comments() },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'is continued: our comment is changed',
    { foundHead: oldHead, source: 'followed-up' },
    compared,
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'got nothing new',
    { foundHead: newHead, source: 'followed-up' },
    'unchanged',
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'got nothing new so far, and its job may not have begun',
    { foundHead: newHead, source: 'followed-up', wasActive: false },
    'unknown',
    'warning: No poll has seen the agent at work on this follow-up, so it may still add commits: look at the pull request again before you merge it.',
    'PATCH comments/601',
    'job_8f2, this prompt, undefined, acme/product',
  ],
  [
    'got commits, and its job may not have begun',
    { foundHead: oldHead, source: 'followed-up', wasActive: false },
    compared,
    'PATCH comments/601',
    'job_8f2, this prompt, undefined, acme/product',
  ],
  [
    'was opened in an earlier attempt',
    { source: 'resumed', replies: comments(after(own)) },
    'opened',
  ],
  [
    'was left unchanged by an earlier attempt, and got the commit of a person since',
    { ...resumed, replies: comments(after(own, oldHead)) },
    'unchanged',
  ],
  [
    'was continued by an earlier attempt, and closed since',
    { ...resumed, replies: { ...comments(after(own)), ...isClosed } },
    compared,
  ],
  [
    'was continued by an earlier attempt, and cannot be read any more',
    { ...resumed, replies: { ...comments(after(own)), [routes.pull]: refused(500) } },
    compared,
    'info: The title and files of pull request acme/docs#12 could not be read, because GitHub responded with 500 ("No").',
  ],
  [
    'was continued by an earlier attempt that could not read it',
    { ...resumed, replies: comments(after(own, '')) },
    compared,
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'could not be read by an earlier attempt, and cannot be read now',
    { ...resumed, replies: { ...comments(after(own, '')), [routes.pull]: refused(500) } },
    'unknown',
    'info: The title and files of pull request acme/docs#12 could not be read, because GitHub responded with 500 ("No").',
  ],
  ['got another prompt since', { ...resumed, replies: comments(after(later)) }, 'unknown'],
  [
    'got another prompt since, as only a stranger says',
    {
      ...resumed,
      replies: comments(marked({ author: 'stranger', last: { id: later, head: '' } })),
    },
    compared,
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'is given by its job, and was asked for by another repository, as only a stranger says',
    {
      inputs: { 'job-id': 'job_8f2' },
      replies: comments(marked({ author: 'stranger', source: other })),
    },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  ['is only waited for', { source: 'attached' }, 'unknown'],
  [
    'is only waited for, and has no record',
    { source: 'attached', replies: comments() },
    'unknown',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, prompt , b, acme/product',
  ],
  [
    'has a comment whose prompt has no such id',
    { replies: comments(after('a b')) },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'has a comment that was written with the token of another App',
    { replies: comments(marked({ author: 'docs-agent[bot]' })) },
    'opened',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'has copies of an older comment of ours',
    {
      ...resumed,
      replies: comments(
        ...[earlier, own, earlier].map((id, at) => ({ ...after(id), id: 600 + at })),
      ),
    },
    compared,
  ],
  [
    'has a comment about another job',
    { replies: comments(marked({ jobId: 'job_9' })) },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'may have a comment of ours',
    { replies: silent },
    'opened',
    `warning: The label "docs" or our comment could not be left on acme/docs#12, because GitHub does not say which user the token belongs to: check that both are there, ${otherwise}`,
  ],
  [
    'is in a repository that was renamed',
    {
      inputs: { 'docs-repository': 'acme/new' },
      replies: {
        [routes.pull]: ok(
          pullBody(newHead, {
            base: { ref: 'main', repo: { private: true, full_name: 'acme/new' } },
          }),
        ),
        'GET /repos/acme/new/issues/12/comments': ok([marked()]),
        [routes.edit.replace('docs', 'new')]: ok({}),
      },
    },
    'opened',
    'PATCH /repos/acme/new/issues/comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'was asked for by another repository',
    { inputs: { 'job-id': 'job_8f2' }, replies: comments(marked({ source: other })) },
    'opened',
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/other',
  ],
  [
    'was asked for by a job that another repository started',
    { inputs: { 'job-id': 'job_8f2' }, replies: comments() },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'was closed while the job worked on it',
    { foundHead: oldHead, source: 'followed-up', replies: isClosed },
    compared,
    'warning: acme/docs#12 is merged or closed by now, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.',
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'was merged after the job had opened it',
    { replies: { ...isClosed, ...comments() } },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'is not where a run looks, and another run started its job',
    {
      source: 'attached',
      inputs: { 'docs-repository': 'acme/site' },
      replies: comments(marked({ head: newHead })),
    },
    'unknown',
  ],
  [
    'is not where the next run looks',
    { inputs: { 'docs-repository': 'acme/site' } },
    'opened',
    'warning: The next run looks for open pull requests in acme/site, so it will not find acme/docs#12, and will start a second job: set docs-repository to acme/docs.',
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'is not where a run looks that continues in none',
    { inputs: { 'docs-repository': 'acme/site', 'on-open-pr': 'new' } },
    'opened',
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  ['has no label, and none was found', { inputs: { 'pr-label': '', 'on-open-pr': '' } }, 'opened'],
  [
    'has no label, and the job of it got a follow-up',
    {
      ...noLabel,
      foundHead: oldHead,
      source: 'followed-up',
    },
    compared,
  ],
  [
    'cannot be read',
    { replies: { [routes.pull]: refused(403), ...comments() } },
    'opened',
    `warning: The title and files of pull request acme/docs#12 could not be read, because GitHub responded with 403 ("No"): give docs-token ${needed}.`,
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, undefined, acme/product',
  ],
  [
    'cannot be seen, and needs not',
    { ...noLabel, replies: { [routes.pull]: refused(404) } },
    'opened',
    'info: The title and files of pull request acme/docs#12 could not be read, because GitHub responded with 404 ("No"): give docs-token the permission "pull-requests: read" on acme/docs, and check that this repository exists.',
  ],
  [
    'has no token',
    { tokens: { githubToken: 'a-token', docsToken: '' } },
    'opened',
    `info: The title and files of pull request acme/docs#12 could not be read, because docs-token is empty: leave docs-token out, or give it ${needed}.`,
    `warning: The label "docs" or our comment could not be left on acme/docs#12, because docs-token is empty: leave docs-token out, or give it ${needed}, ${otherwise}`,
  ],
  [
    'gets no label',
    { replies: { ...comments(), [routes.putLabel]: refused(403) } },
    'opened',
    `warning: The label "docs" or our comment could not be left on acme/docs#12, because GitHub responded with 403 ("No"): give docs-token ${needed}, and check that the conversation is not locked, ${otherwise}`,
    'POST 12/labels',
  ],
  [
    'gets no comment, and the next run needs none',
    { inputs: { 'on-open-pr': 'new' }, replies: { [routes.edit]: refused(403) } },
    'opened',
    `warning: The label "docs" or our comment could not be left on acme/docs#12, because GitHub responded with 403 ("No"): give docs-token ${needed}, and check that the conversation is not locked.`,
    'PATCH comments/601',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'is on another server',
    { job: { ...ended, pullRequest: elsewhere } },
    'opened',
    'warning: The pull request is on another server than this run, so the next run will not find it, and will start a second job: set on-open-pr to "new".',
  ],
  [
    'is on another server, and the next run is to skip',
    { job: { ...ended, pullRequest: elsewhere }, inputs: { 'on-open-pr': 'skip' } },
    'opened',
    'warning: The pull request is on another server than this run, so the next run will not find it, and will start a second job: set on-open-pr to "new".',
  ],
  [
    'is on another server, and the next run continues in none',
    {
      job: { ...ended, pullRequest: elsewhere },
      inputs: { 'on-open-pr': 'new' },
    },
    'opened',
  ],
  [
    'is another one than the run has found',
    {
      job: { ...ended, pullRequest: linkTo('acme/docs/pull/13') },
      foundHead: oldHead,
      source: 'followed-up',
      ...noLabel,
      replies: { 'GET /repos/acme/docs/pulls/13': ok(pullBody(newHead)) },
    },
    `opened instead of ${server}/acme/docs/pull/12`,
  ],
  [
    'is another one than the run has found, of a job that was active then',
    {
      ...noLabel,
      job: { ...ended, pullRequest: linkTo('acme/docs/pull/13') },
      before: job({ status: 'active' }),
      foundHead: oldHead,
      source: 'followed-up',
      replies: { 'GET /repos/acme/docs/pulls/13': ok(pullBody(newHead)) },
    },
    `opened instead of ${server}/acme/docs/pull/12`,
  ],
  [
    'is the one that the run has found, under an earlier name of the repository',
    {
      job: { ...ended, pullRequest: linkTo('acme/old/pull/12') },
      foundHead: oldHead,
      source: 'followed-up',
      ...noLabel,
      replies: {
        'GET /repos/acme/old/pulls/12': ok(
          pullBody(newHead, {
            base: { ref: 'main', repo: { private: true, full_name: 'acme/docs' } },
          }),
        ),
      },
    },
    compared,
  ],
  [
    'is of a job that was given, and had another one before',
    {
      source: 'followed-up',
      before: { ...ended, pullRequest: linkTo('acme/docs/pull/9') },
      replies: comments(),
    },
    'opened',
    'POST 12/labels',
    'POST 12/comments',
    'job_8f2, this prompt, b, acme/product',
  ],
  [
    'is of a job that had none when it got the follow-up',
    { ...noLabel, source: 'followed-up', before: job({ status: 'completed' }) },
    'opened',
  ],
  [
    'is of a job that was active when it got the follow-up',
    { ...noLabel, source: 'followed-up', before: job({ status: 'active' }) },
    'unknown',
  ],
  [
    'is of a job that had no status when it got the follow-up',
    { ...noLabel, source: 'followed-up', before: job({ status: 'active', unknownStatus: '' }) },
    'unknown',
  ],
  ['is missing', { job: job({ status: 'completed' }) }],
  ['is of a job that has not ended', { job: { ...ended, status: 'active' } }],
])('a pull request %s', async ([, given, ...lines]) => {
  expect((await over(given)).lines).toEqual(lines);
});

it('the comment says what the job did, and what the next run does', async () => {
  const texts = await Promise.all(
    (
      [
        { replies: comments() },
        { foundHead: oldHead, source: 'followed-up', inputs: { 'on-open-pr': 'skip' } },
        {
          foundHead: newHead,
          source: 'followed-up',
          inputs: { 'on-open-pr': 'new' },
          job: { ...ended, status: 'failed' },
        },
        { foundHead: oldHead, source: 'followed-up', replies: isClosed },
        { source: 'attached', replies: comments() },
      ] satisfies readonly Given[]
    ).map(over),
  );
  expect(texts.map(({ comment }) => comment).join('\n---\n')).toMatchInlineSnapshot(`
    "The docs agent opened this pull request: see <a href="https://github.example/acme/product/actions/runs/1001">a run</a> of <code>acme/product</code>. Its job is <code>job&#95;8f2</code>.

    The next run continues in this pull request as long as it is open and has the label <code>docs</code>. Take the label off to make this pull request your own.
    ---
    The docs agent continued this pull request: see <a href="https://github.example/acme/product/actions/runs/1001">a run</a> of <code>acme/product</code>. Its job is <code>job&#95;8f2</code>.

    <a href="https://github.example/acme/docs/compare/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb">See what changed since the prompt was sent</a>.

    No new job starts as long as this pull request is open and has the label <code>docs</code>. Take the label off to make this pull request your own.
    ---
    The docs agent left this pull request unchanged: see <a href="https://github.example/acme/product/actions/runs/1001">a run</a> of <code>acme/product</code>. Its job is <code>job&#95;8f2</code>, which has failed.

    This run added no commits.

    The label <code>docs</code> says that this pull request is the agent's. Take the label off to make this pull request your own.
    ---
    The docs agent continued this pull request: see <a href="https://github.example/acme/product/actions/runs/1001">a run</a> of <code>acme/product</code>. Its job is <code>job&#95;8f2</code>.

    ⚠️ <code>acme/docs&#35;12</code> is merged or closed by now, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.

    <a href="https://github.example/acme/docs/compare/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb">See what changed since the prompt was sent</a>.
    ---
    The docs agent was asked to work on this pull request. Its job is <code>job&#95;8f2</code>.

    The next run continues in this pull request as long as it is open and has the label <code>docs</code>. Take the label off to make this pull request your own."
  `);
});

it('the comment has no key that somebody has pasted into another input', async () => {
  const { comment } = await over({ inputs: { 'pr-label': apiKey } });
  expect(comment).toContain('has the label <code>***</code>');
});
