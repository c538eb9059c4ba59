import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actions, bundleOf } from '../scripts/actions.ts';
import { openStage } from './bundle-run.ts';
import { type Measurement, median, ratio } from './measurement.ts';

/** Every round runs each contender once, so that what else the machine does hits all alike. */
const rounds = 41;

const bar = '≤ 3.3 ×, aim 3.0 ×';

/** From the start of the process to the first request, and to a refused input. */
export async function measureStartUp(): Promise<readonly Measurement[]> {
  await using stage = await openStage();
  const empty = join(stage.folder, 'empty.mjs');
  writeFileSync(empty, '');
  const contenders = [
    { name: 'bare', entry: empty, inputs: {} },
    ...actions.flatMap((action) => [
      { name: `${action}: first request`, entry: bundleOf(action).entry, inputs: stage.goodInputs },
      {
        name: `${action}: refused input`,
        entry: bundleOf(action).entry,
        inputs: { ...stage.goodInputs, 'project-id': 'no id' },
      },
    ]),
  ].map((contender) => ({ ...contender, tookMs: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { entry, inputs, tookMs } of contenders) {
      tookMs.push(await stage.time([entry], inputs));
    }
  }
  const [bare, ...ours] = contenders.map(({ name, tookMs }) => ({ name, ms: median(tookMs) }));
  const bareMs = bare?.ms ?? Number.NaN;
  return ours.map(({ name, ms }) => [
    `Start-up, ${name}, against bare node`,
    ratio(ms, bareMs, 'ms'),
    bar,
  ]);
}
