import { describe, expect, it } from 'vitest';
import { readChangesSince } from '../../../src/agent/inputs.ts';

describe('changes-since', () => {
  it.each(['', 'last-success', 'release/2.x', 'refs/tags/größe', '1a2b3c4'])('%j', (text) => {
    expect(readChangesSince(text)).toBe(text);
  });

  // GitHub would read the first three as a range, another repository and a relative commit.
  it.each([
    'v1...v2',
    'stranger:main',
    'main~3',
    'HEAD^',
    'two words',
    'a\nb',
    '--all',
    '/main',
    'main/',
    'a?page=2',
    'x@{1}',
  ])('refuses %j', (text) => {
    expect(() => readChangesSince(text)).toThrow(
      'it takes a commit, a tag, a branch or last-success.',
    );
  });
});
