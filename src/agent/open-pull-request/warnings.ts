import type { MarkerPlace } from '../../github/marker.ts';
import { isSameName } from '../../github/names.ts';
import { shownFiles } from '../../github/pull-request.ts';
import type { Log } from '../../runner/log.ts';
import { listed } from '../../text/plain.ts';
import type { OpenPullRequestInputs } from './inputs.ts';
import { commandFor, type ForcePushCheck, type LostCommit } from './lost-commits.ts';
import type { MarkFailure } from './mark.ts';
import type { Outcome } from './outcome.ts';

/** What the log says of a pull request after its job has ended. */
export interface WarningDeps {
  readonly place: MarkerPlace;
  readonly log: Pick<Log, 'warning' | 'notice'>;
  /** The input that has the token, for advice. */
  readonly tokenInput: string;
  /** Warns of what the next run will not find, which the summary repeats: it costs a second job. */
  readonly warnOfNext: (sentence: string) => void;
}

/** More than that is not read in a log. */
const shownCommits = 5;

/** The work of this run may be on a branch that nobody merges any more. */
export function warnOfClosed({ place, log }: WarningDeps): void {
  log.warning(
    `${nameOf(place)} was merged or closed while its job worked on it, so commits of this run may be missing on the base branch: compare the two branches, and run the workflow again for what is missing.`,
  );
}

/** @param branch empty if its name may not be shown */
export function warnOfLost(
  lost: readonly LostCommit[],
  branch: string,
  { place, log }: WarningDeps,
): void {
  for (const commit of lost.slice(0, shownCommits)) {
    log.warning(
      `The branch of ${nameOf(place)} has lost commit ${commit.sha}, ${howLost(commit)}: to have it back, run "${commandFor(commit.sha)}" on ${branch === '' ? 'that branch' : `the branch ${branch}`}.`,
    );
  }
  if (lost.length > shownCommits) {
    log.warning(
      `The branch of ${nameOf(place)} has lost ${lost.length - shownCommits} more commits in force-pushes: look for them in the pull request.`,
    );
  }
}

/** How a commit got lost; continues a sentence. */
export function howLost({ pusher }: LostCommit): string {
  return pusher === ''
    ? 'which was its last one before this run'
    : `over which ${pusher} has force-pushed`;
}

/** What could not be found out must not pass for good news. */
export function warnOfUnknown(
  outcome: Outcome | undefined,
  headBefore: string,
  check: Pick<ForcePushCheck, 'failure'> | undefined,
  { place, log, tokenInput }: WarningDeps,
): void {
  const adviceOn = ({ isRefusal }: { readonly isRefusal: boolean }): string =>
    isRefusal
      ? `give ${tokenInput} the permission "contents: read" on ${place.repository}, and `
      : '';
  if (outcome?.keepsHistory === undefined && outcome?.failure !== undefined) {
    log.warning(
      `Whether the branch of ${nameOf(place)} still has commit ${headBefore}, which was its last one before this run, is not known, because ${outcome.failure.problem}: ${adviceOn(outcome.failure)}look for that commit in the pull request.`,
    );
  } else if (check?.failure !== undefined) {
    log.warning(
      `Whether force-pushes took commits from the branch of ${nameOf(place)} is not known, because ${check.failure.problem}: ${adviceOn(check.failure)}look for force-pushes in the pull request.`,
    );
  }
}

export function noteReverted(
  reverted: readonly string[],
  mayName: boolean,
  { place, log }: WarningDeps,
): void {
  if (reverted.length > 0) {
    const what = reverted.length === 1 ? 'One file' : `${reverted.length} files`;
    const names = mayName ? nameFiles(reverted) : '';
    log.notice(
      `${what} of ${nameOf(place)} went back to the state on the base branch in this run${names}.`,
    );
  }
}

function nameFiles(files: readonly string[]): string {
  const shown = files.slice(0, shownFiles);
  const rest = files.length - shown.length;
  return `: ${listed([...shown, ...(rest > 0 ? [`${rest} more`] : [])])}`;
}

/**
 * The step warns once, and never fails for it: the pull request is there.
 * @param isMarked whether the comment of an earlier run is there, by which the next run finds it
 */
export function warnOfMark(
  failure: MarkFailure,
  { label, onOpen }: OpenPullRequestInputs,
  isMarked: boolean,
  { place, tokenInput, warnOfNext }: WarningDeps,
): void {
  const what =
    failure.of === 'label'
      ? `The label "${label}" could not be put on ${nameOf(place)}`
      : `The comment on ${nameOf(place)} that the next run needs could not be written`;
  const lock = failure.of === 'comment' ? ', and check that its conversation is not locked' : '';
  const advice = failure.isRefusal
    ? `give ${tokenInput} the permissions "issues: write" and "pull-requests: write" on ${place.repository}${lock}`
    : 'look at its label and its comments';
  const next = onOpen === 'new' ? '' : `, because the next run ${consequence(failure, isMarked)}`;
  warnOfNext(`${what}, because ${failure.problem}: ${advice}${next}.`);
}

function consequence({ isRefusal }: MarkFailure, isMarked: boolean): string {
  if (isMarked) {
    return 'will not know of this round';
  }
  return isRefusal
    ? 'will not find this pull request, and will start a second job'
    : 'may not find this pull request, and start a second job then';
}

/** There is no token for another server, so nothing there can be marked or found. */
export function warnOfServer(
  { onOpen }: OpenPullRequestInputs,
  { log, warnOfNext }: Pick<WarningDeps, 'warnOfNext'> & { readonly log: Pick<Log, 'debug'> },
): void {
  const news =
    'The pull request is on another server than this run, so it is not marked for later runs';
  if (onOpen === 'new') {
    log.debug(`${news}.`);
  } else {
    warnOfNext(`${news}, and the next one will start a second job: set on-open-pr to "new".`);
  }
}

/** The pull request of a job is not where the next run looks. */
export function warnOfPlace(
  { docsRepository, onOpen }: OpenPullRequestInputs,
  repository: string,
  { place, warnOfNext }: WarningDeps,
): void {
  const searched = docsRepository || repository;
  if (onOpen !== 'new' && !isSameName(searched, place.repository)) {
    warnOfNext(
      `The next run looks for open pull requests in ${searched}, so it will not find ${nameOf(place)}, and will start a second job: set docs-repository to ${place.repository}.`,
    );
  }
}

function nameOf({ repository, threadNumber }: MarkerPlace): string {
  return `${repository}#${threadNumber}`;
}
