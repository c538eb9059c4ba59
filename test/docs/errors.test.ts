import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';

const page = readFileSync(inRepository('docs/errors.md'), 'utf8');
const sections = [...page.matchAll(/^### `([\w-]+)`\n\n(.*)/gm)];

/** The reasons that an action's file lists between parentheses. */
function reasonsOf(action: Action): readonly string[] {
  const description =
    readManifest(bundleOf(action).actionFile).outputs['reason']?.description ?? '';
  return [...description.matchAll(/\(([^)]+)\)/g)].flatMap(([, list = '']) => list.split(', '));
}

describe('the page of errors', () => {
  it('has a section for every reason of the agent action, and no other', () => {
    const reasons = reasonsOf('agent');
    expect(reasons.length).toBeGreaterThan(10);
    expect(sections.map(([, reason]) => reason).sort()).toEqual([...reasons].sort());
  });

  it('covers the reasons of the visitors action', () => {
    const reasons = reasonsOf('visitors');
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasonsOf('agent')).toEqual(expect.arrayContaining([...reasons]));
  });

  it('says something in every section', () => {
    for (const [, , text = ''] of sections) {
      expect(text.split(' ').length).toBeGreaterThan(8);
    }
  });
});
