import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { staleDocuments } from '../../scripts/docs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');

/** The code blocks of a language. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );
}

const examples = globSync('examples/*.yml', { cwd: root });
const workflows = blocks('yaml').filter((block) => block.startsWith('name:'));

describe('the README', () => {
  it('has up-to-date tables and examples', () => {
    expect(staleDocuments()).toEqual([]);
  });

  it('is short, and has the block to copy on its first screen', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1800);
    const firstScreen = readme.split('\n').slice(0, 24).join('\n');
    expect(firstScreen).toMatch(/```yaml\npermissions:[\s\S]*uses: [\w.-]+\/docs-agent-action@/);
  });

  it('shows two commands, each in its own block', () => {
    expect(blocks('sh')).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
  });

  it('only has workflows that are examples, because those are rehearsed', () => {
    for (const workflow of workflows) {
      expect(examples.some((file) => read(file).endsWith(workflow))).toBe(true);
    }
  });
});
