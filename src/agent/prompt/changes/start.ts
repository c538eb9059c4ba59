import {
  type CompareDeps,
  type ComparisonPage,
  compare,
  listReleases,
  listSuccessfulRuns,
} from '../../../github/compare.ts';
import { ChangesError } from '../../../github/errors.ts';
import type { Release } from '../../../github/event-schema.ts';
import { EnvironmentError, InputError } from '../../../runner/errors.ts';
import type { EventPayload } from '../../../runner/event.ts';
import { quoted } from '../../../text/plain.ts';
import type { ChangesSince } from './since.ts';

/** The run whose changes are asked for. */
export interface ChangesRun {
  readonly event: EventPayload;
  readonly eventName: string;
  /** The commit that the changes end at. */
  readonly sha: string;
  /** Such as `refs/heads/main`. */
  readonly ref: string;
  /** The workflow's file as `owner/name/path`. */
  readonly workflow: string;
}

/** A start, and what changed between it and the run's commit. */
export interface FoundStart {
  /** What people call the start, such as `v1.2.0`; empty for a plain commit. */
  readonly name: string;
  readonly page: ComparisonPage;
  /** Sentences about a start that is not the one that was asked for. */
  readonly warnings: readonly string[];
}

/**
 * Finds where the changes of a run start, and compares that with the run's commit.
 *
 * @throws InputError if the input and the event name no start
 * @throws ChangesError if the start is not in the history of the run's commit, or cannot be read
 */
export async function findStart(
  since: ChangesSince,
  run: ChangesRun,
  deps: CompareDeps,
): Promise<FoundStart> {
  if (run.sha === '') {
    throw new EnvironmentError(
      'GITHUB_SHA',
      'is empty, but {{changes}} ends at this commit',
      'run this step in a workflow that GitHub starts',
    );
  }
  switch (since.kind) {
    case 'named':
      return await exactly(since.name, run, deps);
    case 'last-success':
      return await sinceLastSuccess(run, deps);
    case 'event':
      return await sinceEvent(run, deps);
  }
}

async function sinceEvent(run: ChangesRun, deps: CompareDeps): Promise<FoundStart> {
  switch (run.eventName) {
    case 'push':
      return await exactly(await beforePush(run), run, deps);
    case 'release':
      return await sinceEarlierRelease(run, deps);
    default:
      throw new InputError(
        'changes-since',
        `is empty, and the event ${run.eventName} names no start for {{changes}}`,
        advice,
      );
  }
}

const advice = 'give a commit, a tag, a branch or last-success';

async function beforePush({ event, ref }: ChangesRun): Promise<string> {
  const { readPushBefore } = await import('../../../github/event-schema.ts');
  const before = readPushBefore(payloadOf(event)) ?? '';
  if (/^0+$/.test(before)) {
    throw new InputError(
      'changes-since',
      `is empty, and this push created ${quoted(branchOf(ref) ?? ref)}, so that no commit is before it`,
      'give the branch that it started from, a commit or a tag',
    );
  }
  if (before === '') {
    throw new InputError(
      'changes-since',
      'is empty, and the push names no commit before it',
      advice,
    );
  }
  return before;
}

function payloadOf(event: EventPayload): unknown {
  if (event.kind === 'unreadable') {
    throw new InputError('changes-since', `is empty, and ${event.problem}`, advice);
  }
  return event.payload;
}

/** Enough releases of other branches to pass over. */
const mostReleases = 10;

/**
 * The newest release before this one in its history. Projects that maintain several versions publish
 * releases of other branches in between.
 */
async function sinceEarlierRelease(run: ChangesRun, deps: CompareDeps): Promise<FoundStart> {
  const { readReleaseOf } = await import('../../../github/event-schema.ts');
  const release = readReleaseOf(payloadOf(run.event));
  if (release === undefined) {
    throw new InputError('changes-since', 'is empty, and the event names no release', advice);
  }
  const earlier = earlierReleases(release, await listReleases(deps)).slice(0, mostReleases);
  for (const { tag } of earlier) {
    const page = await compare(tag, run.sha, deps);
    if (isInHistory(page)) {
      return { name: tag, page, warnings: [] };
    }
  }
  throw new InputError(
    'changes-since',
    `is empty, and no release before ${quoted(release.tag)} is in its history`,
    'give a commit, a tag or a branch that is',
  );
}

