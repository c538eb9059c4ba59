import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** What act needs to run a workflow. */
interface ActOptions {
  /** Path of act. */
  readonly program: string;
  /** A checkout of the repository that the workflow belongs to. */
  readonly repositoryFolder: string;
  /** An empty folder for act to start in, because it reads options from an `.actrc` there. */
  readonly startFolder: string;
  /** Holds what actions/cache stores, for all runs of one repository. */
  readonly cacheFolder: string;
  /** Path of the workflow inside the repository. */
  readonly workflow: string;
  /** The job to run, and the values of its matrix; every job by default. */
  readonly job?: { readonly name: string; readonly matrix: Readonly<Record<string, string>> };
  readonly eventName: string;
  /** Path of the event's payload. */
  readonly eventPath: string;
  readonly actor: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  /** Environment variables of every step. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders to use instead of published repositories, by `owner/name@reference`. */
  readonly localRepositories: Readonly<Record<string, string>>;
  /** Environment variables of act itself. */
  readonly ownEnv: NodeJS.ProcessEnv;
  /** The labels in `runs-on`; jobs with any of them run on this machine. */
  readonly labels: readonly string[];
  /** Called with each line that act prints. */
  readonly show?: (line: string) => void;
  /** Ends the run after this time, with an error; 10 minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** Ends the run early, with an error. */
  readonly signal?: AbortSignal;
}

export interface ActResult {
  readonly exitCode: number | null;
  readonly log: string;
}

/** Far more than the longest workflow needs. It ends a step that hangs. */
const defaultTimeoutMs = 600_000;

/** act needs less time than this to end its steps. */
const killDelayMs = 5000;

/**
 * Runs a workflow on this machine, without Docker.
 *
 * @throws Error when the run was ended early, after act has exited
 */
export async function runAct(run: ActOptions): Promise<ActResult> {
  const { timeoutMs = defaultTimeoutMs } = run;
  const tooLong = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([tooLong, ...(run.signal === undefined ? [] : [run.signal])]);
  signal.throwIfAborted();
  const child = spawn(run.program, argumentsOf(run), {
    cwd: run.startFolder,
    env: run.ownEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => {
    child.kill();
    setTimeout(() => child.kill('SIGKILL'), killDelayMs).unref();
  };
  signal.addEventListener('abort', stop);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => run.show?.(line));
  }
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const exitCode = await ended;
  signal.removeEventListener('abort', stop);
  if (tooLong.aborted) {
    throw new Error(
      `the workflow was ended after ${timeoutMs / 60_000} minutes (--minutes changes that)`,
    );
  }
  // A process that outlives its step may keep the output open, so the signal is checked first.
  signal.throwIfAborted();
  return { exitCode, log: (await output).join('') };
}

/**
 * act 0.2.89 returns from a failing step before it has read all that the step printed, so that its last
 * lines, the error among them, can be missing from the log. A failing step that lingers loses nothing.
 *
 * @param folder gets a `bash` that lingers, and what makes a failing Node linger
 * @returns the folder to put first on the PATH, and the variables of every step
 */
export function createLingering(folder: string) {
  mkdirSync(folder);
  const bash = execFileSync('bash', ['-c', 'command -v bash'], { encoding: 'utf8' }).trim();
  const script = `#!${bash}\n'${bash}' "$@" || { code=$?; sleep 0.3; exit $code; }\n`;
  writeFileSync(join(folder, 'bash'), script);
  chmodSync(join(folder, 'bash'), 0o755);
  const preload = join(folder, 'linger.cjs');
  writeFileSync(
    preload,
    "process.on('exit', (code) => { if (code) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); });\n",
  );
  return { programs: folder, env: { NODE_OPTIONS: `--require=${preload}` } };
}

function argumentsOf(run: ActOptions): string[] {
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
  const matrix = Object.entries(run.job?.matrix ?? {});
  return [
    run.eventName,
    ...['--directory', run.repositoryFolder],
    // Keeps act from reading .env, .secrets, .vars and .input in the repository.
    ...['env', 'secret', 'var', 'input'].flatMap((kind) => [`--${kind}-file`, '']),
    ...['--cache-server-path', run.cacheFolder],
    // By default the cache server can be reached from the network.
    ...['--cache-server-addr', '127.0.0.1'],
    ...(run.job === undefined ? [] : ['--job', run.job.name]),
    ...matrix.flatMap(([name, value]) => ['--matrix', `${name}:${value}`]),
    ...['--workflows', run.workflow],
    ...['--eventpath', run.eventPath],
    ...['--actor', run.actor],
    ...run.labels.flatMap((label) => ['--platform', `${label}=-self-hosted`]),
    ...['--defaultbranch', 'main'],
    ...pairs('--secret', run.secrets),
    ...pairs('--var', run.variables),
    ...pairs('--env', run.env),
    ...pairs('--local-repository', run.localRepositories),
  ];
}
