import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../../src/agent/earlier/record.ts';
import type { AgentInputs } from '../../../../src/agent/inputs.ts';
import { icons, messageOf } from '../../../../src/agent/report/messages.ts';
import {
  type InternalErrorResult,
  type Phase,
  type Result,
  resultNames,
} from '../../../../src/agent/result.ts';
import type { State } from '../../../../src/agent/state.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { job, pullRequest } from '../../../helpers/jobs.ts';

const create = agentInputs({ 'wait-minutes': '90' });
const followUp = agentInputs({ 'job-id': 'job_1' });
const attach = agentInputs({ 'job-id': 'job_1', prompt: '' });

/** The text of the messages. */
function read(
  ...cases: readonly (readonly [result: Result, inputs?: AgentInputs, more?: State])[]
): string {
  const messages = cases.map(([result, inputs = create, more = {}]) =>
    messageOf(result, { inputs, ...more }),
  );
  return messages
    .map(({ heading, lead = '', sentence, next }) =>
      [`# ${heading}`, ...(lead === '' ? [] : [lead]), sentence, next || '-'].join('\n'),
    )
    .join('\n\n');
}

const { url } = pullRequest;

/** Of an earlier attempt, which this one could not ask for its job. */
const record: JobRecord = {
  requestKey: 's',
  attempt: 1,
  jobId: 'job_1',
  sent: 'new',
  isConfirmed: true,
  sentAtMs: 0,
  promptHash: 'abcdef012345',
  templateHash: '0123456789ab',
};

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
      Job job_1 still shows its state from before the follow-up, so the agent may not have started on it: to wait for it, run this action with job-id job_1 and no prompt.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt.

      # The agent failed
      Job job_1 failed: open the job in the dashboard to see why.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

      # The agent failed
      Job job_1, whose pull request is https://github.com/acme/docs/pull/12, failed: open the job in the dashboard to see why.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why. Re-running the workflow starts a second job.

      # The job was archived
      Job job_1 was archived without a pull request.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why.

      # The job was archived
      Job job_1, whose pull request is https://github.com/acme/docs/pull/12, was archived.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> to see why."
    `);
  });
});

describe('the message of a job that keeps running', () => {
  it('says how to wait for it', () => {
    expect(
      read(
        [{ result: 'timed-out', job: job() }],
        [{ result: 'timed-out', job: job(), lastProblem: 'it is down' }, attach],
        [{ result: 'running', job: job() }, create, { source: 'created' }],
        [{ result: 'running', job: job() }, followUp, { source: 'followed-up' }],
        [{ result: 'running', job: job() }, attach, { source: 'attached' }],
      ),
    ).toMatchInlineSnapshot(`
      "# The waiting time is over
      The job still runs, costs credits and may open a pull request.
      Job job_1 still runs, costs credits and may open a pull request, but the waiting time of 1 h 30 min is over: to find out how it ends, run this action with job-id job_1 and no prompt.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow starts a second job.

      # The waiting time is over
      The job may still run, cost credits and open a pull request.
      Job job_1 may still run, cost credits and open a pull request, but the waiting time of 30 min is over, and since the job was last seen active, it is down: to find out how it ends, run this action with job-id job_1 and no prompt.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow waits for the same job again.

      # The agent is working, and this run does not wait for it
      Job job_1 was started, and this step does not wait for it to end.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt.

      # The agent is working, and this run does not wait for it
      The follow-up was sent to job job_1, and this step does not wait for it to end.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt.

      # The agent is working, and this run does not wait for it
      Job job_1 is active, and this step does not wait for it to end.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt."
    `);
  });

  it('names the label for the run that waits for the job, unless the pull request has it', () => {
    const inputs = agentInputs({ 'pr-label': 'docs' });
    const plan = { kind: 'continue', jobId: 'job_1', prompt: 'Do it' } as const;
    const results: readonly Result[] = [
      { result: 'timed-out', job: job() },
      { result: 'running', job: job() },
      { result: 'cancelled', phase: 'waiting' },
    ];
    for (const result of results) {
      const { sentence, next } = messageOf(result, { inputs });
      if (result.result !== 'running') {
        expect(sentence).toContain(', the same pr-label and no prompt');
      }
      expect(next).toContain('with the same <code>pr-label</code> <code>docs</code>');
      const again = messageOf(result, { inputs, plan });
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
      expect(messageOf(result, { inputs }).next).toContain(`Re-running the workflow ${words}.`);
    }
  });
});

describe('the message of a cancelled run', () => {
  it('says what may be running', () => {
    expect(
      read(
        [{ result: 'cancelled', phase: 'before' }],
        [{ result: 'cancelled', phase: 'before' }, followUp],
        [{ result: 'cancelled', phase: 'sending' }],
        [{ result: 'cancelled', phase: 'sending' }, followUp],
        [{ result: 'cancelled', phase: 'waiting' }, create, { record }],
        [{ result: 'cancelled', phase: 'waiting' }, create, { job: job() }],
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
      Look for the job in <a href="https://app.mintlify.com">the dashboard</a> before you start another one.

      # The run was cancelled
      Mintlify may have received the follow-up: then the job runs, costs credits and may open a pull request.
      The run was cancelled while a follow-up was being sent to job job_1, so Mintlify may have received it: check the job in the dashboard before you send it again.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> before you send the follow-up again.

      # The run was cancelled
      The job may still run, cost credits and open a pull request.
      Job job_1 may still run, cost credits and open a pull request, although the run was cancelled: to find out how it ends, run this action with job-id job_1 and no prompt.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow also waits for this job, unless its record could not be saved in time.

      # The run was cancelled
      The job still runs, costs credits and may open a pull request.
      Job job_1 still runs, costs credits and may open a pull request, although the run was cancelled: to find out how it ends, run this action with job-id job_1 and no prompt.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow starts a second job."
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
        [breakdown('before')],
        [breakdown('before'), followUp],
        [breakdown('sending')],
        [breakdown('sending'), followUp],
        [breakdown('waiting'), create, { record }],
        [breakdown('waiting'), create, { job: job() }],
        [breakdown('waiting'), create, { job: job({ status: 'completed' }) }],
      ),
    ).toMatchInlineSnapshot(`
      "# The step ended with an error
      This action hit an internal error (TypeError) before a job was started. Please report what the log says with debug logging enabled.
      -

      # The step ended with an error
      This action hit an internal error (TypeError) before the follow-up was sent to job job_1. Please report what the log says with debug logging enabled.
      -

      # The step ended with an error
      A job may have been started: then it runs, costs credits and may open a pull request.
      This action hit an internal error (TypeError) while a job was being started, so a job may exist and keep running: look for it in the dashboard before you start another one. Please report what the log says with debug logging enabled.
      Look for the job in <a href="https://app.mintlify.com">the dashboard</a> before you start another one.

      # The step ended with an error
      Mintlify may have received the follow-up: then the job runs, costs credits and may open a pull request.
      This action hit an internal error (TypeError) while a follow-up was being sent to job job_1, so Mintlify may have received it: check the job in the dashboard before you send it again. Please report what the log says with debug logging enabled.
      Open the job in <a href="https://app.mintlify.com">the dashboard</a> before you send the follow-up again.

      # The step ended with an error
      The job may still run, cost credits and open a pull request.
      Job job_1 may still run, cost credits and open a pull request, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow also waits for this job, unless its record could not be saved in time.

      # The step ended with an error
      The job still runs, costs credits and may open a pull request.
      Job job_1 still runs, costs credits and may open a pull request, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow starts a second job.

      # The step ended with an error
      The job was last seen completed.
      Job job_1 was last seen completed, although this action hit an internal error (TypeError): to find out how it ends, run this action with job-id job_1 and no prompt. Please report what the log says with debug logging enabled.
      To wait for the job, run this action with <code>job-id</code> <code>job&#95;1</code> and without a prompt. Re-running the workflow starts a second job."
    `);
  });
});

describe('the message of a step that ended before the job', () => {
  it('is that of the result', () => {
    expect(
      read(
        [{ result: 'error', reason: 'forbidden', message: 'It said no: ask.' }],
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
