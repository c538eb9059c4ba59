import type { Job, Store } from './store.ts';
import { type Behaviour, readWords } from './words.ts';

/** Waits. Rejects as soon as the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** A prompt for the agent. */
interface Task {
  readonly jobId: string;
  readonly prompt: string;
  readonly repository: string;
  /** The base branch of the pull request. */
  readonly base: string;
  /** The agent's branch for this job. */
  readonly branch: string;
  /** Whether the page is not to render. */
  readonly isBroken: boolean;
}

/** Edits the docs. @returns The link of the pull request. */
export type Agent = (task: Task) => Promise<string>;

export interface JobOptions {
  readonly store: Store;
  readonly agent: Agent;
  /** The docs repository of a project, `owner/name`. */
  readonly repositoryOf: (projectId: string) => string;
  /** The branch that the agent's branches start from. */
  readonly base: string;
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly newJobId: () => string;
  /** How long the agent works on a prompt without the word `slow`. */
  readonly workMs: number;
  /** How long the job's earlier state is visible after a follow-up. */
  readonly pickUpMs: number;
  /** Called when the agent fails with an error. The job gets the status `failed`. */
  readonly onAgentError: (jobId: string, error: unknown) => void;
}

/** Runs jobs in the background. */
export interface Jobs {
  create(projectId: string, prompt: string): Job;
  /** Sends another prompt to a job, which keeps its earlier state for a moment. */
  followUp(job: Job, prompt: string): void;
  /** Resolves when the agent has finished all jobs. */
  settled(): Promise<void>;
  /** Stops all work. The jobs keep their states. */
  stop(): Promise<void>;
}

/** The field `model` of all jobs. */
const MODEL = 'sandbox-editor-1';

export function runJobs(options: JobOptions): Jobs {
  const { store, agent, now, sleep, newJobId, workMs, pickUpMs, onAgentError } = options;
  const stopping = new AbortController();
  /** The last queued task of each job. A follow-up waits until the earlier tasks are done. */
  const queues = new Map<string, Promise<void>>();
  /** The prompts of each job so far. */
  const prompts = new Map<string, readonly string[]>();

  /** What a prompt asks for. Some words of the first prompt hold for the follow-ups, too. */
  function behaviourFor(jobId: string, prompt: string): Behaviour & { readonly isBroken: boolean } {
    const all = [...(prompts.get(jobId) ?? []), prompt];
    prompts.set(jobId, all);
    const { brokenPrompts = 0, isStubborn = false } = readWords(all[0] ?? '');
    const isIdle = isStubborn && all.length > 1;
    return {
      ...readWords(prompt),
      ...(isIdle && { ending: 'no-change' }),
      isBroken: all.length <= brokenPrompts,
    };
  }

  async function work({ id: jobId, source }: Job, prompt: string): Promise<void> {
    const { isBroken, ...behaviour } = behaviourFor(jobId, prompt);
    await sleep(behaviour.workMs ?? workMs, stopping.signal);
    switch (behaviour.ending) {
      case 'no-change':
        return store.changeJob(jobId, { status: 'completed' });
      case 'edit': {
        const { repository, ref: branch } = source;
        const task = { jobId, prompt, repository, base: options.base, branch, isBroken };
        return store.changeJob(jobId, { status: 'completed', prLink: await agent(task) });
      }
      default: {
        const archivedAt = behaviour.ending === 'archived' ? new Date(now()).toISOString() : null;
        return store.changeJob(jobId, { status: behaviour.ending, archivedAt });
      }
    }
  }

  async function pickUp(job: Job, prompt: string): Promise<void> {
    await sleep(pickUpMs, stopping.signal);
    store.changeJob(job.id, { status: 'active', archivedAt: null });
    await work(job, prompt);
  }

  function enqueue(jobId: string, task: () => Promise<void>): void {
    const before = queues.get(jobId) ?? Promise.resolve();
    const next = before.then(() => {
      stopping.signal.throwIfAborted();
      return task();
    });
    const done = next.catch((error: unknown) => {
      if (!stopping.signal.aborted) {
        store.changeJob(jobId, { status: 'failed' });
        onAgentError(jobId, error);
      }
    });
    queues.set(jobId, done);
    void done.then(() => {
      if (queues.get(jobId) === done) queues.delete(jobId);
    });
  }

  async function settled(): Promise<void> {
    while (queues.size > 0) {
      await Promise.all(queues.values());
    }
  }

  return {
    create(projectId, prompt) {
      const id = newJobId();
      const job: Job = {
        id,
        status: 'active',
        source: { repository: options.repositoryOf(projectId), ref: `docs-agent/${id}` },
        model: MODEL,
        prLink: null,
        createdAt: new Date(now()).toISOString(),
        archivedAt: null,
      };
      store.addJob(projectId, job);
      enqueue(job.id, () => work(job, prompt));
      return job;
    },
    followUp(job, prompt) {
      enqueue(job.id, () => pickUp(job, prompt));
    },
    settled,
    stop() {
      stopping.abort();
      return settled();
    },
  };
}
