import { expect, it } from 'vitest';
import type { Saved } from '../../../../src/agent/earlier/keep-record.ts';
import type { JobRecord } from '../../../../src/agent/earlier/record.ts';
import type { AgentInputs } from '../../../../src/agent/inputs.ts';
import { followUpOf } from '../../../../src/agent/job/follow-up.ts';
import { lossWarning, messageOf } from '../../../../src/agent/report/messages.ts';
import type { Result } from '../../../../src/agent/result.ts';
import type { HandedOver, Reached } from '../../../../src/agent/stage.ts';
import type { FoundLink } from '../../../../src/platform/pull-request-link.ts';
import {
  agentInputs,
  asked,
  beforeStage,
  documentWatch,
  foundNothing,
  handedOver,
  job,
  jobRecord,
  preparedPrompt,
  pullRequest,
  resumePlan,
  waitingStage,
} from '../../../helpers/agent.ts';

const end = { at: 'ended', askedAtMs: Date.UTC(2026, 0, 5, 8, 40, 59), tookMs: 0 } as const;

const create = agentInputs({ 'wait-minutes': '90' });
const followUp = agentInputs({ 'job-id': 'job_1' });
const attach = agentInputs({ 'job-id': 'job_1', prompt: '' });
const continued = agentInputs({ 'pr-label': 'docs', 'on-open-pr': 'continue' });
const skipping = agentInputs({ 'pr-label': 'docs', 'on-open-pr': 'skip' });

/** The job has a pull request, in which it works. */
const linked = waitingStage({ job: job({ pullRequest }) });

/** The record of a follow-up. */
const sent = jobRecord({ followUp: followUpOf(job(), undefined) });

/** The job has failed. */
const failed = waitingStage({ job: job({ status: 'failed' }) });
const failedWithPull = { ...failed, handedOver: handedOver() };

type Case = readonly [result: Result, inputs?: AgentInputs, last?: Reached, saved?: Saved['kind']];

/** The messages of steps that ended so, by default while they waited for their jobs. */
function read(...cases: readonly Case[]): string {
  return cases
    .map(([result, inputs = create, last = waitingStage(), kind = 'unavailable']) =>
      messageOf({ ...end, result, last: { ...last, inputs }, saved: { kind, problem: '' } }),
    )
    .map(({ heading, lead, sentence, next }) =>
      [`# ${heading}`, ...(lead === '' ? [] : [lead]), sentence, next || '-'].join('\n'),
    )
    .join('\n\n');
}

const link = pullRequest;
const opened: Result = { result: 'pull-request', job: job(), link };

/** The job has this pull request. */
function having(over: Partial<HandedOver>): Reached {
  return waitingStage({ handedOver: handedOver(over) });
}

it('a job with a pull request: the message says what became of that', () => {
  const closed = { pullRequest: { ...documentWatch, isOpen: false } };
  const continued = { work: { kind: 'continued', url: 'https://github.com/x' } } as const;
  const unknown = { work: { kind: 'unknown' } } as const;
  const instead = (of: FoundLink) => having({ work: { kind: 'opened', instead: of } });
  const elsewhere = { kind: 'link', url: 'https://ghe.example/1' } as const;
  const other = { ...pullRequest, github: { repository: 'acme/docs', number: 9 } };
  expect(
    read(
      [opened, create, waitingStage()],
      [opened, create, having({})],
      [opened, create, having(closed)],
      [opened, create, having(unknown)],
      [opened, create, having({ ...unknown, ...closed })],
      [opened, create, having({ work: { kind: 'unchanged' } })],
      [opened, create, having(continued)],
      [opened, followUp, having({ ...continued, ...closed })],
      [opened, create, instead(other)],
      [opened, create, instead(elsewhere)],
    ),
  ).toMatchInlineSnapshot(`
    "# The job has completed
    Job job_1 has completed and has a pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request opened
    Job job_1 completed and opened a pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request opened
    Job job_1 completed and opened a pull request; it is merged or closed by now: https://github.com/acme/docs/pull/12
    -

    # The job has completed
    Job job_1 has completed and has a pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # The job has completed
    Job job_1 has completed and has a pull request; it is merged or closed by now: https://github.com/acme/docs/pull/12
    -

    # Pull request unchanged
    Job job_1 completed and added nothing to its pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request continued
    Job job_1 completed and continued its pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request continued
    Job job_1 completed and continued its pull request; it is merged or closed by now: https://github.com/acme/docs/pull/12
    -

    # Pull request opened
    Job job_1 completed and opened a new pull request instead of continuing acme/docs#9: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request opened
    Job job_1 completed and opened a new pull request instead of continuing https://ghe.example/1: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged."
  `);
});

