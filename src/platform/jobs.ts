import type { Call, Client, Exchange } from './client.ts';
import type { PlatformError } from './errors.ts';
import { type CallContext, explainFault, explainRefusal, explainUnreadable } from './explain.ts';
import type { Job } from './job.ts';

/** Starting work may take the service a while; a job's state is read quickly. */
const startTimeoutMs = 60_000;

/** What came of a request about a job. */
export type JobAnswer =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** A request about a job that came to nothing, with what the next decision needs to know. */
export interface Failure {
  readonly error: PlatformError;
  /** The answer's status; `undefined` when no whole answer came. */
  readonly status?: number;
  /** Whether the body was the service's own JSON error, not the words of something in between. */
  readonly isFromService: boolean;
  /** True only where it is certain that the service did nothing. */
  readonly didNothing: boolean;
  readonly retryAfterMs?: number;
}

/** The agent jobs of one project. */
export interface Jobs {
  /** "Create agent job": `POST /v2/agent/{projectId}/job`. Starts paid work. */
  create(prompt: string): Promise<JobAnswer>;
  /** A follow-up: `POST /v2/agent/{projectId}/job/{id}/message`. Starts paid work. */
  followUp(jobId: string, prompt: string): Promise<JobAnswer>;
  /** "Get agent job": `GET /v2/agent/{projectId}/job/{id}`. */
  look(jobId: string, timeoutMs: number): Promise<JobAnswer>;
}

export function createJobs(client: Client, project: Omit<CallContext, 'jobId'>): Jobs {
  const root = ['v2', 'agent', project.projectId, 'job'];
  const ask = (call: Call, jobId?: string): Promise<JobAnswer> =>
    askForJob(client, call, { ...project, ...(jobId !== undefined && { jobId }) });
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
  const pending = client.exchange(call);
  // The schemas are compiled while the request is under way, not before it leaves.
  const [exchange, schema] = await Promise.all([pending, import('./schema.ts')]);
  return readExchange(exchange, context, schema);
}

interface BodyReaders {
  readJob(body: unknown): Job | undefined;
  readRefusal(body: unknown): string | undefined;
}

function readExchange(exchange: Exchange, context: CallContext, read: BodyReaders): JobAnswer {
  if (exchange.kind === 'no-answer') {
    return failed({
      error: explainFault(exchange.fault, context),
      isFromService: false,
      didNothing: !exchange.mayHaveLeft,
    });
  }
  const { status, body, retryAfterMs } = exchange;
  const facts = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (status >= 200 && status < 300) {
    const job = read.readJob(body);
    return job !== undefined && (context.jobId ?? job.id) === job.id
      ? { kind: 'job', job }
      : failed({
          ...facts,
          error: explainUnreadable(context),
          isFromService: false,
          didNothing: false,
        });
  }
  const reason = read.readRefusal(body);
  return failed({
    ...facts,
    error: explainRefusal(status, reason, context),
    isFromService: reason !== undefined,
    didNothing: isRefusal(status),
  });
}

/** 408 is no refusal: common servers raise it after the handler began. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function failed(failure: Failure): JobAnswer {
  return { kind: 'failure', failure };
}
