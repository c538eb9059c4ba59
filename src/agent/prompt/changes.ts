import type { SkippedResult } from '../../common/result.ts';
import {
  type ChangedFile,
  type Commit,
  type ComparisonPage,
  compare,
  findLastSuccess,
  listReleases,
  maxFiles,
  readNewestCommits,
} from '../../github/compare.ts';
import { changesError } from '../../github/errors.ts';
import { type EventPayload, readPushBefore, readReleaseOf } from '../../github/event.ts';
import type { RepositoryDeps } from '../../github/request.ts';
import type { Environment } from '../../runner/environment.ts';
import { type ActionError, inputError } from '../../text/error.ts';
import { removeInvisible } from '../../text/invisible.ts';
import { fenced } from '../../text/markdown.ts';
import { counted, oneLine, quoted } from '../../text/plain.ts';
import { earlierReleases } from './earlier-releases.ts';

/** The texts that replace the placeholders, and what the log says about them. */
export interface Changes {
  /** Replaces `{{changes}}`. */
  readonly list: string;
  /** Replaces `{{changes:patches}}`. */
  readonly withPatches: string;
  /** A sentence that says what was inserted. */
  readonly described: string;
  readonly warnings: readonly string[];
}

/** The run whose changes are read. The changes end at the run's commit. */
interface ChangesRun extends Pick<Environment, 'eventName' | 'sha' | 'ref' | 'workflow'> {
  readonly event: EventPayload;
}

/**
 * Reads what changed up to the run's commit. If there is no commit, or no commit changed a file, the step is skipped.
 *
 * @param since the input `changes-since`
 * @throws ActionError if the input and the event name no start, or if the start is not in the history of
 * the run's commit, or cannot be read
 */
export async function readChanges(
  since: string,
  run: ChangesRun,
  deps: RepositoryDeps,
): Promise<Changes | SkippedResult> {
  const { page, name, warnings } = await findStart(since, run, deps);
  const { totalCommits, files } = page;
  const startSha = shortSha(page.mergeBaseSha);
  const start = name === '' ? startSha : `${oneLine(name, 100)} (${startSha})`;
  const end = shortSha(run.sha);
  if (totalCommits === 0 || files.length === 0) {
    const finding = totalCommits === 0 ? 'there is no commit' : 'no file changed';
    const message = `Nothing was started, because ${finding} between ${start} and ${end}.`;
    return { result: 'skipped', reason: 'nothing-changed', message, level: 'notice' };
  }
  const commits = await readNewestCommits(page, run.sha, deps);
  const list = listText({ repository: deps.repository, start, end, totalCommits, commits, files });
  const fileCount = `${files.length >= maxFiles ? 'at least ' : ''}${counted(files.length, 'file')}`;
  return {
    list,
    withPatches: `${list}\n\n${patchText(files)}`,
    described: `Changes in the prompt: ${counted(totalCommits, 'commit')} and ${fileCount} since ${start}, up to ${end}.`,
    warnings,
  };
}

/** A start, and what changed between the start and the run's commit. */
interface FoundStart {
  /** The name that people know the start by, such as `v1.2.0`; empty for a plain commit. */
  readonly name: string;
  readonly page: ComparisonPage;
  /** Sentences that say why the start is not the one that `changes-since` asks for. */
  readonly warnings: readonly string[];
}

async function findStart(
  since: string,
  run: ChangesRun,
  deps: RepositoryDeps,
): Promise<FoundStart> {
  if (since === 'last-success') {
    return await sinceLastSuccess(run, deps);
  }
  if (since !== '') {
    return await exactly(since, run, deps);
  }
  switch (run.eventName) {
    case 'push':
      return await exactly(beforePush(run), run, deps);
    case 'release':
      return await sinceEarlierRelease(run, deps);
    default:
      throw noStart(
        `the event ${run.eventName} names none`,
        'give a commit, a tag, a branch or last-success',
      );
  }
}

function noStart(reason: string, advice = 'give a commit, a tag or a branch'): ActionError {
  const problem = `has to name the start of {{changes}}, because ${reason}`;
  return inputError('changes-since', problem, advice);
}

function payloadOf({ event }: ChangesRun): unknown {
  if (event.kind === 'unreadable') {
    throw noStart(event.problem);
  }
  return event.payload;
}

/** True if the start is in the history of the run's commit, or is that commit. */
function isInHistory({ relation }: ComparisonPage): boolean {
  return relation === 'ahead' || relation === 'identical';
}

/** Shortens the hash of a commit as GitHub's pages do. */
function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

