import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';

const page = readFileSync(inRepository('docs/errors.md'), 'utf8');
const sections = [...page.matchAll(/^### `([\w-]+)`\n\n(.*)/gm)];

/** The reasons in the description of the output `reason`, between parentheses. */
function reasonsOf(action: Action): readonly string[] {
  const description =
    readManifest(bundleOf(action).actionFile).outputs['reason']?.description ?? '';
  return [...description.matchAll(/\(([^)]+)\)/g)].flatMap(([, list = '']) => list.split(', '));
}

describe('docs/errors.md', () => {
  it('has a section for each reason of the agent action, and no others', () => {
    const reasons = reasonsOf('agent');
    expect(reasons.length).toBeGreaterThan(10);
    expect(sections.map(([, reason]) => reason).sort()).toEqual([...reasons].sort());
  });

  it('covers the reasons of the visitors action', () => {
    const reasons = reasonsOf('visitors');
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasonsOf('agent')).toEqual(expect.arrayContaining([...reasons]));
  });

  it('has a text in each section', () => {
    for (const [, , text = ''] of sections) {
      expect(text.split(' ').length).toBeGreaterThan(8);
    }
  });
});