it('a job without one: the message says why, and what a re-run does', () => {
  expect(
    read(
      [{ result: 'no-pull-request', job: job() }],
      [{ result: 'failed', job: job() }, create, failed, 'saved'],
      [{ result: 'failed', job: job(), link }, followUp, { ...failed, record: sent }],
      [{ result: 'failed', job: job() }, continued, failed],
      [{ result: 'archived', job: job() }, attach, { ...failed, record: undefined }],
      [{ result: 'archived', job: job(), link }, continued, failedWithPull],
      [{ result: 'failed', job: job(), link }, skipping, failedWithPull],
    ),
  ).toMatchInlineSnapshot(`
    "# No pull request was opened
    Job job_1 completed without opening a pull request.
    If you expected a change, open the job in the dashboard. Either no file needed a change, or the project lets the agent push straight to its branch.

    # The agent failed
    Job job_1 failed: open the job in the dashboard to see why; re-running the workflow starts a second job.
    Open the job in the dashboard to see why. Re-running the workflow starts a second job.

    # The agent failed
    Job job_1, whose pull request is https://github.com/acme/docs/pull/12, failed: open the job in the dashboard to see why; re-running the workflow sends the prompt to this job again.
    Open the job in the dashboard to see why. Re-running the workflow sends the prompt to this job again.

    # The agent failed
    Job job_1 failed: open the job in the dashboard to see why; re-running the workflow starts a second job.
    Open the job in the dashboard to see why. Re-running the workflow starts a second job.

    # The job was archived
    Job job_1 was archived: open the job in the dashboard to see why.
    Open the job in the dashboard to see why.

    # The job was archived
    Job job_1, whose pull request is https://github.com/acme/docs/pull/12, was archived: open the job in the dashboard to see why; re-running the workflow sends the prompt to this job again.
    Open the job in the dashboard to see why. Re-running the workflow sends the prompt to this job again.

    # The agent failed
    Job job_1, whose pull request is https://github.com/acme/docs/pull/12, failed: open the job in the dashboard to see why.
    Open the job in the dashboard to see why."
  `);
});

