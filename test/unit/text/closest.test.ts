import { expect, it } from 'vitest';
import { closest } from '../../../src/text/closest.ts';

it.each([
  ['isuse', 'issue'],
  ['isue', 'issue'],
  ['issuee', 'issue'],
  ['xissue', 'issue'],
  ['sender', 'sender'],
  ['iss', 'issue'],
  ['pull', 'pull_request'],
  ['is', undefined],
  ['issux', undefined],
  ['iusse', undefined],
  // A word of three letters has too many neighbours.
  ['rfe', undefined],
  ['hed', undefined],
  ['haed', 'head'],
])('%s probably means %s', (word, meant) => {
  const known = ['pull_request_target', 'pull_request', 'issue_comment', 'issue', 'sender'];
  expect(closest(word, [...known, 'ref', 'head'])).toBe(meant);
});
