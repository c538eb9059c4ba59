import fc from 'fast-check';
import { describe, type ExpectStatic, it } from 'vitest';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { annotations, runAgent } from '../helpers/run.ts';
import { type LifePlan, type LifeServer, type Mishap, startLifeServer } from './life-server.ts';
import { expectCleanText } from './verdict.ts';

/** Statuses that prove that nothing was done are never sent for work that was done. */
const mishaps: fc.Arbitrary<Mishap> = fc.oneof(
  { arbitrary: fc.constant({ kind: 'none' as const }), weight: 6 },
  fc.record({ kind: fc.constantFrom('reset' as const, 'silence' as const), isTaken: fc.boolean() }),
  fc.record({
    kind: fc.constant('proxy' as const),
    status: fc.constantFrom(200, 302, 408, 500, 502, 503, 504),
    isTaken: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('proxy' as const),
    status: fc.constantFrom(401, 403, 404, 407),
    isTaken: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant('refusal' as const),
    status: fc.constantFrom(408, 500, 503),
    isTaken: fc.boolean(),
    retryAfter: fc.constantFrom(0, 1, 20),
  }),
  fc.record({
    kind: fc.constant('refusal' as const),
    status: fc.constantFrom(400, 401, 403, 404, 425, 429),
    isTaken: fc.constant(false),
    retryAfter: fc.constantFrom(0, 1, 20, 3600),
  }),
);

const jobId = 'job_8f2';
const pullRequest = 'https://github.com/acme/docs/pull/12';

const errands = fc.constantFrom('create' as const, 'follow-up' as const, 'attach' as const);
type Errand = 'create' | 'follow-up' | 'attach';

const plans: fc.Arbitrary<Omit<LifePlan, 'isOld'>> = fc.record({
  // More polls than fit into any of these runs.
  activePolls: fc.oneof(fc.nat({ max: 6 }), fc.constant(1000)),
  end: fc.constantFrom('completed', 'completed', 'failed', 'archived'),
  prLink: fc.constantFrom(null, pullRequest, pullRequest, 'javascript:alert(1)'),
  mishaps: fc.array(mishaps, { maxLength: 6 }),
  cancelAt: fc.option(fc.nat({ max: 8 }), { nil: undefined, freq: 2 }),
});

function inputsOf(errand: Errand, waitMinutes: number): Readonly<Record<string, string>> {
  const job = errand === 'create' ? {} : { 'job-id': jobId };
  const prompt = errand === 'attach' ? { prompt: '' } : {};
  return { ...job, ...prompt, 'wait-minutes': String(waitMinutes) };
}

/** How many times faster than real time a run's clock runs. Good responses still have 4 s. */
const speed = 15;

/** True of every run, whatever goes wrong in it. */
function expectPromises(
  expect: ExpectStatic,
  { outputs, ...step }: StepResult,
  service: LifeServer,
  errand: Errand,
  waitMinutes: number,
  tookMs: number,
): void {
  const { result = '', reason = '' } = outputs;
  expect(service.taken()).toBeLessThanOrEqual(errand === 'attach' ? 0 : 1);
  expect([...calmEnds, 'failed', 'timed-out', 'cancelled', 'error']).toContain(result);
  expect(reason !== '').toBe(result === 'error');
  expect(reason).not.toBe('internal-error');
  expect(step.exitCode).toBe(calmEnds.includes(result) ? 0 : 1);
  expect(annotations({ outputs, ...step }, 'error')).toEqual(
    calmEnds.includes(result) ? [] : [outputs['message']],
  );
  if (service.hasTold()) {
    expect(outputs['job-id']).toBe(jobId);
  }
  expect(['', pullRequest]).toContain(outputs['pr-link'] ?? '');
  if (result === 'pull-request') {
    expect(outputs).toMatchObject({ 'pr-link': pullRequest, status: 'completed' });
  }
  if (result === 'cancelled') {
    expect(service.cancelled.aborted).toBe(true);
  }
  if (result === 'timed-out') {
    // On a slow machine it takes longer.
    expect(tookMs).toBeGreaterThanOrEqual(waitMinutes * 60_000);
  }
  expectCleanText(expect, { outputs, ...step });
}

const calmEnds = ['pull-request', 'no-pull-request', 'archived', 'running'];

/** Each value is a run of the bundle, so several run at the same time. */
const rows = Array.from({ length: 12 }, (_, row) => row);

describe.concurrent('a run of the bundle, whatever happens', () => {
  it.for(rows)('keeps every promise, row %i', async (row, { expect }) => {
    const seed = fc.readConfigureGlobal().seed;
    await fc.assert(
      fc.asyncProperty(
        errands,
        plans,
        fc.constantFrom(0, 1, 2),
        async (errand, plan, waitMinutes) => {
          await using service = await startLifeServer({ ...plan, isOld: errand !== 'create' });
          const startedMs = performance.now();
          const step = await runAgent({
            baseUrl: service.url,
            speed,
            cancel: service.cancelled,
            inputs: inputsOf(errand, waitMinutes),
          });
          const tookMs = (performance.now() - startedMs) * speed;
          expectPromises(expect, step, service, errand, waitMinutes, tookMs);
        },
      ),
      {
        numRuns: 12,
        endOnFailure: true,
        ...(seed === undefined ? {} : { seed: seed + row }),
      },
    );
  });
});
