import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from './actions.ts';
import { bundle } from './bundle.ts';

/** Every file below `folder` with its bytes, whether git tracks it or not. */
function readTree(folder: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)]),
  );
}

function differences(committed: Map<string, Buffer>, fresh: Map<string, Buffer>): string[] {
  const missing = [...fresh.keys()].filter((path) => !committed.has(path));
  const superfluous = [...committed.keys()].filter((path) => !fresh.has(path));
  const changed = [...fresh].filter(
    ([path, bytes]) => committed.get(path)?.equals(bytes) === false,
  );
  return [
    ...missing.map((path) => `missing: dist/${path}`),
    ...superfluous.map((path) => `superfluous: dist/${path}`),
    ...changed.map(([path]) => `differs: dist/${path}`),
  ];
}

const freshFolder = mkdtempSync(join(tmpdir(), 'fresh-dist-'));
try {
  await bundle(freshFolder);
  const found = differences(readTree(inRepository('dist')), readTree(freshFolder));
  if (found.length > 0) {
    console.error('dist is not what the sources build: run `npm run build`, and commit dist.');
    console.error(found.join('\n'));
    process.exitCode = 1;
  } else {
    console.log('dist is what the sources build.');
  }
} finally {
  rmSync(freshFolder, { recursive: true, force: true });
}
