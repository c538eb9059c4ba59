import type { Clock } from '../runner/clock.ts';
import type { Environment } from '../runner/environment.ts';
import { link } from '../text/markdown.ts';
import { withoutSecret } from '../text/secret.ts';
import { cardMarkdown, endCard } from './card.ts';
import { type Fact, publicFactsOf } from './facts.ts';
import { type Known, timeTakenMs } from './known.ts';
import type { Result } from './result.ts';
import { wordsOf } from './words.ts';

/** The run that a comment tells of, and the time that has passed in it. */
export interface CommentRunner {
  readonly environment: Pick<Environment, 'run' | 'runUrl' | 'repository'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The comment's text while the agent works. */
export function workingText(known: Known, { environment }: CommentRunner): string {
  return cardMarkdown({
    heading: '⏳ The agent is working',
    message: '',
    facts: [...publicFactsOf(known, undefined, environment.repository), ...runFacts(environment)],
    next: 'This comment is kept current. Nothing is to be done until the agent is at its end.',
  });
}

/** The comment's text once the step is at its end. */
export function endText(
  result: Result,
  known: Known,
  { environment, clock }: CommentRunner,
): string {
  const tookMs = timeTakenMs(known, clock);
  const facts = [...publicFactsOf(known, tookMs, environment.repository), ...runFacts(environment)];
  const words = wordsOf(result, known);
  const message = withoutProject(words.message, known);
  return cardMarkdown(endCard(result, { ...words, message }, facts));
}

/** Errors name the project, and the service may do so in words of its own. */
function withoutProject(message: string, { inputs }: Known): string {
  const projectId = inputs?.service.projectId;
  return projectId === undefined
    ? message
    : withoutSecret(message.replaceAll(`project ${projectId}`, 'the project'), projectId);
}

function runFacts(environment: CommentRunner['environment']): readonly Fact[] {
  return environment.runUrl === '' ? [] : [['Run', runCell(environment)]];
}

/** The page of a run shows its last attempt, the comment tells of one. */
function runCell({ run, runUrl }: CommentRunner['environment']): string {
  const [, attempt = '1'] = run.split('.');
  return attempt === '1' ? link(run, runUrl) : link(run, `${runUrl}/attempts/${attempt}`);
}
