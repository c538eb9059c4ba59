import {
  type ChangedFile,
  type Commit,
  type ComparisonPage,
  compare,
  listReleases,
  listSuccessfulRuns,
  mostFiles,
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
import type { RequiredDeps } from '../../github/request.ts';
import { inputError, variableError } from '../../text/error.ts';
import { fenced, longestRun } from '../../text/markdown.ts';
import { counted, quoted, shortened } from '../../text/plain.ts';
import { type ChangesSince, NothingChangedError } from './changes-since.ts';
import { visiblePlainText } from './visible-text.ts';

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

/**
 * Reads what changed up to the run's commit.
 *
 * @throws NothingChangedError if there is no commit, or none of them changed a file
 * @throws ActionError as `findStart` does
 */
export async function readChanges(
  since: ChangesSince,
  run: ChangesRun,
  deps: RequiredDeps,
): Promise<Changes> {
  const { page, name, warnings } = await findStart(since, run, deps);
  const start = describeStart({ page, name });
  const end = shortSha(run.sha);
  if (page.totalCommits === 0 || page.files.length === 0) {
    throw new NothingChangedError(
      page.totalCommits === 0
        ? `there is no commit between ${start} and ${end}`
        : `no file changed between ${start} and ${end}`,
    );
  }
  const commits = await readNewestCommits(page, run.sha, deps);
  const list = listText({
    repository: deps.repository,
    name,
    startSha: page.mergeBaseSha,
    endSha: run.sha,
    totalCommits: page.totalCommits,
    commits,
    files: page.files,
  });
  return {
    list,
    withPatches: `${list}\n\n${patchText(page.files)}`,
    described: `Changes in the prompt: ${counted(page.totalCommits, 'commit')} and ${countedFiles(page.files.length)} since ${start}, up to ${end}.`,
    warnings,
  };
}

function countedFiles(count: number): string {
  return `${count >= mostFiles ? 'at least ' : ''}${counted(count, 'file')}`;
}

function describeStart({ page, name }: Pick<FoundStart, 'page' | 'name'>): string {
  const sha = shortSha(page.mergeBaseSha);
  return name === '' ? sha : `${name} (${sha})`;
}

/** The run whose changes are asked for. */
interface ChangesRun {
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
interface FoundStart {
  /** What people call the start, such as `v1.2.0`; empty for a plain commit. */
  readonly name: string;
  readonly page: ComparisonPage;
  /** Sentences about a start that is not the one that was asked for. */
  readonly warnings: readonly string[];
}

/** What to do without a start. */
export const advice = 'give a commit, a tag, a branch or last-success';

/**
 * The payload of the run's event.
 * @throws ActionError if it cannot be read
 */
function payloadOf({ event }: ChangesRun): unknown {
  if (event.kind === 'unreadable') {
    throw inputError(
      'changes-since',
      `has to name the start of {{changes}}, because ${event.problem}`,
      advice,
    );
  }
  return event.payload;
}

/** Whether the start is in the history of the run's commit, or that commit itself. */
function isInHistory({ relation }: ComparisonPage): boolean {
  return relation === 'ahead' || relation === 'identical';
}

/** The branch of a ref such as `refs/heads/main`. */
export function branchOf(ref: string): string | undefined {
  return /^refs\/heads\/(.+)$/.exec(ref)?.[1];
}

/** The tag of a ref such as `refs/tags/v1.2.0`. */
function tagOf(ref: string): string | undefined {
  return /^refs\/tags\/(.+)$/.exec(ref)?.[1];
}

/** The first characters of a commit, as GitHub shows them. */
function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/**
 * Finds where the changes of a run start, and compares that with the run's commit.
 *
 * @throws ActionError if the input and the event name no start
 * @throws ActionError if the start is not in the history of the run's commit, or cannot be read
 */
async function findStart(
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
      return await exactly(beforePush(run), run, deps);
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

function beforePush(run: ChangesRun): string {
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

/** Enough releases of other branches to pass over. */
const mostReleases = 10;

/**
 * The newest release before this one in its history. Projects that maintain several versions publish
 * releases of other branches in between.
 *
 * @throws ActionError if there is none
 * @throws ActionError if GitHub cannot be asked
 */
async function sinceEarlierRelease(run: ChangesRun, deps: RequiredDeps): Promise<FoundStart> {
  const release = readReleaseOf(payloadOf(run));
  if (release === undefined) {
    throw inputError(
      'changes-since',
      'has to name the start of {{changes}}, because the event names no release',
      advice,
    );
  }
  const earlier = earlierReleases(release, await listReleases(deps)).slice(0, mostReleases);
  for (const { tag } of earlier) {
    const page = await compare(tag, run.sha, deps);
    if (isInHistory(page)) {
      return { name: tag, page, warnings: [] };
    }
  }
  const tag = quoted(release.tag);
  const problem =
    earlier.length === 0
      ? `no release was published before ${tag}`
      : `the history of ${tag} has no release among the ${earlier.length} before it`;
  throw inputError(
    'changes-since',
    `has to name the start of {{changes}}, because ${problem}`,
    'give a commit, a tag or a branch',
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

/** What changed, with at least one commit and one file. */
export interface Range {
  /** `owner/name` */
  readonly repository: string;
  /** What people call the start; empty for a plain commit. */
  readonly name: string;
  readonly startSha: string;
  readonly endSha: string;
  /** All commits; `commits` can be fewer. */
  readonly totalCommits: number;
  /** Newest first. */
  readonly commits: readonly Commit[];
  readonly files: readonly ChangedFile[];
}

/** Longer lists say little more, and an agent has to read them all. */
export const mostListBytes = 40_000;

/** About 2,000 lines, which leaves the agent most of what it can read at once. */
export const mostPatchBytes = 80_000;

/** More than everything beside the lines of a list needs: sentences, and fences as long as a line. */
const listOverhead = 3000;

const longestLine = 300;

/** The commits and the files as Markdown, in at most `mostListBytes` bytes. */
export function listText(range: Range): string {
  const { repository, name, startSha, endSha, totalCommits } = range;
  const room = mostListBytes - listOverhead;
  const fileLines = range.files.map(fileLine);
  const commits = fitting(
    range.commits.map(commitLine),
    Math.max(room / 2, room - bytesOf(fileLines)),
  );
  const files = fitting(fileLines, room - bytesOf(commits));
  const start = name === '' ? shortSha(startSha) : `${oneLine(name, 100)} (${shortSha(startSha)})`;
  return [
    `Changes in ${repository} since ${start}, up to commit ${shortSha(endSha)}.`,
    `${counted(totalCommits, 'commit')}, newest first:`,
    fenced('text', commits),
    ...leftOut(totalCommits - commits.length, 'older commit'),
    `${range.files.length >= mostFiles ? 'At least ' : ''}${counted(range.files.length, 'changed file')}:`,
    fenced('text', files),
    ...leftOut(range.files.length - files.length, 'more file'),
    ...(range.files.length >= mostFiles
      ? [`(GitHub lists no more than ${mostFiles} files, so this list may be incomplete.)`]
      : []),
  ].join('\n\n');
}

/** Patches as Markdown, the smallest first, in at most `mostPatchBytes` bytes. */
export function patchText(files: readonly ChangedFile[]): string {
  const patches = files
    .flatMap((file) => (file.patch === undefined ? [] : [patchOf(file, file.patch)]))
    .map((text) => ({ text, bytes: bytesOf([text]), ticks: longestRun(text) }))
    .toSorted((a, b) => a.bytes - b.bytes);
  const shown: string[] = [];
  let bytes = patchOverhead;
  let ticks = 0;
  for (const patch of patches) {
    const longest = Math.max(ticks, patch.ticks);
    if (bytes + patch.bytes + 2 * longest <= mostPatchBytes) {
      shown.push(patch.text);
      bytes += patch.bytes;
      ticks = longest;
    }
  }
  const without = files.length - patches.length;
  return [
    shown.length === 0 ? 'No patches.' : 'Patches, the shortest first:',
    ...(shown.length === 0 ? [] : [fenced('diff', shown)]),
    ...leftOut(patches.length - shown.length, 'longer patch', 'longer patches'),
    ...(without === 0
      ? []
      : [
          `(GitHub has no patch for ${counted(without, 'file')}: binary, very large, or only renamed.)`,
        ]),
  ].join('\n\n');
}

const patchOverhead = 500;

function commitLine({ sha, author, message }: Commit): string {
  const [subject = ''] = message.trimStart().split(/[\r\n]/, 1);
  // The author stands before the subject, which could contain the name of another one.
  return oneLine(`${shortSha(sha)} (${author || 'no login'}) ${subject}`, longestLine);
}

function fileLine({ status, name, previousName, additions, deletions }: ChangedFile): string {
  const names = [previousName, name].flatMap((each) =>
    each === undefined ? [] : [oneLine(each, longestLine / 2 - 20)],
  );
  return `${oneLine(status, 20)} ${names.join(' → ')} (+${additions} -${deletions})`;
}

function patchOf(file: ChangedFile, patch: string): string {
  return `${fileLine(file)}\n${visiblePlainText(patch.toWellFormed()).text}\n`;
}

/** One line without invisible characters. */
function oneLine(text: string, maxLength: number): string {
  const { text: visible } = visiblePlainText(text.toWellFormed());
  return shortened(visible.replace(/\s+/gu, ' ').trim(), maxLength);
}

/** The first lines that need no more than `room` bytes. */
function fitting(lines: readonly string[], room: number): readonly string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += bytesOf([line]);
    return bytes > room;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** The size of lines, each with its line end. */
function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function leftOut(count: number, one: string, many = `${one}s`): readonly string[] {
  return count > 0 ? [`(Left out: ${counted(count, one, many)}.)`] : [];
}
