import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Kill,
  prepareFiles,
  readResults,
  type Step,
  type StepResult,
} from '../../sandbox/runner/runner.ts';
import { type Clock, realClock } from '../../src/runner/clock.ts';
import type { Host } from '../../src/runner/host.ts';
import { createRunner, type Runner } from '../../src/runner/runner.ts';
import { CancelledError } from '../../src/text/error.ts';

export interface InProcessStep extends Omit<Step, 'nodeArguments'> {
  readonly main: (runner: Runner) => Promise<void>;
  /** How many times faster than real time the step's clock runs. */
  readonly speed: number;
  /** The step's date, ISO 8601; the real one by default. */
  readonly today?: string | undefined;
}

/**
 * Runs an action as a step in this process. What it reads and writes is the same as in a process of its
 * own, but for signals, which are passed to it by hand. One at a time, because of the time limits.
 */
export async function runInProcess(step: InProcessStep): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-run-'));
  try {
    const env = prepareFiles(step, folder);
    const stop = new AbortController();
    const kill: Kill = (signal) => stop.abort(new CancelledError(`received ${signal}`));
    const cancel = () => kill('SIGINT');
    step.cancel?.addEventListener('abort', cancel);
    if (step.cancel?.aborted === true) {
      cancel();
    }
    let isBroken = false;
    const host = hostOf(step, env, stop.signal, (line) => {
      // As a pipe does: a broken one is noticed when the next line is written.
      if (isBroken) {
        cancel();
      } else {
        isBroken = step.onLine?.(line, 'stdout', kill) === 'break the log';
      }
    });
    const restore = scaleTimeLimits(step.speed);
    await step.main(createRunner(host, clockOf(step))).finally(restore);
    step.cancel?.removeEventListener('abort', cancel);
    const { exitCode, stdout } = host.ended();
    return { exitCode, signal: null, stdout, stderr: '', ...readResults(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A host that collects what a process would print, as the runner's commands. */
function hostOf(
  { entry }: InProcessStep,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  onLine: (line: string) => void,
) {
  let stdout = '';
  let exitCode = 0;
  const print = (line: string) => {
    stdout += `${line}\n`;
    onLine(line);
  };
  const command =
    (name: string) =>
    (message: string | Error, properties: object = {}) =>
      print(`::${name}${listed(properties)}::${escaped(String(message))}`);
  const fileOf = (name: string) => env[name] ?? '';
  const host: Host = {
    env,
    entry,
    signal,
    info: print,
    debug: command('debug'),
    notice: command('notice'),
    warning: command('warning'),
    error: command('error'),
    startGroup: command('group'),
    endGroup: () => print('::endgroup::'),
    setSecret: command('add-mask'),
    setOutput(name, value) {
      if (!existsSync(fileOf('GITHUB_OUTPUT'))) {
        throw new Error(`Missing file at path: ${fileOf('GITHUB_OUTPUT')}`);
      }
      const mark = 'ghadelimiter_of-the-tests';
      appendFileSync(fileOf('GITHUB_OUTPUT'), `${name}<<${mark}\n${value}\n${mark}\n`);
    },
    writeSummary: (markdown) => appendFile(fileOf('GITHUB_STEP_SUMMARY'), `${markdown}\n`),
    setFailed() {
      exitCode = 1;
    },
    exit() {},
  };
  return { ...host, ended: () => ({ exitCode, stdout }) };
}

/** Properties of a command have other names on the wire: `startLine` is `line`. */
function listed(properties: object): string {
  const parts = Object.entries(properties).map(([name, value]) => {
    const wireName = name === 'startLine' ? 'line' : name;
    return `${wireName}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`;
  });
  return parts.length === 0 ? '' : ` ${parts.join(',')}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** What a response has at least, on a machine that is busy with other tests. */
const leastLimitMs = 3000;

/**
 * Makes the time limits of requests as fast as the clock, but leaves a response the time that a busy
 * machine needs. @returns a function that undoes it
 */
function scaleTimeLimits(speed: number): () => void {
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (durationMs) => {
    // Only for its validation: Node throws for a duration with a fraction.
    timeout.call(AbortSignal, durationMs);
    return timeout.call(
      AbortSignal,
      Math.max(Math.ceil(durationMs / speed), Math.min(durationMs, leastLimitMs)),
    );
  };
  return () => {
    AbortSignal.timeout = timeout;
  };
}

/** The real clock, scaled, with fractions and with timers that are late. */
function clockOf({ speed, today }: InProcessStep): Clock {
  const startMs = performance.now();
  const nowMs = () => startMs + (performance.now() - startMs) * speed;
  const todayStartMs = today === undefined ? Date.now() : Date.parse(today);
  return {
    ...realClock,
    nowMs,
    todayMs: () => todayStartMs + performance.now() - startMs,
    sleep: (durationMs, signal) => realClock.sleep(durationMs / speed, signal),
  };
}
