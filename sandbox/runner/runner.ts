import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inputVariables, type RunContext, runnerVariables } from './env.ts';
import { parseFileCommands } from './files.ts';

export type { RunContext } from './env.ts';

/** One step of a workflow that uses a JavaScript action. */
export interface Step {
  /** Path of the bundle, what `runs.main` names. */
  readonly entry: string;
  /** Path of the `action.yml` whose inputs are filled in; without it only `inputs` are set. */
  readonly actionFile?: string;
  /** The step's `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly context: RunContext;
  /** The payload of the event; empty when left out. */
  readonly event?: unknown;
  /** Set last, so that it can change anything; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Files in the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** For node itself, such as `--import`. */
  readonly nodeArguments?: readonly string[];
  /** Cancels the run when it aborts: SIGINT, SIGTERM after 7.5 s, the kill after 2.5 s more. */
  readonly cancel?: AbortSignal;
  /** Told every line as it is printed, with a way to send a signal at that moment. */
  readonly onLine?: OnLine;
}

export type Kill = (signal: NodeJS.Signals) => void;

/**
 * What it returns is ignored, but for `'break the log'`: then nothing more is read, as when a job
 * in a container is cancelled, where no signal arrives.
 */
export type OnLine = (line: string, stream: 'stdout' | 'stderr', kill: Kill) => unknown;

/** What a step left behind. */
export interface StepResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Last value of each output. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Markdown. */
  readonly summary: string;
  /** Last value of each state that a post step would get. */
  readonly state: Readonly<Record<string, string>>;
}

/** The runner's patience, in milliseconds. */
const SIGTERM_AFTER_MS = 7500;
const SIGKILL_AFTER_MS = 10_000;

/**
 * Runs an action as the runner does: a process of its own with a clean environment, inputs as
 * variables, and files for outputs and summary, which are read even if it fails.
 *
 * @throws {InvalidFileCommand} When the runner could not read an output.
 */
export async function runStep(step: Step): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-run-'));
  try {
    const env = prepare(step, folder);
    const child = spawn(process.execPath, [...(step.nodeArguments ?? []), step.entry], {
      cwd: join(folder, 'workspace'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = end(child);
    const cleared = step.cancel === undefined ? undefined : cancelWith(child, step.cancel);
    const kill: Kill = (signal) => void child.kill(signal);
    const [{ exitCode, signal }, stdout, stderr] = await Promise.all([
      ended,
      collect(child.stdout, (line) => step.onLine?.(line, 'stdout', kill)),
      collect(child.stderr, (line) => step.onLine?.(line, 'stderr', kill)),
    ]);
    cleared?.();
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return {
      exitCode,
      signal,
      stdout,
      stderr,
      outputs: parseFileCommands(read('output')),
      summary: read('summary'),
      state: parseFileCommands(read('state')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare(step: Step, folder: string): NodeJS.ProcessEnv {
  const { actionFile, inputs = {}, context, files = {}, event = {}, env = {} } = step;
  const at = (name: string) => join(folder, name);
  for (const name of ['workspace', 'temp', 'tools', 'home']) {
    mkdirSync(at(name));
  }
  for (const name of ['output', 'summary', 'state', 'env', 'path']) {
    writeFileSync(at(name), '');
  }
  writeFileSync(at('event.json'), JSON.stringify(event));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(at('workspace'), path, '..'), { recursive: true });
    writeFileSync(join(at('workspace'), path), text);
  }
  return {
    ...runnerVariables(context, {
      HOME: at('home'),
      GITHUB_WORKSPACE: at('workspace'),
      GITHUB_OUTPUT: at('output'),
      GITHUB_STEP_SUMMARY: at('summary'),
      GITHUB_STATE: at('state'),
      GITHUB_ENV: at('env'),
      GITHUB_PATH: at('path'),
      GITHUB_EVENT_PATH: at('event.json'),
      RUNNER_TEMP: at('temp'),
      RUNNER_TOOL_CACHE: at('tools'),
    }),
    ...inputVariables(actionFile, inputs, context.token),
    ...env,
  };
}

function end(
  child: ChildProcess,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Gathers a stream's text, and tells its lines as they end: at LF, CR or both. */
async function collect(stream: Readable, onLine: (line: string) => unknown): Promise<string> {
  let text = '';
  let begun = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    // A CR at the end may be the first half of a CR LF.
    const lines = (begun + chunk).split(/\r\n|\n|\r(?!$)/);
    begun = lines.pop() ?? '';
    if (lines.map(onLine).includes('break the log')) {
      return text;
    }
  }
  if (begun !== '') {
    onLine(begun.replace(/\r$/, ''));
  }
  return text;
}

/** @returns What takes the timers away again. */
function cancelWith(child: ChildProcess, cancel: AbortSignal): () => void {
  const timers: NodeJS.Timeout[] = [];
  const onAbort = () => {
    child.kill('SIGINT');
    timers.push(setTimeout(() => child.kill('SIGTERM'), SIGTERM_AFTER_MS));
    timers.push(setTimeout(() => child.kill('SIGKILL'), SIGKILL_AFTER_MS));
  };
  if (cancel.aborted) {
    onAbort();
  }
  cancel.addEventListener('abort', onAbort, { once: true });
  return () => {
    cancel.removeEventListener('abort', onAbort);
    timers.forEach(clearTimeout);
  };
}
