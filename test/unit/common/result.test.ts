import { describe, expect, it } from 'vitest';
import { endOfError } from '../../../src/common/result.ts';
import { permissionError } from '../../../src/github/errors.ts';
import { ActionError, CancelledError, inputError, variableError } from '../../../src/text/error.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';

function explain(error: unknown) {
  const debugged: string[] = [];
  const { signal } = new AbortController();
  const end = endOfError(error, { signal, log: { debug: (text) => void debugged.push(text) } });
  return { end, debugged };
}

describe('an expected error', () => {
  it.each([
    [inputError('prompt', 'is blank', 'write'), 'bad-input', 'Input prompt is blank: write.'],
    [
      variableError('HTTPS_PROXY', 'is bad', 'write'),
      'bad-input',
      'Environment variable HTTPS_PROXY is bad: write.',
    ],
    [
      permissionError('GitHub said no', 'ask'),
      'permission-check-failed',
      expect.stringContaining('GitHub said no'),
    ],
    [new ActionError('forbidden', 'it said no', 'ask'), 'forbidden', 'It said no: ask.'],
  ])('%s', (error, reason, message) => {
    expect(explain(error)).toEqual({ end: { result: 'error', reason, message }, debugged: [] });
  });
});

describe('an unexpected error', () => {
  it.each([
    [new TypeError('a secret detail'), 'TypeError'],
    ['a secret detail', 'string'],
  ])('is explained without its text, which only the debug log has: %s', (error, name) => {
    const { end, debugged } = explain(error);
    expect(end).toEqual({ result: 'error', reason: 'internal-error', errorName: name });
    expect(debugged.join()).toContain('a secret detail');
  });
});

const refused = new ActionError('forbidden', 'it said no', 'ask');
const mistake = new TypeError('a secret detail');

function resultOf(error: unknown, stoppedBy?: unknown) {
  const runner = fakeRunner();
  if (stoppedBy !== undefined) {
    runner.stop(stoppedBy);
  }
  return endOfError(error, runner);
}

describe('the result of an error', () => {
  it.each([
    ['is the error in its own words', refused, undefined, { reason: 'forbidden' }],
    [
      'is a mistake of ours where nobody foresaw it',
      mistake,
      undefined,
      { errorName: 'TypeError' },
    ],
    ['is the one that nothing caught', refused, mistake, { reason: 'internal-error' }],
  ])('%s', (_name, error, stoppedBy, result) => {
    expect(resultOf(error, stoppedBy)).toMatchObject({ result: 'error', ...result });
  });

  it('of a cancelled run is "cancelled" for every error', () => {
    const cancelled = new CancelledError('received SIGINT');
    for (const error of [refused, mistake, cancelled]) {
      expect(resultOf(error, cancelled)).toEqual({ result: 'cancelled' });
    }
  });
});
