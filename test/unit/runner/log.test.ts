import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../src/runner/host.ts';
import { createLog, type Log, logLine } from '../../../src/runner/log.ts';
import { hostileLine } from '../../helpers/hostile-lines.ts';

describe('a line for the log', () => {
  it.each([
    ['plain', 'plain'],
    ['a\nb\r\nc\rd', 'a b c d'],
    ['::error::x', '| ::error::x'],
    [' \t::error::x', '| ::error::x'],
    ['\u200B::error::x', '| ::error::x'],
    ['x ##[error]y', 'x ## [error]y'],
    ['##\u200B[error]', '## [error]'],
    ['tab\tbell\u0007bidi\u202Eend', 'tab bell bidi end'],
  ])('%j', (text, line) => {
    expect(logLine(text)).toBe(line);
  });

  it('is cut if it is very long', () => {
    expect(logLine('x'.repeat(2_001))).toBe(`${'x'.repeat(1_999)}…`);
  });

  it('never contains a command or a line end', () => {
    fc.assert(
      fc.property(hostileLine, (text) => {
        const line = logLine(text);
        expect(line).not.toMatch(/^\s*::|##\[|[\r\n\u2028\u2029]/);
        expect(line.length).toBeLessThanOrEqual(2100);
      }),
      { numRuns: 2000 },
    );
  });
});

/** The commands that a log prints, with their properties. */
function printed(print: (log: Log) => void): unknown[] {
  const told: unknown[] = [];
  const command =
    (name: string) =>
    (...words: unknown[]) =>
      told.push([name, ...words]);
  const names = ['info', 'debug', 'notice', 'warning', 'error', 'startGroup', 'endGroup'] as const;
  const host = Object.fromEntries(names.map((name) => [name, command(name)]));
  print(createLog(host as unknown as Host));
  return told;
}

it.each(['info', 'debug', 'notice', 'warning', 'error'] as const)('%s is escaped', (level) => {
  expect(printed((log) => log[level]('::a\nb'))).toEqual([[level, '| ::a b']]);
});

const longPath = 'x'.repeat(1000);

it.each([
  ['docs/a b.mdx', 7, 'text', { file: 'docs/a b.mdx', startLine: 7 }],
  ['docs/a.mdx', undefined, 'text', { file: 'docs/a.mdx' }],
  ['', 7, 'text', {}],
  ['a\n::b', 7, 'a ::b: text', {}],
  [longPath, 1, 'text', { file: longPath, startLine: 1 }],
  [`${longPath}x`, 1, `${longPath}x: text`, {}],
])('an annotation is at its file, or names it: %j, line %s', (file, line, text, place) => {
  for (const level of ['notice', 'warning', 'error'] as const) {
    const title = '::t';
    const found = { title, file, ...(line !== undefined && { line }) };
    expect(printed((log) => log.annotate(level, 'text', found))).toEqual([
      [level, text, { title: '| ::t', ...place }],
    ]);
  }
});

it('a text of several lines is folded, with every line as it is', () => {
  const text = `  a\r\n::b\rc\u200b ##[d\n${'x'.repeat(2001)}`;
  expect(printed((log) => log.fold('##[t', text))).toEqual([
    ['startGroup', '## [t'],
    ['info', '|   a'],
    ['info', '| ::b'],
    ['info', '| c<U+200B> ## [d'],
    ['info', `| ${'x'.repeat(1999)}…`],
    ['endGroup'],
  ]);
});
