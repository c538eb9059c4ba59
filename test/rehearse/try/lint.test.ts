import { expect, it } from 'vitest';
import { classify } from '../../../rehearse/try/lint.ts';

const at = { line: 3, column: 5 };

it('separates the errors that break a workflow from warnings', () => {
  const untrusted = '"github.event.issue.title" is potentially untrusted. avoid using it';
  expect(
    classify([
      { ...at, kind: 'syntax-check', message: 'unexpected key "wiht"' },
      { ...at, kind: 'expression', message: 'got unexpected character' },
      { ...at, kind: 'job-needs', message: 'job "a" does not exist' },
      { ...at, kind: 'expression', message: untrusted },
      { ...at, kind: 'if-cond', message: 'is always evaluated to true' },
      { ...at, kind: 'action', message: 'is too old' },
      { ...at, kind: 'runner-label', message: 'label "ours" is unknown' },
    ]),
  ).toEqual({
    errors: [
      'line 3, column 5: unexpected key "wiht"',
      'line 3, column 5: got unexpected character',
      'line 3, column 5: job "a" does not exist',
    ],
    warnings: [
      `line 3, column 5: ${untrusted}`,
      'line 3, column 5: is always evaluated to true',
      'line 3, column 5: is too old',
    ],
  });
});

it('says what a misspelt id of a step needs, instead of types', () => {
  const message = 'property "agnt" is not defined in object type {agent: {outputs: {}}}';
  expect(classify([{ ...at, kind: 'expression', message }]).errors).toEqual([
    expect.stringMatching(
      /^line 3, column 5: nothing is named "agnt" there: correct the name, or define it first\. /,
    ),
  ]);
});

it('takes a key that is newer than the linter for no error', () => {
  const message = 'unexpected key "queue" for "concurrency" section. expected one of "group"';
  const found = [{ line: 1, column: 9, kind: 'syntax-check', message }];
  expect(classify(found)).toEqual({ errors: [], warnings: [] });
});