/**
 * The releases that were published before this one, newest first. Prereleases only count before
 * another prerelease.
 */
export function earlierReleases(release: Release, all: readonly Release[]): readonly Release[] {
  return all
    .filter(({ tag, isDraft }) => tag !== release.tag && !isDraft)
    .filter(({ isPrerelease }) => release.isPrerelease || !isPrerelease)
    .filter(
      ({ publishedAt }) =>
        publishedAt !== '' && (release.publishedAt === '' || publishedAt < release.publishedAt),
    )
    .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

async function sinceLastSuccess(run: ChangesRun, deps: CompareDeps): Promise<FoundStart> {
  const file = /\.github\/workflows\/([^/]+)$/.exec(run.workflow)?.[1];
  const branch = branchOf(run.ref);
  if (file === undefined || branch === undefined) {
    throw new InputError(
      'changes-since',
      `is last-success, but ${branch === undefined ? 'this run is not about a branch' : "the runner does not name the workflow's file"}`,
      'give a commit, a tag or a branch',
    );
  }
  const runs = await listSuccessfulRuns(file, branch, deps);
  const last = runs.find(
    // A pull request from a fork, or its branch, can have any name, also the name of this branch.
    ({ eventName, headRepository }) =>
      !eventName.startsWith('pull_request') &&
      headRepository.toLowerCase() === deps.repository.toLowerCase(),
  );
  return last === undefined
    ? await sinceEventOfFirstRun(run, branch, deps)
    : await sinceRun(last.headSha, run, deps);
}

/** Until a run has succeeded, nothing is left over from earlier runs that could be found. */
async function sinceEventOfFirstRun(
  run: ChangesRun,
  branch: string,
  deps: CompareDeps,
): Promise<FoundStart> {
  if (run.eventName !== 'push') {
    throw new InputError(
      'changes-since',
      `is last-success, but no run of this workflow on ${quoted(branch)} has succeeded yet`,
      'give a commit, a tag or a branch for the first run',
    );
  }
  const found = await sinceEvent(run, deps);
  const warning = `No run of this workflow on ${quoted(branch)} has succeeded yet, so {{changes}} starts at the commit before this push.`;
  return { ...found, warnings: [warning] };
}

async function sinceRun(start: string, run: ChangesRun, deps: CompareDeps): Promise<FoundStart> {
  const page = await compare(start, run.sha, deps);
  return isInHistory(page)
    ? { name: 'the last successful run', page, warnings: [] }
    : {
        name: 'the merge base with the last successful run',
        page,
        warnings: [
          `The commit of the last successful run, ${shortSha(page.baseSha)}, is not in the history of ${shortSha(run.sha)}, so {{changes}} starts at their merge base, ${shortSha(page.mergeBaseSha)}.`,
        ],
      };
}

/** GitHub would silently compare with the merge base instead of a start that is not in the history. */
async function exactly(start: string, run: ChangesRun, deps: CompareDeps): Promise<FoundStart> {
  const page = await compare(start, run.sha, deps);
  if (!isInHistory(page)) {
    throw new ChangesError(
      `${quoted(start)} is not in the history of this run's commit ${shortSha(run.sha)}, which is what a force-push leaves behind`,
      `give a start in changes-since that is, such as their merge base ${page.mergeBaseSha}`,
    );
  }
  return { name: start === page.baseSha ? '' : start, page, warnings: [] };
}

function isInHistory({ relation }: ComparisonPage): boolean {
  return relation === 'ahead' || relation === 'identical';
}

function branchOf(ref: string): string | undefined {
  return /^refs\/heads\/(.+)$/.exec(ref)?.[1];
}

/** The first characters of a commit, as GitHub shows them. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
