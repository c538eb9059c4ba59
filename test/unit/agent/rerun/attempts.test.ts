import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startJob } from '../../../../src/agent/job/start.ts';
import type { StepComment } from '../../../../src/agent/report/comment.ts';
import { writeRecord } from '../../../../src/agent/rerun/record.ts';
import { createRerun } from '../../../../src/agent/rerun/rerun.ts';
import type { State } from '../../../../src/agent/state.ts';
import { createStateStore } from '../../../../src/common/state-store.ts';
import type { Job } from '../../../../src/platform/job.ts';
import type { Cache } from '../../../../src/runner/cache.ts';
import { ActionError, CancelledError } from '../../../../src/text/error.ts';
import { agentInputs } from '../../../helpers/agent-inputs.ts';
import { type FakeRunner, fakeRunner } from '../../../helpers/fake-runner.ts';
import { heavyRuns } from '../../../helpers/heavy-runs.ts';
import { failed, job } from '../../../helpers/jobs.ts';

/** What happens to one attempt of a run. */
interface Plan {
  readonly key: string;
  readonly prompt: string;
  readonly onRerun: 'resume' | 'new';
  /** What becomes of the request that starts a job. */
  readonly post: 'taken' | 'refused' | 'lost, taken' | 'lost, not taken';
  readonly end: 'regular' | 'cancelled' | 'runner lost before the record';
  readonly find: 'works' | 'fails' | 'denied';
  readonly findComment: 'works' | 'fails' | 'denied';
  readonly save: 'works' | 'fails';
  readonly read: 'works' | 'fails';
  /** What has become of the last job before the next attempt. */
  readonly next: 'active' | 'completed' | 'failed' | 'archived' | 'forgotten';
}

const often = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );

const plans: fc.Arbitrary<Plan> = fc.record({
  key: often('mint_key', 'mint_other'),
  prompt: often('a', 'b', 'c'),
  onRerun: often('resume' as const, 'new' as const),
  post: often('taken' as const, 'refused', 'lost, taken', 'lost, not taken'),
  end: often('regular' as const, 'cancelled', 'runner lost before the record'),
  find: often('works' as const, 'fails', 'denied'),
  findComment: often('works' as const, 'fails', 'denied'),
  save: often('works' as const, 'fails'),
  read: often('works' as const, 'fails'),
  next: often('active' as const, 'completed', 'failed', 'archived', 'forgotten'),
});

interface PaidJob {
  readonly id: string;
  status: Plan['next'];
  /** Whether people were told, or asked, that a re-run may start another job beside this one. */
  isExcused: boolean;
}

/** One run, with the API, the comment and the cache that its attempts share. */
class Run {
  readonly jobs: PaidJob[] = [];
  readonly secondJobs: string[] = [];
  readonly #keys: string[] = [];
  readonly #records: string[] = [];
  readonly #hasComment: boolean;
  #attempts = 0;

  constructor(hasComment: boolean) {
    this.#hasComment = hasComment;
  }

