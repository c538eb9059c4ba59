import type { Change, ChangedFile } from '../change.ts';
import { found, type RuleFinding, unjudged } from '../finding.ts';
import { say, unquoted } from '../sentence.ts';
import { cannotBeRead } from './not-valid.ts';
import { pathBefore } from './page-changes.ts';

/**
 * One finding for each API description that changed, because programs follow it to the letter, and Mintlify makes pages
 * of it. The diff of the file shows what changed.
 */
export function apiChanged(change: Change): readonly RuleFinding[] {
  return change.files
    .filter((file) => describesApi(file, change))
    .map((file) => changed(file, change));
}

/** Whether each version of a file describes an API. A version that cannot be read may do so, and is a finding. */
export function describesApi(file: ChangedFile, change: Change): boolean {
  const readings = readingsOf(file, change).filter((reading) => reading !== undefined);
  return readings.length > 0 && readings.every(({ isApi }) => isApi);
}

function readingsOf(file: ChangedFile, { before, after }: Change) {
  return [before.apis.get(pathBefore(file)), after.apis.get(file.path)] as const;
}

/** A description that Mintlify could read before this change, and cannot read any more, breaks its pages. */
function changed(description: ChangedFile, change: Change): RuleFinding {
  const { path: file, status } = description;
  const [was, is] = readingsOf(description, change);
  if (is?.problem !== undefined) {
    const { what, line, isLimit } = is.problem;
    return was !== undefined && was.problem === undefined && !isLimit
      ? found('not-valid', { file, line }, cannotBeRead(what))
      : unjudged({ file, line }, say`the file ${what}`);
  }
  if (was?.problem !== undefined) {
    return unjudged({ file }, say`the file as it was before ${was.problem.what}`);
  }
  const fate = { added: 'is new', deleted: 'is gone', modified: 'changed', renamed: 'moved' }[
    status
  ];
  return found('api-changed', { file }, say`The API description ${file} ${unquoted(fate)}.`);
}
