import type { SkippedResult } from '../../common/reasons.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { listChangedFiles, readPullHead } from '../../github/pull-request-changes.ts';
import { counted, listed } from '../../text/plain.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AskedSource, JobSource } from '../job/source.ts';
import type { Search } from './find.ts';
import { latestForcePush } from './lost-commits.ts';
import type { OpenPullRequestDeps } from './open-pull-request.ts';
import { type ProveDeps, unreadable } from './prove.ts';
import {
  docsGitHub,
  docsRepositoryOf,
  findJobOfEvent,
  findOpen,
  noJob,
  withToken,
} from './search.ts';

/** Continues in the newest open pull request, or starts nothing because of it, or starts a job. */
export async function decide(
  source: JobSource<string> & { readonly kind: 'create' },
  inputs: AgentInputs,
  deps: OpenPullRequestDeps,
): Promise<JobSource<string> | SkippedResult> {
  const { runner, state } = deps;
  const { label, onOpen } = inputs.openPullRequest;
  const repository = docsRepositoryOf(inputs, deps);
  const search = await findStillOpen(inputs, deps);
  tellOfOthers(search, repository, label, deps);
  const { found } = search;
  if (found === undefined) {
    return source;
  }
  const { jobId, link } = found;
  state.learn({ link, linkBefore: link });
  if (onOpen === 'skip') {
    return {
      result: 'skipped',
      reason: 'pull-request-open',
      message: `Nothing was started, because the pull request of an earlier run is still open: merge or close ${link.url}, or take the label "${label}" off it, and then run the workflow again.`,
      isLoud: false,
    };
  }
  const followUp = { kind: 'follow-up', jobId, prompt: source.prompt } as const;
  const asked = inputs.source;
  if (asked.kind === 'create') {
    state.learn({ inputs: { ...inputs, source: { ...followUp, prompt: asked.prompt } } });
  }
  runner.log.info(`This run continues in ${link.url}, which job ${jobId} opened.`);
  return followUp;
}

/**
 * Finds the pull request to continue in, and remembers its state. One that is merged or closed in the
 * meantime is left out: the commits of a follow-up would stay on a branch that nobody merges.
 */
async function findStillOpen(inputs: AgentInputs, deps: OpenPullRequestDeps): Promise<Search> {
  const closed = new Set<number>();
  for (;;) {
    const search = await findOpen(inputs, closed, deps);
    const { found } = search;
    if (found === undefined || inputs.openPullRequest.onOpen === 'skip') {
      return search;
    }
    const { place, checkedForcePush } = found;
    const github = docsGitHub(place.repository, deps);
    if (await learnBeforeOf(place, checkedForcePush, github, deps)) {
      return search;
    }
    const name = `${place.repository}#${place.threadNumber}`;
    deps.runner.log.notice(`${name} is not continued, because it has just been merged or closed.`);
    closed.add(place.threadNumber);
  }
}

/** People may have put the label on other pull requests, or written a comment like ours. */
function tellOfOthers(
  { found, passedOver }: Search,
  repository: string,
  label: string,
  { runner }: OpenPullRequestDeps,
): void {
  if (passedOver.length === 0) {
    return;
  }
  const shown = passedOver.slice(0, 5).map((number) => `${repository}#${number}`);
  const names = listed([
    ...shown,
    ...(passedOver.length > shown.length ? [`${passedOver.length - shown.length} more`] : []),
  ]);
  const what = `${counted(passedOver.length, 'open pull request')} with the label "${label}"`;
  runner.log.notice(
    `${what} cannot be continued, because no job of this project is known to have opened ${passedOver.length === 1 ? 'it' : 'them'} (${names}): ${found === undefined ? 'this run starts a new job' : 'this run continues in an older one'}.`,
  );
}

/** Finds the job of the pull request that the event is about, and takes it for the step's own. */
export async function nameJob(
  asked: Exclude<AskedSource<string>, { kind: 'create' }>,
  deps: OpenPullRequestDeps,
): Promise<AskedSource<string> | SkippedResult> {
  const { state, access } = deps;
  const found = await findJobOfEvent(deps);
  if ('result' in found) {
    return found;
  }
  const { jobId, link, checkedForcePush } = found;
  const life = { checkedForcePush, question: access.facts.commentBody };
  state.learn({ link, linkBefore: link, life });
  const { inputs } = state.current;
  if (inputs !== undefined && inputs.source.kind !== 'create') {
    state.learn({ inputs: { ...inputs, source: { ...inputs.source, jobId } } });
  }
  return { ...asked, jobId };
}

/**
 * Remembers the state of the event's pull request before its job gets a follow-up.
 * @returns the result if the pull request is not open: nobody would merge what came of the follow-up
 */
export async function learnBefore(deps: OpenPullRequestDeps): Promise<SkippedResult | undefined> {
  const { runner, access, state } = deps;
  const { thread } = access.facts;
  if (thread === undefined) {
    return undefined;
  }
  const { repository } = runner.environment;
  const place = { repository, threadNumber: thread.number };
  const github = withToken(access.inputs.githubToken, 'github-token', deps);
  return (await learnBeforeOf(place, state.current.life?.checkedForcePush, github, deps))
    ? undefined
    : noJob(
        `pull request ${repository}#${thread.number} is merged or closed`,
        'reopen it if it was only closed, or start a new job for what is left to do',
      );
}

/**
 * Without it, nobody would be told of commits that the agent dropped, so nothing is sent then.
 * @returns whether the pull request is still open
 */
async function learnBeforeOf(
  place: MarkerPlace,
  checkedForcePush: string | undefined,
  github: ProveDeps,
  { state }: OpenPullRequestDeps,
): Promise<boolean> {
  const [head, files] = await Promise.all([
    readPullHead(place, github),
    listChangedFiles(place, github),
  ]);
  if (head.kind === 'unread') {
    const { repository, threadNumber } = place;
    throw unreadable(head, `pull request ${repository}#${threadNumber}`, repository, github);
  }
  const { headSha, branch, isOpen, openedMs } = head.value;
  if (!isOpen) {
    return false;
  }
  const latest = checkedForcePush ?? (await latestForcePush(place.repository, branch, github));
  state.learn({
    life: {
      ...state.current.life,
      before: { place, headSha, branch, openedMs, files },
      checkedForcePush: latest,
    },
  });
  return true;
}
