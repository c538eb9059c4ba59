import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasSection,
  hasSections,
  keepSections,
  putSection,
} from '../../../src/github/comment-section.ts';
import { carriesMarker } from '../../../src/github/marker.ts';

const [key, other] = ['0123456789ab', 'ba9876543210'] as const;
const agents = 'The docs agent opened this.\n\n<!-- docs-agent-action pull-request v1 job=a -->\n';

/** What reports consist of: no line of it begins with a marker of ours. */
const report = fc
  .array(fc.constantFrom('### ✅ Routine', '| a | b |', '', '<!-- x -->', 'text', '$&', '$1'))
  .map((lines) => lines.join('\n'));

describe('a section of a comment', () => {
  it('follows what the comment says already', () => {
    const body = putSection(agents, key, 'Routine.\n');
    expect(body).toMatch(/^The docs agent opened this\.\n\n<!-- docs-agent-action pull-request/);
    expect(hasSection(body, key)).toBe(true);
    expect(hasSection(body, other)).toBe(false);
  });

  it('is a comment of its own if there is none', () => {
    const body = putSection('', key, 'Routine.');
    expect(body.startsWith('<!-- docs-agent-action section')).toBe(true);
    expect(carriesMarker(body)).toBe(true);
  });

  it('is replaced, and nothing else is', () => {
    fc.assert(
      fc.property(report, report, report, (first, second, third) => {
        const both = putSection(putSection(agents, key, first), other, second);
        const replaced = putSection(both, key, third);
        expect(replaced).toBe(putSection(putSection(agents, key, third), other, second));
        expect(putSection(replaced, key, first)).toBe(both);
      }),
    );
  });

  it('stays when the rest of the comment is written anew', () => {
    fc.assert(
      fc.property(report, report, (first, second) => {
        const before = putSection(putSection(agents, key, first), other, second);
        const after = keepSections(before, 'Second round.\n');
        expect(after).toBe(putSection(putSection('Second round.\n', key, first), other, second));
      }),
    );
  });

  it('is left out where the comment would get too long for GitHub', () => {
    const small = putSection('', other, 'Routine.');
    const before = putSection(small, key, 'x'.repeat(60_000));
    const after = keepSections(before, 'y'.repeat(6000));
    expect(hasSection(after, key)).toBe(false);
    expect(after.length).toBeLessThan(65_536);
    expect(hasSection(after, other)).toBe(true);
  });

  it('leaves a comment without sections as it is', () => {
    expect(keepSections(agents, 'Second round.\n')).toBe('Second round.\n');
    expect(hasSections(agents)).toBe(false);
  });

  it('is found after someone edited the comment in a browser', () => {
    const edited = putSection(agents, key, 'Routine.').replaceAll('\n', '\r\n');
    expect(hasSection(edited, key)).toBe(true);
    expect(putSection(edited, key, 'Blocked.')).not.toContain('Routine.');
  });

  it('is put once into a comment that has it twice', () => {
    const once = putSection('', key, 'One.');
    const twice = putSection(`${once}\n${once}`, key, 'Two.');
    expect(twice.match(/begin -->/g)).toHaveLength(1);
  });
});
