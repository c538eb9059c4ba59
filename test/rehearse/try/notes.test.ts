import { expect, it } from 'vitest';
import { notesOn } from '../../../rehearse/try/notes.ts';
import { readWorkflow } from '../../../rehearse/try/workflow.ts';

const options = {
  path: '/home/me/docs.yml',
  secrets: {},
  variables: {},
  repository: undefined,
};

it('names what is skipped and what is empty', () => {
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
  expect(notesOn(workflow, { ...options, secrets: { GIVEN: '1' } }, {}, ['line 1: old'])).toEqual([
    'This checkout is used instead of OWNER/docs-agent-action@v1.',
    'Third-party actions are skipped, so their outputs are empty:',
    '  acme/token@v2 (Make a token)',
    '  actions/checkout@v7 (of acme/other)',
    'The sandbox stands in for these, so check that your repository has them by these names:',
    '  secrets.OUR_KEY',
    '  vars.OUR_PROJECT',
    'These secrets and variables are empty:',
    '  secrets.CHAT (set it with --secret CHAT=…)',
    '  vars.TEAM (set it with --var TEAM=…)',
    'GitHub would not run this as it stands:',
    '  OWNER/docs-agent-action@v1: write your fork and one of its commits, as npm run --silent workflow prints the examples',
    'Warnings:',
    '  line 1: old',
  ]);
});

it('says where it is tried', () => {
  const workflow = readWorkflow(
    `on: push
jobs:
  docs:
    steps:
      - id: docs
        uses: acme/docs-agent-action@v1
        with:
          pr-label: docs
          project-id: \${{ secrets.PROJECT }}
`,
    'docs-agent-action',
  );
  expect(notesOn(workflow, options, {}, [])).toEqual([
    'This checkout is used instead of acme/docs-agent-action@v1.',
    'It is tried in acme/docs, because it needs the pull requests of the docs, and neither docs-repository nor docs-token says that they are elsewhere.',
    'The sandbox stands in for these, so check that your repository has them by these names:',
    '  secrets.PROJECT',
  ]);
});

it('leaves out empty lists', () => {
  const workflow = readWorkflow(
    'on: push\njobs: { one: { uses: a/b/.github/workflows/c.yml@v1 } }',
    'b',
  );
  expect(notesOn(workflow, options, { isFromFork: true }, [])).toEqual([
    'This checkout is used instead of a/b@v1.',
    'GitHub gives a run from a fork neither secrets nor variables.',
  ]);
});

it('says that nothing of ours is in it', () => {
  const workflow = readWorkflow('on: push\njobs: { one: { steps: [{ run: ls }] } }', 'b');
  expect(notesOn(workflow, options, {}, [])).toEqual([
    expect.stringMatching(
      /^No step uses (\S+\/docs-agent-action), under any owner\. .* write uses: \1@v1\. /,
    ),
  ]);
});
