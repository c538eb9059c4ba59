import type { Job } from '../../platform/job.ts';
import type { Runner } from '../../runner/step.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AskedSource, JobSource, StartedJob } from '../job/source.ts';
import type { StepComment } from '../report/comment.ts';
import type { AgentState } from '../state.ts';
import { hashOfPrompt, type JobRecord, type StepIdentity } from './record.ts';
import { createRecordStore, type RecordSearch, type RecordStore } from './record-store.ts';

/** Keeps a re-run from starting a second job. */
export interface Rerun {
  /**
   * Where the job comes from, given what earlier attempts of this run left behind. On the first
   * attempt nothing is asked.
   *
   * @throws EarlierAttemptError, PlatformError, CancelledError as `resumeJob` does
   */
  resume(
    asked: AskedSource<string>,
    readJob: (attached: StartedJob) => Promise<Job>,
  ): Promise<JobSource<string>>;
  /** What an earlier attempt left behind; `undefined` on the first one. */
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
  const find = async () => await storeOf(deps)?.find();
  const save = (fields: Pick<JobRecord, 'sent' | 'jobId' | 'isConfirmed' | 'sentAtMs'>): void => {
    const { runId, attempt } = environment;
    const promptHash = hashOfPrompt(state.current.prompt?.sha256 ?? '');
    const record = { runId, attempt, promptHash, ...fields };
    state.learn({ record });
    saving = saveRecord(record, deps);
  };
  return {
    find: async () => (environment.attempt === 1 ? undefined : await find()),
    async resume(asked, readJob) {
      const { inputs, prompt } = state.current;
      if (environment.attempt === 1 || inputs?.onRerun !== 'resume' || prompt === undefined) {
        return asked;
      }
      const { resumeJob } = await import('./resume.ts');
      return await resumeJob(asked, {
        find: async () => (await find()) ?? { kind: 'none', hasForged: false },
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
        save({ sent: source, jobId: id, isConfirmed: true, sentAtMs });
      }
    },
    saveUnconfirmed(source) {
      if (source.kind === 'create' || source.kind === 'follow-up') {
        const jobId = source.kind === 'create' ? '' : source.jobId;
        save({ sent: source.kind, jobId, isConfirmed: false, sentAtMs: clock.todayMs() });
      }
    },
    saved: () => saving,
  };
}

async function saveRecord(record: JobRecord, deps: RerunDeps): Promise<void> {
  const { state, runner } = deps;
  const saved = await storeOf(deps)?.save(record);
  state.learn({ isResumable: saved?.kind === 'saved' });
  if (saved?.kind === 'no-store') {
    runner.log.debug(
      'There is neither a comment nor a cache service to keep the record of the job.',
    );
  }
  if (saved?.kind === 'failed') {
    const job = record.jobId === '' ? 'a job that may exist' : `job ${record.jobId}`;
    runner.log.warning(
      `The record of ${job} could not be saved, because ${saved.problem}: a re-run of this workflow would start a second job.`,
    );
  }
}

/** `undefined` before the inputs are known. */
function storeOf({ runner, state, comment, entry }: RerunDeps): RecordStore | undefined {
  const { inputs } = state.current;
  return inputs === undefined
    ? undefined
    : createRecordStore({
        findInComment: comment.findRecords,
        saveInComment: () => comment.showWorking(state.current),
        cache: runner.createCache(entry),
        identity: identify(inputs, runner),
        apiKey: inputs.api.apiKey,
        clock: runner.clock,
        signal: runner.signal,
      });
}

function identify({ api, matrix }: AgentInputs, { environment }: Runner): StepIdentity {
  const { repository, runId, job, step } = environment;
  return { repository, runId, job, step, projectId: api.projectId, matrix };
}
