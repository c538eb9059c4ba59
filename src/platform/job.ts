import {
  check,
  fallback,
  maxLength,
  nullish,
  object,
  optional,
  pipe,
  string,
  unknown,
} from 'valibot';
import { parse } from '../text/parse.ts';
import { ask, type Reply } from './ask.ts';
import type { ApiRequest, Client } from './client.ts';
import { type PullRequestLink, readPullRequestLink } from './pull-request-link.ts';

/** Whether a text can be a project id: letters, digits, `-`, `_`, `.` and `:`. */
export function isProjectId(text: string): boolean {
  return /^[\w.:-]{1,200}$/.test(text) && !isDots(text);
}

/** The rule of `isProjectId`, for error messages. */
export const projectIdRule = 'letters, digits, "-", "_", "." and ":"';

/** A record of the job has to fit into the key of a cache entry. */
const maxJobIdBytes = 96;

/** Whether a text can be a job id. The API says only that an id is a string. */
export function isJobId(text: string): boolean {
  const bytes = Buffer.byteLength(text);
  return (
    bytes > 0 &&
    bytes <= maxJobIdBytes &&
    text === text.trim() &&
    !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) &&
    !isDots(text)
  );
}

/** The rule of `isJobId`, for error messages. */
export const jobIdRule = `one line of at most ${maxJobIdBytes} bytes, without invisible characters`;

/** A URL drops path segments that are `.` or `..`. */
function isDots(text: string): boolean {
  return text === '.' || text === '..';
}

/** The statuses of jobs that have ended, as the API spells them. */
export const finalStatuses = ['completed', 'archived', 'failed'] as const;

export type FinalStatus = (typeof finalStatuses)[number];

export const jobStatuses = ['active', ...finalStatuses] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** Whether a job with this status has ended. Only a follow-up makes it active again. */
export function isFinal(status: JobStatus): status is FinalStatus {
  return finalStatuses.some((final) => final === status);
}

/** The fields of an agent job that the action uses. Missing or invalid optional fields are empty. */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  /**
   * The API's status if `jobStatuses` does not have it, or empty if the API sent no status. In both cases, `status` is
   * `active`.
   */
  readonly unknownStatus?: string;
  readonly pullRequest: PullRequestLink;
  /** `source.repository`: the repository that the agent works on. */
  readonly repository: string;
  /** `source.ref`: the agent's own branch, not the base of its pull request. */
  readonly ref: string;
  readonly model: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly archivedAt: string;
}

/** Whether the API sent a status, even one that this action does not know. A job without a status counts as active. */
export function hasStatus({ unknownStatus }: Job): boolean {
  return unknownStatus !== '';
}

/** An optional field: anything but a string of reasonable length counts as missing, and is empty. */
const optionalText = fallback(nullish(pipe(string(), maxLength(500)), ''), '');

/** An optional date and time, such as ISO 8601: anything else counts as missing. */
const optionalMoment = fallback(
  nullish(
    pipe(
      string(),
      maxLength(40),
      check((text) => !Number.isNaN(Date.parse(text))),
    ),
  ),
  undefined,
);

const sourceSchema = object({ repository: optionalText, ref: optionalText });

/** An agent job as "Create agent job" and "Get agent job" return it. */
const jobSchema = object({
  id: nullish(pipe(string(), check(isJobId))),
  status: fallback(nullish(pipe(string(), maxLength(100)), ''), ''),
  source: fallback(nullish(sourceSchema, {}), { repository: '', ref: '' }),
  model: optionalText,
  prLink: optional(unknown()),
  createdAt: optionalMoment,
  archivedAt: optionalMoment,
});

/**
 * Parses a job from a response's body; `undefined` if the body is not a job, or is another job than the one
 * asked for. The API promises no field, so a job whose status is missing or unknown counts as active.
 * @param serverUrl see `readPullRequestLink`
 * @param requestedId the id in the request, if the request had an id. The response may then lack the id, if the
 *   response has a known status
 */
export function parseJob(body: unknown, serverUrl: string, requestedId?: string): Job | undefined {
  const fields = parse(jobSchema, body);
  if (fields === undefined) {
    return undefined;
  }
  const status = readStatus(fields.status);
  const id = fields.id ?? (status && requestedId);
  if (id === undefined || id !== (requestedId ?? id)) {
    return undefined;
  }
  return {
    id,
    status: status ?? 'active',
    ...(status === undefined && { unknownStatus: fields.status }),
    pullRequest: readPullRequestLink(fields.prLink, serverUrl),
    repository: fields.source.repository,
    ref: fields.source.ref,
    model: fields.model,
    createdAt: fields.createdAt ?? '',
    archivedAt: fields.archivedAt ?? '',
  };
}

function readStatus(word: string): JobStatus | undefined {
  return jobStatuses.find((status) => status === word);
}

/** The API can take a while to start a job. */
const startTimeoutMs = 60_000;

/** The agent jobs of one project. */
export interface Jobs {
  /** "Create agent job": `POST /v2/agent/{projectId}/job`. Starts paid work. */
  create(prompt: string): Promise<Reply<Job>>;
  /** A follow-up: `POST /v2/agent/{projectId}/job/{id}/message`. Starts paid work. */
  followUp(jobId: string, prompt: string): Promise<Reply<Job>>;
  /** "Get agent job": `GET /v2/agent/{projectId}/job/{id}`. */
  get(jobId: string, timeoutMs: number): Promise<Reply<Job>>;
}

/** The limits for requests that start work, as a main clause. */
const hourlyLimit = 'the limits of a project are 100 new jobs and 100 follow-ups an hour';

/** @param serverUrl see `readPullRequestLink` */
export function createJobs(client: Client, projectId: string, serverUrl: string): Jobs {
  const root = ['v2', 'agent', projectId, 'job'];
  const askForJob = (request: ApiRequest, jobId?: string): Promise<Reply<Job>> =>
    ask(client, request, {
      about: { projectId, jobId, hourlyLimit },
      expected: 'an agent job',
      read: (body) => parseJob(body, serverUrl, jobId),
    });
  const post = (path: readonly string[], prompt: string, jobId?: string) =>
    askForJob({ method: 'POST', path, body: { prompt }, timeoutMs: startTimeoutMs }, jobId);
  return {
    create: (prompt) => post(root, prompt),
    followUp: (jobId, prompt) => post([...root, jobId, 'message'], prompt, jobId),
    get: (jobId, timeoutMs) =>
      askForJob({ method: 'GET', path: [...root, jobId], timeoutMs }, jobId),
  };
}
