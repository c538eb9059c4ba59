import type { ThreadPlace } from '../../github/comments.ts';
import { adviceOnToken, type RepositoryToken } from '../../github/errors.ts';
import { threadName } from '../../github/names.ts';
import type { RequestFailure } from '../../github/request.ts';
import { code, link, ownLink, prose } from '../../text/markdown.ts';
import type { Granted } from '../access.ts';
import type { LostCommit } from '../earlier/force-pushes.ts';
import type { Mark, MarkFailure } from '../earlier/pull-request-comment.ts';
import { type AgentInputs, permissionsFor } from '../inputs.ts';
import { statusPhrases, whyNotResumed } from '../result.ts';
import type { AgentDeps, State } from '../state.ts';
import { isClosed, replacedLine } from './pull-request.ts';

/*
 * The texts about a pull request that lives on from run to run: warnings in the log, lines of the summary,
 * and our comment on the pull request.
 */

/** More than that is not read in a log. */
const maxNamed = 5;

/** The commits of this run may be on a branch that is not merged any more. */
export function closedWarning(place: ThreadPlace): string {
  return `${threadName(place)} was merged or closed while its job worked on it, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.`;
}

/** What the branch has lost, each with the way back. */
export function lostWarnings(lost: readonly LostCommit[], place: ThreadPlace): readonly string[] {
  const branch = `The branch of ${threadName(place)}`;
  const rest = lost.length - maxNamed;
  const named = lost
    .slice(0, maxNamed)
    .map(
      ({ sha, pusher }) =>
        `${branch} has lost commit ${sha}, over which ${pusher || 'a user who is gone'} has force-pushed: to have it back, run "git fetch origin ${sha} && git merge FETCH_HEAD && git push" on that branch.`,
    );
  return rest > 0
    ? [
        ...named,
        `${branch} has lost ${rest} more commits in force-pushes: look for them in the pull request.`,
      ]
    : named;
}

/** Why it is not known what force-pushes took. A commit that is gone for good is a 404, too. */
export function unknownWarning(
  { problem, isRefusal }: Pick<RequestFailure, 'problem' | 'isRefusal'>,
  place: ThreadPlace,
  { input }: RepositoryToken,
): string {
  const advice = isRefusal
    ? `give ${input} the permission "contents: read" on ${place.repository}, and `
    : '';
  return `Whether force-pushes took commits from the branch of ${threadName(place)} is not known, because ${problem}: ${advice}look for force-pushes in the pull request.`;
}

interface MarkWarningDeps {
  readonly place: ThreadPlace;
  readonly token: RepositoryToken;
  readonly inputs: AgentInputs;
}

/** Warns of a pull request that could not be marked for the next run. */
export function markWarning(
  failure: MarkFailure,
  { place, token, inputs: { label, onOpenPullRequest } }: MarkWarningDeps,
): string {
  const what =
    failure.of === 'label'
      ? `The label "${label}" could not be put on ${threadName(place)}`
      : `The comment on ${threadName(place)} that the next run needs could not be written`;
  // GitHub refuses a comment on a locked conversation with 403.
  const mayBeLocked = failure.of === 'comment' && failure.status === 403;
  const lock = mayBeLocked ? ', and check that its conversation is not locked' : '';
  const advice = failure.isRefusal
    ? `${adviceOnToken(failure, permissionsFor(label), token)}${lock}`
    : 'look at its label and its comments';
  const next =
    onOpenPullRequest === 'new'
      ? ''
      : ', because otherwise the next run may miss this pull request and start a second job';
  return `${what}, because ${failure.problem}: ${advice}${next}.`;
}

/** There is no token for another server, so nothing there can be marked or found. */
export const serverWarning =
  'The pull request is on another server than this run, so it is not marked for later runs, and the next one will start a second job: set on-open-pr to "new".';

/** The pull request of a job is not where the next run looks. */
export function placeWarning(searched: string, place: ThreadPlace): string {
  return `The next run looks for open pull requests in ${searched}, so it will not find ${threadName(place)}, and will start a second job: set docs-repository to ${place.repository}.`;
}

/** What the summary and the comment say about the round, in Markdown; empty for nothing. */
export function roundLines({ round }: State): string {
  const { warnings = [], isUnchanged, changesUrl } = round ?? {};
  return [
    ...warnings.map((sentence) => `⚠️ ${prose(sentence)}`),
    ...(isUnchanged === true ? ['This round has no new commits.'] : []),
    ...(changesUrl === undefined ? [] : [`${ownLink('See what this round changed', changesUrl)}.`]),
  ].join('\n\n');
}

interface LabelCommentDeps extends AgentDeps {
  readonly access: Granted;
  readonly inputs: AgentInputs;
}

/** Our comment on the pull request, for its readers, who can read all of it. */
export function labelComment(
  mark: Mark,
  { state: { current: state }, runner, access, inputs }: LabelCommentDeps,
): string {
  const { serverUrl, repository, runUrl } = runner.environment;
  const { thread } = access.event;
  const run = `${runUrl === '' ? 'a run' : ownLink('a run', runUrl)} of ${code(repository)}`;
  const asked =
    thread &&
    link(`${repository}#${thread.number}`, `${serverUrl}/${repository}/issues/${thread.number}`);
  const parts = [
    `The docs agent ${whatItDid(mark, state)} for ${run}${asked === undefined ? '' : `, asked for in ${asked}`}. Its job is ${code(mark.jobId)}${howItEnded(state)}.`,
    replacedLine(state),
    roundLines(state),
    isClosed(state) ? '' : whatNext(inputs),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function whatItDid({ round }: Mark, state: State): string {
  if (round === 1) {
    return 'opened this pull request';
  }
  return state.round?.isUnchanged === true
    ? `left this pull request unchanged in round ${round},`
    : `continued this pull request in round ${round},`;
}

/** A job can have a pull request although it did not complete. */
function howItEnded({ job }: State): string {
  return job === undefined || whyNotResumed(job.status) === undefined
    ? ''
    : `, which ${statusPhrases[job.status].now}`;
}

function whatNext({ onOpenPullRequest, label }: AgentInputs): string {
  const own = 'Take the label off to make it your own.';
  switch (onOpenPullRequest) {
    case 'continue':
      return `The next run continues in this pull request as long as it is open and has the label ${code(label)}. ${own}`;
    case 'skip':
      return `No new run starts as long as this pull request is open and has the label ${code(label)}. ${own}`;
    case 'new':
      return `The label ${code(label)} says that it is the agent's. ${own}`;
  }
}
