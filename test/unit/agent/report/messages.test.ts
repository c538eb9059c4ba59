import { describe, expect, it } from 'vitest';
import type { Kept } from '../../../../src/agent/earlier/keep-record.ts';
import type { AgentInputs } from '../../../../src/agent/inputs.ts';
import { icons, messageOf } from '../../../../src/agent/report/messages.ts';
import {
  type InternalErrorResult,
  type Phase,
  type Result,
  resultNames,
} from '../../../../src/agent/result.ts';
import type { Closing, Reached } from '../../../../src/agent/stage.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { job, pullRequest } from '../../../helpers/jobs.ts';
import { preparedPrompt } from '../../../helpers/prompts.ts';
import { beforeStage, waitingStage } from '../../../helpers/stages.ts';

const create = agentInputs({ 'wait-minutes': '90' });
const followUp = agentInputs({ 'job-id': 'job_1' });
const attach = agentInputs({ 'job-id': 'job_1', prompt: '' });

/** What is known when a step ends so, by default while it waits for its job. */
function closing(
  result: Result,
  inputs: AgentInputs = create,
  last: Reached = waitingStage({ inputs, job: job() }),
  kept: Kept = 'no-record',
): Closing {
  return { result, last: { ...last, inputs }, kept, findings: undefined };
}

/** The text of the messages. */
function read(...cases: readonly Parameters<typeof closing>[]): string {
  return cases
    .map((each) => messageOf(closing(...each)))
    .map(({ heading, lead = '', sentence, next }) =>
      [`# ${heading}`, ...(lead === '' ? [] : [lead]), sentence, next || '-'].join('\n'),
    )
    .join('\n\n');
}

const { url } = pullRequest;

/** The step could not ask for its job yet. */
const unread = waitingStage({ job: undefined });

describe('the message of a job that has ended', () => {
  it('says how it ended', () => {
    expect(
      read(
        [{ result: 'pull-request', job: job(), url }],
        [{ result: 'no-pull-request', job: job(), mayNotHaveBegun: false }],
        [{ result: 'no-pull-request', job: job(), mayNotHaveBegun: true }, followUp],
        [{ result: 'failed', job: job() }],
        [{ result: 'failed', job: job(), url }],
        [{ result: 'archived', job: job() }],
        [{ result: 'archived', job: job(), url }],
      ),
    ).toMatchInlineSnapshot(`
      "# Pull request opened
      Job job_1 completed and opened a pull request: https://github.com/acme/docs/pull/12
      Review the pull request and merge it.

      # No pull request was opened
      Job job_1 completed without opening a pull request.
      If you expected a change, open the job in <a href="https://app.mintlify.com">the dashboard</a>. Either no file needed one, or the project lets the agent push straight to its branch.

      # No pull request was opened
      Job job_1 still shows its state from before the follow-up, so the agent may not have started on it: to find out how it ends, run this action with job-id job_1 and no prompt.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

      # The agent failed
      Job job_1 failed: open the job in the dashboard to see why; re-running the workflow starts a second job.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

      # The agent failed
      Job job_1, whose pull request is https://github.com/acme/docs/pull/12, failed: open the job in the dashboard to see why; re-running the workflow starts a second job.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

      # The job was archived
      Job job_1 was archived without a pull request: open the job in the dashboard to see why; re-running the workflow starts a second job.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

      # The job was archived
      Job job_1, whose pull request is https://github.com/acme/docs/pull/12, was archived: open the job in the dashboard to see why; re-running the workflow starts a second job.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job."
    `);
  });
});

describe('the message of a job that keeps running', () => {
  it('says how to wait for it', () => {
    expect(
      read(
        [{ result: 'timed-out', job: job() }],
        [{ result: 'timed-out', job: job(), lastProblem: 'it is down' }, attach],
        [{ result: 'running', job: job() }, create, waitingStage()],
        [{ result: 'running', job: job() }, followUp, waitingStage({ source: 'followed-up' })],
        [{ result: 'running', job: job() }, attach, waitingStage({ source: 'attached' })],
      ),
    ).toMatchInlineSnapshot(`
      "# The waiting time is over
      The job still runs, costs credits and may open a pull request.
      Job job_1 still runs, costs credits and may open a pull request, but the waiting time of 1 h 30 min is over: to find out how it ends, run this action with job-id job_1 and no prompt.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow starts a second job.

      # The waiting time is over
      The job may still run, cost credits and open a pull request.
      Job job_1 may still run, cost credits and open a pull request, but the waiting time of 30 min is over, and since the job was last seen active, it is down: to find out how it ends, run this action with job-id job_1 and no prompt.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow waits for the same job again.

      # The agent is working, and this run does not wait for it
      Job job_1 was started, and this step does not wait for it to end.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

      # The agent is working, and this run does not wait for it
      The follow-up was sent to job job_1, and this step does not wait for it to end.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt.

      # The agent is working, and this run does not wait for it
      Job job_1 is active, and this step does not wait for it to end.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt."
    `);
  });

  it('names the label for the run that waits for the job, unless the pull request has it', () => {
    const inputs = agentInputs({ 'pr-label': 'docs' });
    const plan = { kind: 'continue', jobId: 'job_1', prompt: preparedPrompt() } as const;
    const results: readonly Result[] = [
      { result: 'timed-out', job: job() },
      { result: 'running', job: job() },
      { result: 'cancelled', phase: 'waiting' },
    ];
    for (const result of results) {
      const { sentence, next } = messageOf(closing(result, inputs));
      if (result.result !== 'running') {
        expect(sentence).toContain(', the same pr-label and no prompt');
      }
      expect(next).toContain(', the same <code>pr-label</code> and no prompt');
      const again = messageOf(closing(result, inputs, waitingStage({ plan })));
      expect(again.sentence + again.next).not.toMatch(/label/);
    }
  });

  it.each([
    ['starts a second job', create],
    ['sends the follow-up again', followUp],
    ['waits for the same job again', attach],
  ])('says what re-running the workflow does: it %s', (words, inputs) => {
    const results: readonly Result[] = [
      { result: 'failed', job: job() },
      { result: 'timed-out', job: job() },
      { result: 'cancelled', phase: 'waiting' },
      breakdown('waiting'),
    ];
    for (const result of results) {
      expect(messageOf(closing(result, inputs)).next).toContain(
        `Re-running the workflow ${words}.`,
      );
    }
  });
});

