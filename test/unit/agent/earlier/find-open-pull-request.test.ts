import { expect, it } from 'vitest';
import { findOpenPullRequest } from '../../../../src/agent/earlier/find-open-pull-request.ts';
import type { Reply as ApiReply } from '../../../../src/platform/ask.ts';
import type { Job } from '../../../../src/platform/job.ts';
import { readPullRequestLink } from '../../../../src/platform/pull-request-link.ts';
import { ActionError } from '../../../../src/text/error.ts';
import { agentInputs, asked, failed, grantedTo, job, jobDeps } from '../../../helpers/agent.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import {
  apiKey,
  bot,
  githubSession,
  listedPull,
  marked,
  pullBody,
  type Reply,
} from '../../../helpers/servers.ts';

/** What GitHub and the API have. */
interface World {
  readonly listed?: readonly object[];
  /** On each pull request of the list. */
  readonly comments?: readonly object[];
  /** Each job's pull request as `owner/name/pull/number`, or its status, or the failure to read it. */
  readonly jobs?: Readonly<Record<string, string | ApiReply<Job>>>;
  /** GitHub's replies for other routes than these, by their paths below `/repos`. */
  readonly replies?: Readonly<Record<string, Reply>>;
  readonly inputs?: Readonly<Record<string, string>>;
}

const server = 'https://github.example';
const ok = (body: unknown): Reply => ({ status: 200, body });
const refused = (status: number): Reply => ({ status, body: { message: 'No' } });

function stateOf(id: string, state: string): ApiReply<Job> {
  const isStatus = ['active', 'completed', 'failed'].includes(state);
  const fields = isStatus
    ? { status: state as 'active' }
    : {
        status: 'completed' as const,
        pullRequest: readPullRequestLink(`${server}/${state}`, server),
      };
  return { kind: 'success', value: job({ id, ...fields }) };
}

const notFound = new ActionError('job-not-found', 'there is no such job', 'look');
const gone = failed({ status: 404, isFromApi: true, didNothing: true, error: notFound });

/** What is found, then what is passed over, and the jobs that the API was asked for. */
async function find(world: World): Promise<readonly string[]> {
  const { listed = [listedPull()], comments = [marked()], replies = {} } = world;
  const { github } = await githubSession((route) => {
    const path = route.replace(/^GET \/repos\/|\?.*$/g, '');
    const lists = new Map<string | undefined, unknown>(
      Object.entries({ issues: listed, comments }),
    );
    const viewer = { data: { viewer: { login: bot } } };
    return route === 'POST /graphql'
      ? (replies['graphql'] ?? ok(viewer))
      : (replies[path] ?? ok(lists.get(path.split('/').at(-1)) ?? pullBody()));
  });
  const variables = { GITHUB_REPOSITORY: 'acme/product', GITHUB_REPOSITORY_ID: '1' };
  const runner = fakeRunner({ ...variables, GITHUB_SERVER_URL: server });
  const jobs: string[] = [];
  const get = async (id: string): Promise<ApiReply<Job>> => {
    jobs.push(id);
    const state = (world.jobs ?? { job_8f2: 'acme/docs/pull/12' })[id] ?? gone;
    return typeof state === 'string' ? stateOf(id, state) : state;
  };
  const base = jobDeps({ runner });
  const granted = grantedTo('octocat');
  const { 'docs-token': docsToken = 'a-token', ...others } = world.inputs ?? {};
  const inputs = agentInputs({
    'api-key': apiKey,
    'pr-label': 'docs',
    'on-open-pr': 'continue',
    'docs-repository': 'acme/docs',
    ...others,
  });
  const access = { ...granted, inputs: { ...granted.inputs, docsToken } };
  const deps = { ...base, runner, github, jobs: { ...base.jobs, get } };
  const found = await findOpenPullRequest(asked({ access, inputs }), deps).catch(String);
  const ofJobs = jobs.join(' ');
  if (typeof found === 'string') {
    return [found.replace(/^ActionError: Nothing .* open pull request, and /, ''), ofJobs];
  }
  const { pullRequest, doubts } = found;
  const one = pullRequest && [pullRequest.jobId, pullRequest.link.url, pullRequest.headSha?.at(0)];
  const passed = doubts.map((why) => why.replace('acme/docs#', ''));
  return [one?.join(' ') ?? 'none', ofJobs, ...passed];
}

