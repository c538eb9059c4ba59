import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { type Action, actions, bundleOf } from '../scripts/actions.ts';
import { startBundleRunner } from './bundle-run.ts';
import type { Measurement } from './measurement.ts';

const limits: Readonly<Record<Action, readonly [all: string, first: string]>> = {
  agent: ['≤ 400 kB', '≤ 300 kB'],
  visitors: ['≤ 200 kB', '≤ 200 kB'],
  check: ['≤ 380 kB', '≤ 300 kB'],
};

/** Measures the size of each bundle, and of the files that are loaded until the first request fails. */
export async function measureSizes(): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const action of actions) {
    const all = scriptsIn(dirname(bundleOf(action).entry));
    const [limitOfAll, limitOfLoaded] = limits[action];
    measurements.push(
      [`JavaScript of dist/${action}, gzip (raw)`, describe(all), limitOfAll],
      [`… loaded for the first request`, describe(await loadedFor(action)), limitOfLoaded],
    );
  }
  const cacheProcess = scriptsIn(join(dirname(bundleOf('agent').entry), 'cache-process'));
  return [
    ...measurements,
    ["… of the process that asks the runner's cache", describe(cacheProcess), '≤ 450 kB'],
  ];
}

/** The JavaScript in a folder itself. */
function scriptsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name));
}

function describe(paths: readonly string[]): string {
  const files = paths.map((path) => readFileSync(path));
  const zipped = files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  const raw = files.reduce((sum, bytes) => sum + bytes.length, 0);
  return `${kilobytes(zipped)} (${kilobytes(raw)}, ${files.length} files)`;
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

const coverageSchema = v.object({ result: v.array(v.object({ url: v.string() })) });

/** The files of a bundle that V8 has loaded at the end of a run whose first request fails. */
async function loadedFor(action: Action): Promise<readonly string[]> {
  await using runner = await startBundleRunner();
  const coverage = join(runner.folder, 'coverage');
  mkdirSync(coverage);
  await runner.time([bundleOf(action).entry], runner.validInputs, { NODE_V8_COVERAGE: coverage });
  const [report = ''] = readdirSync(coverage);
  const { result } = v.parse(
    coverageSchema,
    JSON.parse(readFileSync(join(coverage, report), 'utf8')),
  );
  return result
    .filter(({ url }) => url.includes(`/dist/${action}/`))
    .map(({ url }) => fileURLToPath(url));
}
