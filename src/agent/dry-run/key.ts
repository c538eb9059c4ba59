import { retry } from '../../network/retry.ts';
import type { JobResponse, Jobs } from '../../platform/jobs.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError, hasReason } from '../../text/error.ts';
import type { AgentInputs } from '../inputs.ts';
import { type Finding, good, note } from './finding.ts';

/** No job has this id: the API makes its own. */
const noJob = 'docs-agent-action-dry-run';

const timeoutMs = 10_000;
const delayMs = 2000;

/** Longer than a hiccup; a dry run is repeated soon enough. */
const limitMs = 30_000;

/**
 * Tries key, project and base URL with a request that changes nothing: it reads the job of `job-id`,
 * or one that cannot exist. To be told that there is no such job is good news then.
 *
 * @throws ActionError, CancelledError
 */
export async function tryKey(
  { source, api }: AgentInputs,
  jobs: Pick<Jobs, 'get'>,
  { clock, signal }: Pick<Runner, 'clock' | 'signal'>,
): Promise<readonly Finding[]> {
  const isKnown = source.kind !== 'create' && source.jobId !== '';
  const jobId = isKnown ? source.jobId : noJob;
  const deadlineMs = clock.nowMs() + limitMs;
  const response = await retry<JobResponse>(
    async () => {
      const reply = await jobs.get(jobId, timeoutMs);
      const isTemporary = reply.kind === 'failure' && hasReason(reply.failure.error, 'unreachable');
      return isTemporary
        ? { kind: 'again', delayMs, deadlineMs, atDeadline: 'give-up', giveUp: () => reply }
        : { kind: 'done', value: reply };
    },
    { clock, signal },
  );
  if (response.kind === 'job') {
    const { id, status } = response.job;
    return [
      !isKnown
        ? note(
            'API',
            `The API at ${api.baseUrl.host} knows a job ${id} that cannot exist: check base-url.`,
          )
        : good('API', `The API at ${api.baseUrl.host} accepts the key. Job ${id} is ${status}.`),
    ];
  }
  const { error } = response.failure;
  if (!isKnown && hasReason(error, 'job-not-found')) {
    if (!response.failure.isFromApi) {
      throw new ActionError(
        'project-not-found',
        `the API at ${api.baseUrl.host} responded with 404, but not as Mintlify's API does`,
        'check base-url, and whether something in between responds in place of the API',
      );
    }
    return [
      good('API', `The API at ${api.baseUrl.host} accepts the key.`),
      {
        name: 'Project',
        level: 'unknown',
        text: `A wrong project-id may get the same response, so compare ${api.projectId} with the API keys page of the dashboard.`,
      },
    ];
  }
  throw error;
}
