import { describe, expect, it } from 'vitest';
import { readAgentInputs } from '../../../src/agent/inputs.ts';
import type { Known } from '../../../src/agent/known.ts';
import { report } from '../../../src/agent/report.ts';
import { toResult } from '../../../src/agent/result.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { job } from '../../helpers/jobs.ts';

const given: Readonly<Record<string, string>> = {
  prompt: 'Do it',
  'api-key': 'mint_key',
  'project-id': 'acme',
  'wait-minutes': '90',
};
const read = (name: string) => given[name] ?? '';
const inputs = readAgentInputs({ read, isPassed: (name) => name in given, readSecret: read });

describe('the end of a step', () => {
  it('tells how long the step worked on the job, and how long it was to wait', () => {
    const clock = fakeClock();
    const known: Known = { inputs, failOn: inputs.failOn, job: job(), sinceMs: clock.nowMs() };
    clock.advance(5_400_400);
    const { outputs, level, message, summary } = report(
      toResult({ kind: 'timed-out', job: job() }),
      known,
      { clock },
    );
    expect(outputs).toEqual({
      result: 'timed-out',
      reason: '',
      message,
      'duration-seconds': '5400',
    });
    expect(level).toBe('failure');
    expect(message).toContain('Job job_1 was last seen active when the waiting time of');
    expect(summary).toContain('| Time taken | 1 h 30 min |');
  });

  it('has no time and no facts of a job where none was known', () => {
    const ending = { kind: 'error', reason: 'bad-input', message: 'No.' } as const;
    const { outputs, level, summary } = report(toResult(ending), {}, { clock: fakeClock() });
    expect(outputs).toEqual({
      result: 'error',
      reason: 'bad-input',
      message: 'No.',
      'duration-seconds': '',
    });
    expect(level).toBe('failure');
    expect(summary).toBe('### ❌ The step ended with an error\n\n<code>No.</code>\n');
  });
});
