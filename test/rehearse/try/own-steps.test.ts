import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkOwnSteps, checkTimeouts } from '../../../rehearse/try/own-steps.ts';
import { inRepository } from '../../../scripts/actions.ts';

const name = 'docs-agent-action';

/** A workflow that starts the agent on line 6, with more lines at its end. */
const workflow = (more: string, inputs = '') => `on: push
jobs:
  docs:
    runs-on: ubuntu-latest
    steps:
      - uses: OWNER/docs-agent-action@v1
        id: docs
        with:
          prompt: x
          api-key: \${{ secrets.DOCS_API_KEY }}
          project-id: \${{ vars.DOCS_PROJECT_ID }}${inputs}
${more}`;

it.each([
  [
    'an input',
    '\n          fail_on: none',
    'line 12: docs-agent-action has no input "fail_on": did you mean "fail-on"?',
  ],
  [
    'an input that resembles no other',
    '\n          colour: green',
    expect.stringMatching(
      /^line 12: .* has no input "colour": its inputs are prompt, prompt-file, /,
    ),
  ],
])('finds %s that does not exist', (_, inputs, line) => {
  expect(checkOwnSteps(workflow('', inputs), name)).toEqual([line]);
});

it.each([
  `      - run: echo "\${{ steps.docs.outputs.pr_link }}"`,
  `      - run: echo \${{ steps.docs.outputs['pr_link'] }}`,
  '      - if: steps.docs.outputs.pr_link != null\n        run: echo',
  `    outputs: { link: "\${{ steps.docs.outputs.pr_link }}" }`,
])('finds an output that does not exist: %s', (more) => {
  expect(checkOwnSteps(workflow(more), name)).toEqual([
    'line 12: docs-agent-action has no output "pr_link": did you mean "pr-link"?',
  ]);
});

it('finds required inputs that are missing, and reports by line', () => {
  const more = `      - uses: acme/docs-agent-action/visitors@0a1b2c
        with:
          perid: 5
          api-key: \${{ secrets.DOCS_API_KEY }}
      - uses: acme/docs-agent-action@v1
`;
  expect(checkOwnSteps(workflow(more, '\n          promt-file: x'), name)).toEqual([
    'line 12: docs-agent-action has no input "promt-file": did you mean "prompt-file"?',
    'line 14: docs-agent-action/visitors needs the input "project-id": add it under "with"',
    'line 15: docs-agent-action/visitors has no input "perid": did you mean "period"?',
    'line 17: docs-agent-action needs the input "api-key": add it under "with"',
    'line 17: docs-agent-action needs the input "project-id": add it under "with"',
  ]);
});

it.each([
  [
    'a value with a colon and a space',
    'prompt: Fix: it\'s "late"',
    `line 9: the value has ": " in it, so quote it: write prompt: 'Fix: it''s "late"'`,
  ],
  ['a tab', '\tprompt: x', 'line 9: YAML allows no tab there: indent the line with spaces'],
  [
    'a mapping for an input',
    'prompt: x\n          variables:\n            title: x',
    'line 10: docs-agent-action takes a text as "variables": write "variables: |", and leave the lines below it as they are',
  ],
  [
    'a placeholder without quotes',
    'prompt: {{event.issue.body}}',
    'line 9: docs-agent-action takes a text as "prompt", and YAML reads braces and brackets as more than that: put the value in quotes',
  ],
])('says what to write instead of %s', (_, prompt, line) => {
  const text = workflow('').replace(
    / *prompt: x/,
    prompt.startsWith('\t') ? prompt : `          ${prompt}`,
  );
  expect(checkOwnSteps(text, name)).toEqual([line]);
});

it.each([
  [
    'OWNER/docs-agent-action/agent@v1',
    'there is no action docs-agent-action/agent: write OWNER/docs-agent-action@v1, or one of docs-agent-action, docs-agent-action/visitors, docs-agent-action/check',
  ],
  [
    'acme/docs-agent-action',
    'acme/docs-agent-action has no version: write acme/docs-agent-action@ and the full SHA of a commit',
  ],
  [
    'acme/docs-agent-action/check@',
    'acme/docs-agent-action/check@ has no version: write acme/docs-agent-action/check@ and the full SHA of a commit',
  ],
])('says what to write instead of uses: %s', (uses, sentence) => {
  const text = `on: push\njobs:\n  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ${uses}\n`;
  expect(checkOwnSteps(text, name)[0]).toBe(`line 6: ${sentence}`);
});

it('leaves other mistakes of YAML to the linter', () => {
  expect(checkOwnSteps(workflow("    a: 'it's'"), name)).toEqual([]);
});

it.each([
  ['', ''],
  ['timeout-minutes: 45', ''],
  ['timeout-minutes: 20', 'wait-minutes: 10'],
  ['timeout-minutes: 20', 'wait-minutes: 0'],
  [`timeout-minutes: \${{ inputs.time }}`, ''],
])('has nothing against %s with "%s"', (timeout, wait) => {
  expect(checkTimeouts(withTimeout(timeout, wait), name)).toEqual([]);
});

it.each([
  ['timeout-minutes: 20', '', 20, 30],
  ['timeout-minutes: 60', 'wait-minutes: 60', 60, 60],
])('warns of %s with "%s"', (timeout, wait, minutes, longest) => {
  expect(checkTimeouts(withTimeout(timeout, wait), name)).toEqual([
    `line 5: GitHub ends the job after ${minutes} minutes (timeout-minutes), and the step may wait for ${longest} (wait-minutes): give the job a few minutes more, so that the step can write its outputs`,
  ]);
});

function withTimeout(timeout: string, wait: string): string {
  return workflow('', wait === '' ? '' : `\n          ${wait}`).replace(
    'ubuntu-latest\n',
    `ubuntu-latest\n    ${timeout}\n`,
  );
}

it.each(globSync('examples/*.yml', { cwd: inRepository('.') }))(
  'has no warning about the time limit of %s',
  (path) => {
    expect(checkTimeouts(readFileSync(inRepository(path), 'utf8'), name)).toEqual([]);
  },
);

it('has nothing against names that are computed, in another case, or of other steps', () => {
  const more = `      - uses: acme/other@v1
        id: other
        with: { anything: x }
      - uses: acme/docs-agent-action@v1
        with: { Api-Key: x, project-id: x, prompt: x }
      - if: steps.docs.outcome == 'success' && steps.nowhere.outputs.pr_link == ''
        run: |
          echo \${{ steps.other.outputs.pr_link }} \${{ steps.*.outputs.pr_link }} \${{ toJSON(steps.docs.outputs) }}
          echo \${{ steps.docs.outputs[github.event.field] }} \${{ steps.docs.outputs[format('pr_{0}', 'link')] }}
          echo \${{ github.event.x || steps.other.outputs.event }}
          echo \${{ steps.docs.outputs.PR-Link }} \${{ 'steps.docs.outputs.pr_link' }} \${{ github.event.pr_link }}
`;
  expect(checkOwnSteps(workflow(more), name)).toEqual([]);
});

it.each(globSync(['examples/*.yml', '.github/workflows/*.yml'], { cwd: inRepository('.') }).sort())(
  'has nothing against %s',
  (path) => {
    expect(checkOwnSteps(readFileSync(inRepository(path), 'utf8'), name)).toEqual([]);
  },
);
