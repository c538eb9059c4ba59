import { describe, expect, it } from 'vitest';
import { redactorOf } from '../../../../src/check/rules/redact.ts';
import { changeOf, findingsOf, page } from '../../../helpers/change.ts';

// Put together here, so that nobody takes it for a real key.
const key = `gh${'p'}_${'k3Vq9ZtW1xYb7LmP0cRs5NdF8gHjA2uE4iQo'}`;
const change = changeOf({
  before: { 'a.mdx': page('Text') },
  after: { 'a.mdx': page(`Use ${key} for it.`) },
});

describe('a report', () => {
  const redact = redactorOf(change);

  it('holds no key of a changed file, not even the beginning of one', () => {
    expect(redact(`sets "x" to {"y":"${key}"}`)).toBe('sets "x" to {"y":"ghp_…"}');
    expect(redact(`has ${key.slice(0, 25)}…`)).toBe('has ghp_……');
    expect(redact(`${key} and ${key}`)).toBe('ghp_… and ghp_…');
    expect(redact('nothing of it')).toBe('nothing of it');
  });

  it('holds no key that only appears once a value is read', () => {
    expect(redactorOf({ files: [] })(`sets it to "${key}"`)).toBe('sets it to "ghp_…"');
  });
});

it.each([
  `token_${key}`,
  key.replace('_', '&#95;'),
  key.replace('_', '\\_'),
  `${key.slice(0, 9)}\u200b${key.slice(9)}`,
])('a disguised key is found: %j', (text) => {
  const parts = { before: { 'a.mdx': page('x') }, after: { 'a.mdx': page(`x\n\n${text}`) } };
  expect(findingsOf(parts, 'provider-key')).toEqual([
    expect.objectContaining({ line: 8, what: 'has what looks like a key of GitHub (ghp_…)' }),
  ]);
});
