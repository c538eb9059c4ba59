import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../scripts/tables.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const page = readFileSync(inRepository('docs/errors.md'), 'utf8');
const sections = [...page.matchAll(/^### `([\w-]+)`\n\n(.*)/gm)];

/** The reasons that an action.yml lists between parentheses. */
function reasonsOf(actionFile: string): readonly string[] {
  const description = readManifest(inRepository(actionFile)).outputs['reason']?.description ?? '';
  return [...description.matchAll(/\(([^)]+)\)/g)].flatMap(([, list = '']) => list.split(', '));
}

describe('the page of errors', () => {
  it('has a section for every reason of the agent action, and no other', () => {
    const reasons = reasonsOf('action.yml');
    expect(reasons.length).toBeGreaterThan(10);
    expect(sections.map(([, reason]) => reason).sort()).toEqual([...reasons].sort());
  });

  it('covers the reasons of the visitors action', () => {
    const reasons = reasonsOf('visitors/action.yml');
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasonsOf('action.yml')).toEqual(expect.arrayContaining([...reasons]));
  });

  it('says something in every section', () => {
    for (const [, , text = ''] of sections) {
      expect(text.split(' ').length).toBeGreaterThan(8);
    }
  });
});
