import { describe, expect, it } from 'vitest';
import type { Found } from '../../../src/agent/earlier/find.ts';
import type { EarlierPullRequest } from '../../../src/agent/earlier/find-open-pull-request.ts';
import { beginProgress } from '../../../src/agent/job/progress.ts';
import { decide, type Plan } from '../../../src/agent/plan.ts';
import type { Request } from '../../../src/agent/request.ts';
import { unreadEvent } from '../../../src/github/event.ts';
import type { JobStatus } from '../../../src/platform/job.ts';
import {
  agentInputs,
  asked,
  foundNothing,
  grantedTo,
  job,
  jobRecord,
  preparedPrompt,
  pullRequest,
  resumePlan,
} from '../../helpers/agent.ts';

/** What a run is asked for, on the pull request or issue `acme/product#7`. */
const here = { repository: 'acme/product' };

function askedFor(inputs: Readonly<Record<string, string>>, isPullRequest = true): Request {
  const event = { ...unreadEvent, thread: { number: 7, isPullRequest } };
  return asked({
    access: grantedTo('octocat', event),
    inputs: agentInputs(inputs),
    prompt: inputs['prompt'] === '' ? undefined : preparedPrompt({ text: 'Do it' }),
  });
}

const found: EarlierPullRequest = {
  jobId: 'job_1',
  link: pullRequest,
  isOpen: true,
  headSha: 'a'.repeat(40),
};

const record = jobRecord();

const first = foundNothing;
const open: Found = { ...first, pullRequest: found };
const merged: Found = { ...first, pullRequest: { ...found, isOpen: false } };

function attempt(status: JobStatus | undefined, earlier = first): Found {
  const progress = status === undefined ? undefined : { ...beginProgress(), job: job({ status }) };
  return { ...earlier, attempt: { ...resumePlan(record), kind: 'found', progress } };
}

const existing = { 'job-id': 'job_7' };
const attach = { 'job-id': 'job_7', prompt: '' };
const ofEvent = { 'job-id': 'from-pull-request' };
const waitOfEvent = { ...ofEvent, prompt: '' };
const label = { 'pr-label': 'docs', 'docs-repository': 'acme/docs' };
const goOn = { ...label, 'on-open-pr': 'continue' };
const skip = { ...label, 'on-open-pr': 'skip' };

/** The id of the plan's job, or why nothing is started. */
function detailOf(plan: Plan): string | undefined {
  switch (plan.kind) {
    case 'new':
      return undefined;
    case 'resume':
      return plan.record.jobId;
    case 'nothing':
      return `${plan.result.reason} ${plan.jobId}`.trim();
    default:
      return plan.jobId;
  }
}

/** All that a run may do. */
describe('a run', () => {
  it.each<[Readonly<Record<string, string>>, string, Found, string, string?]>([
    [{}, 'nothing', first, 'new'],
    [{}, 'an active job', attempt('active'), 'resume', 'job_1'],
    [{}, 'a completed job', attempt('completed'), 'resume', 'job_1'],
    [{}, 'a failed job', attempt('failed'), 'new'],
    [{}, 'an archived job', attempt('archived'), 'new'],
    [{}, 'a job that is gone', attempt(undefined), 'new'],
    [existing, 'nothing', first, 'continue', 'job_7'],
    [existing, 'an active job', attempt('active'), 'resume', 'job_1'],
    [existing, 'a failed job', attempt('failed'), 'continue', 'job_7'],
    [attach, 'nothing', first, 'wait', 'job_7'],
    [goOn, 'nothing', first, 'new'],
    [goOn, 'an open pull request', open, 'continue', 'job_1'],
    [goOn, 'an active job and an open pull request', attempt('active', open), 'resume', 'job_1'],
    [goOn, 'a failed job and an open pull request', attempt('failed', open), 'continue', 'job_1'],
    [skip, 'nothing', first, 'new'],
    [skip, 'an open pull request', open, 'nothing', 'pull-request-open'],
    [ofEvent, 'no job for the pull request', first, 'nothing', 'no-job-for-pull-request'],
    [ofEvent, 'an open pull request', open, 'continue', 'job_1'],
    [ofEvent, 'a merged pull request', merged, 'nothing', 'no-job-for-pull-request job_1'],
    [ofEvent, 'an active job', attempt('active', open), 'resume', 'job_1'],
    [waitOfEvent, 'an open pull request', open, 'wait', 'job_1'],
    [waitOfEvent, 'a merged pull request', merged, 'wait', 'job_1'],
    [waitOfEvent, 'no job for the pull request', first, 'nothing', 'no-job-for-pull-request'],
  ])('with %j that finds %s', (inputs, _what, earlier, kind, detail) => {
    const { plan } = decide(askedFor(inputs), earlier, here);
    expect(plan.kind).toBe(kind);
    expect(detailOf(plan)).toBe(detail);
    expect('prompt' in plan ? plan.prompt.text : undefined).toBe(
      ['new', 'continue'].includes(kind) ? 'Do it' : undefined,
    );
  });
});

