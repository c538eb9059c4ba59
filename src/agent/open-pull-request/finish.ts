import { readPullRequestState } from '../../github/pull-request.ts';
import { timeLimit } from '../../network/timer.ts';
import { code } from '../../text/markdown.ts';
import { docsTokenInput } from '../access/inputs.ts';
import type { AgentInputs } from '../inputs.ts';
import { isClosed, replacedOf } from '../report/pull-request.ts';
import type { Result } from '../result.ts';
import type { State } from '../state.ts';
import { checkCommits } from './commits.ts';
import { markPullRequest, readRounds } from './mark.ts';
import type { MarkedDeps } from './marked-comments.ts';
import type { OpenPullRequestDeps } from './open-pull-request.ts';
import { roundNews, roundsReport } from './report.ts';
import type { Mark, Round } from './rounds.ts';
import {
  type WarningDeps,
  warnOfMark,
  warnOfPlace,
  warnOfServer,
  warnOfUnknown,
} from './warnings.ts';

/** All of this comes after the job has ended, so the step waits for it no longer than this. */
const limitMs = 30_000;

/** Checks what a job made of its pull request, marks that for the next run, and reports it. */
export async function finish(
  result: Result & { readonly result: 'pull-request' },
  deps: OpenPullRequestDeps,
): Promise<void> {
  const { runner, state } = deps;
  const concerns: string[] = [];
  await checkOnServer(result, deps, (sentence) => {
    runner.log.warning(sentence);
    concerns.push(sentence);
  });
  const { life } = state.current;
  const rounds = roundsReport(state.current, runner.environment, runner.clock.todayMs());
  const text = [...concerns.map((sentence) => `⚠️ ${code(sentence, 2000)}`), rounds];
  state.learn({ life: { ...life, text: text.filter((part) => part !== '').join('\n\n') } });
}

/** @param warnOfNext see `WarningDeps` */
async function checkOnServer(
  result: Result & { readonly result: 'pull-request' },
  deps: OpenPullRequestDeps,
  warnOfNext: WarningDeps['warnOfNext'],
): Promise<void> {
  const { runner, state, github, access } = deps;
  const { log, clock, environment } = runner;
  const { link, inputs, source } = state.current;
  if (inputs === undefined) {
    return;
  }
  const { openPullRequest, jobIsOfPullRequest, api } = inputs;
  if (link?.github === undefined) {
    warnOfServer(openPullRequest, { log, warnOfNext });
    return;
  }
  const { repository, number } = link.github;
  const place = { repository, threadNumber: Number(number) };
  // The pull request of an event is in the workflow's repository.
  const token = jobIsOfPullRequest ? access.inputs.githubToken : access.inputs.docsToken;
  const tokenInput = jobIsOfPullRequest
    ? 'github-token'
    : docsTokenInput(repository, access.inputs, environment);
  const warnings = { place, log, tokenInput, warnOfNext };
  if (source === 'create') {
    warnOfPlace(openPullRequest, environment.repository, warnings);
  }
  if (token === '') {
    const failure = { of: 'label', problem: `${tokenInput} is empty`, isRefusal: true } as const;
    warnOfMark(failure, openPullRequest, false, warnings);
    return;
  }
  const signal = AbortSignal.any([runner.signal, timeLimit(limitMs)]);
  const { graphqlUrl } = github;
  const marked = { session: github.as(token), clock, signal, apiKey: api.apiKey, graphqlUrl };
  try {
    await checkAndMark(result.job.id, inputs, warnings, marked, deps);
  } catch (error) {
    // An aborted delay throws. Any other error is a bug, but not a reason to fail the step.
    const problem = signal.aborted ? 'GitHub did not respond in time' : String(error);
    const failure = { problem, isRefusal: false };
    if (openPullRequest.label === '') {
      warnOfUnknown(undefined, '', { failure }, warnings);
    } else {
      const isMarked = state.current.life?.before !== undefined;
      warnOfMark({ of: 'comment', ...failure }, openPullRequest, isMarked, warnings);
    }
  }
}

async function checkAndMark(
  jobId: string,
  { openPullRequest }: AgentInputs,
  warnings: WarningDeps,
  marked: MarkedDeps,
  deps: OpenPullRequestDeps,
): Promise<void> {
  const { label, onOpen } = openPullRequest;
  const { state, runner, access } = deps;
  const { place } = warnings;
  const known = label === '' ? undefined : await readRounds(place, jobId, marked);
  const rounds = known === undefined || 'failure' in known ? undefined : known;
  await learnReplaced(marked, deps);
  const check = await checkCommits(rounds?.latest, marked, warnings, deps);
  if (known !== undefined && 'failure' in known) {
    // Only its comment can have led this run to a pull request of before.
    const isMarked = state.current.life?.before !== undefined;
    warnOfMark(known.failure, openPullRequest, isMarked, warnings);
  }
  if (rounds === undefined) {
    return;
  }
  const { serverUrl, repository, runId } = runner.environment;
  const date = new Date(runner.clock.todayMs()).toISOString().slice(0, 10);
  const { mark, failure } = await markPullRequest(
    {
      place,
      label,
      jobId,
      round: roundOf(state.current, rounds.latest, { date, repository, runId }),
      lastForcePush: check?.latest,
      isOwnRound: state.current.source !== 'attach',
      origin: {
        serverUrl,
        repository,
        runId,
        thread: access.facts.thread?.number,
        onOpen,
        isOpen: !isClosed(state.current),
        news: roundNews(state.current),
      },
    },
    rounds,
    marked,
  );
  if (mark !== undefined) {
    const { count } = mark;
    state.learn({ life: { ...state.current.life, count, earlier: mark.rounds.slice(0, -1) } });
  }
  if (failure !== undefined) {
    warnOfMark(failure, openPullRequest, rounds.latest !== undefined, warnings);
  }
}

/** Where the job has opened another pull request, finds out what became of the one of before. */
async function learnReplaced(
  { session, signal }: MarkedDeps,
  { state }: OpenPullRequestDeps,
): Promise<void> {
  const { github } = replacedOf(state.current)?.link ?? {};
  if (github !== undefined) {
    const found = await readPullRequestState(github, { session, signal });
    const isBeforeClosed = found === undefined ? undefined : found === 'closed';
    state.learn({ life: { ...state.current.life, isBeforeClosed } });
  }
}

function roundOf(
  state: State,
  latest: Mark | undefined,
  run: Pick<Round, 'date' | 'repository' | 'runId'>,
): Round {
  const { pullRequest, linkBefore, life } = state;
  const head = (life?.outcome?.headSha || pullRequest?.headSha) ?? '';
  const isNew = linkBefore === undefined || replacedOf(state) !== undefined;
  const opened =
    isNew && latest === undefined && pullRequest !== undefined
      ? {
          files: pullRequest.changedFiles,
          additions: pullRequest.additions,
          deletions: pullRequest.deletions,
        }
      : undefined;
  return { ...run, head: head.slice(0, 12), changed: life?.outcome?.changed ?? opened };
}
