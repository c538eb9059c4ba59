import { expect, it } from 'vitest';
import type { Gap, JudgedFinding } from '../../../../src/check/old-finding.ts';
import { annotate } from '../../../../src/check/report/annotations.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { judgementOf } from '../../../helpers/judgement.ts';

function annotationsOf(findings: readonly JudgedFinding[], gaps: readonly Gap[]) {
  const runner = fakeRunner({ GITHUB_REPOSITORY: 'acme/docs' });
  const judgement = judgementOf({ before: {}, after: {} }, { findings, gaps });
  annotate(judgement, new Set(['blocked']), runner);
  return runner.told;
}

it('is at the line of what could not be parsed, and not for the pull request as a whole', () => {
  const gaps = [
    { file: 'a.mdx', line: 71, what: 'the page is not valid MDX' },
    { file: '', what: 'the check runs could not be read' },
  ];
  expect(annotationsOf([], gaps)).toEqual([
    'notice at a.mdx:71 (not-judged): The page is not valid MDX.',
  ]);
});

it('does not add a full stop to a sentence that it quotes', () => {
  const what = "reads like an agent's remark: I have updated the page.";
  const finding = {
    rule: 'agent-chatter',
    severity: 'review',
    file: 'a.mdx',
    line: 3,
    what,
  } as const;
  expect(annotationsOf([finding], [])).toEqual([
    "notice at a.mdx:3 (agent-chatter): Reads like an agent's remark: I have updated the page.",
  ]);
});
