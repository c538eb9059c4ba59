import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/check/finding.ts';
import { failOnChoices } from '../../../src/check/inputs.ts';
import { levelOf, outputs } from '../../../src/check/outputs.ts';
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
        sentence: 'guides/setup.mdx:12: The link to /a leads nowhere.',
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
        sentence: 'a.mdx:3: A setting changed. Before: "1". Now: "2". The same is in fr/a.mdx:4.',
        file: 'a.mdx',
        line: 3,
        what: 'A setting changed.',
        before: '1',
        after: '2',
        others: [{ file: 'fr/a.mdx', line: 4 }],
      },
      expect.objectContaining({ rule: 'not-judged', sentence: 'x', file: '', line: null }),
    ]);
    expect(leftOut).toBe(0);
  });

  it('is cut, and stays JSON', () => {
    const { json, leftOut } = jsonOf(...Array<Finding>(2000).fill(number('1')));
    expect(json.length).toBeLessThanOrEqual(96 * 1024);
    expect(json.length).toBeGreaterThan(95 * 1024);
    expect(JSON.parse(json)).toHaveLength(2000 - leftOut);
  });

  it('shortens texts, but no path, and has twenty more places', () => {
    const long = 'é'.repeat(5000);
    const cut = `${'é'.repeat(499)}…`;
    const places = Array.from({ length: 22 }, (_, index) => `${index}.mdx:1`);
    const same = findingOf('gone', say`${[long]}`, [long, ...places], {
      before: long,
      after: long,
    });
    const { json } = jsonOf(same);
    expect(JSON.parse(json)).toMatchObject([{ what: cut, before: cut, after: cut, file: long }]);
    expect(JSON.parse(json)[0].sentence).toHaveLength(2000);
    expect(JSON.parse(json)[0].others.at(-1)).toEqual({ file: '19.mdx', line: 1 });
  });

  it('names six more places in a sentence', () => {
    const places = Array.from({ length: 9 }, (_, index) => `${index}.mdx:1`);
    const { json } = jsonOf(findingOf('gone', say`A ${'`b`'} is gone.`, ['a b.mdx', ...places]));
    expect(JSON.parse(json)[0].sentence).toBe(
      '"a b.mdx": A "`b`" is gone. The same is in 0.mdx:1, 1.mdx:1, 2.mdx:1, 3.mdx:1, 4.mdx:1, 5.mdx:1 and 3 more places.',
    );
  });

  it('is plain ASCII on one line, whatever the texts say', () => {
    fc.assert(
      fc.property(hostileLine, hostileLine, (text, before) => {
        const file = text.replace(/:\d+$/, '');
        const { json } = jsonOf(number(before, file));
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(json).not.toContain('##[');
        expect(JSON.parse(json)).toMatchObject([{ file, before }]);
        expect(JSON.parse(json)[0].sentence).not.toMatch(/[\r\n\u2028]/);
      }),
    );
  });
});

it('what is new counts as lines of pages and snippets, and as pages', () => {
  const judgement = judgementOf(
    [],
    {},
    {
      before: { 'a.mdx': 'A', 'README.md': 'A', 'c.mdx': 'C\nC' },
      after: {
        ...{ 'a.mdx': 'B\nC', 'b.mdx': 'B', 'snippets/s.mdx': 'S', 'd.md': 'D\nD\nD' },
        ...{ 'README.md': 'B\nC\nD', 'docs.json': '{"navigation":["d"]}' },
      },
    },
  );
  expect(JSON.parse(outputs.pages(judgement)?.json ?? '')).toEqual([
    { path: 'a.mdx', status: 'modified', added: 2, removed: 1 },
    { path: 'b.mdx', status: 'added', added: 1, removed: 0 },
    { path: 'c.mdx', status: 'deleted', added: 0, removed: 2 },
    { path: 'd.md', status: 'added', added: 3, removed: 0 },
    { path: 'snippets/s.mdx', status: 'added', added: 1, removed: 0 },
  ]);
  expect(outputs['added-lines'](judgement)).toBe('7');
  expect(outputs['removed-lines'](judgement)).toBe('3');
  expect(outputs['new-pages'](judgement)).toBe('2');
  expect(outputs['removed-lines']({ removedLines: 0 })).toBe('0');
  expect(outputs['added-lines']({ addedLines: 0 })).toBe('0');
});

it.each([
  ['passed', 'info', 'info', 'info'],
  ['review', 'info', 'notice', 'failure'],
  ['blocked', 'info', 'warning', 'failure'],
  ['skipped', 'info', 'failure', 'failure'],
  ['cancelled', 'failure', 'failure', 'failure'],
  ['error', 'failure', 'failure', 'failure'],
] as const)('%s with fail-on none, skipped and all', (end, ...levels) => {
  const failOns = [[], ['skipped'], failOnChoices] as const;
  expect(failOns.map((failOn) => levelOf(end, new Set(failOn)))).toEqual(levels);
});
