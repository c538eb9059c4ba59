import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actions, bundleOf } from '../../scripts/actions.ts';
import { manifestProblems } from './manifest-problems.ts';

describe("GitHub's schema", () => {
  it.each(actions)('accepts the action.yml of %s', async (action) => {
    expect(await manifestProblems(bundleOf(action).actionFile)).toEqual([]);
  });

  it('refuses an action.yml with mistakes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
    try {
      const path = join(folder, 'action.yml');
      const text = readFileSync(bundleOf('agent').actionFile, 'utf8');
      writeFileSync(path, text.replace('author:', 'autor:').replace('node24', 'node23'));
      expect(await manifestProblems(path)).toEqual([
        "Unexpected value 'autor'",
        "Unexpected value 'node23'",
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
