import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { listen } from '../sandbox/listen.ts';
import { inputVariables } from '../sandbox/runner/env.ts';
import { type Action, actions, bundleOf } from '../scripts/actions.ts';
import { type Measurement, median, ratio } from './measurement.ts';

/* The start of each bundle, and its size. */

/** Each round runs each program once, so that other load on the machine affects all of them. */
const rounds = 41;

/** 1.2 times what the lightest comparable action, create-github-app-token, needs until its first request. */
const startLimit = '≤ 4.2 ×';

const sizeLimits: Readonly<Record<Action, readonly [all: string, first: string]>> = {
  agent: ['≤ 480 kB', '≤ 300 kB'],
  visitors: ['≤ 270 kB', '≤ 270 kB'],
  check: ['≤ 480 kB', '≤ 340 kB'],
};

const serverUrl = 'https://github.example';

/** Runs bundles as the runner does, against a server that closes each connection. */
async function startBundleRunner() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  let onRequest = () => {};
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      onRequest();
      socket.destroy();
    });
  });
  const url = await listen(server, 0);
  const validInputs: Readonly<Record<string, string>> = {
    'api-key': 'mint_bench_key',
    'project-id': 'bench',
    prompt: 'Describe the new flag.',
    'base-url': url,
    'github-token': 'bench-token',
    'pr-link': `${serverUrl}/bench/docs/pull/1`,
  };
  return {
    folder,
    validInputs,
    /**
     * @returns The milliseconds from the start of the process to its first request, or to its end if it sends
     * none. With a folder for coverage, the process is cancelled then, because only one that ends by itself writes
     * its coverage.
     */
    async time(entry: string, inputs: Readonly<Record<string, string>>, coverage?: string) {
      writeFileSync(join(folder, 'output'), '');
      const startMs = performance.now();
      let tookMs: number | undefined;
      const child = spawn(process.execPath, [entry], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          GITHUB_EVENT_NAME: 'workflow_dispatch',
          GITHUB_WORKSPACE: folder,
          GITHUB_OUTPUT: join(folder, 'output'),
          GITHUB_SERVER_URL: serverUrl,
          GITHUB_API_URL: url,
          GITHUB_REPOSITORY: 'bench/docs',
          ...inputVariables(undefined, inputs, ''),
          ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }),
        },
        stdio: 'ignore',
      });
      onRequest = () => {
        tookMs ??= performance.now() - startMs;
        child.kill(coverage === undefined ? 'SIGKILL' : 'SIGTERM');
      };
      await new Promise<void>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', () => resolve());
      });
      return tookMs ?? performance.now() - startMs;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Measures the time from the start of the process to the first request, and to an invalid input. */
export async function measureStartUp(): Promise<readonly Measurement[]> {
  await using runner = await startBundleRunner();
  const empty = join(runner.folder, 'empty.mjs');
  writeFileSync(empty, '');
  const { validInputs } = runner;
  const invalidInputs = { ...validInputs, 'project-id': 'no id', 'pr-link': 'no link' };
  const programs = [
    { name: 'bare', entry: empty, inputs: {}, limit: '' },
    ...actions.flatMap((action) => {
      const { entry } = bundleOf(action);
      return [
        { name: `${action}: first request`, entry, inputs: validInputs, limit: startLimit },
        { name: `${action}: invalid input`, entry, inputs: invalidInputs, limit: startLimit },
      ];
    }),
  ].map((program) => ({ ...program, tookMs: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { entry, inputs, tookMs } of programs) {
      tookMs.push(await runner.time(entry, inputs));
    }
  }
  const [bareMs = Number.NaN, ...medians] = programs.map(({ tookMs }) => median(tookMs));
  return programs
    .slice(1)
    .map(({ name, limit }, index) => [
      `Start-up, ${name}, against bare node`,
      ratio(medians[index] ?? Number.NaN, bareMs, 'ms'),
      limit,
    ]);
}

/** Measures the size of each bundle, and of the files that are loaded until the first request fails. */
export async function measureSizes(): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const action of actions) {
    const [limitOfAll, limitOfLoaded] = sizeLimits[action];
    const all = scriptsIn(dirname(bundleOf(action).entry));
    measurements.push(
      [`JavaScript of dist/${action}, gzip (raw)`, describe(all), limitOfAll],
      ['… loaded for the first request', describe(await loadedFor(action)), limitOfLoaded],
    );
  }
  const cacheProcess = scriptsIn(join(dirname(bundleOf('agent').entry), 'cache-process'));
  const what = "… of the process that asks the runner's cache";
  return [...measurements, [what, describe(cacheProcess), '≤ 450 kB']];
}

/** The JavaScript in a folder itself. */
function scriptsIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return names.map((name) => join(folder, name));
}

function describe(paths: readonly string[]): string {
  const files = paths.map((path) => readFileSync(path));
  const kilobytes = (sizeOf: (bytes: Buffer) => number) =>
    `${Math.round(files.reduce((sum, bytes) => sum + sizeOf(bytes), 0) / 1000)} kB`;
  const zipped = kilobytes((bytes) => gzipSync(bytes, { level: 9 }).length);
  return `${zipped} (${kilobytes((bytes) => bytes.length)}, ${files.length} files)`;
}

const coverageSchema = v.object({ result: v.array(v.object({ url: v.string() })) });

/** The files of a bundle that V8 has loaded at the end of a run whose first request fails. */
async function loadedFor(action: Action): Promise<readonly string[]> {
  await using runner = await startBundleRunner();
  const coverage = join(runner.folder, 'coverage');
  mkdirSync(coverage);
  await runner.time(bundleOf(action).entry, runner.validInputs, coverage);
  const [report = ''] = readdirSync(coverage);
  const text = readFileSync(join(coverage, report), 'utf8');
  return v
    .parse(coverageSchema, JSON.parse(text))
    .result.filter(({ url }) => url.includes(`/dist/${action}/`))
    .map(({ url }) => fileURLToPath(url));
}
