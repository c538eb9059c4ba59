import { expect, it } from 'vitest';
import { describeHidden } from '../../../../src/agent/prompt/hidden.ts';

it('describes what was left out', () => {
  expect(describeHidden([])).toBe('');
  expect(describeHidden(['invisible', 'html', 'word', 'invisible', 'html', 'invisible'])).toBe(
    '2 HTML comments, tags and attributes, 1 word that Markdown does not show and 3 invisible characters',
  );
});
