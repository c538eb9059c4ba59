import { expect, it } from 'vitest';
import { describeRemoved, promptWarnings } from '../../../../src/agent/prompt/prepare.ts';
import type { Prompt } from '../../../../src/agent/prompt/prompt.ts';

const prompt: Prompt = {
  text: 'x',
  origin: { input: 'prompt' },
  characters: 1,
  sha256: '0',
  removed: {},
  unusedVariables: [],
  unfilled: [],
  spliced: [],
};

it('lists what was removed from event text', () => {
  expect(describeRemoved({})).toBe('');
  expect(describeRemoved({ invisible: 3, html: 2, word: 1 })).toBe(
    '2 HTML comments, tags and attributes, 1 word that Markdown does not show and 3 invisible characters',
  );
});

it('has no warnings about a correct prompt', () => {
  expect(promptWarnings(prompt)).toEqual([]);
});

it('lists placeholders without a value, up to a limit', () => {
  const unfilled = ['{{a}}', '{{ b c }}', '{{d}}', '{{e}}', '{{f}}', '{{g}}', '{{h}}'];
  expect(promptWarnings({ ...prompt, unfilled })).toEqual([
    'The prompt still contains {{a}}, {{ b c }}, {{d}}, {{e}}, {{f}} and 2 more, for which there is no value: check the spelling, or add a value to variables.',
  ]);
});

it('says which placeholder to write instead of an expression', () => {
  expect(promptWarnings({ ...prompt, spliced: ['issue.body'] })).toEqual([
    `The prompt contains the event's issue.body, but not through a placeholder: write {{event.issue.body}} instead of \${{ github.event.issue.body }}, so that hidden text is removed.`,
  ]);
});
