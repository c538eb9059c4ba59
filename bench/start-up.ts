import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions, bundleOf } from '../scripts/actions.ts';
import { startBundleRunner } from './bundle-run.ts';
import { type Measurement, median, ratio } from './measurement.ts';

/** Each round runs each program once, so that other load on the machine affects all of them. */
const rounds = 41;

const limit = '≤ 2.6 × for an invalid input';

/** Measures the time from the start of the process to the first request, and to an invalid input. */
export async function measureStartUp(): Promise<readonly Measurement[]> {
  await using runner = await startBundleRunner();
  const empty = join(runner.folder, 'empty.mjs');
  writeFileSync(empty, '');
  const programs = [
    { name: 'bare', entry: empty, inputs: {} },
    ...actions.flatMap((action) => [
      {
        name: `${action}: first request`,
        entry: bundleOf(action).entry,
        inputs: runner.validInputs,
      },
      {
        name: `${action}: invalid input`,
        entry: bundleOf(action).entry,
        inputs: { ...runner.validInputs, 'project-id': 'no id', 'pr-link': 'no link' },
      },
    ]),
  ].map((program) => ({ ...program, tookMs: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { entry, inputs, tookMs } of programs) {
      tookMs.push(await runner.timeUntilRequest([entry], inputs));
    }
  }
  const [bare, ...ours] = programs.map(({ name, tookMs }) => ({ name, ms: median(tookMs) }));
  const bareMs = bare?.ms ?? Number.NaN;
  return ours.map(({ name, ms }) => [
    `Start-up, ${name}, against bare node`,
    ratio(ms, bareMs, 'ms'),
    limit,
  ]);
}
