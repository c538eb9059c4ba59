import type { Granted } from '../../src/agent/access.ts';
import type { Found } from '../../src/agent/earlier/find.ts';
import type { JobRecord } from '../../src/agent/earlier/record.ts';
import { type AgentInputs, readAccessInputs, readAgentInputs } from '../../src/agent/inputs.ts';
import type { JobDeps } from '../../src/agent/job/poll.ts';
import type { PolledJob } from '../../src/agent/job/polled-job.ts';
import { beginProgress } from '../../src/agent/job/progress.ts';
import type { Plan } from '../../src/agent/plan.ts';
import type { Prompt } from '../../src/agent/prompt/prompt.ts';
import type { Request } from '../../src/agent/request.ts';
import type { Before, HandedOver, Waiting } from '../../src/agent/stage.ts';
import { unreadEvent } from '../../src/github/event.ts';
import type { PullRequest } from '../../src/github/pull-request.ts';
import type { Reply } from '../../src/platform/ask.ts';
import type { Failure } from '../../src/platform/failure.ts';
import type { Job } from '../../src/platform/job.ts';
import { ActionError } from '../../src/text/error.ts';
import { passedInputs } from './fake-runner.ts';

/* Values of the agent's modules, each with changes. */

/** The agent's inputs for a new job, with changes. */
export function agentInputs(values: Readonly<Record<string, string>> = {}): AgentInputs {
  return readAgentInputs(
    passedInputs({ prompt: 'Do it', 'api-key': 'mint_key', 'project-id': 'acme', ...values }),
    'acme/product',
  );
}

/** A prompt that is ready to send, with changes. */
export function preparedPrompt(fields: Partial<Prompt> = {}): Prompt {
  return {
    text: 'Keep it to yourself',
    source: { input: 'prompt', text: 'Keep it to yourself' },
    sha256: 'abcdef0123456789',
    templateSha256: '0123456789abcdef',
    leftOut: 0,
    emptyFields: [],
    warnings: [],
    ...fields,
  };
}

/** An active job, with changes. */
export function job(fields: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    status: 'active',
    pullRequest: { kind: 'none' },
    repository: 'acme/docs',
    ref: 'docs-agent/job_1',
    model: 'model-1',
    createdAt: '2026-01-05T08:00:00Z',
    archivedAt: '',
    ...fields,
  };
}

/** The link to a job's pull request. */
export const pullRequest = {
  kind: 'link',
  url: 'https://github.com/acme/docs/pull/12',
  github: { repository: 'acme/docs', number: 12 },
} as const;

const refuse = () => Promise.reject(new Error('not expected here'));

/** What starting and polling a job needs, with an API that expects no request. */
export function jobDeps(
  fields: Partial<JobDeps> & { readonly runner: JobDeps['runner'] },
): JobDeps {
  return {
    jobs: { create: refuse, followUp: refuse, get: refuse },
    pollIntervalMs: undefined,
    deadlineMs: fields.runner.clock.nowMs() + 30 * 60_000,
    ...fields,
  };
}

/** A response with the job. */
export function found(fields: Partial<Job> = {}): Reply<Job> {
  return { kind: 'success', value: job(fields) };
}

/** A failed request: without a response by default. */
export function failed(fields: Partial<Failure> = {}): Reply<Job> {
  const error = new ActionError(
    'unreachable',
    `failure ${fields.status ?? 'without a response'}`,
    'wait',
  );
  return {
    kind: 'failure',
    failure: { error, isFromApi: false, didNothing: false, ...fields },
  };
}

/** A refusal by the API itself with a status. */
export function refused(status: number): Reply<Job> {
  return failed({ status, isFromApi: true, didNothing: true });
}

/** A pull request in GitHub's format. */
export const documentWatch: PullRequest = {
  title: 'Document --watch',
  branch: 'docs-agent/job_1',
  base: 'main',
  baseSha: 'b'.repeat(40),
  headSha: '0123456789abcdef0123456789abcdef01234567',
  isOpen: true,
  repository: 'acme/docs',
  isPublic: false,
  changedFiles: 3,
  additions: 12,
  deletions: 1,
  files: ['cli.mdx', 'docs.json', 'guides/watch.mdx'],
};

/** Everyone behind the run may start a job; this one asked for it. */
export function grantedTo(askedBy: string, event = unreadEvent): Granted {
  return { kind: 'granted', inputs: readAccessInputs(passedInputs({})), event, askedBy };
}

/** What a run in `acme/product` is asked for, with changes. */
export function asked(fields: Partial<Request> = {}): Request {
  return {
    access: grantedTo('octocat'),
    inputs: agentInputs(),
    prompt: preparedPrompt(),
    ...fields,
  };
}

export const foundNothing: Found = {
  attempt: { kind: 'not-searched' },
  pullRequest: undefined,
  doubts: [],
};

/** The record of an earlier attempt, with changes. */
export function jobRecord(fields: Partial<JobRecord> = {}): JobRecord {
  return {
    requestKey: 's',
    attempt: 1,
    jobId: 'job_1',
    followUp: undefined,
    isConfirmed: true,
    sentAtMs: 0,
    promptHash: 'abcdef012345',
    templateHash: '0123456789ab',
    ...fields,
  };
}

/** The plan to go on with the job of this record. */
export function resumePlan(record = jobRecord()): Plan & { readonly kind: 'resume' } {
  const started = { source: 'resumed', id: record.jobId, sentMs: 0, sinceMs: 0 } as const;
  const progress = beginProgress(undefined, record.followUp);
  return { kind: 'resume', record, started, progress };
}

export function beforeStage(fields: Partial<Before> = {}): Before {
  return { at: 'before', ...fields };
}

/** The stage of a step that waits for a job, with changes. */
export function waitingStage({
  source = 'created',
  ...given
}: Partial<Waiting> & {
  /** `undefined` if the API has not returned it yet. */
  readonly job?: Job | undefined;
  readonly source?: PolledJob['source'];
} = {}): Waiting {
  const { job: read, ...fields } = { job: job(), ...given };
  const started = { source, id: 'job_1', sentMs: 0, sinceMs: 0 };
  return {
    at: 'waiting',
    ...asked(),
    found: foundNothing,
    plan: { kind: 'new', prompt: preparedPrompt() },
    started,
    record: source === 'attached' ? undefined : jobRecord(),
    seen: { ...beginProgress(read), waitedMs: 0, delayMs: undefined },
    handedOver: undefined,
    ...fields,
  };
}

/** The pull request of a job that has ended, with changes. */
export function handedOver(fields: Partial<HandedOver> = {}): HandedOver {
  return {
    link: pullRequest,
    pullRequest: documentWatch,
    work: { kind: 'opened', instead: undefined },
    warnings: [],
    ...fields,
  };
}
