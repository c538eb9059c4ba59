import { describe, expect, it } from 'vitest';
import { explainError } from '../../../src/common/explain-error.ts';
import { PermissionCheckError } from '../../../src/github/errors.ts';
import { ForbiddenError } from '../../../src/platform/errors.ts';
import { EnvironmentError, FileError, InputError } from '../../../src/runner/errors.ts';

function explain(error: unknown) {
  const debugged: string[] = [];
  const explained = explainError(error, { debug: (text) => void debugged.push(text) });
  return { explained, debugged };
}

describe('an expected error', () => {
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
      `The file "a.csv" could not be written (ENOSPC): check the free disk space and the file's permissions.`,
    ],
    [
      new PermissionCheckError('GitHub said no', 'ask'),
      'permission-check-failed',
      expect.stringContaining('GitHub said no'),
    ],
    [new ForbiddenError('it said no', 'ask'), 'forbidden', 'It said no: ask.'],
  ])('%s', (error, reason, message) => {
    expect(explain(error)).toEqual({ explained: { reason, message }, debugged: [] });
  });
});

describe('an unexpected error', () => {
  it.each([
    [new TypeError('a secret detail'), 'TypeError'],
    ['a secret detail', 'string'],
  ])('is explained without its text, which only the debug log has: %s', (error, name) => {
    const { explained, debugged } = explain(error);
    expect(explained).toEqual({ reason: 'internal-error', errorName: name });
    expect(debugged.join()).toContain('a secret detail');
  });
});