it('a job that keeps running: the message says how to wait for it', () => {
  const timedOut: Result = { result: 'timed-out', job: job() };
  const running: Result = { result: 'running', job: job() };
  const { seen } = waitingStage();
  const down = waitingStage({
    seen: { ...seen, retryState: { ...seen.retryState, failuresInRow: 1 } },
  });
  /** No poll has shown that the agent works on the follow-up. */
  const unseen = {
    seen: { ...seen, followUp: sent.followUp, phase: { at: 'unsettled' } as const },
  };
  const again = resumePlan(sent);
  const noWait = agentInputs({ 'wait-minutes': '0' });
  expect(
    read(
      [timedOut],
      [timedOut, create, waitingStage(), 'saved'],
      [timedOut, create, waitingStage(), 'failed'],
      [{ ...timedOut, lastProblem: 'it is down' }, attach, { ...down, record: undefined }],
      [timedOut, followUp, { ...linked, record: sent }],
      [timedOut, continued, linked, 'failed'],
      [timedOut, followUp, waitingStage({ ...unseen, record: sent })],
      [timedOut, followUp, waitingStage({ ...unseen, record: sent }), 'saved'],
      [timedOut, followUp, waitingStage({ record: sent }), 'saved'],
      [running, noWait, waitingStage(), 'saved'],
      [running, noWait, waitingStage({ ...unseen, record: sent }), 'saved'],
      [running, continued, waitingStage({ source: 'resumed', plan: again }), 'saved'],
    ),
  ).toMatchInlineSnapshot(`
    "# The waiting time is over
    The waiting time of 1 h 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 1 h 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, run this action with job-id job_1 and no prompt; re-running the workflow starts a second job.
    To get its result, run this action with job-id job_1 and no prompt. Re-running the workflow starts a second job.

    # The waiting time is over
    The waiting time of 1 h 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 1 h 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.
    To get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.

    # The waiting time is over
    The waiting time of 1 h 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 1 h 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, run this action with job-id job_1 and no prompt; re-running the workflow starts a second job.
    To get its result, run this action with job-id job_1 and no prompt. Re-running the workflow starts a second job.

    # The waiting time is over
    The waiting time of 30 min is over, and it is down. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 30 min is over, and it is down. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.
    To get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.

    # The waiting time is over
    The waiting time of 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, open the job in the dashboard; re-running the workflow sends the prompt to this job again.
    To get its result, open the job in the dashboard. Re-running the workflow sends the prompt to this job again.

    # The waiting time is over
    The waiting time of 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, run this action with job-id job_1, the same pr-label and no prompt; re-running the workflow starts a second job.
    To get its result, run this action with job-id job_1, the same pr-label and no prompt. Re-running the workflow starts a second job.

    # The waiting time is over
    The waiting time of 30 min is over. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 30 min is over. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, open the job in the dashboard; re-running the workflow sends the prompt to this job again.
    To get its result, open the job in the dashboard. Re-running the workflow sends the prompt to this job again.

    # The waiting time is over
    The waiting time of 30 min is over. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 30 min is over. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow.
    To get its result, re-run the workflow.

    # The waiting time is over
    The waiting time of 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The waiting time of 30 min is over. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow.
    To get its result, re-run the workflow.

    # This run does not wait for the agent
    With wait-minutes 0, this step does not wait. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    With wait-minutes 0, this step does not wait. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, run this action with job-id job_1 and no prompt.
    To get its result, run this action with job-id job_1 and no prompt.

    # This run does not wait for the agent
    With wait-minutes 0, this step does not wait. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    With wait-minutes 0, this step does not wait. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, open the job in the dashboard.
    To get its result, open the job in the dashboard.

    # This run does not wait for the agent
    With wait-minutes 0, this step does not wait. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    With wait-minutes 0, this step does not wait. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow, or run this action with job-id job_1, the same pr-label and no prompt.
    To get its result, re-run the workflow, or run this action with job-id job_1, the same pr-label and no prompt."
  `);
});

