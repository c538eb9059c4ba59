import type { Call, Client, Exchange } from './client.ts';
import type { CallContext, ProjectContext } from './explain.ts';
import { type FailedReply, type RefusalReaders, readReply, unreadable } from './failure.ts';
import type { Job } from './job.ts';

/** Starting work may take the service a while; a job's state is read quickly. */
const startTimeoutMs = 60_000;

/** What came of a request about a job. */
export type JobAnswer = { readonly kind: 'job'; readonly job: Job } | FailedReply;

/** The agent jobs of one project. */
export interface Jobs {
  /** "Create agent job": `POST /v2/agent/{projectId}/job`. Starts paid work. */
  create(prompt: string): Promise<JobAnswer>;
  /** A follow-up: `POST /v2/agent/{projectId}/job/{id}/message`. Starts paid work. */
  followUp(jobId: string, prompt: string): Promise<JobAnswer>;
  /** "Get agent job": `GET /v2/agent/{projectId}/job/{id}`. */
  look(jobId: string, timeoutMs: number): Promise<JobAnswer>;
}

export function createJobs(client: Client, project: ProjectContext): Jobs {
  const root = ['v2', 'agent', project.projectId, 'job'];
  const ask = (call: Call, jobId?: string): Promise<JobAnswer> =>
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
    look: (jobId, timeoutMs) => ask({ method: 'GET', path: [...root, jobId], timeoutMs }, jobId),
  };
}

async function askForJob(client: Client, call: Call, context: CallContext): Promise<JobAnswer> {
  const exchange = await client.exchange(call);
  // Loaded now, so that nothing stands before the first request.
  return readExchange(exchange, context, await import('./schema.ts'));
}

interface BodyReaders extends RefusalReaders {
  readJob(body: unknown): Job | undefined;
}

function readExchange(exchange: Exchange, context: CallContext, read: BodyReaders): JobAnswer {
  const reply = readReply(exchange, context, read);
  if (reply.kind === 'failure') {
    return reply;
  }
  const job = read.readJob(reply.body);
  return job !== undefined && (context.jobId ?? job.id) === job.id
    ? { kind: 'job', job }
    : unreadable(reply.status, 'agent job', context);
}
