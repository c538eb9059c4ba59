import { expect, it } from 'vitest';
import { notesOn } from '../../rehearse/try-notes.ts';
import { readWorkflow } from '../../rehearse/workflow-text.ts';

const options = { secrets: {}, variables: {} };

it('a try says which part of a workflow stays empty, and which it leaves out', () => {
  const workflow = readWorkflow(
    `on: push
jobs:
  docs:
    steps:
      - { id: app, name: Make a token, uses: acme/token@v2 }
      - { uses: actions/checkout@v7, with: { repository: acme/other } }
      - uses: OWNER/docs-agent-action@v1
        with:
          api-key: \${{ secrets.OUR_KEY }}
          project-id: \${{ vars.OUR_PROJECT }}
          docs-token: \${{ steps.app.outputs.token || secrets.github_token }}
      - env: { A: '\${{ secrets.CHAT }}', B: '\${{ secrets.given }}', C: '\${{ vars.TEAM }}' }
`,
    'docs-agent-action',
  );
  expect(notesOn(workflow, { ...options, secrets: { GIVEN: '1' } }, {}, ['line 1: late'])).toEqual([
    'This checkout plays OWNER/docs-agent-action@v1, whatever stands after the @.',
    'Left out, as actions of others are:',
    '  acme/token@v2 (Make a token), so that its output token is empty',
    '  actions/checkout@v7 (of acme/other)',
    'Empty, since nothing gives it a value:',
    '  secrets.CHAT (--secret CHAT=… gives it one)',
    '  vars.TEAM (--var TEAM=… gives it one)',
    'It runs, and actionlint says:',
    '  line 1: late',
  ]);
});

it('a try says no more than there is', () => {
  const workflow = readWorkflow('on: push\njobs: { one: { uses: a/b/c.yml@v1 } }', 'b');
  expect(notesOn(workflow, options, { isFromFork: true }, [])).toEqual([
    'This checkout plays a/b@v1, whatever stands after the @.',
    'GitHub gives the run of a fork neither secrets nor variables.',
  ]);
});
