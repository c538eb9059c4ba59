import { describe, type ExpectStatic, expect, it } from 'vitest';
import { annotations } from '../helpers/run.ts';
import { type Call, calls, type Verdict } from './calls.ts';
import { type Fault, faults } from './faults.ts';
import { type Outcome, runUnderFire, secrets } from './network.ts';
import { executedCommands, findKeyTraces, ownCommands } from './oracles.ts';

/** The faults that are tried at a request. */
const faultsOf = ({ hasAll }: Call) => faults.filter(({ isOfItsKind }) => hasAll || isOfItsKind);

/** Two minutes of waiting, the last poll, and the delays of a busy machine with a fast clock. */
const budgetSeconds = 2 * 60 + 10 + 120;

/**
 * A step that sends more requests than this overloads the API. An export goes on for ten minutes, and for an
 * hour if the API asks for delays.
 */
const manyArrivals = ({ name }: Call) => (name === 'visitors' ? 64 : 12);

describe.concurrent.each(calls)('a fault during $name', (call) => {
  it.for(faultsOf(call))('$name', async (fault, { expect: own }) => {
    const verdict = call.verdictOf(fault);
    expectVerdict(own, await runUnderFire(call, fault, verdict), verdict, call);
  });
});

/** @param own the test's own `expect`, because many tests run at the same time */
function expectVerdict(own: ExpectStatic, outcome: Outcome, verdict: Verdict, call: Call): void {
  const { step } = outcome;
  const { result, reason, fails } = verdict;
  own.soft(step.outputs).toMatchObject({ ...call.known, result });
  own.soft(step.outputs['reason'] ?? '').toBe(reason);
  own.soft(step.exitCode).toBe(fails ? 1 : 0);
  own.soft(annotations(step, 'error')).toEqual(fails ? [step.outputs['message']] : []);
  own.soft(outcome.arrivals).toBeLessThanOrEqual(manyArrivals(call));
  own.soft(arrivalsOf(outcome, verdict)).toBe(verdict.arrivals);
  own.soft(outcome.strays, 'connections to another origin').toBe(0);
  if (reason === 'permission-check-failed') {
    own.soft(outcome.requestsElsewhere, 'requests to the API').toBe(0);
  }
  own.soft(Number(step.outputs['duration-seconds'] || 0)).toBeLessThan(budgetSeconds);
  const log = `${step.stdout}\n${step.stderr}`;
  own.soft(executedCommands(log).filter(({ name }) => !ownCommands.has(name))).toEqual([]);
  const unmasked = log.replaceAll(/^::add-mask::.*$/gm, '');
  const seen = [unmasked, step.summary, JSON.stringify(step.outputs), JSON.stringify(step.state)];
  const traces = Object.values(secrets).flatMap((secret) => findKeyTraces(seen.join('\n'), secret));
  own.soft(traces).toEqual([]);
  own.soft(log).not.toMatch(/^\s+at .*[:(]/m);
  own.soft(step.stderr).toBe('');
}

function arrivalsOf({ arrivals }: Outcome, expected: Verdict): Verdict['arrivals'] {
  if (expected.arrivals === 'any') {
    return 'any';
  }
  if (expected.arrivals === 'three' && arrivals === 3) {
    return 'three';
  }
  return arrivals === 0 ? 'none' : arrivals === 1 ? 'one' : 'several';
}

/** Every cell is the verdict of a test above. */
it('the committed table has what every run is held to', async () => {
  await expect(report()).toMatchFileSnapshot('RESULTS.md');
});

const arrivalWords: Readonly<Record<Verdict['arrivals'], string>> = {
  none: ', nothing arrived',
  one: ', sent once',
  three: ', sent three times',
  several: ', repeated',
  any: '',
};

function cell(call: Call, fault: Fault): string {
  const { result, reason, arrivals } = call.verdictOf(fault);
  return faultsOf(call).includes(fault) ? `${reason || result}${arrivalWords[arrivals]}` : '';
}

function report(): string {
  const runs = calls.flatMap(faultsOf).length;
  const rows = faults.map((fault) => [fault.name, ...calls.map((call) => cell(call, fault))]);
  return `# Under fire

What \`npm run test:hostile\` asks of ${runs} runs of the built actions, each with one fault in the way of one request. In every one of them

- a job was asked for at most once wherever the request may have arrived, a follow-up was sent at most once, and a comment was left at most once;
- the result, the reason and the exit code were those of the table, the outputs known by then were written, and there was one error annotation, or none where the step passed;
- the step ended within its waiting time;
- nothing was sent to another origin, and nothing to a proxy where the API is on loopback;
- no six characters of the key or the token in a row stood in the log, the outputs or the summary: plain, reversed, in hex, base64 or base64url, percent-encoded, as character references or escapes, or split over lines;
- no workflow command but our own was printed, and no stack trace.

What a cell says: the output \`reason\`, or \`result\` where there is no reason, and how often the request arrived. An empty cell was not tried: one request of each client meets every fault, the others one of each kind. A poll that gets no response, or one that waiting can mend, does not end the wait, so \`timed-out\` is the end of a wait in which the fault never went away. A comment is a courtesy: a run never fails for want of one.

| Fault | ${calls.map(({ name }) => name).join(' | ')} |
|${'---|'.repeat(calls.length + 1)}
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
}
