import type { Granted } from '../../src/agent/access.ts';
import type { Found } from '../../src/agent/earlier/find.ts';
import { nothingFound } from '../../src/agent/earlier/find-open-pull-request.ts';
import type { JobRecord } from '../../src/agent/earlier/record.ts';
import { readAccessInputs } from '../../src/agent/inputs.ts';
import { beginProgress } from '../../src/agent/job/progress.ts';
import type { JobSource } from '../../src/agent/job/started-job.ts';
import type { Request } from '../../src/agent/request.ts';
import type { Before, HandedOver, Waiting } from '../../src/agent/stage.ts';
import { unreadEvent } from '../../src/github/event.ts';
import type { Job } from '../../src/platform/job.ts';
import { agentInputs } from './agent-inputs.ts';
import { passedInputs } from './fake-runner.ts';
import { job as anyJob, pullRequest } from './jobs.ts';
import { preparedPrompt } from './prompts.ts';
import { documentWatch } from './pull-requests.ts';

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
    repository: 'acme/product',
    ...fields,
  };
}

export const foundNothing: Found = { ...nothingFound, attempt: { kind: 'not-searched' } };

/** The record of an earlier attempt, with changes. */
export function jobRecord(fields: Partial<JobRecord> = {}): JobRecord {
  return {
    requestKey: 's',
    attempt: 1,
    jobId: 'job_1',
    sent: 'new',
    isConfirmed: true,
    sentAtMs: 0,
    promptHash: 'abcdef012345',
    templateHash: '0123456789ab',
    ...fields,
  };
}

export function beforeStage(fields: Partial<Before> = {}): Before {
  return { at: 'before', tried: [], ...fields };
}

/** The stage of a step that waits for a job, with changes. */
export function waitingStage({
  source = 'created',
  ...given
}: Partial<Waiting> & {
  /** `undefined` if the API has not returned it yet. */
  readonly job?: Job | undefined;
  readonly source?: JobSource;
} = {}): Waiting {
  const { job, ...fields } = { job: anyJob(), ...given };
  const started = { source, id: 'job_1', ...(job && { job }), sentMs: 0, sinceMs: 0 };
  return {
    at: 'waiting',
    ...asked(),
    found: foundNothing,
    plan: { kind: 'new', prompt: preparedPrompt() },
    started,
    record: undefined,
    seen: { ...beginProgress(started), waitedMs: 0, delayMs: undefined },
    handedOver: undefined,
    ...fields,
  };
}

/** The pull request of a job that has ended, with changes. */
export function handedOver(fields: Partial<HandedOver> = {}): HandedOver {
  return {
    link: pullRequest,
    before: undefined,
    pullRequest: documentWatch,
    continuation: { count: 0, changes: 'unknown', warnings: [] },
    ...fields,
  };
}
