import { expect, it } from 'vitest';
import { endFindings, newFindings, tryKey, tryOut } from '../../../src/agent/dry-run.ts';
import { readAccessInputs } from '../../../src/agent/inputs.ts';
import type { Decision } from '../../../src/agent/plan.ts';
import type { Result } from '../../../src/agent/result.ts';
import type { Finding, Reached } from '../../../src/agent/stage.ts';
import { unreadEvent } from '../../../src/github/event.ts';
import {
  agentInputs,
  asked,
  beforeStage,
  failed,
  grantedTo,
  job,
  jobDeps,
  jobRecord,
  preparedPrompt,
  waitingStage,
} from '../../helpers/agent.ts';
import { fakeRunner, passedInputs } from '../../helpers/fake-runner.ts';
import { githubSession } from '../../helpers/servers.ts';

const linesOf = (findings: readonly Finding[]) =>
  findings.map(({ level, name, text }) => `${level} ${name}: ${text}`);

const access = grantedTo('octocat');
const inputs = agentInputs();
const tried: readonly Finding[] = [{ level: 'good', name: 'API', text: 'It is there.' }];

it('each stage has findings of its own', () => {
  const prompt = preparedPrompt({ characters: 1234, warnings: ['Look at it.', 'And at this.'] });
  const stages = [
    beforeStage(),
    beforeStage({ access: grantedTo('') }),
    beforeStage({ access, inputs }),
    beforeStage({ access, inputs, tried }),
    beforeStage({ access, inputs, tried, prompt }),
    beforeStage({ access, inputs, tried: [...tried, ...tried], prompt }),
  ];
  const news = stages.slice(1).map((now, index) => linesOf(newFindings(stages[index] ?? now, now)));
  expect(news).toEqual([
    ['good Access: This event may start a job.'],
    ['good Inputs: All inputs can be used.'],
    ['good API: It is there.'],
    ['note Prompt: It has 1,234 characters; see below. Look at it.'],
    ['good API: It is there.'],
  ]);
  const granted = newFindings(beforeStage(), beforeStage({ access, prompt: preparedPrompt() }));
  expect(linesOf(granted)).toEqual([
    'good Access: octocat may start a job.',
    'good Prompt: It has 19 characters; see below.',
  ]);
});

const refused: Result = { result: 'error', reason: 'forbidden', message: 'It said no.' };
const unchanged = 'unknown Not checked: What follows is checked once this is in order.';

it.each<[Result, Reached, ...lines: string[]]>([
  [refused, beforeStage(), 'bad Inputs: It said no.', unchanged],
  [refused, beforeStage({ inputs }), 'bad API: It said no.', unchanged],
  [refused, beforeStage({ inputs, tried }), 'bad Prompt: It said no.', unchanged],
  [
    refused,
    beforeStage({ inputs, tried, prompt: preparedPrompt() }),
    'bad Real run: It said no.',
    unchanged,
  ],
  [
    refused,
    beforeStage({ inputs: agentInputs({ 'job-id': 'job_1', prompt: '' }), tried }),
    'bad Real run: It said no.',
    unchanged,
  ],
  [
    { result: 'skipped', reason: 'nothing-changed', message: 'No.', level: 'notice' },
    beforeStage({ inputs, tried }),
    'note Prompt: No.',
  ],
  [{ result: 'error', reason: 'internal-error', errorName: 'E', phase: 'before' }, waitingStage()],
  [{ result: 'ready' }, beforeStage({ inputs, tried })],
])('the end of a dry run is a finding, if it is not ready: %#', (result, stage, ...lines) => {
  expect(linesOf(endFindings(result, stage))).toEqual(lines);
});

it('the key is tried with the job that the input names, for up to 30 s', async () => {
  const runner = fakeRunner();
  const base = jobDeps({ runner });
  const get = async (id: string) => ({ kind: 'job', job: job({ id }) }) as const;
  const deps = { ...base, jobs: { ...base.jobs, get } };
  const named = agentInputs({ 'job-id': 'job_7' });
  expect(linesOf(await tryKey(named, deps))).toEqual([
    'good API: The API at api.mintlify.com accepts the key. Job job_7 is active.',
  ]);
  const jobs = { ...base.jobs, get: async () => failed({ status: 503 }) };
  await expect(tryKey(named, { ...deps, jobs })).rejects.toThrow('Failure 503');
  expect(runner.clock.delaysMs.reduce((sum, delayMs) => sum + delayMs, 0)).toBeCloseTo(30_000, -2);
});

interface Given {
  readonly access?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly decision?: Partial<Decision>;
  readonly thread?: number;
  /** Paths below `/repos` that GitHub refuses, each with the token that reads it. */
  readonly refused?: readonly string[];
}

/** The findings but for the last one, and each request with its token. */
async function triedOut(given: Given) {
  const { thread } = given;
  const event = {
    ...unreadEvent,
    thread: thread ? { number: thread, isPullRequest: true } : undefined,
  };
  const tokens = { 'github-token': 'own', ...given.access };
  const granted = { ...access, event, inputs: readAccessInputs(passedInputs(tokens)) };
  const read = agentInputs(given.inputs);
  const prompt = preparedPrompt();
  const decision: Decision = { plan: { kind: 'new', prompt }, notes: [], ...given.decision };
  const { server, github } = await githubSession((route) => ({
    status: given.refused?.includes(route.replace('GET /repos/', '')) ? 404 : 200,
    body: { message: 'No' },
  }));
  const request = asked({ access: granted, inputs: read, prompt: read.prompt && prompt });
  const findings = await tryOut(decision, request, { runner: fakeRunner(), github });
  const requests = server.arrivals.map(
    ({ path, headers }) => `${path.replace('/repos/', '')} ${headers.authorization?.slice(6)}`,
  );
  return [...linesOf(findings).slice(0, -1), ...requests.sort()];
}

