import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** One run of a workflow, as act is told of it. */
export interface ActRun {
  /** Path of act. */
  readonly program: string;
  /** The repository that the workflow belongs to, checked out. */
  readonly repositoryFolder: string;
  /** An empty folder for act to start in: it takes options from an `.actrc` where it does. */
  readonly startFolder: string;
  /** What is kept with actions/cache, for all runs of one repository. */
  readonly cacheFolder: string;
  /** Path of the workflow inside it. */
  readonly workflow: string;
  /** The one job to run, and which of its matrix. */
  readonly job?: { readonly name: string; readonly matrix: Readonly<Record<string, string>> };
  readonly eventName: string;
  /** Path of the event's payload. */
  readonly eventPath: string;
  readonly actor: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  /** For every step. */
  readonly env: Readonly<Record<string, string>>;
  /** Published references and the folders that stand in for them. */
  readonly localRepositories: Readonly<Record<string, string>>;
  /** For act itself. */
  readonly ownEnv: NodeJS.ProcessEnv;
  /** What jobs run on; this machine plays all of them. */
  readonly labels: readonly string[];
  /** Told each line that act prints. */
  readonly show?: (line: string) => void;
  /** Ends it early: then it throws. */
  readonly signal?: AbortSignal;
}

export interface ActResult {
  readonly exitCode: number | null;
  readonly log: string;
}

/** Far above what any workflow takes here; a step that hangs must not hang whoever rehearses. */
const timeoutMs = 300_000;

/** Longer than act takes to end its steps, shorter than anyone waits for that. */
const endMs = 5000;

/**
 * Runs a workflow on this machine, without Docker.
 *
 * @throws Error when it was ended early, once it has ended
 */
export async function runAct(run: ActRun): Promise<ActResult> {
  const tooLong = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([tooLong, ...(run.signal === undefined ? [] : [run.signal])]);
  const child = spawn(run.program, argumentsOf(run), {
    cwd: run.startFolder,
    env: run.ownEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => {
    child.kill();
    setTimeout(() => child.kill('SIGKILL'), endMs).unref();
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
    throw new Error(`the workflow took longer than ${timeoutMs / 60_000} minutes, and was ended`);
  }
  // A step that was left behind may hold on to the output.
  signal.throwIfAborted();
  return { exitCode, log: (await output).join('') };
}

function argumentsOf(run: ActRun): string[] {
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
  const matrix = Object.entries(run.job?.matrix ?? {});
  return [
    run.eventName,
    ...['--directory', run.repositoryFolder],
    // Without a path of ours act reads these from the repository: .env, .secrets, .vars, .input.
    ...['env', 'secret', 'var', 'input'].flatMap((kind) => [`--${kind}-file`, '']),
    ...['--cache-server-path', run.cacheFolder],
    // Else it listens where others on the network can reach it.
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
