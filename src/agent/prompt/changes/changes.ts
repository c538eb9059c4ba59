import { mostFiles, readNewestCommits } from '../../../github/compare.ts';
import type { RequiredDeps } from '../../../github/reading.ts';
import { counted } from '../../../text/plain.ts';
import { NothingChangedError } from './nothing-changed.ts';
import { type ChangesRun, type FoundStart, shortSha } from './run.ts';
import type { ChangesSince } from './since.ts';
import { findStart } from './start.ts';
import { listText, patchText } from './text.ts';

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
 * @throws ActionError, variableError, ActionError as `findStart` does
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
