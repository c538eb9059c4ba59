import { expect, it } from 'vitest';
import { classify, withLocalUses } from '../../scripts/lint.ts';

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
      { ...at, kind: 'action', message: 'invalid format because ref is missing' },
      {
        ...at,
        kind: 'action',
        message: 'not defined in action "x" defined at "./docs-agent-action"',
      },
      { ...at, kind: 'runner-label', message: 'label "ours" is unknown' },
    ]),
  ).toEqual({
    errors: [
      'line 3, column 5: unexpected key "wiht"',
      'line 3, column 5: got unexpected character',
      'line 3, column 5: job "a" does not exist',
      'line 3, column 5: invalid format because ref is missing',
      'line 3, column 5: not defined in action "x" defined at "./docs-agent-action"',
    ],
    warnings: [
      `line 3, column 5: ${untrusted}`,
      'line 3, column 5: is always evaluated to true',
      'line 3, column 5: is too old',
    ],
  });
});

it.each([
  ['property "agnt" is not defined in object type {agent: {outputs: {}}}', 'correct the name, or'],
  ['expected scalar node for string value but found mapping node with "!!map" tag', 'write the'],
  ['could not parse as YAML: mapping values are not allowed in this context', 'put a value that'],
  ['could not parse as YAML: found character that cannot start any token', 'indent the line'],
])('says what to do about: %s', (message, advice) => {
  expect(classify([{ ...at, kind: 'expression', message }]).errors).toEqual([
    expect.stringContaining(`${message}: ${advice}`),
  ]);
});

it('shows our actions to the linter as local ones', () => {
  const text = (agent: string, check: string) =>
    `- uses: ${agent} # v1\n- { uses: "${check}", with: { x: y } }\n- uses: acme/other@v1\n`;
  expect(
    withLocalUses(text('OWNER/docs-agent-action@v1', 'acme/docs-agent-action/check@0a1b')),
  ).toBe(text('./docs-agent-action', './docs-agent-action/check'));
});

it('takes a key that is newer than the linter for no error', () => {
  const message = 'unexpected key "queue" for "concurrency" section. expected one of "group"';
  const found = [{ line: 1, column: 9, kind: 'syntax-check', message }];
  expect(classify(found)).toEqual({ errors: [], warnings: [] });
});
