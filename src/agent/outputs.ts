import type { OutputTable } from '../runner/runner.ts';
import { isExplained } from './result.ts';
import { jobIdOf, type State } from './state.ts';

/** The value of each output in action.yml, as a function of the state. */
export const outputs = {
  'pr-link': ({ link }) => link?.url,
  status: ({ job }) => job?.status,
  result: ({ end }) => end?.result.result,
  reason: ({ end }) => (end && isExplained(end.result) ? end.result.reason : ''),
  message: ({ end }) => end?.message,
  'job-id': jobIdOf,
  'job-source': ({ source }) => source,
  'pr-number': ({ link }) => link?.github?.number,
  'pr-repository': ({ link }) => link?.github?.repository,
  'pr-title': ({ pullRequest }) => pullRequest?.title,
  'pr-branch': ({ pullRequest }) => pullRequest?.branch,
  'pr-base': ({ pullRequest }) => pullRequest?.base,
  'pr-head-sha': ({ pullRequest }) => pullRequest?.headSha,
  'pr-changed-files': ({ pullRequest }) => pullRequest && String(pullRequest.changedFiles),
  repository: ({ job }) => job?.repository,
  ref: ({ job }) => job?.ref,
  model: ({ job }) => job?.model,
  'created-at': ({ job }) => job?.createdAt,
  'archived-at': ({ job }) => job?.archivedAt,
  'duration-seconds': ({ end }) => wholeSeconds(end?.tookMs),
} as const satisfies OutputTable<State>;

function wholeSeconds(durationMs: number | undefined): string | undefined {
  return durationMs === undefined ? undefined : String(Math.round(durationMs / 1000));
}
