import { expect, it } from 'vitest';
import { factsOf, tryKey } from '../../../src/agent/dry-run.ts';
import { readAccessInputs } from '../../../src/agent/inputs.ts';
import type { Decision } from '../../../src/agent/plan.ts';
import { unreadEvent } from '../../../src/github/event.ts';
import {
  agentInputs,
  asked,
  failed,
  grantedTo,
  job,
  jobDeps,
  jobRecord,
  preparedPrompt,
  resumePlan,
} from '../../helpers/agent.ts';
import { fakeRunner, passedInputs } from '../../helpers/fake-runner.ts';

it('the key is tried with the job that the input names, for up to 30 s', async () => {
  const runner = fakeRunner();
  const base = jobDeps({ runner });
  const get = async (id: string) => ({ kind: 'success', value: job({ id }) }) as const;
  const deps = { ...base, jobs: { ...base.jobs, get } };
  const named = agentInputs({ 'job-id': 'job_7' });
  expect(await tryKey(named, deps)).toEqual([
    'API',
    'The API at api.mintlify.com accepts the key. Job job_7 is active.',
  ]);
  const jobs = { ...base.jobs, get: async () => failed({ status: 503 }) };
  await expect(tryKey(named, { ...deps, jobs })).rejects.toThrow('Failure 503');
  expect(runner.clock.delaysMs.reduce((sum, delayMs) => sum + delayMs, 0)).toBeCloseTo(30_000, -2);
});

interface Given {
  readonly access?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly decision?: Partial<Decision>;
  /** What the prompt warns of. */
  readonly warnings?: readonly string[];
}

/** What a dry run on pull request 7 finds out. */
function factsOn({ access = {}, inputs = {}, decision = {}, warnings = [] }: Given) {
  const event = { ...unreadEvent, thread: { number: 7, isPullRequest: true } };
  const tokens = passedInputs({ 'github-token': 'own', ...access });
  const granted = { ...grantedTo('octocat'), event, inputs: readAccessInputs(tokens) };
  const read = agentInputs(inputs);
  const prompt = preparedPrompt({ warnings });
  const request = asked({ access: granted, inputs: read, prompt: read.prompt && prompt });
  const plan: Decision = { plan: { kind: 'new', prompt }, notes: [], ...decision };
  const facts = factsOf(plan, request, { ...fakeRunner().environment, repository: 'acme/product' });
  return facts.map(([name, text]) => `${name}: ${text}`);
}

const prompt = 'Prompt: It has 19 characters.';
const real = 'Real run: It would start a new job.';
const comment =
  'Comment: It goes to acme/product#7, for which github-token needs the permission "issues: write" ("pull-requests: write" for a pull request).';
const nothing = {
  result: 'skipped',
  reason: 'pull-request-open',
  message: 'No.',
  level: 'notice',
} as const;

it.each<[string, Given, ...lines: string[]]>([
  ['that would start a job', {}, prompt, real, comment],
  [
    'with a prompt that needs a look',
    { warnings: ['Look at it.', 'And at this.'] },
    `${prompt} Look at it. And at this.`,
    real,
    comment,
  ],
  [
    'without a token',
    { access: { 'github-token': '' } },
    prompt,
    real,
    'Comment: None is written on acme/product#7, because github-token is empty.',
  ],
  [
    'with a label here',
    { inputs: { 'pr-label': 'docs' } },
    prompt,
    real,
    comment,
    'Label: The agent\'s pull request gets the label "docs", for which github-token needs the permissions "issues: write" and "pull-requests: write" on acme/product.',
  ],
  [
    'that waits for a job',
    {
      inputs: { 'job-id': 'job_1', prompt: '' },
      access: { comment: '9' },
      decision: { plan: { kind: 'wait', jobId: 'job_1' } },
    },
    'Prompt: There is none: the step only waits for a job.',
    'Real run: It would wait for job job_1, and send nothing.',
    'Comment: It goes to acme/product#9, for which github-token needs the permission "issues: write" ("pull-requests: write" for a pull request).',
  ],
  [
    'that would continue',
    {
      access: { comment: 'false' },
      decision: {
        plan: { kind: 'continue', jobId: 'job_1', prompt: preparedPrompt() },
        notes: [
          { level: 'info', text: 'So it is.' },
          { level: 'notice', text: 'Look.' },
        ],
      },
    },
    prompt,
    'Real run: It would send the prompt to job job_1 as a follow-up. So it is. Look.',
    'Comment: None is written.',
  ],
  [
    'that would resume',
    { decision: { plan: resumePlan(jobRecord({ attempt: 2 })) } },
    prompt,
    'Real run: It would resume job job_1 of attempt 2, and send nothing.',
    comment,
  ],
  [
    'that would do nothing',
    { decision: { plan: { kind: 'nothing', result: nothing, jobId: '' } } },
    prompt,
    'Real run: It would be skipped. No.',
    comment,
  ],
])('a dry run %s', (_name, given, ...lines) => {
  expect(factsOn(given)).toEqual(lines);
});
