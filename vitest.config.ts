import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The runs on the real clock take a minute on any machine, so that minute begins first. */
class RealClockFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLate = ({ moduleId }: TestSpecification) => !moduleId.endsWith('/real-clock.test.ts');
    return (await super.sort(files)).toSorted((a, b) => Number(isLate(a)) - Number(isLate(b)));
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/helpers/fixed-seed.ts'],
    include: ['test/**/*.test.ts'],
    // Minutes: `npm run test:hostile`.
    exclude: [...configDefaults.exclude, 'test/hostile/{faults,life-bundle}.test.ts'],
    // The figures that .ci/run closes with.
    reporters: ['default', ['json', { outputFile: 'build/tests.json' }]],
    sequence: { sequencer: RealClockFirst },
    // The runs on the real clock sleep side by side.
    maxConcurrency: 12,
    // Most of a run is waiting for a bundle, so there are more of them than cores.
    maxWorkers: 4,
    // A bundle under a scaled clock takes a second or two on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // node:sqlite says on every start that it is experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
