import { expect, it } from 'vitest';
import { endOfError } from '../../../src/common/result.ts';
import {
  ActionError,
  CancelledError,
  hasReason,
  inputError,
  variableError,
} from '../../../src/text/error.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

const refused = new ActionError('forbidden', 'it said no', 'ask');
const mistake = new TypeError('a secret detail');
const cancelled = new CancelledError('received SIGINT');

/** How a run ends that threw this, and what the debug log says of it. */
function endAfter(error: unknown, stoppedBy?: unknown) {
  const runner = fakeRunner();
  if (stoppedBy !== undefined) {
    runner.stop(stoppedBy);
  }
  return { end: endOfError(error, runner), told: runner.told };
}

const internal = (name: string) => ({
  result: 'error',
  reason: 'internal-error',
  message: `This action hit an internal error (${name}): report what the log says with debug logging enabled.`,
});

it.each([
  [inputError('prompt', 'is blank', 'write'), 'bad-input', 'Input prompt is blank: write.'],
  [
    variableError('HTTPS_PROXY', 'is bad', 'write'),
    'bad-input',
    'Environment variable HTTPS_PROXY is bad: write.',
  ],
  [refused, 'forbidden', 'It said no: ask.'],
] as const)('an expected error is told in its own words: %s', (error, reason, message) => {
  expect(endAfter(error)).toEqual({ end: { result: 'error', reason, message }, told: [] });
  expect([hasReason(error, reason), hasReason(error, 'unreachable')]).toEqual([true, false]);
});

it.each([
  [mistake, undefined, 'TypeError'],
  ['a secret detail', undefined, 'string'],
  // An error in a callback is the cause of what was thrown after it.
  [refused, mistake, 'TypeError'],
])('a mistake of ours is told without its text, which only the debug log has', (...thrown) => {
  const [error, stoppedBy, name] = thrown;
  const { end, told } = endAfter(error, stoppedBy);
  expect(end).toEqual(internal(name));
  const cause = stoppedBy ?? error;
  expect(told).toEqual([`debug: ${cause instanceof Error ? cause.stack : cause}`]);
});

it.each([refused, mistake, cancelled])(
  'of a cancelled run every error is the cancel: %s',
  (error) => {
    expect(endAfter(error, cancelled)).toEqual({ end: { result: 'cancelled' }, told: [] });
  },
);
