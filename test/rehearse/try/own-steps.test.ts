import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkReferences, checkTimeouts } from '../../../rehearse/try/own-steps.ts';
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
  ['OWNER/docs-agent-action/agent@v1', 'docs-agent-action/agent'],
  ['"acme/docs-agent-action/check/fast@v1"', 'docs-agent-action/check/fast'],
])('names an action that does not exist: %s', (uses, action) => {
  expect(checkReferences(workflow(`      - uses: ${uses}`), name)).toEqual([
    `there is no action ${action}: write one of docs-agent-action, docs-agent-action/visitors, docs-agent-action/check`,
  ]);
});

it('has nothing against our actions, those of others, and comments', () => {
  const more = `      - uses: acme/docs-agent-action/check@v1
      - { uses: acme/other/agent@v1 }
      # uses: acme/docs-agent-action/agent@v1
`;
  expect(checkReferences(workflow(more), name)).toEqual([]);
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
