import { SkipError } from '../../common/result.ts';
import {
  type ChangedFile,
  type Commit,
  type ComparisonPage,
  compare,
  listReleases,
  listSuccessfulRuns,
  maxFiles,
  readNewestCommits,
} from '../../github/compare.ts';
import { changesError } from '../../github/errors.ts';
import {
  type EventPayload,
  type Release,
  readPushBefore,
  readReleaseOf,
} from '../../github/event.ts';
import { isSameName } from '../../github/names.ts';
import type { RepositoryDeps } from '../../github/request.ts';
import type { Environment } from '../../runner/environment.ts';
import { type ActionError, inputError } from '../../text/error.ts';
import { removeInvisible } from '../../text/invisible.ts';
import { fenced, longestRun } from '../../text/markdown.ts';
import { counted, quoted, shortened } from '../../text/plain.ts';
import type { ChangesSince } from './changes-since.ts';
import { readTag } from './release-tag.ts';

/** The texts for the placeholders, and what people should know about them. */
export interface Changes {
  /** For `{{changes}}`. */
  readonly list: string;
  /** For `{{changes:patches}}`. */
  readonly withPatches: string;
  /** What was inserted, in a sentence. */
  readonly described: string;
  readonly warnings: readonly string[];
}

/** The run whose changes are read. They end at its commit. */
interface ChangesRun extends Pick<Environment, 'eventName' | 'sha' | 'ref' | 'workflow'> {
  readonly event: EventPayload;
}

/**
 * Reads what changed up to the run's commit.
 *
 * @throws SkipError if there is no commit, or none of them changed a file
 * @throws ActionError if the input and the event name no start, or if the start is not in the history of
 * the run's commit, or cannot be read
 */
export async function readChanges(
  since: ChangesSince,
  run: ChangesRun,
  deps: RepositoryDeps,
): Promise<Changes> {
  const { page, name, warnings } = await findStart(since, run, deps);
  const { totalCommits, files } = page;
  const startSha = shortSha(page.mergeBaseSha);
  const start = name === '' ? startSha : `${oneLine(name, 100)} (${startSha})`;
  const end = shortSha(run.sha);
  if (totalCommits === 0 || files.length === 0) {
    const finding = totalCommits === 0 ? 'there is no commit' : 'no file changed';
    const sentence = `Nothing was started, because ${finding} between ${start} and ${end}.`;
    throw new SkipError('nothing-changed', sentence);
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

/** A start, and what changed between it and the run's commit. */
interface FoundStart {
  /** What people call the start, such as `v1.2.0`; empty for a plain commit. */
  readonly name: string;
  readonly page: ComparisonPage;
  /** Sentences about a start that is not the one of the input. */
  readonly warnings: readonly string[];
}

async function findStart(
  since: ChangesSince,
  run: ChangesRun,
  deps: RepositoryDeps,
): Promise<FoundStart> {
  switch (since.kind) {
    case 'named':
      return await exactly(since.name, run, deps);
    case 'last-success':
      return await sinceLastSuccess(run, deps);
    case 'event':
      break;
  }
  switch (run.eventName) {
    case 'push':
      return await exactly(beforePush(run), run, deps);
    case 'release':
      return await sinceEarlierRelease(run, deps);
    default:
      throw noStart(`the event ${run.eventName} names none`);
  }
}

function noStart(
  reason: string,
  advice = 'give a commit, a tag, a branch or last-success',
): ActionError {
  const problem = `has to name the start of {{changes}}, because ${reason}`;
  return inputError('changes-since', problem, advice);
}

function payloadOf({ event }: ChangesRun): unknown {
  if (event.kind === 'unreadable') {
    throw noStart(event.problem);
  }
  return event.payload;
}

/** Whether the start is in the history of the run's commit, or that commit itself. */
function isInHistory({ relation }: ComparisonPage): boolean {
  return relation === 'ahead' || relation === 'identical';
}

/** The first characters of a commit, as GitHub shows them. */
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
    throw noStart(
      'the runner names no branch or no workflow file for last-success',
      'give a commit, a tag or a branch',
    );
  }
  const runs = await listSuccessfulRuns(file, branch, deps);
  const last = runs.find(
    // A pull request from a fork, or its branch, can have any name, also the name of this branch.
    ({ eventName, headRepository }) =>
      !eventName.startsWith('pull_request') && isSameName(headRepository, deps.repository),
  );
  if (last === undefined) {
    return await sinceFirstPush(branch, run, deps);
  }
  const page = await compare(last.headSha, run.sha, deps);
  if (isInHistory(page)) {
    return { name: 'the last successful run', page, warnings: [] };
  }
  const warning = `The commit of the last successful run, ${shortSha(page.baseSha)}, is not in the history of ${shortSha(run.sha)}, so {{changes}} starts at their merge base, ${shortSha(page.mergeBaseSha)}.`;
  return { name: 'the merge base with the last successful run', page, warnings: [warning] };
}

/** Until a run has succeeded, earlier runs have left nothing over that could be found. */
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

/** GitHub would silently compare with the merge base instead of a start that is not in the history. */
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

/** Enough releases of other branches to pass over. */
const maxReleases = 10;

/**
 * Starts at the newest earlier release of the same kind that is in this one's history. Projects that
 * maintain several versions publish releases of other branches in between.
 */
