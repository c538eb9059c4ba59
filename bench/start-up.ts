import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions, bundleOf } from '../scripts/actions.ts';
import { startBundleRunner } from './bundle-run.ts';
import { type Measurement, median, ratio } from './measurement.ts';

/** Each round runs each program once, so that other load on the machine affects all of them. */
const rounds = 41;

/** The first request also loads the HTTP client: its limit is what the lightest peer needs for its own. */
const limits = { request: '≤ 3.5 ×', invalid: '≤ 2.6 ×' };

/** Measures the time from the start of the process to the first request, and to an invalid input. */
export async function measureStartUp(): Promise<readonly Measurement[]> {
  await using runner = await startBundleRunner();
  const empty = join(runner.folder, 'empty.mjs');
  writeFileSync(empty, '');
  const programs = [
    { name: 'bare', entry: empty, inputs: {}, limit: '' },
    ...actions.flatMap((action) => [
      {
        name: `${action}: first request`,
        entry: bundleOf(action).entry,
        inputs: runner.validInputs,
        limit: limits.request,
      },
      {
        name: `${action}: invalid input`,
        entry: bundleOf(action).entry,
        inputs: { ...runner.validInputs, 'project-id': 'no id', 'pr-link': 'no link' },
        limit: limits.invalid,
      },
    ]),
  ].map((program) => ({ ...program, tookMs: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { entry, inputs, tookMs } of programs) {
      tookMs.push(await runner.timeUntilRequest([entry], inputs));
    }
  }
  const [bare, ...ours] = programs.map(({ tookMs, ...rest }) => ({ ...rest, ms: median(tookMs) }));
  const bareMs = bare?.ms ?? Number.NaN;
  return ours.map(({ name, ms, limit }) => [
    `Start-up, ${name}, against bare node`,
    ratio(ms, bareMs, 'ms'),
    limit,
  ]);
}
