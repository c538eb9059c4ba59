import { expect, it } from 'vitest';
import type { Finding } from '../../../../src/check/finding.ts';
import { annotate } from '../../../../src/check/report/annotations.ts';
import { say } from '../../../../src/check/sentence.ts';
import { findingOf, goneOf, judgementOf } from '../../../helpers/change.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

function annotationsOf(repository: string, ...findings: readonly Finding[]) {
  const runner = fakeRunner({ GITHUB_REPOSITORY: repository });
  annotate(judgementOf(findings), new Set(['blocked']), runner);
  return runner.told;
}

const gone = goneOf('/guides/deploy');
const sample = findingOf(
  'settings-changed',
  say`The setting ${'seo'} changed.`,
  ['guides/run.mdx:7', 'fr/guides/run.mdx:8'],
  { before: 'run --port 80', after: 'run --port 8080' },
);

it('is the sentence of the report, as loud as what follows from it', () => {
  const unread = findingOf('not-judged', say`Two lists were cut.`, ['']);
  expect(annotationsOf('acme/docs', gone, sample, unread)).toEqual([
    'error at guides/setup.mdx:12 (dead-address): /guides/deploy is gone and leads nowhere: add a redirect.',
    'notice at guides/run.mdx:7 (settings-changed): The setting "seo" changed. Before: "run --port 80". Now: "run --port 8080". The same stands in 1 more place.',
    'notice at : (not-judged): Two lists were cut.',
  ]);
});

it('names the file in its text if that lies in another repository', () => {
  expect(annotationsOf('acme/product', gone)).toEqual([
    'error at : (dead-address): guides/setup.mdx: /guides/deploy is gone and leads nowhere: add a redirect.',
  ]);
});

it('is shown for the first ones of a kind, so that the closing sentence is not lost', () => {
  const told = annotationsOf('acme/docs', ...Array<Finding>(20).fill(gone), sample);
  expect(told.map((text) => text.split(' ')[0])).toEqual([...Array(9).fill('error'), 'notice']);
});
