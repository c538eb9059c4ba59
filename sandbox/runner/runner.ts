import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inputVariables, type RunContext, runnerVariables } from './env.ts';

/** A step of a workflow that uses a JavaScript action. */
export interface Step {
  /** Path of the bundle, the value of `runs.main`. */
  readonly entry: string;
  /** Path of the `action.yml` with the defaults of the inputs; without it only `inputs` are set. */
  readonly actionFile?: string;
  /** The step's `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly context: RunContext;
  /** The payload of the event; `{}` by default. */
  readonly event?: unknown;
  /** Overrides all other variables; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Files in the workspace, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Arguments of node, such as `--import`. */
  readonly nodeArguments?: readonly string[];
  /** Cancels the run when aborted: sends SIGINT, SIGTERM after 7.5 s, and SIGKILL after 10 s. */
  readonly cancel?: AbortSignal;
  /** Called for each line as it is printed. */
  readonly onLine?: OnLine;
}

/** Sends a signal to the step. */
export type Kill = (signal: NodeJS.Signals) => void;

/**
 * If it returns `'break the log'`, no more output is read, as when a job in a container is cancelled.
 * Any other value is ignored.
 */
type OnLine = (line: string, stream: 'stdout' | 'stderr', kill: Kill) => unknown;

/** The result of a step. */
export interface StepResult {
  /** Null when a signal ended the step. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last value of each output. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The summary, as Markdown. */
  readonly summary: string;
  /** The last value of each state for a post step. */
  readonly state: Readonly<Record<string, string>>;
}

/** The runner's delays after SIGINT. */
const SIGTERM_AFTER_MS = 7500;
const SIGKILL_AFTER_MS = 10_000;

/**
 * Runs an action as the runner does: in its own process, with a clean environment, inputs as variables,
 * and files for outputs and summary. Outputs and summary are read even if the step fails.
 *
 * @throws Error when the runner could not parse the outputs.
 */
export async function runStep(step: Step): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-run-'));
  try {
    const env = prepareFiles(step, folder);
    const child = spawn(process.execPath, [...(step.nodeArguments ?? []), step.entry], {
      cwd: join(folder, 'workspace'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = waitForEnd(child);
    const stopWatching = step.cancel === undefined ? undefined : cancelOn(step.cancel, child);
    const kill: Kill = (signal) => void child.kill(signal);
    const [{ exitCode, signal }, stdout, stderr] = await Promise.all([
      ended,
      collect(child.stdout, (line) => step.onLine?.(line, 'stdout', kill)),
      collect(child.stderr, (line) => step.onLine?.(line, 'stderr', kill)),
    ]);
    stopWatching?.();
    return { exitCode, signal, stdout, stderr, ...readResults(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a step wrote into the runner's files in a folder. @throws Error if it cannot be parsed */
export function readResults(folder: string): Pick<StepResult, 'outputs' | 'summary' | 'state'> {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    outputs: parseFileCommands(read('output')),
    summary: read('summary'),
    state: parseFileCommands(read('state')),
  };
}

/** Creates the files and folders of a step. @returns Its environment. */
export function prepareFiles(step: Omit<Step, 'entry'>, folder: string): NodeJS.ProcessEnv {
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

function waitForEnd(
  child: ChildProcess,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Reads a stream's text, and calls `onLine` at the end of each line: at LF, CR or both. */
async function collect(stream: Readable, onLine: (line: string) => unknown): Promise<string> {
  let text = '';
  let lastLine = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    // A CR at the end may be the first half of a CR LF.
    const lines = (lastLine + chunk).split(/\r\n|\n|\r(?!$)/);
    lastLine = lines.pop() ?? '';
    if (lines.map(onLine).includes('break the log')) {
      return text;
    }
  }
  if (lastLine !== '') {
    onLine(lastLine.replace(/\r$/, ''));
  }
  return text;
}

/** @returns A function that clears the timers. */
function cancelOn(cancel: AbortSignal, child: ChildProcess): () => void {
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

/**
 * Parses the content of `GITHUB_OUTPUT` like the runner: lines with `name=value`, and multi-line values
 * as `name<<delimiter`, the value, `delimiter`. The last value of a name wins.
 *
 * @throws Error when the runner could not parse it
 */
export function parseFileCommands(text: string): Record<string, string> {
  const found = new Map<string, string>();
  const lines = text.split('\n');
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    if (line !== '') {
      const { name, sign, rest } = readFirstLine(line);
      found.set(name, sign === '=' ? rest : takeUntil(lines, rest));
    }
  }
  return Object.fromEntries(found);
}

function readFirstLine(line: string): { name: string; sign: string; rest: string } {
  const [, name = '', sign = '', rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? [];
  if (name === '' || (sign === '<<' && rest === '')) {
    throw new Error(`Invalid format '${line}'`);
  }
  return { name, sign, rest };
}

/** Removes the lines of a value and its delimiter from `lines`. @returns The value. */
function takeUntil(lines: string[], delimiter: string): string {
  const end = lines.indexOf(delimiter);
  if (end === -1) {
    throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
  }
  const value = lines.splice(0, end + 1).slice(0, -1);
  return value.join('\n');
}
