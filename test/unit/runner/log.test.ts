import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logLine } from '../../../src/runner/log.ts';
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
    expect(logLine('x'.repeat(5_000))).toHaveLength(2_000);
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
