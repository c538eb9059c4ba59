import type { Job, Store } from './store.ts';
import { readWords } from './words.ts';

/** Waits; rejects when the signal aborts, at once if it already has. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** What the agent is asked to do for one prompt. */
export interface Task {
  readonly jobId: string;
  readonly prompt: string;
  readonly repository: string;
  /** The branch that the change is to go to. */
  readonly base: string;
  /** The branch of the agent's own, where it makes the change. */
  readonly branch: string;
}

/** Edits the documentation and answers with the link of the pull request that has the change. */
export type Agent = (task: Task) => Promise<string>;

export interface JobOptions {
  readonly store: Store;
  readonly agent: Agent;
  /** The documentation: the branches of the agent's own come from `base`. */
  readonly docs: Pick<Task, 'repository' | 'base'>;
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly newJobId: () => string;
  /** How long the agent works on a prompt that does not say otherwise, in milliseconds. */
  readonly workMs: number;
  /** How long a follow-up still shows the job's earlier state, in milliseconds. */
  readonly pickUpMs: number;
  /** Told when the agent itself errs; the job is `failed` then. */
  readonly onAgentError: (jobId: string, error: unknown) => void;
}

/** The lives of all jobs: they go on in the background after a request was answered. */
export interface Jobs {
  create(projectId: string, prompt: string): Job;
  /** Sends another prompt to a job, which still has its earlier state when this returns. */
  followUp(job: Job, prompt: string): void;
  /** Resolves when no job is being worked on any more. */
  settled(): Promise<void>;
  /** Ends all work; jobs stay as they are. */
  stop(): Promise<void>;
}

/** The model that the sandbox's jobs name. */
const MODEL = 'sandbox-editor-1';

export function runJobs(options: JobOptions): Jobs {
  const { store, agent, docs, now, sleep, newJobId, workMs, pickUpMs, onAgentError } = options;
  const stopping = new AbortController();
  /** The last piece of work of each job that has one; a follow-up waits for its turn. */
  const working = new Map<string, Promise<void>>();

  async function work(jobId: string, prompt: string): Promise<void> {
    const rehearsal = readWords(prompt);
    await sleep(rehearsal.workMs ?? workMs, stopping.signal);
    switch (rehearsal.ending) {
      case 'failed':
        return store.changeJob(jobId, { status: 'failed' });
      case 'archived':
        return store.changeJob(jobId, {
          status: 'archived',
          archivedAt: new Date(now()).toISOString(),
        });
      case 'no-change':
        return store.changeJob(jobId, { status: 'completed' });
      case 'edit': {
        const prLink = await agent({ jobId, prompt, ...docs, branch: branchOf(jobId) });
        if (rehearsal.linkMs !== undefined) {
          store.changeJob(jobId, { status: 'completed' });
          await sleep(rehearsal.linkMs, stopping.signal);
        }
        return store.changeJob(jobId, { status: 'completed', prLink });
      }
    }
  }

  async function pickUp(jobId: string, prompt: string): Promise<void> {
    await sleep(readWords(prompt).pickUpMs ?? pickUpMs, stopping.signal);
    store.changeJob(jobId, { status: 'active', archivedAt: null });
    await work(jobId, prompt);
  }

  function enqueue(jobId: string, piece: () => Promise<void>): void {
    const before = working.get(jobId) ?? Promise.resolve();
    const next = before.then(() => {
      stopping.signal.throwIfAborted();
      return piece();
    });
    const done = next.catch((error: unknown) => {
      if (!stopping.signal.aborted) {
        store.changeJob(jobId, { status: 'failed' });
        onAgentError(jobId, error);
      }
    });
    working.set(jobId, done);
    void done.then(() => {
      if (working.get(jobId) === done) working.delete(jobId);
    });
  }

  async function settled(): Promise<void> {
    while (working.size > 0) {
      await Promise.all(working.values());
    }
  }

  return {
    create(projectId, prompt) {
      const id = newJobId();
      const job: Job = {
        id,
        status: 'active',
        source: { repository: docs.repository, ref: branchOf(id) },
        model: MODEL,
        prLink: null,
        createdAt: new Date(now()).toISOString(),
        archivedAt: null,
      };
      store.addJob(projectId, job);
      enqueue(job.id, () => work(job.id, prompt));
      return job;
    },
    followUp(job, prompt) {
      enqueue(job.id, () => pickUp(job.id, prompt));
    },
    settled,
    stop() {
      stopping.abort();
      return settled();
    },
  };
}

/** Each job has a branch of its own. */
function branchOf(jobId: string): string {
  return `docs-agent/${jobId}`;
}