const page = `${server}/acme/docs/pull/12`;
const app = { author: 'docs-app[bot]' };
const stranger = { author: 'stranger' };
const ofNoJob = 'was opened by no job that is known to be of this project';
const active =
  'still runs, and Mintlify does not say which pull request it works on: run the workflow again when that job has ended.';
const another = { id: '2', name: 'acme/other' };
const ours = { id: '1', name: 'acme/product' };
function many<Item>(count: number, each: (number: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => each(index + 1));
}
const named = (count: number) =>
  many(count, (id) => marked({ ...stranger, id, jobId: `job_${id}` }));
const completed = Object.fromEntries(many(21, (id) => [`job_${id}`, 'completed']));
const permissions = 'the permissions "issues: write" and "pull-requests: write" on acme/docs';

const renamed = ok(
  pullBody(undefined, { base: { ref: 'main', repo: { private: false, full_name: 'acme/new' } } }),
);
const skip = (world: World): World => ({ ...world, inputs: { 'on-open-pr': 'skip' } });

it.for<readonly [string, World, ...found: string[]]>([
  ['whose job has it', {}, `job_8f2 ${page} a`, 'job_8f2'],
  ['to skip, by its job', skip({}), `job_8f2 ${page} a`, 'job_8f2'],
  ['by a stranger', { comments: [marked(stranger)] }, `job_8f2 ${page} a`, 'job_8f2'],
  [
    'to skip, by a stranger',
    skip({ comments: [marked(stranger)] }),
    `job_8f2 ${page} a`,
    'job_8f2',
  ],
  [
    'unless the API denies it',
    { jobs: { job_8f2: 'acme/docs/pull/13' } },
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  [
    'to skip, unless the API denies it',
    skip({ jobs: { job_8f2: 'acme/docs/pull/13' } }),
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  [
    'unless no comment names a job',
    { comments: [{ id: 1, body: 'Hi' }] },
    'none',
    '',
    `12 ${ofNoJob}`,
  ],
  [
    'unless its job is gone',
    { jobs: {} },
    'none',
    'job_8f2 job_8f2 job_8f2',
    '12 was opened by job job_8f2, which Mintlify does not know any more',
  ],
  [
    'to skip, even if its job is gone',
    skip({ jobs: {} }),
    `job_8f2 ${page} a`,
    'job_8f2 job_8f2 job_8f2',
  ],
  [
    'to skip, unless the job that another App names is gone',
    skip({ jobs: {}, comments: [marked(app)] }),
    'none',
    'job_8f2 job_8f2 job_8f2',
    '12 was opened by job job_8f2, which Mintlify does not know any more',
  ],
  [
    'unless the job that a stranger names is gone',
    { jobs: {}, comments: [marked(stranger)] },
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  ['whose job is active', { jobs: { job_8f2: 'active' } }, `job_8f2 ${page} a`, 'job_8f2'],
  [
    'whose job has ended, and is not linked yet',
    { jobs: { job_8f2: 'completed' } },
    `job_8f2 ${page} a`,
    'job_8f2',
  ],
  [
    'whose job the API links, rather than one that a comment with our login names',
    {
      comments: [marked({ jobId: 'job_9' }), marked({ id: 2 })],
      jobs: { job_9: 'active', job_8f2: 'acme/docs/pull/12' },
    },
    `job_8f2 ${page} a`,
    'job_9 job_8f2',
  ],
  [
    'whose job is active, whatever a stranger names',
    {
      comments: [marked(), marked({ ...stranger, id: 2, jobId: 'job_9' })],
      jobs: {
        job_8f2: 'active',
        job_9: failed({ status: 403, error: new ActionError('forbidden', 'no', 'look') }),
      },
    },
    `job_8f2 ${page} a`,
    'job_8f2 job_9',
  ],
  [
    'unless the job that another App names has none',
    { jobs: { job_8f2: 'completed' }, comments: [marked(app)] },
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  [
    'unless the job that another App names may get it',
    { jobs: { job_8f2: 'active' }, comments: [marked(app)] },
    `job job_8f2, which a comment on pull request acme/docs#12 names, ${active}`,
    'job_8f2',
  ],
  [
    'unless the job that a stranger names may get it',
    { jobs: { job_8f2: 'active' }, comments: [marked(stranger)] },
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  [
    'unless GitHub does not say whose token it is',
    { jobs: { job_8f2: 'active' }, replies: { graphql: refused(502), user: refused(502) } },
    'GitHub does not say which user the token belongs to: re-run the workflow later.',
    'job_8f2',
  ],
  [
    'unless one of the jobs that another App names may get it',
    {
      listed: [listedPull(13), listedPull(12)],
      jobs: { job_8f2: 'active', job_9: 'acme/docs/pull/9' },
      comments: [marked({ ...app, jobId: 'job_9' }), marked(app)],
    },
    `job job_8f2, which a comment on pull request acme/docs#13 names, ${active}`,
    'job_9 job_8f2 job_9 job_8f2',
  ],
  [
    'unless one of its jobs may get it, whichever is gone',
    {
      jobs: { job_8f2: 'active' },
      comments: [marked({ ...app, jobId: 'job_9' }), marked(app)],
    },
    `job job_8f2, which a comment on pull request acme/docs#12 names, ${active}`,
    'job_9 job_9 job_9 job_8f2',
  ],
  [
    'by our own comment, although the job of another App may get it',
    {
      jobs: { job_9: 'active', job_8f2: 'active' },
      comments: [marked({ ...app, jobId: 'job_9' }), marked()],
    },
    `job_8f2 ${page} a`,
    'job_9 job_8f2',
  ],
  [
    'although a newer one may be ours, too',
    {
      listed: [listedPull(13), listedPull(12)],
      replies: { 'acme/docs/issues/13/comments': ok([marked({ ...app, jobId: 'job_9' })]) },
      jobs: { job_9: 'active', job_8f2: 'acme/docs/pull/12' },
    },
    `job_8f2 ${page} a`,
    'job_9 job_8f2',
    "13 may be the agent's or not",
  ],
  [
    'by an App before a stranger',
    { comments: [marked({ ...stranger, jobId: 'job_9' }), marked(app)] },
    `job_8f2 ${page} a`,
    'job_8f2',
  ],
  [
    'although a stranger names a job that cannot be read',
    {
      comments: [marked({ ...stranger, jobId: 'job_9' }), marked({ ...stranger, id: 2 })],
      jobs: { job_9: failed({ status: 400 }), job_8f2: 'acme/docs/pull/12' },
    },
    `job_8f2 ${page} a`,
    'job_9 job_8f2',
  ],
  [
    'of another repository',
    { comments: [marked({ source: another })] },
    'none',
    '',
    '12 was asked for by acme/other',
  ],
  [
    'of another repository, whatever a stranger says of its job',
    { comments: [marked({ ...stranger, source: ours }), marked({ ...app, source: another })] },
    'none',
    '',
    '12 was asked for by acme/other',
  ],
  [
    'of this repository, whatever a stranger says of its job',
    { comments: [marked({ ...stranger, source: another }), marked({ ...app, source: ours })] },
    `job_8f2 ${page} a`,
    'job_8f2',
  ],

  [
    'in a renamed repository, whose new name the job has',
    { replies: { 'acme/docs/pulls/12': renamed }, jobs: { job_8f2: 'acme/new/pull/12' } },
    `job_8f2 ${server}/acme/new/pull/12 a`,
    'job_8f2',
  ],
  [
    'in a repository that was renamed since',
    {
      jobs: { job_8f2: 'acme/old/pull/12' },
      replies: {
        'acme/old/pulls/12': ok(
          pullBody('b'.repeat(40), {
            base: { ref: 'main', repo: { private: false, full_name: 'Acme/Docs' } },
          }),
        ),
      },
    },
    `job_8f2 ${server}/acme/old/pull/12 a`,
    'job_8f2',
  ],
  [
    'unless the job has one of another repository',
    { jobs: { job_8f2: 'acme/old/pull/12' } },
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  [
    'unless the job has one in a repository that is not there',
    { jobs: { job_8f2: 'acme/old/pull/12' }, replies: { 'acme/old/pulls/12': refused(404) } },
    'none',
    'job_8f2',
    `12 ${ofNoJob}`,
  ],
  [
    'unless GitHub does not say what the job has',
    { jobs: { job_8f2: 'acme/old/pull/12' }, replies: { 'acme/old/pulls/12': refused(500) } },
    'pull request acme/old#12 could not be read, because GitHub responded with 500 ("No"): re-run the workflow later.',
    'job_8f2',
  ],
  [
    'that is open',
    {
      listed: [listedPull(13), listedPull(12)],
      replies: { 'acme/docs/pulls/13': ok(pullBody('c'.repeat(40), { state: 'closed' })) },
    },
    `job_8f2 ${page} a`,
    'job_8f2',
    '13 has just been merged or closed',
  ],
  [
    'among 20, if none is proven',
    { listed: many(20, (number) => listedPull(number)), comments: [] },
    'none',
    '',
    ...many(20, (number) => `${number} ${ofNoJob}`),
  ],
  [
    'among 21, if none of 20 is proven',
    { listed: many(21, (number) => listedPull(number)), comments: [] },
    'acme/docs has 21 open pull requests with the label "docs", and none of the newest 20 is known to come from a run of acme/product: give pr-label a label that nothing else uses.',
    '',
  ],
  [
    'unless five of six jobs deny it',
    { comments: named(6), jobs: completed },
    'none',
    'job_1 job_2 job_3 job_4 job_5',
    `12 ${ofNoJob}`,
  ],
  [
    'whatever 25 comments of strangers name',
    { comments: [...named(25), marked(app)], jobs: { ...completed, job_8f2: 'acme/docs/pull/12' } },
    `job_8f2 ${page} a`,
    'job_8f2',
  ],

  [
    'unless the list cannot be read',
    { replies: { 'acme/docs/issues': refused(404) } },
    `the open pull requests of acme/docs could not be read, because GitHub responded with 404 ("No"): give docs-token ${permissions}, and check that this repository exists.`,
    '',
  ],
  [
    'unless its comments cannot be read',
    { replies: { 'acme/docs/issues/12/comments': refused(403) } },
    `the comments on pull request acme/docs#12 could not be read, because GitHub responded with 403 ("No"): give docs-token ${permissions}.`,
    '',
  ],
  [
    'unless it cannot be read itself',
    { replies: { 'acme/docs/pulls/12': refused(500) } },
    'pull request acme/docs#12 could not be read, because GitHub responded with 500 ("No"): re-run the workflow later.',
    '',
  ],
  [
    'unless its job cannot be read',
    { jobs: { job_8f2: failed({ status: 503 }) } },
    'failure 503: wait.',
    // For a minute.
    'job_8f2 job_8f2 job_8f2 job_8f2',
  ],
  ...(['key-refused', 'forbidden', 'rate-limited'] as const).map((reason) => {
    const error = new ActionError(reason, 'the key is refused', 'look');
    const jobs = { job_8f2: failed({ status: 401, error }) };
    return [
      `unless the key: ${reason}`,
      { jobs },
      'ActionError: The key is refused: look.',
      'job_8f2',
    ] as const;
  }),
  [
    'unless there is no token',
    { inputs: { 'docs-token': '' } },
    `input docs-token is empty: leave docs-token out, or give it ${permissions}.`,
    '',
  ],
])('an open pull request is found, %s', async ([, world, ...found]) => {
  expect(await find(world)).toEqual(found);
});
