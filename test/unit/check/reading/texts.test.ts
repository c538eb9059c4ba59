import { expect, test } from 'vitest';
import { Texts } from '../../../../src/check/reading/texts.ts';
import { plainOf } from '../../../../src/check/sentence.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { githubSession, noSignal } from '../../../helpers/github-session.ts';

test.each([
  ['files have more than 60 MB together', 8, 7_900_000, 'more than 60 MB together with the files'],
  ['it takes more than 300 requests', 301, 1, 'it would take too many requests'],
])('the last file is not asked for where %s', async (_where, count, bytes, words) => {
  // Neither GraphQL nor a single request returns anything.
  const { session } = await githubSession({});
  const repository = 'acme/docs';
  const texts = new Texts({ session, repository, clock: fakeClock(), signal: noSignal });
  await texts.read(
    Array.from({ length: count }, (_, index) => ({
      path: `${index}.mdx`,
      entry: { sha: `${index}`, kind: 'file', bytes },
    })),
  );
  const problems = [...texts.unread.values()].map(plainOf);
  expect(problems).toHaveLength(count);
  expect(problems.filter((problem) => problem.includes(words))).toEqual([problems.at(-1)]);
});