async function sinceEarlierRelease(run: ChangesRun, deps: RepositoryDeps): Promise<FoundStart> {
  const release = readReleaseOf(payloadOf(run));
  if (release === undefined) {
    throw noStart('the event names no release');
  }
  const earlier = await findEarlierReleases(release, deps);
  for (const { tag } of earlier.slice(0, maxReleases)) {
    const page = await compare(tag, run.sha, deps);
    if (isInHistory(page)) {
      return { name: tag, page, warnings: [] };
    }
  }
  throw noStart(
    `no release before ${quoted(release.tag)} is in its history`,
    'give a commit, a tag or a branch',
  );
}

/**
 * The earlier releases of the same kind, as far as the first pages of the list that have one: most
 * repositories release one product, and need one page.
 *
 * @throws ActionError if all earlier releases are of other kinds
 */
async function findEarlierReleases(
  release: Release,
  deps: RepositoryDeps,
): Promise<readonly Release[]> {
  let earlier: readonly Release[] = [];
  for await (const page of listReleases(deps)) {
    earlier = earlierReleases(release, [...earlier, ...page]);
    const same = earlier.filter(({ tag }) => isSameKind(tag, release.tag));
    if (same.length > 0) {
      return same;
    }
  }
  const [other] = earlier;
  if (other === undefined) {
    return [];
  }
  throw noStart(
    `no release before ${quoted(release.tag)} has a tag with the same text around its version, and the newest other one is ${quoted(other.tag)}`,
    'give a commit, a tag or a branch',
  );
}

function isSameKind(tag: string, other: string): boolean {
  return readTag(tag).kind === readTag(other).kind;
}

/**
 * The releases that were published before this one, newest first. Prereleases only count before
 * another prerelease.
 */
export function earlierReleases(release: Release, all: readonly Release[]): readonly Release[] {
  return all
    .filter(
      (each) =>
        each.tag !== release.tag &&
        (isPrerelease(release) || !isPrerelease(each)) &&
        each.publishedAt !== '' &&
        (release.publishedAt === '' || each.publishedAt < release.publishedAt),
    )
    .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

/** Whether a release is marked as a prerelease, or has the tag of one, such as `v2.0.0-rc.1`. */
function isPrerelease(release: Release): boolean {
  return release.isPrerelease || readTag(release.tag).isPrerelease;
}

/** What changed, with at least one commit and one file. */
export interface Range {
  /** `owner/name` */
  readonly repository: string;
  /** The first characters of the commit, behind what people call it, if it has a name. */
  readonly start: string;
  /** The first characters of the commit. */
  readonly end: string;
  /** All commits; `commits` can be fewer. */
  readonly totalCommits: number;
  /** Newest first. */
  readonly commits: readonly Commit[];
  readonly files: readonly ChangedFile[];
}

/** Longer lists say little more, and an agent has to read them all. */
export const maxListBytes = 40_000;

/** About 2,000 lines, which leaves the agent most of what it can read at once. */
export const maxPatchBytes = 80_000;

/** More than the sentences beside lists and patches need. */
const overheadBytes = 3000;

const maxLineLength = 300;

/** The commits and the files as Markdown, in at most `maxListBytes` bytes. */
export function listText(range: Range): string {
  const { repository, start, end, totalCommits } = range;
  const room = maxListBytes - overheadBytes;
  const fileLines = range.files.map(fileLine);
  const roomForCommits = Math.max(room / 2, room - bytesOf(fileLines));
  const commits = fitting(range.commits.map(commitLine), roomForCommits);
  const files = fitting(fileLines, room - bytesOf(commits));
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

/** Patches as Markdown, the smallest first, in at most `maxPatchBytes` bytes. */
export function patchText(files: readonly ChangedFile[]): string {
  const patches = files
    .flatMap((file) => (file.patch === undefined ? [] : [patchOf(file, file.patch)]))
    .toSorted((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b));
  const shown = fitting(patches, maxPatchBytes - overheadBytes);
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
  // The author stands before the subject, which could contain the name of another one.
  return oneLine(`${shortSha(sha)} (${author || 'no login'}) ${subject}`, maxLineLength);
}

function fileLine({ status, name, previousName, additions, deletions }: ChangedFile): string {
  const names = [previousName, name].flatMap((each) =>
    each === undefined ? [] : [oneLine(each, maxLineLength / 2 - 20)],
  );
  return `${oneLine(status, 20)} ${names.join(' → ')} (+${additions} -${deletions})`;
}

function patchOf(file: ChangedFile, patch: string): string {
  return `${fileLine(file)}\n${removeInvisible(patch.toWellFormed()).text}\n`;
}

/** One line without invisible characters. */
function oneLine(text: string, maxLength: number): string {
  const { text: visible } = removeInvisible(text.toWellFormed());
  return shortened(visible.replace(/\s+/gu, ' ').trim(), maxLength);
}

/** The first texts that need no more than `maxBytes` bytes together. */
function fitting(texts: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex((text) => {
    bytes += bytesOf([text]);
    return bytes > maxBytes;
  });
  return end === -1 ? texts : texts.slice(0, end);
}

/** The size of texts, each with its line end, and with fences that are longer than its backticks. */
function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1 + 2 * longestRun(text), 0);
}

function leftOut(count: number, one: string, many = `${one}s`): readonly string[] {
  return count > 0 ? [`(Left out: ${counted(count, one, many)}.)`] : [];
}
