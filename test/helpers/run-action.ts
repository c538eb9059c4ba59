import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputVariables } from '../../sandbox/runner/env.ts';
import {
  type Kill,
  prepareFiles,
  readResults,
  runStep,
  type Step,
  type StepResult,
} from '../../sandbox/runner/runner.ts';
import { type Action, actions, bundleOf, inRepository } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
// Loaded before the first run, whose clock does not see that it loads.
import '@actions/github';
import 'undici';
import { main as agent } from '../../src/agent/main.ts';
import { main as check } from '../../src/check/main.ts';
import type { Cache } from '../../src/runner/cache.ts';
import type { Host } from '../../src/runner/host.ts';
import { createRunner } from '../../src/runner/runner.ts';
import { CancelledError } from '../../src/text/error.ts';
import { main as visitors } from '../../src/visitors/main.ts';
import { startJumpingClock } from './jumping-clock.ts';

/* Runs an action as a step, in the process of the test or as a bundle. Tests use run.ts, which is made of this. */

/** A step of one of the actions, without what follows from the action. */
export interface ActionStep extends Omit<Step, 'entry' | 'actionFile'> {
  /** How many times faster than real time the clock of a bundle runs; 1 by default. */
  readonly speed?: number;
  /** The step's date, ISO 8601; the real one by default. */
  readonly today?: string | undefined;
  /** Instead of the cache service that `env` names. A bundle has none of it. */
  readonly cache?: Cache | undefined;
}

const mains = { agent, check, visitors };

/**
 * The one switch: whole runs go through `main` in the process of the test, which is fast and tells the
 * lines of a failure. With RUN_AGAINST=dist, as in test/dist and test/hostile, they start the committed
 * bundle, as a runner does.
 */
export const isAgainstBundle = process.env['RUN_AGAINST'] === 'dist';

/** Read once, because each test would parse the action.yml again. */
const manifests = new Map(
  actions.map((action) => {
    const { actionFile } = bundleOf(action);
    const outputs = Object.keys(readManifest(actionFile).outputs);
    return [action, { outputs, inputs: inputVariables(actionFile, {}, '{token}') }];
  }),
);

/**
 * Runs an action as a step.
 * @throws when the step wrote an output that its action.yml does not declare
 */
export async function runAction(action: Action, given: ActionStep): Promise<StepResult> {
  const { speed = 1, today, cache, ...step } = given;
  const { inputs = {}, outputs = [] } = manifests.get(action) ?? {};
  const defaults = Object.entries(inputs).map(([name, value]) => [
    name,
    value === '{token}' ? step.context.token : value,
  ]);
  const env = {
    // Node keeps compiled code there, which makes a process of the step start a quarter faster.
    NODE_COMPILE_CACHE: inRepository('build/compiled'),
    ...Object.fromEntries(defaults),
    ...inputVariables(undefined, step.inputs ?? {}, step.context.token),
    ...step.env,
  };
  const whole = { ...step, env, entry: bundleOf(action).entry };
  const result = isAgainstBundle
    ? await runStep(asProcess(whole, speed, today))
    : await runInProcess(action, whole, { today, cache });
  const undeclared = Object.keys(result.outputs).filter((name) => !outputs.includes(name));
  if (undeclared.length > 0) {
    throw new Error(`The action.yml does not declare these outputs: ${undeclared.join(', ')}`);
  }
  return result;
}

/** A step in a process of its own, whose clock is scaled by fast-clock.mjs. */
function asProcess(step: Step, speed: number, today: string | undefined): Step {
  if (speed === 1 && today === undefined) {
    return step;
  }
  const preload = new URL('fast-clock.mjs', import.meta.url).href;
  return {
    ...step,
    nodeArguments: ['--import', preload, ...(step.nodeArguments ?? [])],
    env: { FAST_CLOCK: String(speed), TODAY: today ?? '', ...step.env },
  };
}

/**
 * Runs an action as a step in this process. What it reads and writes is the same as in a process of its
 * own, but for signals, which are passed to it by hand, and the clock, which jumps. One at a time.
 */
async function runInProcess(
  action: Action,
  step: Step,
  { today, cache }: Pick<ActionStep, 'today' | 'cache'>,
): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-run-'));
  try {
    const env = prepareFiles(step, folder);
    const stop = new AbortController();
    const second = new AbortController();
    let hasSignal = false;
    const kill: Kill = (signal) => {
      if (hasSignal) {
        second.abort();
      }
      hasSignal = true;
      stop.abort(new CancelledError(`received ${signal}`));
    };
    const { cancel } = step;
    // A mistake of ours: what the process does with an error that nobody catches.
    const onCancel = () =>
      cancel?.reason instanceof TypeError ? stop.abort(cancel.reason) : kill('SIGINT');
    cancel?.addEventListener('abort', onCancel);
    if (cancel?.aborted === true) {
      onCancel();
    }
    let isBroken = false;
    const signals = { signal: stop.signal, secondSignal: second.signal };
    const host = hostOf(step, env, signals, (line) => {
      // As a pipe does: a broken one is noticed when the next line is written.
      if (isBroken) {
        stop.abort(new CancelledError('the log is no longer read'));
      } else {
        isBroken = step.onLine?.(line, 'stdout', kill) === 'break the log';
      }
    });
    const { clock, stop: stopClock } = startJumpingClock(today);
    const runner = createRunner(host, clock);
    await mains[action]({ ...runner, ...(cache && { cache }) }).finally(stopClock);
    cancel?.removeEventListener('abort', onCancel);
    const { exitCode, stdout } = host.ended();
    return { exitCode, signal: null, stdout, stderr: '', ...readResults(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A host that collects what a process would print, as the runner's commands. */
function hostOf(
  { entry }: Step,
  env: NodeJS.ProcessEnv,
  signals: Pick<Host, 'signal' | 'secondSignal'>,
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
    ...signals,
    info: print,
    debug: command('debug'),
    notice: command('notice'),
    warning: command('warning'),
    error: command('error'),
    startGroup: command('group'),
    endGroup: () => print('::endgroup::'),
    setSecret: command('add-mask'),
    setOutput(name, value) {
      if (fileOf('GITHUB_OUTPUT') === '') {
        print(`::set-output name=${name}::${escaped(value)}`);
        return;
      }
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