const real = 'good Real run: It would start a new job.';
const own = 'good github-token: It can read acme/product.';
const none = 'good comment: None is written.';
const docs = { 'docs-token': 'other' };
const label = { 'pr-label': 'docs', 'docs-repository': 'acme/docs' };
const needed = (level: string, repository: string) =>
  `the permissions "issues: ${level}" and "pull-requests: ${level}" on ${repository}`;
const nothing = {
  result: 'skipped',
  reason: 'pull-request-open',
  message: 'No.',
  level: 'notice',
} as const;

it.each<[string, Given, ...lines: string[]]>([
  ['with one token', {}, real, own, none, 'acme/product own'],
  [
    'without a token',
    { access: { 'github-token': '' } },
    real,
    'note github-token: It is empty, so nothing on GitHub is read or written with it.',
    none,
  ],
  [
    'with a token for docs that are not known yet',
    { access: docs },
    real,
    own,
    'good docs-token: GitHub accepts it. Whether it can read the docs repository shows when a job names that.',
    none,
    '/rate_limit other',
    'acme/product own',
  ],
  [
    'with a token for the docs',
    { access: docs, inputs: label },
    real,
    own,
    'good docs-token: It can read acme/docs.',
    'good Pull requests: docs-token can read those of acme/docs.',
    `unknown pr-label: Whether docs-token may put the label "docs" on a pull request is not checked: it needs ${needed('write', 'acme/docs')}.`,
    none,
    'acme/docs other',
    'acme/docs/pulls?per_page=1 other',
    'acme/product own',
  ],
  [
    'with tokens that read nothing',
    {
      access: docs,
      inputs: label,
      refused: ['acme/product', 'acme/docs', 'acme/docs/pulls'],
      thread: 7,
    },
    real,
    'note github-token: It cannot read acme/product, because GitHub responded with 404 ("No"): give github-token the permission "contents: read" on acme/product, and check that this repository exists.',
    `note docs-token: It cannot read acme/docs, because GitHub responded with 404 ("No"): give docs-token ${needed('write', 'acme/docs')}, and check that this repository exists.`,
    `note Pull requests: docs-token cannot read those of acme/docs, because GitHub responded with 404 ("No"): give docs-token ${needed('write', 'acme/docs')}, and check that this repository exists.`,
    `unknown pr-label: Whether docs-token may put the label "docs" on a pull request is not checked: it needs ${needed('write', 'acme/docs')}.`,
    'unknown comment: It goes to acme/product#7. Whether github-token may write there shows when it does.',
    'acme/docs other',
    'acme/docs/pulls?per_page=1 other',
    'acme/product own',
    'acme/product/issues/7 own',
  ],
  [
    'with the own token for other docs',
    { inputs: label },
    real,
    own,
    'good docs-token: It can read acme/docs.',
    'good Pull requests: docs-token can read those of acme/docs.',
    `note pr-label: docs-token is empty, and the workflow's own token cannot put the label "docs" on a pull request of another repository: set docs-token to one that has ${needed('write', 'acme/docs')}, unless github-token has them.`,
    none,
    'acme/docs own',
    'acme/docs/pulls?per_page=1 own',
    'acme/product own',
  ],
  [
    'of a job that only waits for that of a pull request',
    {
      inputs: { 'job-id': 'from-pull-request', prompt: '' },
      access: { comment: '9' },
      thread: 7,
      refused: ['acme/product/issues/9', 'acme/product/pulls'],
      decision: { plan: { kind: 'wait', jobId: 'job_1' } },
    },
    'good Prompt: There is none: the step only waits for a job.',
    'good Real run: It would wait for job job_1, and send nothing.',
    own,
    `note Pull requests: github-token cannot read those of acme/product, because GitHub responded with 404 ("No"): give github-token ${needed('read', 'acme/product')}, and check that this repository exists.`,
    'note comment: It would go to acme/product#9, which github-token cannot read, because GitHub responded with 404 ("No"): check that it exists, and that github-token has the permission "issues: write" or "pull-requests: write".',
    'acme/product own',
    'acme/product/issues/9 own',
    'acme/product/pulls?per_page=1 own',
  ],
  [
    'that would continue',
    {
      thread: 7,
      access: { comment: 'false' },
      decision: {
        plan: { kind: 'continue', jobId: 'job_1', prompt: preparedPrompt() },
        notes: [
          { level: 'info', text: 'So it is.' },
          { level: 'notice', text: 'Look.' },
        ],
      },
    },
    'good Real run: So it is.',
    'note Real run: Look.',
    'good Real run: It would send the prompt to job job_1 as a follow-up.',
    own,
    none,
    'acme/product own',
  ],
  [
    'that would resume',
    { decision: { plan: { kind: 'resume', record: jobRecord({ attempt: 2 }), job: job() } } },
    'good Real run: It would resume job job_1 of attempt 2, and send nothing.',
    own,
    none,
    'acme/product own',
  ],
  [
    'that would do nothing',
    { decision: { plan: { kind: 'nothing', result: nothing, jobId: '' } } },
    'note Real run: It would be skipped. No.',
    own,
    none,
    'acme/product own',
  ],
])('a dry run %s', async (_name, given, ...lines) => {
  expect(await triedOut(given)).toEqual(lines);
});