function beforePush(run: ChangesRun): string {
  const before = readPushBefore(payloadOf(run)) ?? '';
  if (/^0*$/.test(before)) {
    const name = run.ref.replace(/^refs\/(?:heads|tags)\//, '');
    throw noStart(
      `this push created ${quoted(name)}, so that no commit is before it`,
      'give the branch that it started from, a commit or a tag',
    );
  }
  return before;
}

async function sinceLastSuccess(run: ChangesRun, deps: RepositoryDeps): Promise<FoundStart> {
  const file = /\.github\/workflows\/([^/]+)$/.exec(run.workflow)?.[1];
  const branch = /^refs\/heads\/(.+)$/.exec(run.ref)?.[1];
  if (file === undefined || branch === undefined) {
    throw noStart('the runner names no branch or no workflow file for last-success');
  }
  const last = await findLastSuccess(file, branch, deps);
  if (last === undefined) {
    return await sinceFirstPush(branch, run, deps);
  }
  const page = await compare(last, run.sha, deps);
  if (isInHistory(page)) {
    return { name: 'the last successful run', page, warnings: [] };
  }
  const warning = `The commit of the last successful run, ${shortSha(page.baseSha)}, is not in the history of ${shortSha(run.sha)}, so {{changes}} starts at their merge base, ${shortSha(page.mergeBaseSha)}.`;
  return { name: 'the merge base with the last successful run', page, warnings: [warning] };
}

/** Starts at the commit before this push, for a workflow without a successful run, since failed runs leave no trace. */
async function sinceFirstPush(
  branch: string,
  run: ChangesRun,
  deps: RepositoryDeps,
): Promise<FoundStart> {
  if (run.eventName !== 'push') {
    throw noStart(
      `no run of this workflow on ${quoted(branch)} has succeeded yet`,
      'give a commit, a tag or a branch for the first run',
    );
  }
  const found = await exactly(beforePush(run), run, deps);
  const warning = `No run of this workflow on ${quoted(branch)} has succeeded yet, so {{changes}} starts at the commit before this push.`;
  return { ...found, warnings: [warning] };
}

/** Refuses a start that is not in the history: GitHub would silently compare with the merge base. */
async function exactly(start: string, run: ChangesRun, deps: RepositoryDeps): Promise<FoundStart> {
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

/** A project that maintains several versions rarely publishes ten releases of other branches in a row. */
const maxReleases = 10;

/**
 * Starts at the newest earlier release of the same kind that is in the history of this release. Projects that
 * maintain several versions publish releases of other branches in between.
 */
async function sinceEarlierRelease(run: ChangesRun, deps: RepositoryDeps): Promise<FoundStart> {
  const release = readReleaseOf(payloadOf(run));
  if (release === undefined) {
    throw noStart('the event names no release');
  }
  const earlier = earlierReleases(release, await listReleases(deps));
  for (const { tag } of earlier.slice(0, maxReleases)) {
    const page = await compare(tag, run.sha, deps);
    if (isInHistory(page)) {
      return { name: tag, page, warnings: [] };
    }
  }
  throw noStart(
    `no earlier release in the history of ${quoted(release.tag)} has the same text around its version`,
  );
}

/** What changed, with at least one commit and one file. */
export interface Range {
  /** `owner/name` */
  readonly repository: string;
  /** The short hash of the first commit, such as `1a2b3c4`, or its name and hash: `v1.2.0 (1a2b3c4)`. */
  readonly start: string;
  /** The short hash of the last commit. */
  readonly end: string;
  /** The number of all commits. `commits` can have fewer. */
  readonly totalCommits: number;
  /** Newest first. */
  readonly commits: readonly Commit[];
  readonly files: readonly ChangedFile[];
}

/** The limit of each list. An agent has to read the whole list, and learns little more from a longer one. */
export const maxListBytes = 25_000;

/** About 2,000 lines, a small part of what an agent can read at once. */
export const maxPatchBytes = 80_000;

const maxLineLength = 300;

/** Writes commits and files as Markdown. */
export function listText(range: Range): string {
  const { repository, start, end, totalCommits } = range;
  const commits = fitting(range.commits.map(commitLine), maxListBytes);
  const files = fitting(range.files.map(fileLine), maxListBytes);
  const isIncomplete = range.files.length >= maxFiles;
  return [
    `Changes in ${repository} since ${start}, up to commit ${end}.`,
    `${counted(totalCommits, 'commit')}, newest first:`,
    fenced('text', commits),
    ...leftOut(totalCommits - commits.length, 'older commit'),
    `${isIncomplete ? 'At least ' : ''}${counted(range.files.length, 'changed file')}:`,
    fenced('text', files),
    ...leftOut(range.files.length - files.length, 'more file'),
    ...(isIncomplete
      ? [`(GitHub lists no more than ${maxFiles} files, so this list may be incomplete.)`]
      : []),
  ].join('\n\n');
}

/** Writes patches as Markdown, the smallest first. */
export function patchText(files: readonly ChangedFile[]): string {
  const patches = files
    .flatMap((file) => (file.patch === undefined ? [] : [patchOf(file, file.patch)]))
    .toSorted((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b));
  const shown = fitting(patches, maxPatchBytes);
  const without = files.length - patches.length;
  return [
    ...(shown.length === 0
      ? ['No patches.']
      : ['Patches, the shortest first:', fenced('diff', shown)]),
    ...leftOut(patches.length - shown.length, 'longer patch', 'longer patches'),
    ...(without === 0
      ? []
      : [
          `(GitHub has no patch for ${counted(without, 'file')}: binary, very large, or only renamed.)`,
        ]),
  ].join('\n\n');
}

function commitLine({ sha, author, message }: Commit): string {
  const [subject = ''] = message.trimStart().split(/[\r\n]/, 1);
  // The author stands before the subject, because a subject could name another author.
  return oneLine(`${shortSha(sha)} (${author || 'no login'}) ${subject}`, maxLineLength);
}

function fileLine({ status, name, previousName, additions, deletions }: ChangedFile): string {
  const names = [previousName, name].flatMap((each) =>
    each === undefined ? [] : [oneLine(each, maxLineLength / 2 - 20)],
  );
  return `${oneLine(status, 20)} ${names.join(' → ')} (+${additions} -${deletions})`;
}

function patchOf(file: ChangedFile, patch: string): string {
  return `${fileLine(file)}\n${removeInvisible(patch.toWellFormed())}\n`;
}

/** Keeps the first texts that have at most `maxBytes` bytes together, with a line end behind each. */
function fitting(texts: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + 1;
    return bytes > maxBytes;
  });
  return end === -1 ? texts : texts.slice(0, end);
}

function leftOut(count: number, one: string, many = `${one}s`): readonly string[] {
  return count > 0 ? [`(Left out: ${counted(count, one, many)}.)`] : [];
}
