import type { Change } from '../change.ts';
import type { RuleFinding } from '../finding.ts';
import { apiDifferences } from './api.ts';
import { isShown, pageChangesOf } from './page-changes.ts';

/** What could not be read or compared: it is never routine. */
export function notJudged(change: Change): readonly RuleFinding[] {
  const unparsed = pageChangesOf(change).flatMap(({ file, before, after }) => {
    if (before?.problem !== undefined && (after !== undefined || file.status === 'deleted')) {
      return [found(file.path, undefined, `the page as it was before ${before.problem.what}`)];
    }
    const isBroken = after?.problem !== undefined && !isShown(change.after, file.path);
    return isBroken ? [found(file.path, after.problem.line, `the file ${after.problem.what}`)] : [];
  });
  const descriptions = apiDifferences(change).flatMap(({ file, problem }) =>
    problem === undefined ? [] : [found(file, undefined, `the API description ${problem}`)],
  );
  return [
    ...change.unread.map(({ file, line, problem }) => found(file, line, problem)),
    ...unparsed,
    ...descriptions,
  ];
}

function found(file: string, line: number | undefined, problem: string): RuleFinding {
  return {
    rule: 'not-judged',
    places: [{ file, ...(line !== undefined && { line }) }],
    event: { kind: 'not-judged', problem },
  };
}
