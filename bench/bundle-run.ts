import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../sandbox/listen.ts';
import { inputVariables } from '../sandbox/runner/env.ts';

/** Runs bundles as the runner does, against a server that closes each connection. */
interface BundleRunner extends AsyncDisposable {
  readonly folder: string;
  /**
   * Starts node. @returns The milliseconds from the start of the process to its first request, or to
   * its end if it sends none. The process goes on until it ends.
   */
  time(
    args: readonly string[],
    inputs: Readonly<Record<string, string>>,
    env?: NodeJS.ProcessEnv,
  ): Promise<number>;
  /** The same, but the process is ended at its first request: the check would repeat it for seconds. */
  timeUntilRequest(
    args: readonly string[],
    inputs: Readonly<Record<string, string>>,
  ): Promise<number>;
  /** Valid inputs, with which an action sends a request. */
  readonly validInputs: Readonly<Record<string, string>>;
}

const serverUrl = 'https://github.example';

export async function startBundleRunner(): Promise<BundleRunner> {
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

  async function time(
    args: readonly string[],
    inputs: Readonly<Record<string, string>>,
    env: NodeJS.ProcessEnv,
    atRequest: (child: ChildProcess) => void,
  ): Promise<number> {
    writeFileSync(join(folder, 'output'), '');
    const startMs = performance.now();
    let tookMs: number | undefined;
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...environment(folder, inputs), GITHUB_API_URL: url, ...env },
      stdio: 'ignore',
    });
    onRequest = () => {
      tookMs ??= performance.now() - startMs;
      atRequest(child);
    };
    await ended(child);
    return tookMs ?? performance.now() - startMs;
  }

  return {
    folder,
    validInputs: {
      'api-key': 'mint_bench_key',
      'project-id': 'bench',
      prompt: 'Describe the new flag.',
      'base-url': url,
      'max-requests': '1',
      'github-token': 'bench-token',
      'pr-link': `${serverUrl}/bench/docs/pull/1`,
    },
    time: (args, inputs, env = {}) => time(args, inputs, env, () => {}),
    timeUntilRequest: (args, inputs) =>
      time(args, inputs, {}, (child) => void child.kill('SIGKILL')),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

function environment(folder: string, inputs: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_SERVER_URL: serverUrl,
    GITHUB_REPOSITORY: 'bench/docs',
    ...inputVariables(undefined, inputs, ''),
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
