import { expect, it } from 'vitest';
import { whyNothingRan } from '../../../rehearse/try/nothing-ran.ts';
import { inRepository } from '../../../scripts/actions.ts';

it.each([
  ['an example that is rehearsed', inRepository('examples/review-comment.yml'), true],
  ["a user's own workflow", '/home/me/docs/.github/workflows/docs.yml', false],
])('%s in which nothing ran', async (_name, path, isRehearsed) => {
  const why = await whyNothingRan({ conditions: ['github.event.issue.pull_request'] }, path);
  expect(why).toMatch(/^No job ran, because a condition is false in .*:\n {2}if: github/);
  expect(why.includes('"npm run rehearse" runs it')).toBe(isRehearsed);
});
