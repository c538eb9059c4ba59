import { describe, expect, test } from 'vitest';
import { ENDINGS, REFUSALS, readWords, WORDS } from '../../../sandbox/service/words.ts';

const examples = WORDS.map(([example]) => example);
const names = [...ENDINGS, ...REFUSALS, 'slow', 'breaks', 'stubborn'];

describe('a word', () => {
  test.each(names)('has a row in WORDS: %s', (name) => {
    expect(examples.filter((example) => example.split(/[ \]]/)[1] === name)).toHaveLength(1);
  });

  test.each(examples)('of WORDS is understood: %s', (example) => {
    expect(readWords(example)).not.toEqual(readWords(''));
  });
});
