import { expect, it } from 'vitest';
import { signRecord } from '../../../../src/agent/earlier/record.ts';
import {
  type Target,
  targetOf,
  withHiddenLine,
} from '../../../../src/agent/earlier/step-comment.ts';
import { readEnvironment } from '../../../../src/runner/environment.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { grantedTo, jobRecord } from '../../../helpers/stages.ts';

const event = { ...grantedTo('').event, thread: { number: 7, isPullRequest: false } };

function target(): Target {
  const environment = readEnvironment({ GITHUB_REPOSITORY: 'acme/product' });
  const found = targetOf(
    'job',
    { access: grantedTo('octocat', event), inputs: agentInputs() },
    environment,
  );
  if (found === undefined) {
    throw new Error('There is no comment.');
  }
  return found;
}

/** GitHub takes no longer comment. */
const maxCharacters = 65_536;

it.each([
  ['job_0123456789abcdef01234567', 60],
  // Some are left out, so that the comment can be written.
  ['j'.repeat(200), 25],
])(
  'a comment has room for the records of many runs, whose jobs are called like %s',
  (jobId, count) => {
    const signed = Array.from({ length: 80 }, (_, index) =>
      signRecord(jobRecord({ jobId: `${index}${jobId}`.slice(0, 200) }), 'mint_key'),
    );
    const record = jobRecord({ jobId });
    const text = 'x'.repeat(30_000);
    const { body, records } = withHiddenLine(
      text,
      { jobId, record },
      { key: 'k', records: signed },
      target(),
    );
    expect(records.length).toBeGreaterThanOrEqual(count);
    expect(records[0]).toBe(signRecord(record, 'mint_key'));
    expect(body.length).toBeLessThan(maxCharacters);
  },
);