describe('the log', () => {
  const textOf = (inputs: Readonly<Record<string, string>>, earlier: Found) =>
    decide(askedFor(inputs), earlier, here).notes.map(({ level, text }) => `${level}: ${text}`);

  it('says why a run does not go on with an earlier job', () => {
    const kinds = ['not-searched', 'none', 'no-store'] as const;
    const earlier = kinds.map((kind) => ({ ...first, attempt: { kind } }));
    expect(
      [...earlier, attempt('failed'), attempt(undefined)].flatMap((each) => textOf({}, each)),
    ).toEqual([
      'info: No record of an earlier attempt of this run was found: either none came so far that a job could be resumed, or its record is gone or signed with another API key.',
      'warning: Whether an earlier attempt of this run started a job is not known, because this run has no comment and no cache to look in: no job is resumed, and an earlier one may still be active.',
      'info: Attempt 1 of this run ended with job job_1, which failed: it is not resumed.',
      'warning: Attempt 1 of this run started job job_1, which Mintlify does not know any more: it is not resumed.',
    ]);
  });

  it('says that a resumed job got another prompt', () => {
    expect(textOf({}, attempt('active'))).toEqual([]);
    const other = { ...record, promptHash: '000000000000' };
    const earlier: Found = {
      ...first,
      attempt: {
        ...resumePlan(other),
        kind: 'found',
        progress: { ...beginProgress(), job: job() },
      },
    };
    expect(textOf({}, earlier)).toEqual([
      'notice: The prompt differs from the one that attempt 1 sent, and is not sent: job job_1 continues with the earlier one. To send the new prompt, start a new run.',
    ]);
  });

  it('names the pull requests that cannot be continued', () => {
    const doubts = ['acme/docs#21 is not ours', 'acme/docs#20 is gone', 'acme/docs#19 was closed'];
    expect(textOf(goOn, { ...open, doubts })).toEqual([
      'notice: This run continues in an older one, because acme/docs#21 is not ours, acme/docs#20 is gone and acme/docs#19 was closed.',
      `info: This run continues in ${pullRequest.url}, which job job_1 opened.`,
    ]);
    const alone = doubts.slice(2);
    expect(textOf(goOn, { ...attempt('failed'), doubts: alone })).toEqual([
      'info: Attempt 1 of this run ended with job job_1, which failed: it is not resumed.',
      'notice: This run starts a new job, because acme/docs#19 was closed.',
    ]);
  });
});

/** Why nothing is started. */
it.each<[Request, Found, string]>([
  [
    askedFor(skip),
    open,
    `Nothing was started, because the pull request of an earlier run is still open: merge or close ${pullRequest.url}, or take the label "docs" off it, and then run the workflow again.`,
  ],
  [
    askedFor(ofEvent),
    first,
    'Nothing was sent, because no job of this project is known to have opened pull request acme/product#7: give pr-label to the step that starts the jobs, because it leaves a comment by which its pull requests are found.',
  ],
  [
    askedFor(ofEvent, false),
    first,
    'Nothing was sent, because acme/product#7 is not a pull request: comment on a pull request that the agent has opened.',
  ],
  [
    askedFor(ofEvent),
    merged,
    'Nothing was sent, because pull request acme/product#7 is merged or closed: reopen it if it was only closed, or start a new job for what is left to do.',
  ],
])('%#: nothing is started', (request, earlier, message) => {
  const { plan } = decide(request, earlier, here);
  const level = 'notice';
  expect('result' in plan && plan.result).toMatchObject({ result: 'skipped', message, level });
});
