import type { Change } from '../change.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import { clause, say } from '../sentence.ts';
import { apiDifferences } from './api.ts';
import { isShown, pageChangesOf } from './page-changes.ts';

/** What could not be read or compared: it is never routine. */
export function notJudged(change: Change): readonly RuleFinding[] {
  const unparsed = pageChangesOf(change).flatMap(({ file, before, after }) => {
    if (before?.problem !== undefined && (after !== undefined || file.status === 'deleted')) {
      return [
        unjudged(
          { file: file.path },
          say`the page as it was before ${clause(before.problem.what)}`,
        ),
      ];
    }
    const isBroken = after?.problem !== undefined && !isShown(change.after, file.path);
    return isBroken
      ? [
          unjudged(
            { file: file.path, line: after.problem.line },
            say`the file ${clause(after.problem.what)}`,
          ),
        ]
      : [];
  });
  const descriptions = apiDifferences(change).flatMap(({ file, problem }) =>
    problem === undefined ? [] : [unjudged({ file }, say`the API description ${clause(problem)}`)],
  );
  return [...change.unread, ...unparsed, ...descriptions];
}
