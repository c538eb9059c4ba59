import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { staleDocuments } from '../../scripts/docs.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');

/** The code blocks of a language. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );
}

const workflows = blocks('yaml').filter((block) => block.startsWith('name:'));

describe('the README', () => {
  it('has the tables that the action.yml files make', () => {
    expect(staleDocuments()).toEqual([]);
  });

  it('shows the block to copy on its first screen', () => {
    const firstScreen = readme.split('\n').slice(0, 12).join('\n');
    expect(firstScreen).toMatch(/```yaml\n- uses: [\w.-]+\/docs-agent-action@v1/);
  });

  it('shows the two commands, each alone', () => {
    expect(blocks('sh')).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
  });

  it.each(workflows)('has a workflow that is safe to copy: %#', (block) => {
    expect(parseYaml(block)).toMatchObject({
      permissions: {},
      concurrency: { 'cancel-in-progress': false },
      jobs: { docs: { 'timeout-minutes': expect.any(Number) } },
    });
    for (const [, action = ''] of block.matchAll(/uses: (\S+)/g)) {
      expect(action).toMatch(/\/docs-agent-action(?:\/visitors)?@v1$|@[0-9a-f]{40}$/);
    }
    expect(block).not.toMatch(
      /\$\{\{ *github\.event\.(?!label\.name|issue\.number|release\.tag_name)/,
    );
  });

  it('has at least the three ways as workflows', () => {
    expect(workflows.length).toBeGreaterThanOrEqual(3);
  });

  it('names every result and every reason that action.yml names', () => {
    const manifest = read('action.yml');
    for (const word of [
      'skipped',
      'pull-request',
      'no-pull-request',
      'failed',
      'archived',
      'timed-out',
      'cancelled',
      'running',
      'error',
    ]) {
      expect(manifest).toContain(word);
      expect(readme).toContain(`\`${word}\``);
    }
  });
});
