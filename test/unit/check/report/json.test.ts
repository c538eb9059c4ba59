import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JudgedFinding } from '../../../../src/check/old-finding.ts';
import { findingsJson, pagesJson } from '../../../../src/check/report/json.ts';
import { hostileLine } from '../../../helpers/hostile-lines.ts';

const finding: JudgedFinding = {
  rule: 'new-domain',
  severity: 'review',
  file: 'guides/a.mdx',
  line: 3,
  what: 'names the domain acme.example',
};

describe('the output findings', () => {
  it('has every field of a finding, and what was not judged', () => {
    const gaps = [
      { file: '', what: 'commits were added' },
      { file: 'b.mdx', line: 71, what: 'the page is not valid MDX' },
    ];
    const { was: _was, ...whole } = { ...finding, was: '' };
    const { line: _line, ...withoutLine } = whole;
    const { json, leftOut } = findingsJson({
      findings: [finding, { ...withoutLine, was: 'x' }],
      gaps,
    });
    expect(JSON.parse(json)).toEqual([
      { ...finding, was: null },
      { ...finding, line: null, was: 'x' },
      {
        rule: 'not-judged',
        severity: 'review',
        file: '',
        line: null,
        what: 'commits were added',
        was: null,
      },
      {
        rule: 'not-judged',
        severity: 'review',
        file: 'b.mdx',
        line: 71,
        what: 'the page is not valid MDX',
        was: null,
      },
    ]);
    expect(leftOut).toBe(0);
  });

  it('is cut, and stays JSON', () => {
    const findings = Array.from({ length: 2000 }, (_, index) => ({ ...finding, line: index }));
    const { json, leftOut } = findingsJson({ findings, gaps: [] });
    expect(json.length).toBeLessThanOrEqual(96 * 1024);
    expect(json.length).toBeGreaterThan(95 * 1024);
    expect(JSON.parse(json)).toHaveLength(2000 - leftOut);
  });

  it('shortens a quotation, and leaves out a path that is too long', () => {
    const long = 'é'.repeat(5000);
    const { json, leftOut } = findingsJson({
      findings: [
        { ...finding, file: long },
        { ...finding, what: long, was: long },
      ],
      gaps: [],
    });
    expect(leftOut).toBe(1);
    const cut = `${'é'.repeat(499)}…`;
    expect(JSON.parse(json)).toMatchObject([{ what: cut, was: cut }]);
  });

  it('is plain ASCII on one line, whatever the texts say', () => {
    fc.assert(
      fc.property(hostileLine, hostileLine, (file, what) => {
        const { json } = findingsJson({
          findings: [{ ...finding, file, what, was: what }],
          gaps: [],
        });
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(json).not.toContain('##[');
        expect(JSON.parse(json)).toMatchObject([{ file, what, was: what }]);
      }),
    );
  });
});

describe('the output pages', () => {
  it('has visitors where they are known', () => {
    const page = { status: 'modified', lines: { additions: 1, deletions: 2 } } as const;
    const pages = [
      { ...page, path: 'a.mdx', visitors: 12 },
      { ...page, path: 'b.mdx', visitors: undefined },
    ];
    expect(JSON.parse(pagesJson({ pages }).json)).toEqual([
      { path: 'a.mdx', status: 'modified', visitors: 12 },
      { path: 'b.mdx', status: 'modified', visitors: null },
    ]);
  });
});
