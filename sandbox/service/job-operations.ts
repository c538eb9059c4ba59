import * as v from 'valibot';
import { type Answer, Refusal } from './http.ts';
import type { Jobs } from './jobs.ts';
import type { Job, Store } from './store.ts';
import { type RefusalName, type Rehearsal, readWords, UnknownWord } from './words.ts';

/** Jobs and follow-ups that one project may use in an hour. */
const USES_PER_HOUR = 100;

/** What the words in a prompt can have in the way of a request. */
const REFUSALS: Readonly<Record<RefusalName, Answer>> = {
  'read-only': new Refusal(403, 'This API key may only read').toAnswer(),
  plan: new Refusal(403, 'The agent is not available on your current plan').toAnswer(),
  credits: new Refusal(402, 'Insufficient AI credits').toAnswer(),
  // Not the service's words: it never heard of the request.
  cloudflare: {
    status: 403,
    body: 'error code: 1010',
    headers: {
      'Content-Type': 'text/plain; charset=UTF-8',
      Server: 'cloudflare',
      'CF-Ray': '5a2db0c5a2db0c50-SBX',
    },
  },
};

const WEB_PAGE: Answer = {
  status: 200,
  body: '<!doctype html><title>Sign in</title><p>Sign in to go on.</p>',
};

const promptBody = v.object({ prompt: v.pipe(v.string(), v.minLength(1)) });

/** The three operations on agent jobs, and a look at all of them. */
export interface JobOperations {
  /** Create agent job: 201 with the job, 400, 402, 403, 429. */
  create(projectId: string, body: unknown): Answer;
  /** Get agent job: 200 with the job, 404. */
  get(projectId: string, id: string): Answer;
  /** Send a follow-up to a job: 200 with the job as it was before, 400, 402, 403, 404, 429. */
  followUp(projectId: string, id: string, body: unknown): Answer;
  /** The jobs of all projects, oldest first: none of the service's operations. */
  list(): readonly Job[];
}

export function jobOperations(store: Store, jobs: Jobs, now: () => number): JobOperations {
  /** How many polls of a job are still answered with a web page. */
  const garbledPolls = new Map<string, number>();

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
      const { prompt, refusal, garbledPolls: polls = 0 } = readPrompt(body);
      if (refusal !== undefined) {
        return REFUSALS[refusal];
      }
      useOnce(projectId);
      const job = jobs.create(projectId, prompt);
      garbledPolls.set(job.id, polls);
      return { status: 201, body: show(job) };
    },
    get(projectId, id) {
      const left = garbledPolls.get(id) ?? 0;
      if (left > 0) {
        garbledPolls.set(id, left - 1);
        return WEB_PAGE;
      }
      return { status: 200, body: show(find(projectId, id)) };
    },
    followUp(projectId, id, body) {
      const job = find(projectId, id);
      const { prompt, refusal, garbledPolls: polls = 0 } = readPrompt(body);
      if (refusal !== undefined) {
        return REFUSALS[refusal];
      }
      useOnce(projectId);
      jobs.followUp(job, prompt);
      garbledPolls.set(id, polls);
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

function readPrompt(body: unknown): Rehearsal & { readonly prompt: string } {
  const result = v.safeParse(promptBody, body);
  if (!result.success) {
    throw new Refusal(400, '"prompt" must be a string of at least 1 character');
  }
  const { prompt } = result.output;
  try {
    return { ...readWords(prompt), prompt };
  } catch (error) {
    throw error instanceof UnknownWord ? new Refusal(400, error.message) : error;
  }
}
