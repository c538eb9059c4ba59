import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVariables } from '../../../src/agent/prompt/variables.ts';
import type { Page } from '../../../src/visitors/export.ts';
import { topPagesJson } from '../../../src/visitors/outputs.ts';
import { heavyRuns } from '../../helpers/heavy-runs.ts';
import { nastyPage, page } from '../../helpers/visitors-pages.ts';

/** The text in the agent's prompt, with the README's `variables: "pages: ${{ … }}"`. */
function throughVariables(output: string): unknown {
  const pages = readVariables(`pages: ${output}`).get('pages');
  return JSON.parse(pages ?? '');
}

function entry({ path, human, ai, total }: Page) {
  return { path, human, ai, total };
}

describe('top-pages', () => {
  it('is a compact JSON array', () => {
    const { json } = topPagesJson([page('/'), page('/a"b', { human: 3, ai: 9, total: 11 })]);
    expect(json).toBe(
      '[{"path":"/","human":10,"ai":0,"total":10},{"path":"/a\\"b","human":3,"ai":9,"total":11}]',
    );
  });

  it.each([
    '/quo"ted\'s',
    '/a # b',
    '/a: b',
    '- /a',
    '/new\nline',
    '/🚀',
    '/lone\ud800',
    '{{x}}',
    '/\u2028\u0085\ufeff',
    '*alias',
    '%TAG',
    `/${'long/'.repeat(190)}`,
    '',
  ])('passes %j to the agent unchanged', (path) => {
    expect(throughVariables(topPagesJson([page(path)]).json)).toEqual([entry(page(path))]);
  });

  it('is parsed as the same pages by the agent, for any paths', () => {
    fc.assert(
      fc.property(fc.array(nastyPage, { maxLength: 20 }), (pages) => {
        const { json } = topPagesJson(pages);
        expect(json).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(json)).toEqual(pages.map(entry));
        expect(throughVariables(json)).toEqual(pages.map(entry));
      }),
      heavyRuns(500),
    );
  });

  it('leaves out pages that do not fit, and never shortens a path', () => {
    const huge = page(`/${'x'.repeat(2000)}`);
    const pages = [
      huge,
      page('/kept'),
      ...Array.from({ length: 98 }, (_, n) => page('🚀'.repeat(200) + n)),
    ];
    const { json, leftOut } = topPagesJson(pages);
    const kept: unknown[] = JSON.parse(json);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(48 * 1024);
    expect(kept[0]).toEqual(entry(page('/kept')));
    expect(kept.length + leftOut).toBe(100);
    expect(kept.length).toBeGreaterThan(10);
  });
});
