import { describe, expect, it } from 'vitest';
import { explainSkipped, valuesIn } from '../../../rehearse/try/skipped.ts';
import { readWorkflow } from '../../../rehearse/try/workflow.ts';

const contexts = {
  github: {
    actor: 'writer',
    event: {
      label: { name: 'bug' },
      issue: { body: 'a\nb', labels: [{ name: 'bug' }, { name: 'docs' }] },
    },
  },
  vars: { AGENT: 'docs-agent[bot]' },
};

describe('the values that a condition reads', () => {
  it.each([
    ["github.event.label.name == 'docs'", ['github.event.label.name is "bug"']],
    ["Vars.agent == 'github.actor'", ['Vars.agent is "docs-agent[bot]"']],
    ["vars['AGENT'] != vars.NONE", [`vars['AGENT'] is "docs-agent[bot]"`, 'vars.NONE is empty']],
    [
      "contains(github.event.issue.labels.*.name, 'x') && github.event.pull_request.merged",
      [
        'github.event.issue.labels.*.name is ["bug","docs"]',
        'github.event.pull_request.merged is empty',
      ],
    ],
    ['github.actor == github.actor', ['github.actor is "writer"']],
    ['github.event.issue.body', [String.raw`github.event.issue.body is "a\nb"`]],
    ["github.ref == 'refs/heads/main' && needs.a.outputs.b && failure()", []],
  ])('%s', (condition, values) => {
    expect(valuesIn(condition, contexts)).toEqual(values);
  });
});

const workflow = `on: push
jobs:
  first:
    name: The first
    if: github.event.label.name == 'docs'
    steps: [{ run: ls }]
  second:
    steps:
      - { id: docs, name: Ask, run: ls }
      - { name: Merge, if: steps.docs.outputs.pr-link != '' && steps.docs.outputs.no, run: ls }
      - { name: Complain, if: failure(), run: ls }
      - { name: Done, if: always(), run: ls }
  third:
    needs: first
    if: needs.second.outputs.link
    steps: [{ run: ls }]
  legs: { name: 'Leg \${{ matrix.a }}', if: vars.AGENT, steps: [{ run: ls }] }
`;
const explain = (log: string) => explainSkipped(readWorkflow(workflow, 'x').jobs, log, contexts);
const second = `[A/B/second   ] ⭐ Run Main Ask
[A/B/second   ]   ⚙  ::set-output:: pr-link=
[A/B/second   ]   ⚙  ::set-output:: no=x
[A/B/second   ] ⭐ Run Main Done
`;

describe('what a condition left out', () => {
  it('is named with its condition, and the values that this reads', () => {
    expect(explain(second)).toEqual([
      'The job The first did not run, because its condition is false:',
      "  if: github.event.label.name == 'docs'",
      '    github.event.label.name is "bug"',
      'The step Merge did not run, because its condition is false:',
      "  if: steps.docs.outputs.pr-link != '' && steps.docs.outputs.no",
      '    steps.docs.outputs.pr-link is empty',
      '    steps.docs.outputs.no is "x"',
      'The job third did not run, because its condition is false, or a job that it needs did not succeed:',
      '  if: needs.second.outputs.link',
    ]);
  });

  it('includes no steps of a job that failed, and no jobs that ran', () => {
    const first = '[A/B/The first-1] ⭐ Run Main ls\n[A/B/third] ⭐ Run Main ls\n';
    expect(explain(`${first}${second}[A/B/second   ] 🏁  Job failed\n`)).toEqual([]);
  });

  it('includes every job with a condition if nothing ran', () => {
    expect(explain('').filter((line) => line.startsWith('The job '))).toHaveLength(3);
  });
});
