import { expect, it } from 'vitest';
import type { Finding } from '../../../../src/check/finding.ts';
import type { FailOn } from '../../../../src/check/inputs.ts';
import { showFindings } from '../../../../src/check/report/annotations.ts';
import { say } from '../../../../src/check/sentence.ts';
import { findingOf, goneOf, judgementOf } from '../../../helpers/change.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';

function annotationsOf(
  findings: readonly Finding[],
  { repository = 'Acme/Docs', failOn = ['blocked'] as readonly FailOn[] } = {},
) {
  const runner = fakeRunner({ GITHUB_REPOSITORY: repository });
  showFindings(judgementOf(findings), new Set(failOn), runner);
  return runner.told;
}

const gone = goneOf('/guides/deploy');
const sample = findingOf(
  'settings-changed',
  say`The setting ${'seo'} changed.`,
  ['guides/run.mdx:7', 'fr/guides/run.mdx:8'],
  { before: 'run --port 80', after: 'run --port 8080' },
);
const unread = findingOf('not-judged', say`Two lists were cut.`, ['', 'a', 'b'], { after: '' });

it('is the sentence of the report, as loud as what follows from it', () => {
  const lines = [
    'guides/setup.mdx:12 (dead-address): /guides/deploy is gone and leads nowhere: add a redirect.',
    'guides/run.mdx:7 (settings-changed): The setting "seo" changed. Before: "run --port 80". Now: "run --port 8080". The same is in fr/guides/run.mdx:8.',
    ': (not-judged): Two lists were cut. The same is in "a" and "b".',
  ];
  const expected = (levels: readonly string[]) =>
    lines.map((line, index) => `${levels[index]} at ${line}`);
  const all = [gone, sample, unread];
  expect(annotationsOf(all)).toEqual(expected(['error', 'notice', 'notice']));
  expect(annotationsOf(all, { failOn: ['skipped'] })).toEqual(
    expected(['warning', 'notice', 'notice']),
  );
  expect(annotationsOf(all, { failOn: ['blocked', 'review'] })).toEqual(
    expected(['error', 'error', 'error']),
  );
});

it('is a line of the log with fail-on none', () => {
  expect(annotationsOf([gone, sample, unread], { failOn: [] })).toEqual([
    'info: guides/setup.mdx:12: /guides/deploy is gone and leads nowhere: add a redirect.',
    'info: guides/run.mdx:7: The setting "seo" changed. Before: "run --port 80". Now: "run --port 8080". The same is in fr/guides/run.mdx:8.',
    'info: Two lists were cut. The same is in "a" and "b".',
  ]);
});

it('names the file in its text if that lies in another repository', () => {
  expect(annotationsOf([gone, unread], { repository: 'acme/product' })).toEqual([
    'error at : (dead-address): guides/setup.mdx:12: /guides/deploy is gone and leads nowhere: add a redirect.',
    'notice at : (not-judged): Two lists were cut. The same is in "a" and "b".',
  ]);
});

it('is shown for the first ones of a kind, so that the closing sentence is not lost', () => {
  const told = annotationsOf([...Array<Finding>(20).fill(gone), sample]);
  expect(told.map((text) => text.split(' ')[0])).toEqual([...Array(9).fill('error'), 'notice']);
});
