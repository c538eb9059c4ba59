import { describe, expect, it } from 'vitest';
import { explainError } from '../../../src/common/explain-error.ts';
import { ForbiddenError } from '../../../src/platform/errors.ts';
import { EnvironmentError, FileError, InputError } from '../../../src/runner/errors.ts';

function explain(error: unknown, broken = new AbortController().signal) {
  const debugged: string[] = [];
  const ignore = () => {};
  const log = {
    debug: (text: string) => void debugged.push(text),
    info: ignore,
    notice: ignore,
    warning: ignore,
  };
  const explained = explainError(error, { log, broken });
  return { explained, debugged };
}

describe('an error that was foreseen', () => {
  it.each([
    [new InputError('prompt', 'is blank', 'write'), 'bad-input', 'Input prompt is blank: write.'],
    [
      new EnvironmentError('HTTPS_PROXY', 'is bad', 'write'),
      'bad-input',
      'Environment variable HTTPS_PROXY is bad: write.',
    ],
    [
      new FileError('a.csv', 'ENOSPC'),
      'bad-input',
      'The file "a.csv" could not be written (ENOSPC): make room for it and check its permissions.',
    ],
    [new ForbiddenError('it answered 403', 'ask'), 'forbidden', 'It answered 403: ask.'],
  ])('%s', (error, reason, message) => {
    expect(explain(error)).toEqual({ explained: { reason, message }, debugged: [] });
  });
});

describe('an error that was not foreseen', () => {
  it.each([
    [new TypeError('a secret detail'), 'TypeError'],
    ['a secret detail', 'string'],
  ])('is told without its text, which the debug log alone has: %s', (error, name) => {
    const { explained, debugged } = explain(error);
    expect(explained).toEqual({ reason: 'internal-error', errorName: name });
    expect(debugged.join()).toContain('a secret detail');
  });

  it('explains what was thrown after nothing had caught it', () => {
    const broken = AbortSignal.abort(new TypeError('a secret detail'));
    const { explained, debugged } = explain(new ForbiddenError('it answered 403', 'ask'), broken);
    expect(explained).toEqual({ reason: 'internal-error', errorName: 'TypeError' });
    expect(debugged.join()).toContain('a secret detail');
  });
});
