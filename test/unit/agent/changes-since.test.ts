import { describe, expect, it } from 'vitest';
import { readChangesSince } from '../../../src/agent/inputs.ts';

describe('changes-since', () => {
  it.each([
    ['', { kind: 'event' }],
    ['last-success', { kind: 'last-success' }],
    ['x'.repeat(255), { kind: 'named', name: 'x'.repeat(255) }],
    ['release/2.x', { kind: 'named', name: 'release/2.x' }],
    ['refs/tags/größe', { kind: 'named', name: 'refs/tags/größe' }],
    ['1a2b3c4', { kind: 'named', name: '1a2b3c4' }],
  ])('%j', (text, expected) => {
    expect(readChangesSince(text)).toEqual(expected);
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
    'x'.repeat(256),
  ])('refuses %j', (text) => {
    expect(() => readChangesSince(text)).toThrow(
      'it takes a commit, a tag, a branch or last-success.',
    );
  });
});
