import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { manifestProblems } from '../../scripts/manifest-problems.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe("GitHub's schema", () => {
  it.each(['action.yml', 'visitors/action.yml'])('has nothing against %s', async (path) => {
    expect(await manifestProblems(inRepository(path))).toEqual([]);
  });

  it('has something against an action.yml with mistakes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
    try {
      const path = join(folder, 'action.yml');
      const text = readFileSync(inRepository('action.yml'), 'utf8');
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
