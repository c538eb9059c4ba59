import { adviceOnComment, type RepositoryToken } from '../../github/errors.ts';
import { type ThreadPlace, threadName } from '../../github/names.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { Job } from '../../platform/job.ts';
import type { Environment } from '../../runner/environment.ts';
import { code, link, ownLink, prose } from '../../text/markdown.ts';
import { quoted } from '../../text/plain.ts';
import { type AgentInputs, permissionsFor } from '../inputs.ts';
import { statusTraits } from '../result.ts';
import type { HandedOver, Waiting, Work } from '../stage.ts';
import { isClosed, pullRequestLink } from './pull-request.ts';

/*
 * The texts about a pull request that lives on from run to run: warnings in the log, lines of the summary,
 * and our comment on the pull request.
 */

/** Warns that the branch may have been merged without this run's commits: GitHub is not asked when it was merged. */
export function closedWarning(place: ThreadPlace): string {
  return `${threadName(place)} is merged or closed by now, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.`;
}

/** Warns that the label or our comment could not be left on a pull request. */
export function recordWarning(
  failure: RequestFailure,
  place: ThreadPlace,
  token: RepositoryToken,
  { label, onOpenPullRequest }: AgentInputs,
): string {
  const advice = failure.isRefusal
    ? adviceOnComment(failure, permissionsFor(label), token, place)
    : 'check that both are there';
  const next =
    onOpenPullRequest === 'new'
      ? ''
      : ', because otherwise the next run may miss this pull request and start a second job';
  return `The label ${quoted(label)} or our comment could not be left on ${threadName(place)}, because ${failure.problem}: ${advice}${next}.`;
}

/** Warns that the pull request is on another server, where no token of this run works. */
export const serverWarning =
  'The pull request is on another server than this run, so the next run will not find it, and will start a second job: set on-open-pr to "new".';

/** Warns that the job's pull request is in another repository than the next run searches. */
export function placeWarning(searched: string, place: ThreadPlace): string {
  return `The next run looks for open pull requests in ${searched}, so it will not find ${threadName(place)}, and will start a second job: set docs-repository to ${place.repository}.`;
}

/** What the summary and our comment say of a pull request below its link, in Markdown; may be empty. */
export function continuationLines({ work, warnings }: HandedOver): string {
  return [...warnings.map((sentence) => `⚠️ ${prose(sentence)}`), lineOn(work)]
    .filter((line) => line !== '')
    .join('\n\n');
}

function lineOn(work: Work): string {
  switch (work.kind) {
    case 'opened':
      return work.instead === undefined
        ? ''
        : `The job opened this pull request instead of continuing ${pullRequestLink(work.instead)}.`;
    case 'continued':
      return `${ownLink('See what changed since the prompt was sent', work.url)}.`;
    case 'unchanged':
      return 'This run added no commits.';
    case 'unknown':
      return '';
  }
}

/** Warns of a job that no poll has seen active after the follow-up: its end may be the one from before. */
export const unseenWarning =
  'No poll has seen the agent at work on this follow-up, so it may still add commits: look at the pull request again before you merge it.';

/** Our comment on the pull request. Whoever reads it may see all details of the pull request. */
export function labelComment(
  handedOver: HandedOver,
  { access, inputs, record, started, seen: { job } }: Waiting,
  { serverUrl, repository, runUrl }: Environment,
): string {
  const { thread } = access.event;
  const run = `${runUrl === '' ? 'a run' : ownLink('a run', runUrl)} of ${code(repository)}`;
  const issues = `${serverUrl}/${repository}/issues`;
  const asked =
    thread &&
    `, asked for in ${link(`${repository}#${thread.number}`, `${issues}/${thread.number}`)}`;
  // The work was not asked for in a run that has sent nothing.
  const origin = record === undefined ? '' : `: see ${run}${asked ?? ''}`;
  const parts = [
    `The docs agent ${whatItDid[handedOver.work.kind]}${origin}. Its job is ${code(started.id)}${howItEnded(job)}.`,
    continuationLines(handedOver),
    isClosed(handedOver) ? '' : whatNext(inputs),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const whatItDid = {
  opened: 'opened this pull request',
  continued: 'continued this pull request',
  unchanged: 'left this pull request unchanged',
  unknown: 'was asked to work on this pull request',
} as const satisfies Record<Work['kind'], string>;

/** A job can have a pull request although it did not complete. */
function howItEnded(job: Job | undefined): string {
  const { now, hasEndedBadly } = statusTraits[job?.status ?? 'completed'];
  return hasEndedBadly ? `, which ${now}` : '';
}

function whatNext({ onOpenPullRequest, label }: AgentInputs): string {
  const own = 'Take the label off to make this pull request your own.';
  switch (onOpenPullRequest) {
    case 'continue':
      return `The next run continues in this pull request as long as it is open and has the label ${code(label)}. ${own}`;
    case 'skip':
      return `No new job starts as long as this pull request is open and has the label ${code(label)}. ${own}`;
    case 'new':
      return `The label ${code(label)} says that this pull request is the agent's. ${own}`;
  }
}
