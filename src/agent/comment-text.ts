import type { Clock } from '../runner/clock.ts';
import type { Environment } from '../runner/environment.ts';
import { code, factTable, link } from '../text/markdown.ts';
import { type Fact, factsOf, headingMarks } from './facts.ts';
import { type Known, timeTakenMs } from './known.ts';
import type { Result } from './result.ts';
import { wordsOf } from './words.ts';

/** The run that a comment tells of, and the time that has passed in it. */
export interface CommentRunner {
  readonly environment: Pick<Environment, 'run' | 'runUrl'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The comment's text while the agent works. */
export function workingText(known: Known, { environment }: CommentRunner): string {
  return compose({
    heading: '⏳ The agent is working',
    message: '',
    facts: factsOf(known, undefined),
    next: 'This comment is kept current. Nothing is to be done until the agent is at its end.',
    run: environment,
  });
}

/** The comment's text once the step is at its end. */
export function endText(
  result: Result,
  known: Known,
  { environment, clock }: CommentRunner,
): string {
  const words = wordsOf(result, known);
  const isToldByMessage = result.result === 'error' || result.result === 'skipped';
  return compose({
    heading: `${headingMarks[result.result]} ${words.heading}`,
    message: isToldByMessage ? words.message : '',
    facts: factsOf(known, timeTakenMs(known, clock)),
    next: words.next,
    run: environment,
  });
}

interface Parts {
  readonly heading: string;
  /** Plain text that may hold foreign words. */
  readonly message: string;
  readonly facts: readonly Fact[];
  /** Markdown. */
  readonly next: string;
  readonly run: CommentRunner['environment'];
}

function compose({ heading, message, facts, next, run }: Parts): string {
  const runFacts: readonly Fact[] = run.runUrl === '' ? [] : [['Run', runCell(run)]];
  const parts = [
    `### ${heading}`,
    message === '' ? '' : code(message, 2000),
    factTable([...facts, ...runFacts]),
    next === '' ? '' : `**Next:** ${next}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The page of a run shows its last attempt, the comment tells of one. */
function runCell({ run, runUrl }: CommentRunner['environment']): string {
  const [, attempt = '1'] = run.split('.');
  return attempt === '1' ? link(run, runUrl) : link(run, `${runUrl}/attempts/${attempt}`);
}
