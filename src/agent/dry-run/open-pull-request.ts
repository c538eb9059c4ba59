import { connect, describeCalls } from '../../common/connect.ts';
import { createJobs } from '../../platform/jobs.ts';
import type { Access } from '../access/access.ts';
import type { AgentInputs } from '../inputs.ts';
import { readJob } from '../job/poll.ts';
import type { OpenPullRequestDeps } from '../open-pull-request/open-pull-request.ts';
import { hourlyLimit, type Tools } from '../tools.ts';
import { type Finding, good, note } from './finding.ts';

const name = 'Open pull request';

const silent = { polled: () => {}, waiting: () => {}, pollFailed: () => {} };

/**
 * Finds the pull request that a real run would continue, or that would keep it from starting a job;
 * nothing if the inputs ask for neither.
 *
 * @throws ActionError as a real run does
 */
export async function findOpenPullRequest(
  inputs: AgentInputs,
  access: Access & { readonly kind: 'granted' },
  tools: Tools,
): Promise<readonly Finding[]> {
  const { onOpen } = inputs.openPullRequest;
  const { runner } = tools;
  if (!inputs.jobIsOfPullRequest && (onOpen === 'new' || inputs.source.kind !== 'create')) {
    return [];
  }
  await using client = connect(inputs.api, runner);
  const { get: getJob } = createJobs(client, describeCalls(inputs.api, hourlyLimit));
  const pollDeps = { ...runner, getJob, observer: silent, pollIntervalMs: undefined };
  const deps = {
    ...tools,
    access,
    readJob: (attached) => readJob(attached, pollDeps),
  } satisfies OpenPullRequestDeps;
  return [inputs.jobIsOfPullRequest ? await ofEvent(deps) : await ofLabel(inputs, deps)];
}

async function ofEvent(deps: OpenPullRequestDeps): Promise<Finding> {
  const { findJobOfEvent } = await import('../open-pull-request/search.ts');
  const found = await findJobOfEvent(deps);
  return 'result' in found
    ? note(name, `A real run would be skipped. ${found.message}`)
    : good(name, `Job ${found.jobId} opened ${found.link.url}, so a real run would continue it.`);
}

async function ofLabel(inputs: AgentInputs, deps: OpenPullRequestDeps): Promise<Finding> {
  const { findOpen } = await import('../open-pull-request/search.ts');
  const { found, passedOver } = await findOpen(inputs, new Set(), deps);
  const label = `the label "${inputs.openPullRequest.label}"`;
  if (found !== undefined) {
    return inputs.openPullRequest.onOpen === 'skip'
      ? note(name, `${found.link.url} is open and has ${label}, so a real run would be skipped.`)
      : good(
          name,
          `Job ${found.jobId} opened ${found.link.url}, which has ${label}, so a real run would continue it.`,
        );
  }
  return passedOver.length === 0
    ? good(name, `None has ${label}, so a real run would start a new job.`)
    : note(
        name,
        `No job of this project is known to have opened one with ${label}, so a real run would start a new job.`,
      );
}
