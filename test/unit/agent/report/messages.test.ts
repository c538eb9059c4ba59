import { expect, it } from 'vitest';
import type { Saved } from '../../../../src/agent/earlier/keep-record.ts';
import type { AgentInputs } from '../../../../src/agent/inputs.ts';
import { stateBefore } from '../../../../src/agent/job/state-before.ts';
import { lossWarning, messageOf } from '../../../../src/agent/report/messages.ts';
import type { Phase, Result } from '../../../../src/agent/result.ts';
import type { Continuation, HandedOver, Reached } from '../../../../src/agent/stage.ts';
import {
  agentInputs,
  beforeStage,
  documentWatch,
  handedOver,
  job,
  jobRecord,
  preparedPrompt,
  pullRequest,
  resumePlan,
  waitingStage,
} from '../../../helpers/agent.ts';

const askedAtMs = Date.UTC(2026, 0, 5, 8, 40, 59);

const create = agentInputs({ 'wait-minutes': '90' });
const followUp = agentInputs({ 'job-id': 'job_1' });
const attach = agentInputs({ 'job-id': 'job_1', prompt: '' });
const continued = agentInputs({ 'pr-label': 'docs', 'on-open-pr': 'continue' });
const skipping = agentInputs({ 'pr-label': 'docs', 'on-open-pr': 'skip' });

/** The job has a pull request, in which it works. */
const linked = waitingStage({ job: job({ pullRequest }) });

/** The job has failed. */
const failed = waitingStage({ job: job({ status: 'failed' }) });
const failedWithPull = { ...failed, handedOver: handedOver() };

type Case = readonly [result: Result, inputs?: AgentInputs, last?: Reached, saved?: Saved['kind']];

/** The messages of steps that ended so, by default while they waited for their jobs. */
function read(...cases: readonly Case[]): string {
  return cases
    .map(([result, inputs = create, last = waitingStage(), kind = 'unavailable']) =>
      messageOf({ result, last: { ...last, inputs }, saved: { kind, problem: '' }, askedAtMs }),
    )
    .map(({ heading, lead = '', sentence, next }) =>
      [`# ${heading}`, ...(lead === '' ? [] : [lead]), sentence, next || '-'].join('\n'),
    )
    .join('\n\n');
}

const { url } = pullRequest;
const opened: Result = { result: 'pull-request', job: job(), url };

/** The job has this pull request, in this round. */
function having(over: Partial<HandedOver>, continuation: Partial<Continuation> = {}): Reached {
  const all = { ...handedOver().continuation, ...continuation };
  return waitingStage({ handedOver: handedOver({ ...over, continuation: all }) });
}

it('a job with a pull request: the message says what became of that', () => {
  const waits = { started: waitingStage({ source: 'attached' }).started };
  const closed = { ...documentWatch, isOpen: false };
  const news = { url: 'https://github.com/x' };
  const elsewhere = { kind: 'link', url: 'https://ghe.example/1' } as const;
  const other = { ...pullRequest, github: { repository: 'acme/docs', number: '9' } };
  expect(
    read(
      [opened, create, having({})],
      [opened, create, having({ pullRequest: closed }, { count: 1 })],
      [opened, create, having({}, { count: 2 })],
      [opened, create, having({ before: pullRequest, pullRequest: closed }, { count: 1 })],
      [opened, create, having({ before: pullRequest }, { count: 3, changes: 'none' })],
      [opened, create, having({ before: pullRequest }, { count: 3, changes: news })],
      [opened, followUp, having({ before: pullRequest, pullRequest: closed }, { changes: news })],
      [opened, attach, { ...having({ before: pullRequest }, { count: 3 }), ...waits }],
      [opened, create, having({ before: other }, { count: 3 })],
      [opened, create, having({ before: elsewhere, link: { ...elsewhere, url } })],
      [opened, create, having({ before: elsewhere, link: elsewhere })],
    ),
  ).toMatchInlineSnapshot(`
    "# Pull request opened
    Job job_1 completed and opened a pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request opened
    Job job_1 completed and opened a pull request; it is merged or closed by now: https://github.com/acme/docs/pull/12
    -

    # The job has completed in round 2
    Job job_1 has completed, and what it added to its pull request in round 2 is not known: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # The job has completed
    Job job_1 has completed, and what it added to its pull request is not known; it is merged or closed by now: https://github.com/acme/docs/pull/12
    Compare its branch with the base branch, and run the workflow again for what is missing.

    # Pull request unchanged in round 3
    Job job_1 completed and added nothing to its pull request in round 3: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request continued in round 3
    Job job_1 completed and continued its pull request in round 3: https://github.com/acme/docs/pull/12
    Review what is new in the pull request before it is merged.

    # Pull request continued
    Job job_1 completed and continued its pull request; it is merged or closed by now: https://github.com/acme/docs/pull/12
    Compare its branch with the base branch, and run the workflow again for what is missing.

    # The job has completed
    Job job_1 has completed and has a pull request: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request opened
    Job job_1 completed and opened a new pull request instead of continuing acme/docs#9: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # Pull request opened
    Job job_1 completed and opened a new pull request instead of continuing https://ghe.example/1: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged.

    # The job has completed
    Job job_1 has completed, and what it added to its pull request is not known: https://github.com/acme/docs/pull/12
    Review the pull request before it is merged."
  `);
});

