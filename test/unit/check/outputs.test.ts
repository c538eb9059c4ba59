import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/check/finding.ts';
import { outputs } from '../../../src/check/outputs.ts';
import { say } from '../../../src/check/sentence.ts';
import { factOf, findingOf, judgementOf } from '../../helpers/change.ts';
import { hostileLine } from '../../helpers/hostile-lines.ts';

const number = (before: string, ...places: readonly string[]) => factOf(before, '2', ...places);

const jsonOf = (...findings: readonly Finding[]) =>
  outputs.findings({ findings }) ?? { json: '', leftOut: 0 };

describe('the output findings', () => {
  it('has the rows of the report', () => {
    const unread = findingOf('not-judged', say`x`, ['']);
    const link = findingOf('broken-link', say`The link to ${'/a'} leads nowhere.`);
    const { json, leftOut } = jsonOf(link, number('1', 'a.mdx:3', 'fr/a.mdx:4'), unread);
    expect(JSON.parse(json)).toEqual([
      {
        rule: 'broken-link',
        severity: 'block',
        file: 'guides/setup.mdx',
        line: 12,
        what: 'The link to /a leads nowhere.',
        before: null,
        after: null,
        others: [],
      },
      {
        rule: 'settings-changed',
        severity: 'review',
        file: 'a.mdx',
        line: 3,
        what: 'A setting changed.',
        before: '1',
        after: '2',
        others: [{ file: 'fr/a.mdx', line: 4 }],
      },
      expect.objectContaining({ rule: 'not-judged', file: '', line: null }),
    ]);
    expect(leftOut).toBe(0);
  });

  it('is cut, and stays JSON', () => {
    const { json, leftOut } = jsonOf(...Array<Finding>(2000).fill(number('1')));
    expect(json.length).toBeLessThanOrEqual(96 * 1024);
    expect(json.length).toBeGreaterThan(95 * 1024);
    expect(JSON.parse(json)).toHaveLength(2000 - leftOut);
  });

  it('shortens a text, but no path', () => {
    const long = 'é'.repeat(5000);
    const { json } = jsonOf(number(long, long));
    expect(JSON.parse(json)).toMatchObject([{ before: `${'é'.repeat(499)}…`, file: long }]);
  });

  it('is plain ASCII on one line, whatever the texts say', () => {
    fc.assert(
      fc.property(hostileLine, hostileLine, (text, before) => {
        const file = text.replace(/:\d+$/, '');
        const { json } = jsonOf(number(before, file));
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(json).not.toContain('##[');
        expect(JSON.parse(json)).toMatchObject([{ file, before }]);
      }),
    );
  });
});

describe('the outputs on what is new', () => {
  it('count the lines of pages and snippets, and the new pages', () => {
    const judgement = judgementOf(
      [],
      {},
      {
        before: { 'a.mdx': 'A', 'README.md': 'A' },
        after: { 'a.mdx': 'B\nC', 'b.mdx': 'B', 'snippets/s.mdx': 'S', 'README.md': 'B\nC\nD' },
      },
    );
    expect(JSON.parse(outputs.pages(judgement)?.json ?? '')).toEqual([
      { path: 'a.mdx', status: 'modified', added: 2, removed: 1 },
      { path: 'b.mdx', status: 'added', added: 1, removed: 0 },
      { path: 'snippets/s.mdx', status: 'added', added: 1, removed: 0 },
    ]);
    expect(outputs['added-lines'](judgement)).toBe('4');
    expect(outputs['removed-lines'](judgement)).toBe('1');
    expect(outputs['new-pages'](judgement)).toBe('1');
  });
});
