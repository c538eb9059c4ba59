import type { SkippedResult } from '../../common/reasons.ts';
import { PullRequestUnreadableError } from '../../github/errors.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { listChangedFiles, readPullHead } from '../../github/pull-request-changes.ts';
import { InputError } from '../../runner/errors.ts';
import { counted, listed } from '../../text/plain.ts';
import type { AgentInputs } from '../inputs.ts';
import type { AskedSource, JobSource } from '../job/source.ts';
import { findLabelled, type Search } from './find.ts';
import { latestForcePush } from './lost-commits.ts';
import type { OpenPullRequestDeps } from './open-pull-request.ts';
import { type ProveDeps, provePullRequest, unreadable } from './prove.ts';

/** Longer than a brief failure of the API, shorter than anyone waits for a job to start. */
const proofLimitMs = 60_000;

/** Goes on in the newest open pull request, or starts nothing because of it, or starts a job. */
export async function decide(
  source: JobSource<string> & { readonly kind: 'create' },
  inputs: AgentInputs,
  deps: OpenPullRequestDeps,
): Promise<JobSource<string> | SkippedResult> {
  const { runner, state, access } = deps;
  const { label, onOpen, docsRepository } = inputs.openPullRequest;
  const repository = docsRepository || runner.environment.repository;
  const github = withToken(access.inputs.docsToken, 'docs-token', deps);
  const search = await findLabelled(repository, label, github);
  tellOfOthers(search, repository, label, deps);
  const { found } = search;
  if (found === undefined) {
    return source;
  }
  if (onOpen === 'skip') {
    state.learn({ link: found.link });
    return {
      result: 'skipped',
      reason: 'pull-request-open',
      message: `Nothing was started, because the pull request of an earlier run is still open: merge or close ${found.link.url}, or take the label "${label}" off it, and then run the workflow again.`,
      isLoud: false,
    };
  }
  const { jobId, place, link } = found;
  await learnBeforeOf(place, found.checkedForcePush, github, deps);
  const followUp = { kind: 'follow-up', jobId, prompt: source.prompt } as const;
  const asked = inputs.source;
  if (asked.kind === 'create') {
    state.learn({ inputs: { ...inputs, source: { ...followUp, prompt: asked.prompt } } });
  }
  runner.log.info(`This run goes on in ${link.url}, which job ${jobId} opened.`);
  return followUp;
}

/** Somebody may have put the label on other pull requests, or written a comment like ours. */
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
    `${what} cannot be continued, because no job of this project is known to have opened ${passedOver.length === 1 ? 'it' : 'them'} (${names}): ${found === undefined ? 'this run starts a new job' : 'this run goes on in an older one'}.`,
  );
}

/** Finds the job of the pull request that the event is about. */
export async function nameJob(
  asked: Exclude<AskedSource<string>, { kind: 'create' }>,
  deps: OpenPullRequestDeps,
): Promise<AskedSource<string> | SkippedResult> {
  const { state, runner, access } = deps;
  const { repository, serverUrl, eventName } = runner.environment;
  const { thread } = access.facts;
  if (thread === undefined) {
    throw new InputError(
      'job-id',
      `is "from-pull-request", but the event ${eventName} is not about a pull request`,
      'use it on issue_comment or on an event of pull requests, or give the id of a job',
    );
  }
  const url = `${serverUrl}/${repository}/pull/${thread.number}`;
  const place = { repository, threadNumber: thread.number };
  const github = withToken(access.inputs.githubToken, 'github-token', deps);
  const found = thread.isPullRequest ? await provePullRequest(place, url, github) : undefined;
  if (found === undefined) {
    const what = thread.isPullRequest
      ? `no job of this project is known to have opened pull request ${repository}#${thread.number}`
      : `${repository}#${thread.number} is not a pull request`;
    return {
      result: 'skipped',
      reason: 'no-job-for-pull-request',
      message: `Nothing was sent, because ${what}: give pr-label to the step that starts the jobs, because it leaves a comment by which its pull requests are found.`,
      isLoud: false,
    };
  }
  const { jobId, checkedForcePush } = found;
  state.learn({ life: { checkedForcePush, question: access.facts.commentBody } });
  const { inputs } = state.current;
  if (inputs !== undefined && inputs.source.kind !== 'create') {
    state.learn({ inputs: { ...inputs, source: { ...inputs.source, jobId } } });
  }
  return { ...asked, jobId };
}

/** Remembers the state of the event's pull request before its job gets a follow-up. */
export async function learnBefore(deps: OpenPullRequestDeps): Promise<void> {
  const { runner, access, state } = deps;
  const { thread } = access.facts;
  if (thread !== undefined) {
    const place = { repository: runner.environment.repository, threadNumber: thread.number };
    const github = withToken(access.inputs.githubToken, 'github-token', deps);
    await learnBeforeOf(place, state.current.life?.checkedForcePush, github, deps);
  }
}

/** Without it, nobody would be told of commits that the agent dropped, so nothing is sent then. */
async function learnBeforeOf(
  place: MarkerPlace,
  checkedForcePush: string | undefined,
  github: ProveDeps,
  { state }: OpenPullRequestDeps,
): Promise<void> {
  const [head, files] = await Promise.all([
    readPullHead(place, github),
    listChangedFiles(place, github),
  ]);
  if (head.kind === 'failed') {
    const { repository, threadNumber } = place;
    throw unreadable(head, `pull request ${repository}#${threadNumber}`, repository, github);
  }
  const { headSha, branch, openedMs } = head.value;
  const latest = checkedForcePush ?? (await latestForcePush(place.repository, branch, github));
  state.learn({
    life: {
      ...state.current.life,
      before: { place, headSha, branch, openedMs, files },
      checkedForcePush: latest,
    },
  });
}

function withToken(token: string, tokenInput: string, deps: OpenPullRequestDeps): ProveDeps {
  if (token === '') {
    throw new PullRequestUnreadableError(
      `input ${tokenInput} is empty`,
      'leave it out, or give a token that may read pull requests',
    );
  }
  const { runner, github, state, readJob } = deps;
  const { clock, signal, environment } = runner;
  return {
    session: github.as(token),
    clock,
    signal,
    apiKey: state.current.inputs?.api.apiKey ?? '',
    graphqlUrl: github.graphqlUrl,
    serverUrl: environment.serverUrl,
    tokenInput,
    readJob(id) {
      const sinceMs = clock.nowMs();
      const deadlineMs = sinceMs + proofLimitMs;
      return readJob({ source: 'attach', id, sentMs: sinceMs, sinceMs, deadlineMs });
    },
  };
}
