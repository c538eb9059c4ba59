import { describe, expect, it } from 'vitest';
import { judge, withNavigation } from '../helpers/run-check.ts';

const page = (title: string, text: string) =>
  `---\ntitle: ${title}\ndescription: About ${title}\n---\n\n## Start\n\n${text}\n`;

const before = withNavigation({
  'index.mdx': page('Acme', 'Welcome to Acme, the tool that you know already.'),
  'guides/setup.mdx': page('Setup', 'Set it up with care. See [the start](/index).'),
});

describe('an ordinary change', () => {
  it('is routine', async () => {
    const after = {
      ...before,
      'guides/setup.mdx': page('Setup', 'Set it up with great care. See [the start](/index).'),
    };
    const result = await judge({ before, after });
    expect(result.found).toEqual([]);
    expect(result.verdict).toBe('routine');
    expect(result.exitCode).toBe(0);
  });
  it('is blocked', async () => {
    const { 'guides/setup.mdx': gone, ...after } = before;
    const result = await judge({ before, after, inputs: { comment: 'true' } });
    expect(result.verdict).toBe('blocked');
    expect(result.exitCode).toBe(1);
  });
});
