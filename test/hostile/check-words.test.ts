import { expect, it } from 'vitest';
import { factsIn } from '../../src/check/rules/words.ts';

it.each(['a', '.', '_', '-a'])(
  'reads a long word of %j in time that grows with its length',
  (part) => {
    // A pattern that begins again at each letter would take minutes, and the test would time out.
    expect(factsIn(part.repeat(200_000))).toEqual([]);
  },
);