describe('the message of a cancelled run', () => {
  it('says what may be running', () => {
    expect(
      read(
        [{ result: 'cancelled', phase: 'before' }, create, beforeStage()],
        [{ result: 'cancelled', phase: 'before' }, followUp, beforeStage()],
        [{ result: 'cancelled', phase: 'sending' }, create, beforeStage()],
        [{ result: 'cancelled', phase: 'sending' }, followUp, beforeStage()],
        [{ result: 'cancelled', phase: 'waiting' }, create, unread, 'pending'],
        [{ result: 'cancelled', phase: 'waiting' }, create],
      ),
    ).toMatchInlineSnapshot(`
      "# The run was cancelled
      The run was cancelled before a job was started.
      -

      # The run was cancelled
      The run was cancelled before the follow-up was sent to job job_1.
      -

      # The run was cancelled
      A job may have been started: then it runs, costs credits and may open a pull request.
      The run was cancelled while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one.
      Look for it in <a href="https://app.mintlify.com">the dashboard</a> before you start another one.

      # The run was cancelled
      Mintlify may have received the follow-up: then the job runs, costs credits and may open a pull request.
      The run was cancelled while a follow-up was being sent to job job_1, so Mintlify may have received it: check the job in the dashboard before you send it again.
      Check the job in <a href="https://app.mintlify.com">the dashboard</a> before you send it again.

      # The run was cancelled
      The job may still run, cost credits and open a pull request.
      Job job_1 may still run, cost credits and open a pull request, although the run was cancelled: to find out how it ends, run this action with job-id job_1 and no prompt.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow also waits for this job, unless its record could not be saved in time.

      # The run was cancelled
      The job still runs, costs credits and may open a pull request.
      Job job_1 still runs, costs credits and may open a pull request, although the run was cancelled: to find out how it ends, run this action with job-id job_1 and no prompt.
      To find out how it ends, run this action with <code>job-id</code> <code>job&#95;1</code> and no prompt. Re-running the workflow starts a second job."
    `);
  });
});

function breakdown(phase: Phase): InternalErrorResult {
  return { result: 'error', reason: 'internal-error', errorName: 'TypeError', phase };
}

describe('the message of an internal error', () => {
  it('says what it means for the job', () => {
    expect(
      read(
        [breakdown('before'), create, beforeStage()],
        [breakdown('before'), followUp, beforeStage()],
        [breakdown('sending'), create, beforeStage()],
        [breakdown('sending'), followUp, beforeStage()],
        [breakdown('waiting'), create, unread, 'pending'],
        [breakdown('waiting'), create],
        [breakdown('waiting'), create, waitingStage({ job: job({ status: 'completed' }) })],
      ),
    ).toMatchInlineSnapshot(`
      "# The step ended with an error
      This action hit an internal error (TypeError) before a job was started. Please report what the log says with debug logging enabled.
      -

      # The step ended with an error
      This action hit an internal error (TypeError) before the follow-up was sent to job job_1. Please report what the log says with debug logging enabled.
      -

      # The step ended with an error
      This action hit an internal error (TypeError) while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one. Please report what the log says with debug logging enabled.
      -

      # The step ended with an error
      This action hit an internal error (TypeError) while a follow-up was being sent to job job_1, so Mintlify may have received it: check the job in the dashboard before you send it again. Please report what the log says with debug logging enabled.
      -

      # The step ended with an error
      Job job_1 may still run, cost credits and open a pull request, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
      Re-running the workflow also waits for this job, unless its record could not be saved in time.

      # The step ended with an error
      Job job_1 still runs, costs credits and may open a pull request, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
      Re-running the workflow starts a second job.

      # The step ended with an error
      Job job_1 was last seen completed, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
      Re-running the workflow starts a second job."
    `);
  });
});

describe('the message of a step that ended before the job', () => {
  it('is that of the result', () => {
    expect(
      read(
        [
          { result: 'error', reason: 'forbidden', message: 'It said no: ask.' },
          create,
          beforeStage(),
        ],
        [{ result: 'skipped', reason: 'no-secret', message: 'Nothing was done.', level: 'notice' }],
      ),
    ).toMatchInlineSnapshot(`
      "# The step ended with an error
      It said no: ask.
      -

      # Skipped
      Nothing was done.
      -"
    `);
  });
});

describe('an icon', () => {
  it('exists for every result', () => {
    expect(Object.keys(icons).sort()).toEqual(resultNames.toSorted());
    expect(Object.values(icons)).not.toContain('');
  });
});
