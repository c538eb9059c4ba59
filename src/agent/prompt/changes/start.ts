import { compare, listSuccessfulRuns } from '../../../github/compare.ts';
import { changesError } from '../../../github/errors.ts';
import { isSameName } from '../../../github/names.ts';
import type { RequiredDeps } from '../../../github/reading.ts';
import { inputError, variableError } from '../../../text/error.ts';
import { quoted } from '../../../text/plain.ts';
import { sinceEarlierRelease } from './earlier-release.ts';
import {
  advice,
  branchOf,
  type ChangesRun,
  type FoundStart,
  isInHistory,
  payloadOf,
  shortSha,
  tagOf,
} from './run.ts';
import type { ChangesSince } from './since.ts';

/**
 * Finds where the changes of a run start, and compares that with the run's commit.
 *
 * @throws ActionError if the input and the event name no start
 * @throws ActionError if the start is not in the history of the run's commit, or cannot be read
 */
export async function findStart(
  since: ChangesSince,
  run: ChangesRun,
  deps: RequiredDeps,
): Promise<FoundStart> {
  if (run.sha === '') {
    throw variableError(
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

async function sinceEvent(run: ChangesRun, deps: RequiredDeps): Promise<FoundStart> {
  switch (run.eventName) {
    case 'push':
      return await exactly(await beforePush(run), run, deps);
    case 'release':
      return await sinceEarlierRelease(run, deps);
    default:
      throw inputError(
        'changes-since',
        `has to name the start of {{changes}}, because the event ${run.eventName} names none`,
        advice,
      );
  }
}

async function beforePush(run: ChangesRun): Promise<string> {
  const { readPushBefore } = await import('../../../github/event-schema.ts');
  const before = readPushBefore(payloadOf(run)) ?? '';
  if (/^0+$/.test(before)) {
    const tag = tagOf(run.ref);
    const created = tag === undefined ? quoted(branchOf(run.ref) ?? run.ref) : `tag ${quoted(tag)}`;
    throw inputError(
      'changes-since',
      `has to name the start of {{changes}}, because this push created ${created}, so that no commit is before it`,
      tag === undefined
        ? 'give the branch that it started from, a commit or a tag'
        : 'give the tag before it, a commit or a branch',
    );
  }
  if (before === '') {
    throw inputError(
      'changes-since',
      'has to name the start of {{changes}}, because the push names no commit before it',
      advice,
    );
  }
  return before;
}

async function sinceLastSuccess(run: ChangesRun, deps: RequiredDeps): Promise<FoundStart> {
  const file = /\.github\/workflows\/([^/]+)$/.exec(run.workflow)?.[1];
  const branch = branchOf(run.ref);
  if (file === undefined || branch === undefined) {
    throw inputError(
      'changes-since',
      `is last-success, but ${branch === undefined ? 'this run is not about a branch' : "the runner does not name the workflow's file"}`,
      'give a commit, a tag or a branch',
    );
  }
  const runs = await listSuccessfulRuns(file, branch, deps);
  const last = runs.find(
    // A pull request from a fork, or its branch, can have any name, also the name of this branch.
    ({ eventName, headRepository }) =>
      !eventName.startsWith('pull_request') && isSameName(headRepository, deps.repository),
  );
  return last === undefined
    ? await sinceEventOfFirstRun(run, branch, deps)
    : await sinceRun(last.headSha, run, deps);
}

/** Until a run has succeeded, nothing is left over from earlier runs that could be found. */
async function sinceEventOfFirstRun(
  run: ChangesRun,
  branch: string,
  deps: RequiredDeps,
): Promise<FoundStart> {
  if (run.eventName !== 'push') {
    throw inputError(
      'changes-since',
      `is last-success, but no run of this workflow on ${quoted(branch)} has succeeded yet`,
      'give a commit, a tag or a branch for the first run',
    );
  }
  const found = await sinceEvent(run, deps);
  const warning = `No run of this workflow on ${quoted(branch)} has succeeded yet, so {{changes}} starts at the commit before this push.`;
  return { ...found, warnings: [warning] };
}

async function sinceRun(start: string, run: ChangesRun, deps: RequiredDeps): Promise<FoundStart> {
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
async function exactly(start: string, run: ChangesRun, deps: RequiredDeps): Promise<FoundStart> {
  const page = await compare(start, run.sha, deps);
  if (!isInHistory(page)) {
    throw changesError(
      `${quoted(start)} is not in the history of this run's commit ${shortSha(run.sha)}, which is what a force-push leaves behind`,
      `give a start in changes-since that is, such as their merge base ${page.mergeBaseSha}`,
    );
  }
  const isCommit = page.baseSha.startsWith(start.toLowerCase());
  return { name: isCommit ? '' : start, page, warnings: [] };
}
