import type { ExpectStatic } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { annotations } from '../helpers/run.ts';
import type { Call, Verdict } from './call.ts';
import { type Outcome, secrets } from './cell.ts';
import { findKeyTraces } from './key-traces.ts';
import { executedCommands, ownCommands } from './runner-commands.ts';

/** Two minutes of waiting, the last poll, and the delays of a busy machine with a fast clock. */
const budgetSeconds = 2 * 60 + 10 + 120;

/** A step that sends more requests than this in two minutes overloads the API. */
const manyArrivals = 12;

/**
 * Checks everything that must be true for every run with a fault.
 * @param expect the test's own `expect`, because many tests run at the same time
 */
export function expectVerdict(
  expect: ExpectStatic,
  outcome: Outcome,
  verdict: Verdict,
  call: Call,
): void {
  const { step } = outcome;
  const { fails } = verdict;
  expect.soft(step.outputs).toMatchObject({ ...call.known, result: verdict.result });
  expect.soft(step.outputs['reason'] ?? '').toBe(verdict.reason);
  expect.soft(step.exitCode).toBe(fails ? 1 : 0);
  expect.soft(annotations(step, 'error')).toEqual(fails ? [step.outputs['message']] : []);
  expect.soft(arrivalsOf(outcome, verdict)).toBe(verdict.arrivals);
  expect.soft(outcome.strays, 'connections to another origin').toBe(0);
  if (verdict.reason === 'permission-check-failed') {
    expect.soft(outcome.requestsElsewhere, 'requests to the API').toBe(0);
  }
  expect.soft(Number(step.outputs['duration-seconds'] || 0)).toBeLessThan(budgetSeconds);
  expectCleanText(expect, step);
}

export function arrivalsOf({ arrivals }: Outcome, verdict: Verdict): Verdict['arrivals'] {
  if (arrivals > manyArrivals) {
    throw new Error(`${arrivals} requests arrived in two minutes.`);
  }
  if (verdict.arrivals === 'any') {
    return 'any';
  }
  if (verdict.arrivals === 'three' && arrivals === 3) {
    return 'three';
  }
  return arrivals === 0 ? 'none' : arrivals === 1 ? 'one' : 'several';
}

/** No trace of the key, only our own commands, no stack trace. */
export function expectCleanText(expect: ExpectStatic, step: StepResult): void {
  const log = `${step.stdout}\n${step.stderr}`;
  const commands = executedCommands(log);
  expect.soft(commands.filter(({ name }) => !ownCommands.has(name))).toEqual([]);
  const unmasked = log.replaceAll(/^::add-mask::.*$/gm, '');
  const seen = [unmasked, step.summary, JSON.stringify(step.outputs), JSON.stringify(step.state)];
  const traces = Object.values(secrets).flatMap((secret) => findKeyTraces(seen.join('\n'), secret));
  expect.soft(traces).toEqual([]);
  expect.soft(log).not.toMatch(/^\s+at .*[:(]/m);
  expect.soft(step.stderr).toBe('');
}
