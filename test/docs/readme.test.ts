import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRepository, repositoryFolder } from '../../scripts/actions.ts';
import { staleDocuments } from '../../scripts/docs.ts';

const read = (path: string) => readFileSync(inRepository(path), 'utf8');
const readme = read('README.md');

/** The code blocks of a language. */
function blocks(language: string): readonly string[] {
  const pattern = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm');
  return [...readme.matchAll(pattern)].map(([, block = '']) => block);
}

/** What people wrote: the page without code, tables and tags. */
const prose = readme
  .replace(/^ *```[\s\S]*?^ *```$/gm, '')
  .replace(/^\|.*$/gm, '')
  .replace(/<[^>]*>/g, '');

it('generated tables and examples are up to date', () => {
  expect(staleDocuments()).toEqual([]);
});

describe('the front page', () => {
  it('is short', () => {
    expect(prose.split(/\s+/).length).toBeLessThanOrEqual(1200);
  });

  it('sets up in five steps, with one complete workflow, which is an example', () => {
    const steps = prose.match(/^\d+\. \*\*/gm);
    expect(steps).toEqual(['1. **', '2. **', '3. **', '4. **', '5. **']);
    expect(readme.match(/\buses: /g)).toHaveLength(1);
    const [workflow = ''] = blocks('yaml');
    const examples = globSync('examples/*.yml', { cwd: repositoryFolder });
    expect(examples.filter((file) => read(file).endsWith(workflow))).toHaveLength(1);
  });

  it('explains OWNER once', () => {
    expect(prose.match(/`OWNER`/g)).toHaveLength(1);
  });

  it('has six inputs and six outputs, and the reference has the others', () => {
    const rowsOf = (block: string) => {
      const [, text = ''] = new RegExp(`<!-- ${block} -->([\\s\\S]*?)<!--`).exec(readme) ?? [];
      return text.match(/^\| `/gm) ?? [];
    };
    expect(rowsOf('inputs')).toHaveLength(6);
    expect(rowsOf('outputs')).toHaveLength(6);
  });
});
