import type { Change } from '../change.ts';
import { found, type Place, type RuleFinding } from '../finding.ts';
import { clause, say } from '../sentence.ts';
import { apiDifferences } from './api.ts';
import { isShown, pageChangesOf } from './page-changes.ts';

/** What could not be read or compared: it is never routine. */
export function notJudged(change: Change): readonly RuleFinding[] {
  const unparsed = pageChangesOf(change).flatMap(({ file, before, after }) => {
    if (before?.problem !== undefined && (after !== undefined || file.status === 'deleted')) {
      return [unjudged({ file: file.path }, `the page as it was before ${before.problem.what}`)];
    }
    const isBroken = after?.problem !== undefined && !isShown(change.after, file.path);
    return isBroken
      ? [unjudged({ file: file.path, line: after.problem.line }, `the file ${after.problem.what}`)]
      : [];
  });
  const descriptions = apiDifferences(change).flatMap(({ file, problem }) =>
    problem === undefined ? [] : [unjudged({ file }, `the API description ${problem}`)],
  );
  return [
    ...change.unread.map(({ file, line, problem }) => unjudged({ file, line }, problem)),
    ...unparsed,
    ...descriptions,
  ];
}

/** @param problem why, as a main clause */
export function unjudged(place: Place, problem: string): RuleFinding {
  return found('not-judged', place, say`A part could not be judged: ${clause(problem)}.`);
}
