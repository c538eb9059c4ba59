import { runStep, type Step, type StepResult } from '../../sandbox/runner/runner.ts';
import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';
import { readManifest } from '../../scripts/tables.ts';
import { main as agent } from '../../src/agent/main.ts';
import { main as check } from '../../src/check/main.ts';
import { main as visitors } from '../../src/visitors/main.ts';
import { runInProcess } from './run-in-process.ts';

/** A step of one of the actions, without what follows from the action. */
export interface ActionStep extends Omit<Step, 'entry' | 'actionFile'> {
  /** How many times faster than real time the step's clock runs; 1 by default. */
  readonly speed?: number;
  /** The step's date, ISO 8601; the real one by default. */
  readonly today?: string | undefined;
}

const mains = { agent, check, visitors };

/**
 * The one switch: whole runs go through `main` in the process of the test, which is fast and tells the
 * lines of a failure, or with RUN_AGAINST=dist they start the committed bundle, as a runner does.
 */
const isAgainstBundle = process.env['RUN_AGAINST'] === 'dist';

/**
 * Runs an action as a step.
 * @throws when the step wrote an output that its action.yml does not declare
 */
export async function runAction(action: Action, step: ActionStep): Promise<StepResult> {
  const { entry, actionFile } = bundleOf(action);
  const { speed = 1, today, ...given } = step;
  // Node keeps compiled code there, which makes a process of the step start a quarter faster.
  const env = { NODE_COMPILE_CACHE: inRepository('build/compiled'), ...given.env };
  const rest = { ...given, env };
  const result = isAgainstBundle
    ? await runStep(asProcess({ ...rest, actionFile, entry }, speed, today))
    : await runInProcess({ ...rest, actionFile, entry, main: mains[action], speed, today });
  refuseUndeclared(result, actionFile);
  return result;
}

function preload(name: string): readonly string[] {
  return ['--import', new URL(name, import.meta.url).href];
}

function asProcess(step: Step, speed: number, today: string | undefined): Step {
  return {
    ...step,
    nodeArguments: [
      ...(speed === 1 ? [] : preload('fast-clock.mjs')),
      ...(today === undefined ? [] : preload('visitors-calendar.mjs')),
      ...(step.nodeArguments ?? []),
    ],
    env: {
      ...(speed === 1 ? {} : { FAST_CLOCK: String(speed) }),
      ...(today === undefined ? {} : { TODAY: today }),
      ...step.env,
    },
  };
}

function refuseUndeclared({ outputs }: StepResult, actionFile: string): void {
  const declared = Object.keys(readManifest(actionFile).outputs);
  const undeclared = Object.keys(outputs).filter((name) => !declared.includes(name));
  if (undeclared.length > 0) {
    throw new Error(`${actionFile} does not declare these outputs: ${undeclared.join(', ')}`);
  }
}
