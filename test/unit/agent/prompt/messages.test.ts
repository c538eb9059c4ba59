import { expect, it } from 'vitest';
import { describeRemoved, promptWarnings } from '../../../../src/agent/prompt/messages.ts';
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

it('names what was taken out of event text', () => {
  expect(describeRemoved({})).toBe('');
  expect(describeRemoved({ invisible: 3, comment: 2, word: 1 })).toBe(
    '2 HTML comments, 1 word that Markdown does not show and 3 invisible characters',
  );
});

it('says nothing about a prompt that is as it should be', () => {
  expect(promptWarnings(prompt)).toEqual([]);
});

it('names what nothing fills, up to a number', () => {
  const unfilled = ['{{a}}', '{{ b c }}', '{{d}}', '{{e}}', '{{f}}', '{{g}}', '{{h}}'];
  expect(promptWarnings({ ...prompt, unfilled })).toEqual([
    'The prompt still holds {{a}}, {{ b c }}, {{d}}, {{e}}, {{f}} and 2 more, which nothing fills: check the spelling, or give a value in variables.',
  ]);
});

it('says which placeholder to write in place of an expression', () => {
  expect(promptWarnings({ ...prompt, spliced: ['issue.body'] })).toEqual([
    `The prompt holds the event's issue.body word for word, though no placeholder brought it: write {{event.issue.body}} in place of \${{ github.event.issue.body }}, so that what its readers cannot see is taken out.`,
  ]);
});
