import { expect, it } from 'vitest';
import { followUpOf } from '../../../src/agent/job/follow-up.ts';
import type { Plan } from '../../../src/agent/plan.ts';
import {
  jobIdOf,
  jobOf,
  linkOf,
  type Planned,
  type Reached,
  recordOf,
  type Sending,
} from '../../../src/agent/stage.ts';
import {
  agentInputs,
  asked,
  beforeStage,
  foundNothing,
  handedOver,
  job,
  jobRecord,
  preparedPrompt,
  pullRequest,
  resumePlan,
  waitingStage,
} from '../../helpers/agent.ts';

const prompt = preparedPrompt();
const record = jobRecord({ jobId: 'job_r', followUp: followUpOf(job(), undefined) });
const link = { kind: 'link', url: 'https://github.com/acme/docs/pull/9' } as const;
const earlier = { jobId: 'job_e', link, isOpen: true, headSha: 'a'.repeat(40) };
const found = { ...foundNothing, pullRequest: earlier };

function planned(plan: Plan, inputs: Readonly<Record<string, string>> = {}): Planned {
  return { at: 'planned', ...asked({ inputs: agentInputs(inputs) }), found, plan };
}

function sending(plan: Plan, fields: Partial<Sending>): Sending {
  const sent = { record, mayHaveArrived: false, ...fields };
  return { ...planned(plan), at: 'sending', ...sent };
}

const start: Plan = { kind: 'new', prompt };
const goOn: Plan = { kind: 'continue', jobId: 'job_e', prompt };
const resume = resumePlan({ ...record, jobId: 'job_r' });
const skip = {
  result: 'skipped',
  reason: 'pull-request-open',
  message: '',
  level: 'notice',
} as const;
const wait = { 'job-id': 'job_7', prompt: '' };

it.each<[string, Reached, jobId: string, job: string, link: string, record: string]>([
  ['nothing', beforeStage(), '', '-', '-', '-'],
  ['inputs', beforeStage({ inputs: agentInputs() }), '', '-', '-', '-'],
  ['a job', beforeStage({ inputs: agentInputs(wait) }), 'job_7', '-', '-', '-'],
  ['a record', { at: 'asking', ...asked(), record }, 'job_r', '-', '-', 'job_r'],
  ['a new job', planned(start), '', '-', '-', '-'],
  ['a follow-up', planned(goOn), 'job_e', '-', '9', '-'],
  ['a job to resume', planned(resume), 'job_r', '-', '9', '-'],
  ['a job to wait for', planned({ kind: 'wait', jobId: 'job_7' }, wait), 'job_7', '-', '9', '-'],
  [
    'nothing to do',
    planned({ kind: 'nothing', result: skip, jobId: 'job_e' }),
    'job_e',
    '-',
    '9',
    '-',
  ],
  ['a request', sending(goOn, {}), 'job_e', '-', '9', '-'],
  ['a lost request', sending(start, { mayHaveArrived: true }), '', '-', '-', 'job_r'],
  ['a started job', waitingStage({ found, record }), 'job_1', 'job_1', '-', 'job_r'],
  [
    'a job at its end',
    waitingStage({ found, plan: goOn, record, handedOver: handedOver({ link: pullRequest }) }),
    'job_1',
    'job_1',
    '2',
    'job_r',
  ],
])('what is known of %s', (_name, stage, ...known) => {
  expect([
    jobIdOf(stage),
    jobOf(stage)?.id ?? '-',
    linkOf(stage)?.url.at(-1) ?? '-',
    recordOf(stage)?.jobId ?? '-',
  ]).toEqual(known);
});
