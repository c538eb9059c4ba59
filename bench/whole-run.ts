import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { closeServer, listen } from '../sandbox/listen.ts';
import { runStep } from '../sandbox/runner/runner.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { bundleOf } from '../scripts/actions.ts';
import { type Measurement, median } from './measurement.ts';

const rounds = 15;
const workMs = 1000;
const root = new URL('../', import.meta.url);

/** Measures a whole step with a job of one second, which is polled every second. */
export async function measureWholeRun(): Promise<Measurement> {
  const sandbox = await startSandbox({ workMs });
  try {
    const tookMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startMs = performance.now();
      const { outputs, stdout } = await run(sandbox.url, {
        'api-key': sandbox.apiKey,
        'project-id': sandbox.projectId,
        prompt: `Document the flag --number-${round} in quickstart.mdx.`,
      });
      tookMs.push(performance.now() - startMs);
      if (outputs['result'] !== 'pull-request') {
        throw new Error(`The run against the sandbox failed: ${stdout}`);
      }
    }
    const overheadMs = median(tookMs) - workMs;
    return [
      'A whole run with a job of 1 s, polled every second: time beyond the job',
      `${overheadMs.toFixed(0)} ms`,
      '',
    ];
  } finally {
    await sandbox.close();
  }
}

const samplesSchema = v.array(v.number());

/**
 * Measures the heap during an hour of polls, one a second in the step's own time. The first quarter
 * does not count, because the engine still compiles code.
 */
export async function measureMemory(): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const heapFile = join(folder, 'heap.json');
  let polls = 0;
  const server = createServer((request, response) => {
    polls += request.method === 'GET' ? 1 : 0;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'job_1', status: 'active', prLink: null }));
  });
  try {
    await run(
      await listen(server, 0),
      { 'api-key': 'mint_bench_key', 'project-id': 'bench', prompt: 'x', 'wait-minutes': '60' },
      { HEAP_FILE: heapFile, FAST_CLOCK: '240' },
      [
        '--expose-gc',
        '--import',
        new URL('bench/heap-samples.mjs', root).href,
        '--import',
        new URL('test/helpers/fast-clock.mjs', root).href,
      ],
    );
    const samples = v.parse(samplesSchema, JSON.parse(readFileSync(heapFile, 'utf8')));
    const quarter = Math.ceil(samples.length / 4);
    const [first, last] = [
      median(samples.slice(quarter, quarter * 2)),
      median(samples.slice(-quarter)),
    ];
    return [
      `Heap after an hour of ${polls} polls: the last quarter against the second`,
      `${(last / first).toFixed(2)} × (${megabytes(last)} against ${megabytes(first)})`,
      'no growth',
    ];
  } finally {
    await closeServer(server);
    rmSync(folder, { recursive: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function run(
  baseUrl: string,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  nodeArguments: readonly string[] = [],
) {
  return runStep({
    ...bundleOf('agent'),
    inputs: { 'base-url': baseUrl, 'poll-interval-seconds': '1', ...inputs },
    env,
    nodeArguments,
    context: {
      serverUrl: 'https://github.example',
      repository: 'acme/product',
      actor: 'bench',
      eventName: 'workflow_dispatch',
      token: '',
    },
  });
}