it('a job without one: the message says why, and what a re-run does', () => {
  expect(
    read(
      [{ result: 'no-pull-request', job: job() }],
      [{ result: 'failed', job: job() }, create, failed, 'saved'],
      [{ result: 'failed', job: job(), url }, followUp],
      [{ result: 'failed', job: job() }, continued],
      [{ result: 'archived', job: job() }, attach],
      [{ result: 'archived', job: job(), url }, continued, failedWithPull],
      [{ result: 'failed', job: job(), url }, skipping, failedWithPull],
    ),
  ).toMatchInlineSnapshot(`
    "# No pull request was opened
    Job job_1 completed without opening a pull request.
    If you expected a change, open the job in <a href="https://app.mintlify.com">the dashboard</a>. Either no file needed one, or the project lets the agent push straight to its branch.

    # The agent failed
    Job job_1 failed: open the job in the dashboard to see why; re-running the workflow starts a second job.
    Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

    # The agent failed
    Job job_1, whose pull request is https://github.com/acme/docs/pull/12, failed: open the job in the dashboard to see why; re-running the workflow sends the follow-up again.
    Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow sends the follow-up again.

    # The agent failed
    Job job_1 failed: open the job in the dashboard to see why; re-running the workflow starts a second job.
    Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

    # The job was archived
    Job job_1 was archived without a pull request: open the job in the dashboard to see why.
    Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why.

    # The job was archived
    Job job_1, whose pull request is https://github.com/acme/docs/pull/12, was archived: open the job in the dashboard to see why; re-running the workflow sends the prompt to this job again, or starts a second job if this one takes no follow-up.
    Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow sends the prompt to this job again, or starts a second job if this one takes no follow-up.

    # The agent failed
    Job job_1, whose pull request is https://github.com/acme/docs/pull/12, failed: open the job in the dashboard to see why; re-running the workflow starts nothing as long as the pull request is open.
    Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts nothing as long as the pull request is open."
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
  const unseen = { seen: { ...seen, wasActive: false, phase: { at: 'unsettled' } as const } };
  const started = { ...waitingStage().started, before: stateBefore(job(), undefined) };
  const record = jobRecord({ sent: 'follow-up' });
  const again = resumePlan(record);
  const plan = { kind: 'continue', jobId: 'job_1', prompt: preparedPrompt() } as const;
  expect(
    read(
      [timedOut],
      [timedOut, create, waitingStage(), 'saved'],
      [timedOut, create, waitingStage(), 'failed'],
      [{ ...timedOut, lastProblem: 'it is down' }, attach, down],
      [timedOut, followUp, linked],
      [timedOut, continued, linked, 'failed'],
      [{ ...timedOut, lastProblem: 'it is down' }, followUp, waitingStage({ ...unseen, started })],
      [timedOut, followUp, waitingStage({ ...unseen, started }), 'saved'],
      [timedOut, followUp, waitingStage({ started }), 'saved'],
      [running],
      [running, followUp, waitingStage({ source: 'followed-up' })],
      [running, attach, waitingStage({ source: 'attached' })],
      [running, continued, waitingStage({ source: 'resumed' }), 'saved'],
      [running, continued, waitingStage({ source: 'resumed', plan: again }), 'saved'],
      [running, continued, waitingStage({ source: 'resumed', plan: again, ...unseen }), 'saved'],
      [running, continued, waitingStage({ plan })],
      [running, agentInputs({ 'job-id': 'job_1', 'pr-label': 'docs' }), waitingStage({ plan })],
    ),
  ).toMatchInlineSnapshot(`
    "# The waiting time is over
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 still runs, costs credits and may open a pull request, but the waiting time of 1 h 30 min is over: to find out how it ends, run this action with job-id job_1 and no prompt.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow starts a second job.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 still runs, costs credits and may open a pull request, but the waiting time of 1 h 30 min is over: to find out how it ends, re-run this workflow, or run this action with job-id job_1 and no prompt.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 still runs, costs credits and may open a pull request, but the waiting time of 1 h 30 min is over: to find out how it ends, run this action with job-id job_1 and no prompt.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow starts a second job.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job may still have been running: it costs credits until it ends, and may open a pull request.
    Job job_1 may still run, cost credits and open a pull request, but the waiting time of 30 min is over, and since the job was last seen active, it is down: to find out how it ends, re-run this workflow, or run this action with job-id job_1 and no prompt.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may add commits to its pull request.
    Job job_1 still runs, costs credits and may add commits to its pull request, but the waiting time of 30 min is over: to find out how it ends, run this action with job-id job_1 and no prompt.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow sends the follow-up again.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may add commits to its pull request.
    Job job_1 still runs, costs credits and may add commits to its pull request, but the waiting time of 30 min is over: to find out how it ends, run this action with job-id job_1, the same pr-label and no prompt.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code>, the same <code>pr-label</code> and no prompt. Re-running the workflow starts a second job.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job may still have been running: it costs credits until it ends, and may open a pull request.
    Job job_1 may still run, cost credits and open a pull request, but the waiting time of 30 min is over, and it is down: to find out how it ends, open the job in the dashboard.
    To find out how it ends, open the job in <a href="https://app.mintlify.com">the dashboard</a>. Re-running the workflow sends the follow-up again.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job may still have been running: it costs credits until it ends, and may open a pull request.
    Job job_1 may still run, cost credits and open a pull request, but the waiting time of 30 min is over: to find out how it ends, re-run this workflow.
    To find out how it ends, re-run this workflow.

    # The waiting time is over
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 still runs, costs credits and may open a pull request, but the waiting time of 30 min is over: to find out how it ends, re-run this workflow, or run this action with job-id job_1 and no prompt.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 was started, and this step does not wait for it to end.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    The follow-up was sent to job job_1, and this step does not wait for it to end.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 still runs, and this step does not wait for it to end.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1, which an earlier attempt of this run started, still runs, and this step does not wait for it to end.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code>, the same <code>pr-label</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1, to which an earlier attempt of this run sent the follow-up, still runs, and this step does not wait for it to end.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code>, the same <code>pr-label</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job may still have been running: it costs credits until it ends, and may open a pull request.
    Job job_1, to which an earlier attempt of this run sent the follow-up, may still run, and this step does not wait for it to end.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code>, the same <code>pr-label</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 was started, and this step does not wait for it to end.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # This run does not wait for the agent
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 was started, and this step does not wait for it to end.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code>, the same <code>pr-label</code> and no prompt."
  `);
});

it('a step that was stopped: the message says what may be running', () => {
  const cancelled = (phase: Phase): Result => ({ result: 'cancelled', phase });
  const breakdown = (phase: Phase): Result => ({
    result: 'error',
    reason: 'internal-error',
    errorName: 'TypeError',
    phase,
  });
  const unread = waitingStage({ job: undefined });
  const { started, seen } = waitingStage();
  const unseen = {
    started: { ...started, before: stateBefore(job(), undefined) },
    seen: { ...seen, wasActive: false },
  };
  const refused: Result = { result: 'error', reason: 'key-refused', message: 'It said no: ask.' };
  const lost: Result = { ...refused, reason: 'job-not-found' };
  const ended = waitingStage({ job: job({ status: 'completed' }) });
  expect(
    read(
      [cancelled('before'), create, beforeStage()],
      [cancelled('before'), followUp, beforeStage()],
      [cancelled('before'), agentInputs({ 'job-id': 'from-pull-request' }), beforeStage()],
      [cancelled('before'), attach, beforeStage()],
      [cancelled('sending'), create, beforeStage()],
      [cancelled('sending'), followUp, beforeStage()],
      [cancelled('waiting'), followUp, linked],
      [cancelled('waiting'), create, unread, 'pending'],
      [cancelled('waiting'), create, waitingStage(), 'saved'],
      [breakdown('before'), create, beforeStage()],
      [breakdown('sending'), create, beforeStage()],
      [breakdown('waiting'), create, ended],
      [refused],
      [refused, create, waitingStage(), 'saved'],
      [refused, followUp, waitingStage(unseen)],
      [refused, create, ended],
      [lost],
    ),
  ).toMatchInlineSnapshot(`
    "# The run was cancelled
    The run was cancelled before a job was started.
    The run was cancelled before a job was started.
    -

    # The run was cancelled
    The run was cancelled before the follow-up was sent to job <code>job&#95;1</code>.
    The run was cancelled before the follow-up was sent to job job_1.
    -

    # The run was cancelled
    The run was cancelled before the follow-up was sent to the job of the pull request.
    The run was cancelled before the follow-up was sent to the job of the pull request.
    -

    # The run was cancelled
    The run was cancelled before it waited for job <code>job&#95;1</code>.
    The run was cancelled before it waited for job job_1.
    -

    # The run was cancelled
    A job may have been started: then it costs credits until it ends, and may open a pull request.
    The run was cancelled while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one.
    Look for it in <a href="https://app.mintlify.com">the dashboard</a> before you start another one.

    # The run was cancelled
    Mintlify may have received the follow-up: then the job costs credits until it ends, and may open a pull request.
    The run was cancelled while a follow-up was being sent to job job_1, so Mintlify may have received it: check the job in the dashboard before you send it again.
    Check the job in <a href="https://app.mintlify.com">the dashboard</a> before you send it again.

    # The run was cancelled
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may add commits to its pull request.
    Job job_1 still runs, costs credits and may add commits to its pull request, although the run was cancelled: to find out how it ends, run this action with job-id job_1 and no prompt.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow sends the follow-up again.

    # The run was cancelled
    At 2026-01-05 08:40 UTC, the job may still have been running: it costs credits until it ends, and may open a pull request.
    Job job_1 may still run, cost credits and open a pull request, although the run was cancelled: to find out how it ends, run this action with job-id job_1 and no prompt.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow also waits for this job, unless a warning says that its record could not be saved.

    # The run was cancelled
    At 2026-01-05 08:40 UTC, the job was still running: it costs credits until it ends, and may open a pull request.
    Job job_1 still runs, costs credits and may open a pull request, although the run was cancelled: to find out how it ends, re-run this workflow, or run this action with job-id job_1 and no prompt.
    To find out how it ends, re-run this workflow, or run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

    # The step ended with an error
    This action hit an internal error (TypeError) before a job was started.
    This action hit an internal error (TypeError) before a job was started. Please report what the log says with debug logging enabled.
    Please report what the log says with debug logging enabled.

    # The step ended with an error
    This action hit an internal error (TypeError). A job may have been started: then it costs credits until it ends, and may open a pull request.
    This action hit an internal error (TypeError) while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one. Please report what the log says with debug logging enabled.
    Look for it in <a href="https://app.mintlify.com">the dashboard</a> before you start another one. Please report what the log says with debug logging enabled.

    # The step ended with an error
    This action hit an internal error (TypeError). The job was last seen completed.
    Job job_1 was last seen completed, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
    To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow starts a second job. Please report what the log says with debug logging enabled.

    # The step ended with an error
    It said no: ask. Job <code>job&#95;1</code> may keep running, so afterwards run this action with job-id <code>job&#95;1</code> and no prompt to find out how it ends.
    It said no: ask. Job job_1 may keep running, so afterwards run this action with job-id job_1 and no prompt to find out how it ends.
    Re-running the workflow starts a second job.

    # The step ended with an error
    It said no: ask. Job <code>job&#95;1</code> may keep running, so afterwards re-run this workflow, or run this action with job-id <code>job&#95;1</code> and no prompt to find out how it ends.
    It said no: ask. Job job_1 may keep running, so afterwards re-run this workflow, or run this action with job-id job_1 and no prompt to find out how it ends.
    -

    # The step ended with an error
    It said no: ask. Job <code>job&#95;1</code> may keep running, so afterwards open the job in the dashboard to find out how it ends.
    It said no: ask. Job job_1 may keep running, so afterwards open the job in the dashboard to find out how it ends.
    Re-running the workflow sends the follow-up again.

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
      result: { result: 'cancelled', phase: 'waiting' },
      last,
      saved: before,
      askedAtMs,
    });
  const unavailable = { kind: 'unavailable' } as const;
  const failed = { kind: 'failed', problem: 'it is down' } as const;
  const mayExist = { ...beforeStage(), inputs: create };
  expect([
    warned(failed, mayExist),
    warned(failed, { ...having({}), inputs: continued }, failed),
    warned(unavailable, mayExist),
    warned(unavailable, mayExist, unavailable),
    warned({ kind: 'saved' }, mayExist),
  ]).toEqual([
    'The record of a job that may exist could not be saved, because it is down: re-running the workflow starts a second job.',
    'The record of job job_1 could not be saved, because it is down: re-running the workflow sends the prompt to this job again, or starts a second job if this one takes no follow-up.',
    'The record of a job that may exist could not be saved, because this run has neither a comment nor a cache service: re-running the workflow starts a second job.',
    undefined,
    undefined,
  ]);
});
