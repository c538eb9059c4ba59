import { startGitHub } from '../sandbox/github/github.ts';
import { addPull } from '../sandbox/github/state.ts';
import { bundleOf } from '../scripts/actions.ts';
import { docsRepository } from './docs-repository.ts';
import { runMeasured } from './measured-step.ts';
import { type Measurement, median } from './measurement.ts';

/** Each figure is the median of this many runs; the memory is the largest. */
const runs = 5;

const serverUrl = 'https://github.example';
const what = 'Checking 50 of 1000 pages beside 200 MB of images';

/** Measures the check bundle in dist, against the local stand-in for GitHub. */
export async function measureCheck(): Promise<readonly Measurement[]> {
  const { git, base, head } = docsRepository();
  const github = await startGitHub({ repositories: [{ name: 'bench/docs', git }], serverUrl });
  addPull(github, 'bench/docs', { number: 1, base, head });
  try {
    const figures: Figures[] = [];
    for (let run = 0; run < runs; run += 1) {
      const before = github.requests.length;
      const figure = await runOnce(github.url);
      figures.push({ ...figure, requests: github.requests.length - before });
    }
    return describe(figures);
  } finally {
    await github.close();
  }
}

interface Figures {
  readonly requests: number;
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

async function runOnce(apiUrl: string): Promise<Omit<Figures, 'requests'>> {
  const startMs = performance.now();
  const { outputs, stdout, stderr, cpuMs, peakMb } = await runMeasured({
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
  });
  const rules = ['dead-address', 'broken-link', 'gone'];
  const missed = rules.filter((rule) => !(outputs['findings'] ?? '').includes(`"${rule}"`));
  if (outputs['verdict'] !== 'blocked' || missed.length > 0) {
    throw new Error(`The check missed ${missed.join(', ')}: ${stdout}${stderr}`);
  }
  return { tookMs: performance.now() - startMs, cpuMs, peakMb };
}

function describe(figures: readonly Figures[]): readonly Measurement[] {
  const seconds = (pick: (figure: Figures) => number) =>
    `${(median(figures.map(pick)) / 1000).toFixed(1)} s`;
  const peakMb = Math.max(...figures.map((figure) => figure.peakMb));
  return [
    [`${what}: requests`, String(median(figures.map(({ requests }) => requests))), '≤ 25'],
    ['… time, with a GitHub that responds at once', seconds(({ tookMs }) => tookMs), '≤ 15 s'],
    ['… processor time', seconds(({ cpuMs }) => cpuMs), '≤ 3 s'],
    ['… peak memory', `${peakMb.toFixed(0)} MB`, '≤ 400 MB'],
  ];
}

if (import.meta.main) {
  for (const line of await measureCheck()) {
    console.log(`| ${line.join(' | ')} |`);
  }
}
