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
   * its end if it sends none.
   */
  time(
    args: readonly string[],
    inputs: Readonly<Record<string, string>>,
    env?: NodeJS.ProcessEnv,
  ): Promise<number>;
  /** Valid inputs, with which an action sends a request. */
  readonly validInputs: Readonly<Record<string, string>>;
}

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
  return {
    folder,
    validInputs: {
      'api-key': 'mint_bench_key',
      'project-id': 'bench',
      prompt: 'Describe the new flag.',
      'base-url': url,
      'max-requests': '1',
      'pr-link': `${url}/acme/docs/pull/12`,
      'github-token': 'ghs_bench_token',
    },
    async time(args, inputs, env = {}) {
      writeFileSync(join(folder, 'output'), '');
      const startMs = performance.now();
      let tookMs: number | undefined;
      onRequest = () => {
        tookMs ??= performance.now() - startMs;
      };
      await ended(
        spawn(process.execPath, args, {
          cwd: folder,
          env: environment(folder, inputs, { GITHUB_SERVER_URL: url, GITHUB_API_URL: url, ...env }),
          stdio: 'ignore',
        }),
      );
      return tookMs ?? performance.now() - startMs;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

function environment(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: join(folder, 'output'),
    ...inputVariables(undefined, inputs, ''),
    ...env,
  };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
