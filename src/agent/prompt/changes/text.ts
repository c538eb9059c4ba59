import { type ChangedFile, type Commit, mostFiles } from '../../../github/compare.ts';
import { fenced, longestRun } from '../../../text/markdown.ts';
import { counted, shortened } from '../../../text/plain.ts';
import { visiblePlainText } from '../hidden/visible-text.ts';
import { shortSha } from './run.ts';

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
