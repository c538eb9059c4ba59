import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../../src/check/report/report.ts';
import { page } from '../../../helpers/change.ts';
import { context, judgementOf } from '../../../helpers/judgement.ts';

describe('the findings in the report', () => {
  it('are not counted if there are none', () => {
    const gaps = [{ file: '', what: 'the check runs could not be read' }];
    const before = { 'index.mdx': page('Welcome to the tool.') };
    const judgement = judgementOf({ before, after: { 'index.mdx': page('Hi.') } }, { gaps });
    expect(renderReport(judgement, context).summary).toContain(': 1 part not judged (1 file, ');
  });

  it('are the first ones of a rule in a file, and a count of the others', () => {
    const first = {
      rule: 'sample-changed',
      severity: 'review',
      file: 'index.mdx',
      what: 'x',
    } as const;
    const alike = Array.from({ length: 20 }, (_, index) => ({ ...first, line: index + 1 }));
    const other = { ...first, file: 'other.mdx', line: 7 };
    const findings = [...alike, other];
    const { summary } = renderReport(judgementOf({ before: {}, after: {} }, { findings }), context);
    expect(summary.match(/<code>sample-changed/g)).toHaveLength(4);
    expect(summary).toContain('21 points to look at');
    expect(summary).toMatch(/index\.mdx:3<\/code>, and 17 more in this file \|/);
  });

  it('lead to the check that fails', () => {
    const link = 'https://vendor.example/deployments/1?x=%22a%22';
    const judgement = judgementOf({
      before: {},
      after: {},
      checks: { before: [], after: [{ name: 'Deployment', isFailure: true, link }] },
    });
    expect(renderReport(judgement, context).summary).toMatch(
      /<a href="https:\/\/vendor\.example\/deployments\/1\?x=%22a%22"><code>the check "Deployment" fails/,
    );
  });
});
