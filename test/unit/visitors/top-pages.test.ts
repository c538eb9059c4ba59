import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVariables } from '../../../src/agent/prompt/variables.ts';
import type { Page } from '../../../src/visitors/page-list.ts';
import { topPagesJson } from '../../../src/visitors/top-pages.ts';
import { heavyRuns } from '../../helpers/heavy-runs.ts';
import { nastyPage, page } from '../../helpers/visitors.ts';

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

  it('has the file of each page, if the docs are checked out', () => {
    const { json } = topPagesJson([{ ...page('/a'), file: 'docs/a.mdx' }]);
    expect(json).toBe('[{"path":"/a","file":"docs/a.mdx","human":10,"ai":0,"total":10}]');
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
    const fitting = page(`/${'x'.repeat(999)}`);
    const long = page(`${fitting.path}x`);
    const lengthOf = (pages: readonly Page[]) => topPagesJson(pages).json.length;
    const size = lengthOf([fitting, fitting]) - lengthOf([fitting]);
    const pages = [long, ...Array<Page>(99).fill(fitting)];
    const count = Math.floor((48 * 1024 - 2) / size);
    const { json, leftOut } = topPagesJson(pages);
    expect(JSON.parse(json)).toEqual(Array(count).fill(entry(fitting)));
    expect(leftOut).toBe(100 - count);
  });
});
