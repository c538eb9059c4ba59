import type { GitHubDeps } from '../../github/comment-list.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { shownFiles } from '../../github/pull-request.ts';
import { timeLimit } from '../../network/timer.ts';
import { listed } from '../../text/plain.ts';
import { mayShowDetails } from '../report/visibility.ts';
import type { Result } from '../result.ts';
import type { State } from '../state.ts';
import { commandFor, compareWithBefore, type Outcome } from './lost-commits.ts';
import { markPullRequest } from './mark.ts';
import type { OpenPullRequestDeps } from './open-pull-request.ts';
import { roundsReport } from './report.ts';
import type { Round } from './rounds.ts';

/** All of this comes after the job has ended, so the step waits for it no longer than this. */
const limitMs = 30_000;

/** Checks what a job made of its pull request, and marks that for the next run. */
export async function finish(
  result: Result & { readonly result: 'pull-request' },
  deps: OpenPullRequestDeps,
): Promise<void> {
  const { runner, state, github, access } = deps;
  const { link, inputs } = state.current;
  const { docsToken, githubToken } = access.inputs;
  if (link?.github === undefined || inputs === undefined) {
    runner.log.debug('The pull request is on another server, so it is not marked for later runs.');
    return;
  }
  const place = {
    repository: link.github.repository,
    threadNumber: Number(link.github.number),
  };
  const label = inputs.openPullRequest.label;
  // The pull request of an event is in the workflow's repository.
  const token = inputs.jobIsOfPullRequest ? githubToken : docsToken;
  if (token === '') {
    warnOfMark(
      { of: 'label', problem: 'docs-token is empty', isRefusal: true },
      place,
      label,
      deps,
    );
    return;
  }
  const signal = AbortSignal.any([runner.signal, timeLimit(limitMs)]);
  const gitHubDeps: GitHubDeps = { session: github.as(token), clock: runner.clock, signal };
  try {
    const outcome = await checkCommits(place, gitHubDeps, deps);
    if (label !== '') {
      await mark(result.job.id, place, outcome, gitHubDeps, deps);
    }
    const text = roundsReport(state.current, runner.environment, runner.clock.todayMs());
    state.learn({ life: { ...state.current.life, text } });
  } catch (error) {
    // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
    const problem = signal.aborted ? 'GitHub did not respond in time' : String(error);
    warnOfMark({ of: 'comment', problem, isRefusal: false }, place, label, deps);
  }
}

/** Warns of commits that the branch has no more, and names the files that went back. */
async function checkCommits(
  { repository, threadNumber }: MarkerPlace,
  github: GitHubDeps,
  { runner, state }: OpenPullRequestDeps,
): Promise<Outcome | undefined> {
  const before = state.current.life?.before;
  if (before === undefined || before.place.threadNumber !== threadNumber) {
    return undefined;
  }
  const outcome = await compareWithBefore(before, state.current.pullRequest?.headSha, github);
  const name = `${repository}#${threadNumber}`;
  const { keepsHistory, reverted, problem } = outcome;
  if (keepsHistory === false) {
    runner.log.warning(
      `The branch of ${name} has lost commit ${before.headSha}, which was its last one before this run: to have it back, run "${commandFor(before.headSha)}" on that branch.`,
    );
  }
  if (keepsHistory === undefined) {
    runner.log.warning(
      `Whether the branch of ${name} still has commit ${before.headSha}, which was its last one before this run, is not known, because ${problem}: look for that commit in the pull request.`,
    );
  }
  if (reverted.length > 0) {
    const names = mayShowDetails(state.current, runner.environment) ? nameFiles(reverted) : '';
    runner.log.notice(
      `${reverted.length === 1 ? 'One file' : `${reverted.length} files`} of ${name} went back to the state on the base branch in this run${names}.`,
    );
  }
  state.learn({ life: { ...state.current.life, outcome } });
  return outcome;
}

function nameFiles(files: readonly string[]): string {
  const shown = files.slice(0, shownFiles);
  const rest = files.length - shown.length;
  return `: ${listed([...shown, ...(rest > 0 ? [`${rest} more`] : [])])}`;
}

async function mark(
  jobId: string,
  place: MarkerPlace,
  outcome: Outcome | undefined,
  gitHubDeps: GitHubDeps,
  deps: OpenPullRequestDeps,
): Promise<void> {
  const { runner, state, github, access } = deps;
  const { inputs, source } = state.current;
  const { serverUrl, repository, runId } = runner.environment;
  const openPullRequest = inputs?.openPullRequest;
  if (openPullRequest === undefined) {
    return;
  }
  const { label, onOpen } = openPullRequest;
  const round = roundOf(state.current, outcome, {
    date: new Date(runner.clock.todayMs()).toISOString().slice(0, 10),
    repository,
    runId,
  });
  const thread = access.facts.thread?.number;
  const marked = await markPullRequest(
    {
      place,
      label,
      jobId,
      round,
      isOwnRound: source !== 'attach',
      origin: { serverUrl, repository, runId, thread, onOpen },
    },
    { ...gitHubDeps, apiKey: inputs?.api.apiKey ?? '', graphqlUrl: github.graphqlUrl },
  );
  if (marked.mark !== undefined) {
    const { count, rounds } = marked.mark;
    state.learn({ life: { ...state.current.life, count, earlier: rounds.slice(0, -1) } });
  }
  if (marked.failure !== undefined) {
    warnOfMark(marked.failure, place, label, deps);
  }
}

function roundOf(
  { pullRequest, source }: State,
  outcome: Outcome | undefined,
  run: Pick<Round, 'date' | 'repository' | 'runId'>,
): Round {
  const head = (outcome?.headSha || pullRequest?.headSha) ?? '';
  const isNew = source === 'create' && pullRequest !== undefined;
  const opened = isNew
    ? {
        files: pullRequest.changedFiles,
        additions: pullRequest.additions,
        deletions: pullRequest.deletions,
      }
    : undefined;
  return { ...run, head: head.slice(0, 12), changed: outcome?.changed ?? opened };
}

/** The step warns once, and never fails for it: the pull request is there. */
function warnOfMark(
  failure: {
    readonly of: 'label' | 'comment';
    readonly problem: string;
    readonly isRefusal: boolean;
  },
  { repository, threadNumber }: MarkerPlace,
  label: string,
  { runner }: OpenPullRequestDeps,
): void {
  const name = `${repository}#${threadNumber}`;
  const what =
    failure.of === 'label'
      ? `The label "${label}" could not be put on ${name}`
      : `The comment on ${name} that the next run needs could not be written`;
  const advice = failure.isRefusal
    ? `give docs-token (by default, that is github-token) the permissions "issues: write" and "pull-requests: write" on ${repository}, because otherwise the next run does not find this pull request`
    : 'the next run may not find this pull request, so look at its label and its comments';
  runner.log.warning(`${what}, because ${failure.problem}: ${advice}.`);
}
