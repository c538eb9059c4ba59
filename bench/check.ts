import { startStandIn } from '../sandbox/github/stand-in/stand-in.ts';
import { runStep } from '../sandbox/runner/runner.ts';
import { bundleOf } from '../scripts/actions.ts';
import { docsRepository } from './docs-repository.ts';
import { type Measurement, median } from './measurement.ts';
import { measureUsage } from './process-tree.ts';

/** Each figure is the median of this many runs; the memory is the largest. */
const runs = 5;

const serverUrl = 'https://github.example';
const what = 'Checking 50 of 1000 pages beside 200 MB of images';

/** Measures the check bundle in dist, against the local stand-in for GitHub. */
export async function measureCheck(): Promise<readonly Measurement[]> {
  const { store, base, head } = docsRepository();
  const standIn = await startStandIn({
    repositories: [{ name: 'bench/docs', store, pulls: [{ number: 1, base, head }] }],
    serverUrl,
  });
  try {
    const figures: Figures[] = [];
    for (let run = 0; run < runs; run += 1) {
      const before = standIn.requests.length;
      const figure = await runOnce(standIn.url);
      figures.push({ ...figure, requests: standIn.requests.length - before });
    }
    return describe(figures);
  } finally {
    await standIn.close();
  }
}

interface Figures {
  readonly requests: number;
  readonly tookMs: number;
  /** `undefined` except on Linux. */
  readonly cpuMs: number | undefined;
  readonly peakMb: number | undefined;
}

async function runOnce(apiUrl: string): Promise<Omit<Figures, 'requests'>> {
  const startMs = performance.now();
  const { result, usage } = await measureUsage(() =>
    runStep({
      ...bundleOf('check'),
      inputs: { 'pr-link': `${serverUrl}/bench/docs/pull/1` },
      context: {
        serverUrl,
        apiUrl,
        repository: 'bench/docs',
        actor: 'bench',
        eventName: 'workflow_dispatch',
        token: 'bench-token',
      },
    }),
  );
  const { outputs, stdout, stderr } = result;
  const rules = ['dead-address', 'broken-link', 'fact-changed'];
  const missed = rules.filter((rule) => !(outputs['findings'] ?? '').includes(`"${rule}"`));
  if (outputs['verdict'] !== 'blocked' || missed.length > 0) {
    throw new Error(`The check missed ${missed.join(', ')}: ${stdout}${stderr}`);
  }
  const tookMs = performance.now() - startMs;
  return { tookMs, cpuMs: usage?.cpuMs, peakMb: usage?.peakMb };
}

function describe(figures: readonly Figures[]): readonly Measurement[] {
  const seconds = (pick: (figure: Figures) => number | undefined) =>
    measured(figures.map(pick), (values) => `${(median(values) / 1000).toFixed(1)} s`);
  return [
    [`${what}: requests`, String(median(figures.map(({ requests }) => requests))), '≤ 25'],
    ['… time, with a GitHub that responds at once', seconds(({ tookMs }) => tookMs), '≤ 15 s'],
    ['… processor time', seconds(({ cpuMs }) => cpuMs), '≤ 4 s'],
    [
      '… peak memory',
      measured(
        figures.map(({ peakMb }) => peakMb),
        (values) => `${Math.max(...values).toFixed(0)} MB`,
      ),
      '≤ 400 MB',
    ],
  ];
}

function measured(
  values: readonly (number | undefined)[],
  show: (values: readonly number[]) => string,
): string {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? 'only measured on Linux' : show(known);
}

if (import.meta.main) {
  for (const line of await measureCheck()) {
    console.log(`| ${line.join(' | ')} |`);
  }
}
