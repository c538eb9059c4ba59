import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { type Action, actions, bundleOf } from '../scripts/actions.ts';
import { openStage } from './bundle-run.ts';
import type { Measurement } from './measurement.ts';

const bars: Readonly<Record<Action, readonly [all: string, first: string]>> = {
  agent: ['≤ 600 kB', '≤ 450 kB'],
  visitors: ['', '≤ 450 kB'],
};

/** What is shipped, and what of it is loaded until the first request has failed. */
export async function measureSizes(): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const action of actions) {
    const folder = dirname(bundleOf(action).entry);
    const all = readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(folder, name));
    const [barOfAll, barOfFirst] = bars[action];
    measurements.push(
      [`JavaScript of dist/${action}, gzip (raw)`, describe(all), barOfAll],
      [`… loaded for the first request`, describe(await loadedFor(action)), barOfFirst],
    );
  }
  return measurements;
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

/** The files of a bundle that V8 has seen by the end of a run whose first request fails. */
async function loadedFor(action: Action): Promise<readonly string[]> {
  await using stage = await openStage();
  const coverage = join(stage.folder, 'coverage');
  mkdirSync(coverage);
  await stage.time([bundleOf(action).entry], stage.goodInputs, { NODE_V8_COVERAGE: coverage });
  const [report = ''] = readdirSync(coverage);
  const { result } = v.parse(
    coverageSchema,
    JSON.parse(readFileSync(join(coverage, report), 'utf8')),
  );
  return result
    .filter(({ url }) => url.includes(`/dist/${action}/`))
    .map(({ url }) => fileURLToPath(url));
}
