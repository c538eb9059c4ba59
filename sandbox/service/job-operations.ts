import * as v from 'valibot';
import { type Answer, Refusal } from './http.ts';
import type { Jobs } from './jobs.ts';
import type { Job, Store } from './store.ts';
import { readWords, UnknownWord } from './words.ts';

/** Jobs and follow-ups that one project may use in an hour. */
const USES_PER_HOUR = 100;

const promptBody = v.object({ prompt: v.pipe(v.string(), v.minLength(1)) });

/** The three operations on agent jobs, and a look at all of them. */
export interface JobOperations {
  /** Create agent job: 201 with the job, 400, 429. */
  create(projectId: string, body: unknown): Answer;
  /** Get agent job: 200 with the job, 404. */
  get(projectId: string, id: string): Answer;
  /** Send a follow-up to a job: 200 with the job as it was before, 400, 404, 429. */
  followUp(projectId: string, id: string, body: unknown): Answer;
  /** The jobs of all projects, oldest first: none of the service's operations. */
  list(): readonly Job[];
}

export function jobOperations(store: Store, jobs: Jobs, now: () => number): JobOperations {
  function find(projectId: string, id: string): Job {
    const job = store.findJob(projectId, id);
    if (job === undefined) {
      throw new Refusal(404, 'Agent job not found');
    }
    return job;
  }

  function useOnce(projectId: string): void {
    if (!store.use(`jobs of ${projectId}`, USES_PER_HOUR, now())) {
      throw new Refusal(429, `Rate limit exceeded: ${USES_PER_HOUR} uses per project per hour`);
    }
  }

  return {
    create(projectId, body) {
      const prompt = readPrompt(body);
      useOnce(projectId);
      return { status: 201, body: show(jobs.create(projectId, prompt)) };
    },
    get(projectId, id) {
      return { status: 200, body: show(find(projectId, id)) };
    },
    followUp(projectId, id, body) {
      const job = find(projectId, id);
      const prompt = readPrompt(body);
      useOnce(projectId);
      jobs.followUp(job, prompt);
      return { status: 200, body: show(job) };
    },
    list() {
      return store.listJobs().map(show);
    },
  };
}

/** The link is null while a job is active, even if an earlier prompt already has one. */
function show(job: Job): Job {
  return job.status === 'active' ? { ...job, prLink: null } : job;
}

function readPrompt(body: unknown): string {
  const result = v.safeParse(promptBody, body);
  if (!result.success) {
    throw new Refusal(400, '"prompt" must be a string of at least 1 character');
  }
  const { prompt } = result.output;
  try {
    readWords(prompt);
  } catch (error) {
    throw error instanceof UnknownWord ? new Refusal(400, error.message) : error;
  }
  return prompt;
}