it('a step that was stopped: the message says what may be running', () => {
  const cancelled: Result = { result: 'cancelled' };
  const message = 'This action hit an internal error (TypeError): report it.';
  const breakdown: Result = { result: 'error', reason: 'internal-error', message };
  const sending = (record: JobRecord, mayHaveArrived = true): Reached => ({
    at: 'sending',
    ...asked(),
    found: foundNothing,
    plan: { kind: 'new', prompt: preparedPrompt() },
    record,
    mayHaveArrived,
  });
  const unread = waitingStage({ job: undefined });
  const { seen } = waitingStage();
  const unseen = {
    seen: { ...seen, followUp: sent.followUp },
  };
  const refused: Result = { result: 'error', reason: 'key-refused', message: 'It said no: ask.' };
  const lost: Result = { ...refused, reason: 'job-not-found' };
  const ended = waitingStage({ job: job({ status: 'completed' }) });
  expect(
    read(
      [cancelled, create, beforeStage()],
      [cancelled, create, sending(jobRecord({ jobId: '' }), false)],
      [cancelled, create, sending(jobRecord({ jobId: '' }))],
      [cancelled, followUp, sending(sent)],
      [cancelled, followUp, { ...linked, record: sent }],
      [cancelled, create, unread, 'pending'],
      [cancelled, create, waitingStage(), 'saved'],
      [breakdown, create, beforeStage()],
      [breakdown, create, sending(jobRecord({ jobId: '' }))],
      [breakdown, create, ended],
      [refused],
      [refused, create, waitingStage(), 'saved'],
      [refused, followUp, waitingStage({ ...unseen, record: sent })],
      [refused, create, ended],
      [lost],
    ),
  ).toMatchInlineSnapshot(`
    "# Cancelled
    The run was cancelled. Nothing was started.
    The run was cancelled. Nothing was started.
    -

    # Cancelled
    The run was cancelled. Nothing was started.
    The run was cancelled. Nothing was started.
    -

    # Cancelled
    The run was cancelled. A request was being sent.
    The run was cancelled. A request was being sent: a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.
    A job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.

    # Cancelled
    The run was cancelled. A request was being sent.
    The run was cancelled. A request was being sent: Mintlify may have received the follow-up to job job_1, so open the job in the dashboard, and then start a new run, with job-id job_1 and no prompt to wait for it or with the prompt to send it again.
    Mintlify may have received the follow-up to job job_1, so open the job in the dashboard, and then start a new run, with job-id job_1 and no prompt to wait for it or with the prompt to send it again.

    # Cancelled
    The run was cancelled. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The run was cancelled. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, open the job in the dashboard; re-running the workflow sends the prompt to this job again.
    To get its result, open the job in the dashboard. Re-running the workflow sends the prompt to this job again.

    # Cancelled
    The run was cancelled. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The run was cancelled. Job job_1 may have been running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, run this action with job-id job_1 and no prompt; re-running the workflow also waits for this job, unless a warning says that its record could not be saved.
    To get its result, run this action with job-id job_1 and no prompt. Re-running the workflow also waits for this job, unless a warning says that its record could not be saved.

    # Cancelled
    The run was cancelled. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    The run was cancelled. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.
    To get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.

    # The step ended with an error
    This action hit an internal error (TypeError): report it. Nothing was started.
    This action hit an internal error (TypeError): report it. Nothing was started.
    -

    # The step ended with an error
    This action hit an internal error (TypeError): report it. A request was being sent.
    This action hit an internal error (TypeError): report it. A request was being sent: a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.
    A job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.

    # The step ended with an error
    This action hit an internal error (TypeError): report it. Job job_1 has completed.
    This action hit an internal error (TypeError): report it. Job job_1 has completed: to get its result, run this action with job-id job_1 and no prompt; re-running the workflow starts a second job.
    To get its result, run this action with job-id job_1 and no prompt. Re-running the workflow starts a second job.

    # The step ended with an error
    It said no: ask. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    It said no: ask. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, run this action with job-id job_1 and no prompt; re-running the workflow starts a second job.
    To get its result, run this action with job-id job_1 and no prompt. Re-running the workflow starts a second job.

    # The step ended with an error
    It said no: ask. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    It said no: ask. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.
    To get its result, re-run the workflow, or run this action with job-id job_1 and no prompt.

    # The step ended with an error
    It said no: ask. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request.
    It said no: ask. Job job_1 was running at 2026-01-05 08:40 UTC, costs credits until it ends, and may still open or change a pull request: to get its result, open the job in the dashboard; re-running the workflow sends the prompt to this job again.
    To get its result, open the job in the dashboard. Re-running the workflow sends the prompt to this job again.

    # The step ended with an error
    It said no: ask.
    It said no: ask.
    -

    # The step ended with an error
    It said no: ask.
    It said no: ask.
    -"
  `);
});

it('a dry run that is ready says what it cannot know', () => {
  expect(read([{ result: 'ready', facts: [] }, create, beforeStage()])).toMatchInlineSnapshot(`
    "# Dry run: ready
    Whether the key may start jobs, the plan includes the agent, and credits are left shows only when a job is started.
    Nothing was started. Whether the key may start jobs, the plan includes the agent, and credits are left shows only when a job is started.
    Set dry-run to false for a real run."
  `);
});

it('a record that is saved nowhere may be of a job that may exist, or of one that takes the prompt again', () => {
  const warned = (saved: Saved, last: Reached, before: Saved = { kind: 'pending' }) =>
    lossWarning(saved, {
      result: { result: 'cancelled' },
      last,
      saved: before,
      ...end,
    });
  const unavailable = { kind: 'unavailable' } as const;
  const failed = { kind: 'failed', problem: 'it is down' } as const;
  const mayExist = waitingStage({ inputs: create, started: { ...waitingStage().started, id: '' } });
  const skipped = { ...having({}), inputs: skipping };
  expect([
    warned(failed, mayExist),
    warned(failed, { ...having({}), inputs: continued }, failed),
    warned(unavailable, mayExist),
    warned(unavailable, mayExist, unavailable),
    warned({ kind: 'saved' }, mayExist),
    warned(failed, skipped),
  ]).toEqual([
    'The record of a job that may exist could not be saved, because it is down: re-running the workflow starts a second job.',
    'The record of job job_1 could not be saved, because it is down: re-running the workflow sends the prompt to this job again.',
    'The record of a job that may exist could not be saved, because this run has neither a comment nor a cache service: re-running the workflow starts a second job.',
    undefined,
    undefined,
    undefined,
  ]);
});
