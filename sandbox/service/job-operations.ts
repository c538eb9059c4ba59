import * as v from 'valibot';
import { isFinal } from '../../src/platform/job.ts';
import { HttpError, type HttpResponse } from '../http.ts';
import type { Jobs } from './jobs.ts';
import type { Job, Store } from './store.ts';
import { type Behaviour, type Refusal, readWords, UnknownWord } from './words.ts';

/** The limit of new jobs and follow-ups of a project in an hour. */
const USES_PER_HOUR = 100;

/** The responses for the words that refuse a request. */
const REFUSALS: Readonly<Record<Refusal, HttpResponse>> = {
  plan: new HttpError(403, 'The agent is not available on your current plan').toResponse(),
  credits: new HttpError(402, 'Insufficient AI credits').toResponse(),
  // This response comes from Cloudflare, not from the API.
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

const promptBody = v.object({ prompt: v.pipe(v.string(), v.minLength(1)) });

/** The API's three operations on agent jobs, and a list of all jobs. */
export interface JobOperations {
  /** "Create agent job": 201 with the job, 400, 402, 403, 429. */
  create(projectId: string, body: unknown): HttpResponse;
  /** "Get agent job": 200 with the job, 404. */
  get(projectId: string, id: string): HttpResponse;
  /** "Send follow-up": 200 with the job's earlier state, 400, 402, 403, 404, 429. */
  followUp(projectId: string, id: string, body: unknown): HttpResponse;
  /** The jobs of all projects, oldest first. The API has no such operation. */
  list(): readonly Job[];
}

export function jobOperations(store: Store, jobs: Jobs, now: () => number): JobOperations {
  function find(projectId: string, id: string): Job {
    const job = store.findJob(projectId, id);
    if (job === undefined) {
      throw new HttpError(404, 'Agent job not found');
    }
    return job;
  }

  function countUse(projectId: string): void {
    if (!store.use(`jobs of ${projectId}`, USES_PER_HOUR, now())) {
      throw new HttpError(429, `Rate limit exceeded: ${USES_PER_HOUR} uses per project per hour`);
    }
  }

  return {
    create(projectId, body) {
      const { prompt, refusal } = readPrompt(body);
      if (refusal !== undefined) {
        return REFUSALS[refusal];
      }
      countUse(projectId);
      return { status: 201, body: show(jobs.create(projectId, prompt)) };
    },
    get(projectId, id) {
      return { status: 200, body: show(find(projectId, id)) };
    },
    followUp(projectId, id, body) {
      const job = find(projectId, id);
      const { prompt, refusal } = readPrompt(body);
      if (refusal !== undefined) {
        return REFUSALS[refusal];
      }
      countUse(projectId);
      jobs.followUp(job, prompt);
      return { status: 200, body: show(job) };
    },
    list() {
      return store.listJobs().map(show);
    },
  };
}

/** The link is null until a job has ended, even if an earlier prompt has opened a pull request. */
function show(job: Job): Job {
  return isFinal(job.status) ? job : { ...job, prLink: null };
}

function readPrompt(body: unknown): Behaviour & { readonly prompt: string } {
  const result = v.safeParse(promptBody, body);
  if (!result.success) {
    throw new HttpError(400, '"prompt" must be a string of at least 1 character');
  }
  const { prompt } = result.output;
  try {
    return { ...readWords(prompt), prompt };
  } catch (error) {
    throw error instanceof UnknownWord ? new HttpError(400, error.message) : error;
  }
}
