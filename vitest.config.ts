import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that mostly sleep, longest first: started early, they cost no time of their own. */
const sleepers = ['real-clock', 'rerun-record', 'open-pull-request', 'rerun', 'agent-poll'];

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

/** What holds for every test. */
const shared = {
  setupFiles: ['test/helpers/fixed-seed.ts'],
  // The tests on the real clock mostly sleep, so all of them run at once.
  maxConcurrency: 12,
  // Only for a test that hangs: on a busy machine, one that starts several processes takes a minute.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A bundle with a scaled clock has scaled limits for the cache and GitHub, which a busy machine can miss.
  retry: process.env['CI'] !== undefined && process.env['RUN_AGAINST'] === 'dist' ? 1 : 0,
  // Most files take less time than a worker takes to start, and to load what they import.
  isolate: false,
};

export const projects = [
  {
    ...shared,
    name: 'pure',
    include: ['test/{unit,docs,scripts}/**/*.test.ts'],
    exclude: [],
  },
  // Whole runs, in the process of the test, unless RUN_AGAINST is set: see test/helpers/run-action.ts.
  { ...shared, name: 'runs', include: ['test/run/**/*.test.ts'], exclude: [] },
  {
    ...shared,
    name: 'processes',
    include: ['test/{dist,sandbox,rehearse,hostile}/**/*.test.ts'],
    env: { RUN_AGAINST: 'dist' },
    // The hostile ones take minutes: `npm run test:hostile` runs them.
    exclude: [
      'test/hostile/{busy-texts,check-parsing,check-texts,faults,life-bundle,texts}.test.ts',
    ],
  },
];

const outputFile = process.env['RUN_AGAINST'] === 'dist' ? 'build/dist.json' : 'build/tests.json';

export default defineConfig({
  test: {
    projects: projects.map((test) => ({ test })),
    // .ci/run prints the numbers of tests from these files.
    reporters: ['default', ['json', { outputFile }]],
    sequence: { sequencer: SleepersFirst },
    // Most tests wait for a poll or a bundle, so there are more workers than cores.
    maxWorkers: 8,
  },
});
