import type { OutputTable } from '../runner/runner.ts';
import { messageOf } from './report/messages.ts';
import {
  type Ended,
  handedOverIn,
  jobIdOf,
  jobOf,
  linkOf,
  type Reached,
  type Stage,
} from './stage.ts';

/** An output that is set as soon as a stage has its value, and emptied if a later stage lacks the value. */
function early(read: (reached: Reached) => string | undefined): (stage: Stage) => string {
  return (stage) => read(stage.at === 'ended' ? stage.last : stage) ?? '';
}

/** An output that is set only at the end. */
function late<Value>(read: (ended: Ended) => Value): (stage: Stage) => Value | undefined {
  return (stage) => (stage.at === 'ended' ? read(stage) : undefined);
}

const pullRequestOf = (stage: Reached) => handedOverIn(stage)?.pullRequest;

/** The value of each output in action.yml, as a function of the stage. */
export const outputs = {
  'pr-link': early((stage) => linkOf(stage)?.url),
  status: early((stage) => jobOf(stage)?.status),
  result: late(({ result }) => result.result),
  reason: late(({ result }) => ('reason' in result ? result.reason : '')),
  message: late((ended) => messageOf(ended).sentence),
  // Later steps act on this id, so a dry run leaves it empty.
  'job-id': early((stage) => (stage.inputs?.isDryRun === true ? '' : jobIdOf(stage))),
  'job-source': early((stage) => (stage.at === 'waiting' ? stage.started.source : undefined)),
  'pr-number': early((stage) => linkOf(stage)?.github?.number.toString()),
  'pr-repository': early((stage) => linkOf(stage)?.github?.repository),
  'pr-title': early((stage) => pullRequestOf(stage)?.title),
  'pr-branch': early((stage) => pullRequestOf(stage)?.branch),
  'pr-base': early((stage) => pullRequestOf(stage)?.base),
  'pr-head-sha': early((stage) => pullRequestOf(stage)?.headSha),
  'pr-changed-files': early((stage) => pullRequestOf(stage)?.changedFiles.toString()),
  repository: early((stage) => jobOf(stage)?.repository),
  ref: early((stage) => jobOf(stage)?.ref),
  model: early((stage) => jobOf(stage)?.model),
  'created-at': early((stage) => jobOf(stage)?.createdAt),
  'archived-at': early((stage) => jobOf(stage)?.archivedAt),
  'duration-seconds': late(({ tookMs }) =>
    tookMs === undefined ? undefined : String(Math.round(tookMs / 1000)),
  ),
} as const satisfies OutputTable<Stage>;
