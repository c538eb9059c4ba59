import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  type CoverageMap,
  type CoverageMapData,
  type CoverageSummary,
  createCoverageSummary,
} from '@vitest/istanbul-lib-coverage';
import { repositoryFolder } from './actions.ts';
import { gapsOf, mapOf, readReport } from './coverage-report.ts';

const coverageFolder = join(repositoryFolder, 'build', 'coverage');
const sourceFolder = join(repositoryFolder, 'src');

/**
 * Prints which parts of `src` the tests run: the unit tests, and the tests that run an action as a
 * step.
 *
 * Here a step runs from the sources instead of the bundle, because the bundle's source map is too
 * coarse: ncc maps whole lines, and half of our branches are parts of a line. Node strips the types
 * and keeps every position, so both kinds of tests count the same statements. Code that the test of
 * a step calls directly, such as to sign a comment, counts as run by the step.
 */
function main(): void {
  rmSync(coverageFolder, { recursive: true, force: true });
  const unit = measure('unit', ['test/unit', 'test/hostile/life.test.ts']);
  const steps = measure('steps', [
    'test/run',
    'test/dist',
    'test/hostile/texts.test.ts',
    'test/hostile/check-texts.test.ts',
  ]);
  const either = mapOf([unit, steps]);
  console.log(tableOf([mapOf([unit]), mapOf([steps]), either]));
  console.log(`\nNot run by any test:\n\n${gapsIn(either)}`);
}

/** Runs tests, and reads their coverage. */
function measure(name: string, tests: readonly string[]): CoverageMapData {
  const folder = join(coverageFolder, name);
  const vitest = join(repositoryFolder, 'node_modules', 'vitest', 'vitest.mjs');
  const config = ['--config', 'vitest.coverage.config.ts', '--coverage.reportsDirectory', folder];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...config, ...tests], {
    cwd: repositoryFolder,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error('Some tests failed, so the coverage may be too low.');
    process.exitCode = 1;
  }
  return readReport(readFileSync(join(folder, 'coverage-final.json'), 'utf8'));
}

/** The share of lines, branches and functions that were run: in total, by folder and by file. */
function tableOf(maps: readonly CoverageMap[]): string {
  const files = maps.flatMap((map) => map.files()).map((path) => relative(sourceFolder, path));
  const folders = files.map((path) => `${dirname(path)}/`);
  const names = ['', ...new Set([...files, ...folders])].sort();
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return [
    `${' '.repeat(width)}${['unit tests', 'steps', 'either'].map((head) => head.padEnd(22)).join('')}`,
    ...names.map((name) => {
      const cells = maps.map((map) => percentages(summaryOf(map, name)));
      return `${(name === '' ? 'src' : name).padEnd(width)}${cells.join('')}`;
    }),
  ].join('\n');
}

/** @param prefix the beginning of the path, below `src`, of the files that count */
function summaryOf(map: CoverageMap, prefix: string): CoverageSummary {
  const summary = createCoverageSummary();
  for (const path of map
    .files()
    .filter((path) => relative(sourceFolder, path).startsWith(prefix))) {
    summary.merge(map.fileCoverageFor(path).toSummary());
  }
  return summary;
}

function percentages({ lines, branches, functions }: CoverageSummary): string {
  return [lines, branches, functions]
    .map(({ total, pct }) => (total === 0 ? '-' : String(pct)).padEnd(7))
    .join('')
    .padEnd(22);
}

function gapsIn(map: CoverageMap): string {
  return map
    .files()
    .sort()
    .flatMap((path) =>
      gapsOf(map.fileCoverageFor(path), readFileSync(path, 'utf8')).map(
        ({ line, text }) => `${relative(repositoryFolder, path)}:${line}  ${text}`,
      ),
    )
    .join('\n');
}

main();
