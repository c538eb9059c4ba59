import type { ApiRequest, Client } from './client.ts';
import type { ProjectContext, RequestContext } from './explain.ts';
import { type FailedReply, readReply, unreadable } from './failure.ts';
import { type Job, readJob } from './job.ts';

/** The API can take a while to start a job. */
const startTimeoutMs = 60_000;

/** The outcome of a request about a job. */
export type JobResponse = { readonly kind: 'job'; readonly job: Job } | FailedReply;

/** The agent jobs of one project. */
export interface Jobs {
  /** "Create agent job": `POST /v2/agent/{projectId}/job`. Starts paid work. */
  create(prompt: string): Promise<JobResponse>;
  /** A follow-up: `POST /v2/agent/{projectId}/job/{id}/message`. Starts paid work. */
  followUp(jobId: string, prompt: string): Promise<JobResponse>;
  /** "Get agent job": `GET /v2/agent/{projectId}/job/{id}`. */
  get(jobId: string, timeoutMs: number): Promise<JobResponse>;
}

export function createJobs(client: Client, project: ProjectContext): Jobs {
  const root = ['v2', 'agent', project.projectId, 'job'];
  const ask = (call: ApiRequest, jobId?: string): Promise<JobResponse> =>
    askForJob(client, call, {
      ...project,
      scope: call.method === 'GET' ? 'read' : 'write',
      ...(jobId !== undefined && { jobId }),
    });
  return {
    create: (prompt) =>
      ask({ method: 'POST', path: root, body: { prompt }, timeoutMs: startTimeoutMs }),
    followUp: (jobId, prompt) =>
      ask(
        {
          method: 'POST',
          path: [...root, jobId, 'message'],
          body: { prompt },
          timeoutMs: startTimeoutMs,
        },
        jobId,
      ),
    get: (jobId, timeoutMs) => ask({ method: 'GET', path: [...root, jobId], timeoutMs }, jobId),
  };
}

async function askForJob(
  client: Client,
  call: ApiRequest,
  context: RequestContext,
): Promise<JobResponse> {
  const reply = readReply(await client.send(call), context);
  if (reply.kind === 'failure') {
    return reply;
  }
  const job = readJob(reply.body, call.method === 'POST');
  return job !== undefined && (context.jobId ?? job.id) === job.id
    ? { kind: 'job', job }
    : unreadable(reply.status, 'an agent job', context);
}
