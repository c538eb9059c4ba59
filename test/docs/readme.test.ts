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
  it('has the tables and the examples that the sources make', () => {
    expect(staleDocuments()).toEqual([]);
  });

  it('is a front page: short, with the block to copy on its first screen', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1800);
    const firstScreen = readme.split('\n').slice(0, 24).join('\n');
    expect(firstScreen).toMatch(/```yaml\npermissions:[\s\S]*uses: [\w.-]+\/docs-agent-action@/);
  });

  it('shows the two commands, each alone', () => {
    expect(blocks('sh')).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
  });

  it('has no workflow that is not an example, and so was never run', () => {
    for (const workflow of workflows) {
      expect(examples.some((file) => read(file).endsWith(workflow))).toBe(true);
    }
  });
});