  async attempt(plan: Plan): Promise<void> {
    this.#attempts += 1;
    const runner = fakeRunner({
      GITHUB_RUN_ID: '7',
      GITHUB_RUN_ATTEMPT: String(this.#attempts),
      GITHUB_REPOSITORY: 'acme/product',
    });
    const state = createStateStore<State>({}, () => undefined);
    const inputs = agentInputs({ 'api-key': plan.key, 'on-rerun': plan.onRerun });
    const sha256 = plan.prompt.charCodeAt(0).toString(16).repeat(32);
    state.learn({
      inputs,
      prompt: {
        text: plan.prompt,
        origin: { input: 'prompt' },
        characters: 1,
        sha256,
        removed: {},
        unusedVariables: [],
        unfilled: [],
        spliced: [],
      },
    });
    if (plan.onRerun === 'new') {
      this.#excuse();
    }
    const comment = this.#comment(plan, () => state.current);
    const entry = new URL('file:///no/entry');
    const tools = { ...runner, createCache: () => this.#cache(plan) };
    const rerun = createRerun({ runner: tools, state, comment, entry });
    try {
      const source = await rerun.resume({ kind: 'create', prompt: plan.prompt }, (attached) =>
        this.#read(attached.id, plan),
      );
      const started = await startJob(source, 60_000, {
        jobs: { create: async () => this.#create(plan, runner), followUp: async () => failed() },
        readBefore: async () => job(),
        clock: runner.clock,
        signal: runner.signal,
        onRetry: () => undefined,
        onUnconfirmed: rerun.saveUnconfirmed,
      });
      if (plan.end === 'runner lost before the record') {
        this.#excuse();
        return;
      }
      rerun.save(started);
    } catch (error) {
      expect(String(error)).toMatch(/ActionError|Error/);
    }
    if (plan.end === 'cancelled') {
      runner.stop(new CancelledError('received SIGINT'));
    }
    await rerun.saved();
    if (this.#hasComment && state.current.record !== undefined && plan.save === 'works') {
      this.#records.push(writeRecord(state.current.record));
    }
    if (runner.news().some((line) => /^warning: .*could not be saved/.test(line))) {
      this.#excuse();
    }
    const last = this.jobs.at(-1);
    if (last !== undefined && last.status === 'active') {
      last.status = plan.next;
    }
  }

  #excuse(): void {
    for (const paid of this.jobs) {
      paid.isExcused = true;
    }
  }

  #create(plan: Plan, runner: FakeRunner) {
    if (plan.post === 'refused') {
      return failed({ status: 401, isFromApi: true, didNothing: true });
    }
    if (plan.post !== 'lost, not taken') {
      if (runner.told.some((line) => /^warning: .*an earlier one may still be active/.test(line))) {
        this.#excuse();
      }
      const living = this.jobs.filter(
        ({ status, isExcused }) => !isExcused && (status === 'active' || status === 'completed'),
      );
      this.secondJobs.push(...living.map(({ id }) => id));
      const id = `job_${this.jobs.length + 1}`;
      this.jobs.push({ id, status: 'active', isExcused: false });
    }
    const id = `job_${this.jobs.length}`;
    return plan.post === 'taken' ? ({ kind: 'job', job: job({ id }) } as const) : failed();
  }

  async #read(id: string, { read }: Plan): Promise<Job> {
    if (read === 'fails') {
      throw new ActionError('unreachable', 'the API refused the connection', 'wait');
    }
    const status = this.jobs.find((paid) => paid.id === id)?.status ?? 'forgotten';
    if (status === 'forgotten') {
      throw new ActionError('job-not-found', 'the API responded with 404', 'check job-id');
    }
    return job({ id, status });
  }

  #comment({ findComment, save }: Plan, state: () => State): StepComment {
    return {
      open() {},
      findRecords: async () => {
        if (!this.#hasComment) {
          return undefined;
        }
        const isRefusal = findComment === 'denied';
        return findComment === 'works'
          ? { kind: 'found', records: this.#records, hasForged: false }
          : { kind: 'failed', problem: 'GitHub did not respond', isRefusal };
      },
      showWorking: async () => {
        const { record } = state();
        const isWritten = this.#hasComment && save === 'works' && record !== undefined;
        if (isWritten) {
          this.#records.push(writeRecord(record));
        }
        return isWritten ? 'written' : 'not written';
      },
      async finish() {},
    };
  }

  #cache({ find, save }: Plan): Cache {
    const failure = { kind: 'failed', problem: 'the cache service failed' } as const;
    return {
      find: async (prefix) => {
        if (find !== 'works') {
          return find === 'denied' ? { kind: 'unavailable' } : failure;
        }
        const key = this.#keys.findLast((candidate) => candidate.startsWith(prefix));
        return key === undefined ? { kind: 'none' } : { kind: 'found', key };
      },
      save: async (key) => {
        if (save !== 'works') {
          return failure;
        }
        this.#keys.push(key);
        return { kind: 'saved' };
      },
    };
  }
}

it('no attempt starts a job while an earlier one of the run is active or completed, unless people asked for it or were told', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(plans, { minLength: 2, maxLength: 6 }),
      async (hasComment, attempts) => {
        const run = new Run(hasComment);
        for (const plan of attempts) {
          await run.attempt(plan);
        }
        expect(run.secondJobs).toEqual([]);
      },
    ),
    heavyRuns(2000),
  );
});
