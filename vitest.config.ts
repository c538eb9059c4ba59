import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, which started late would run alone at the end. */
const sleepers = ['cache', 'check-verdicts', 'open-pull-request', 'event'];

class SleepersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = sleepers.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? sleepers.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// For the workers and what they start: a process whose compiled code Node has kept starts in a third
// of the time.
process.env['NODE_COMPILE_CACHE'] = resolve('build/compiled');

// A runner's zone must not matter, so it is none that UTC could be taken for.
process.env['TZ'] = 'America/New_York';

/** What holds for every test. */
const shared = {
  setupFiles: ['test/helpers/fixed-seed.ts'],
  // The tests on the real clock mostly sleep, so all of them run at once.
  maxConcurrency: 12,
  // Only for a test that hangs: on a busy machine, one that starts several processes takes a minute.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Most files take less time than a worker takes to start, and to load what they import.
  isolate: false,
};

export const projects = [
  // All in one project, because each project has workers of its own, which import the same files again.
  {
    ...shared,
    name: 'sources',
    include: [
      'test/{unit,run,docs,scripts,sandbox,rehearse}/**/*.test.ts',
      // The other hostile tests take minutes: `npm run test:hostile` runs them.
      'test/hostile/{export-life,life,oracles}.test.ts',
    ],
    exclude: [],
  },
  // What only the committed bundles can show: `npm run test:dist`.
  {
    ...shared,
    name: 'bundles',
    include: ['test/dist/**/*.test.ts'],
    exclude: [],
    env: { RUN_AGAINST: 'dist' },
  },
];

export default defineConfig({
  test: {
    projects: projects.map((test) => ({ test })),
    // .ci/run prints the numbers of tests from this file, and from that of `npm run test:dist`.
    reporters: ['default', 'json'],
    outputFile: { json: 'build/tests.json' },
    sequence: { sequencer: SleepersFirst },
    // Some tests wait for a process, so there are more workers than cores. Each costs a second to start.
    maxWorkers: 4,
  },
});
