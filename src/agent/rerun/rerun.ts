import type { Job } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AskedSource, JobSource, StartedJob } from '../job/source.ts';
import type { StepComment } from '../report/comment.ts';
import type { AgentState } from '../state.ts';
import {
  hashOfPrompt,
  type JobRecord,
  type SentRequest,
  type StepIdentity,
  subjectOf,
} from './record.ts';
import { createRecordStore, type RecordSearch, type RecordStore } from './record-store.ts';

/** Keeps a re-run from starting a second job. */
export interface Rerun {
  /**
   * Where the job comes from, given what earlier attempts of this run left behind. On the first
   * attempt nothing is asked.
   *
   * @throws ActionError, CancelledError as `resumeJob` does
   */
  resume(
    asked: AskedSource<string>,
    readJob: (attached: StartedJob) => Promise<Job>,
  ): Promise<JobSource<string>>;
  /** What an earlier attempt left behind; `undefined` if a real run would not look for that. */
  find(): Promise<RecordSearch | undefined>;
  /** Begins to save the record of a job that this step started; returns at once. */
  save(started: StartedJob): void;
  /** The same for a request that may have arrived. */
  saveUnconfirmed(source: JobSource<string>): void;
  /** Resolves once the record is saved, or cannot be. Never rejects. */
  saved(): Promise<void>;
}

export interface RerunDeps {
  readonly runner: Runner;
  readonly state: AgentState;
  readonly comment: StepComment;
  /** The action's entry; see `Runner.createCache`. */
  readonly entry: URL;
}

export function createRerun(deps: RerunDeps): Rerun {
  const { runner, state } = deps;
  const { environment, clock, log } = runner;
  let saving: Promise<void> = Promise.resolve();
  /** What the inputs ask for, which is what a re-run looks for, whatever the step makes of it. */
  let request: SentRequest | undefined;
  const save = (fields: Pick<JobRecord, 'jobId' | 'sent' | 'isConfirmed' | 'sentAtMs'>): void => {
    const { inputs, prompt } = state.current;
    if (inputs !== undefined && request !== undefined) {
      const subject = subjectOf(identify(inputs, runner), request);
      const promptHash = hashOfPrompt(prompt?.sha256 ?? '');
      const record = { subject, attempt: environment.attempt, promptHash, ...fields };
      state.learn({ record });
      saving = saveRecord(record, inputs, deps);
    }
  };
  const find = async (): Promise<RecordSearch | undefined> => {
    const { inputs } = state.current;
    if (
      environment.attempt === 1 ||
      inputs?.onRerun !== 'resume' ||
      inputs.source.kind === 'attach'
    ) {
      return undefined;
    }
    return await storeOf(inputs, deps).find(subjectOf(identify(inputs, runner), inputs.source));
  };
  return {
    find,
    async resume(asked, readJob) {
      const { inputs, prompt } = state.current;
      request = asked.kind === 'attach' ? undefined : asked;
      const search = await find();
      if (search === undefined || inputs === undefined || prompt === undefined) {
        return asked;
      }
      const { resumeJob } = await import('./resume.ts');
      return await resumeJob(asked, search, {
        onRecord: (record) => state.learn({ record, isResumable: true }),
        readJob,
        promptHash: hashOfPrompt(prompt.sha256),
        waitMs: inputs.waitMs,
        clock,
        log,
      });
    },
    save({ source, id, sentMs }) {
      if (source === 'create' || source === 'follow-up') {
        const sentAtMs = clock.todayMs() - (clock.nowMs() - sentMs);
        save({ jobId: id, sent: source, isConfirmed: true, sentAtMs });
      }
    },
    saveUnconfirmed(source) {
      if (source.kind === 'create' || source.kind === 'follow-up') {
        const jobId = source.kind === 'create' ? '' : source.jobId;
        save({ jobId, sent: source.kind, isConfirmed: false, sentAtMs: clock.todayMs() });
      }
    },
    saved: () => saving,
  };
}

async function saveRecord(record: JobRecord, inputs: AgentInputs, deps: RerunDeps): Promise<void> {
  const { state, runner } = deps;
  const saved = await storeOf(inputs, deps).save(record);
  if (saved.kind !== 'pending') {
    state.learn({ isResumable: saved.kind === 'saved' });
  }
  if (saved.kind === 'no-store') {
    runner.log.debug(
      'There is neither a comment nor a cache service to keep the record of the job.',
    );
  }
  if (saved.kind === 'failed') {
    const job = record.jobId === '' ? 'a job that may exist' : `job ${record.jobId}`;
    runner.log.warning(
      `The record of ${job} could not be saved, because ${saved.problem}: a re-run of this workflow would start a second job.`,
    );
  }
}

function storeOf({ api }: AgentInputs, { runner, state, comment, entry }: RerunDeps): RecordStore {
  return createRecordStore({
    findInComment: comment.findRecords,
    saveInComment: () => comment.showWorking(state.current),
    cache: runner.createCache(entry),
    attempt: runner.environment.attempt,
    apiKey: api.apiKey,
    clock: runner.clock,
    signal: runner.signal,
  });
}

function identify({ api, matrix }: AgentInputs, { environment }: Runner): StepIdentity {
  const { repository, runId, job, step } = environment;
  return { repository, runId, job, step, projectId: api.projectId, matrix };
}
