import type { PullRequestLink } from '../platform/pull-request-link.ts';
import type { Clock } from '../runner/clock.ts';
import type { Conclusion } from '../runner/step.ts';
import { duration } from '../text/duration.ts';
import { code, factTable, link } from '../text/markdown.ts';
import { counted, listed } from '../text/plain.ts';
import type { Known } from './known.ts';
import type { EndOutputs } from './outputs.ts';
import type { Prompt } from './prompt.ts';
import { levelOf, type Result } from './result.ts';
import { type Words, wordsFor } from './words.ts';

/** How the step ends for those who read it: outputs, closing sentence, summary. */
export function report(
  result: Result,
  known: Known,
  { clock }: { readonly clock: Pick<Clock, 'nowMs'> },
): Conclusion {
  const words = wordsFor(result, { waitMs: known.inputs?.waitMs ?? 0 });
  const tookMs = known.sinceMs === undefined ? undefined : clock.nowMs() - known.sinceMs;
  const outputs: EndOutputs = {
    result: result.result,
    reason: result.result === 'error' ? result.reason : '',
    message: words.message,
    'duration-seconds': tookMs === undefined ? '' : String(Math.round(tookMs / 1000)),
  };
  return {
    outputs: { ...outputs },
    level: levelOf(result, known.inputs?.failOn ?? new Set()),
    message: words.message,
    summary: summaryOf(result, words, known, tookMs),
  };
}

const headingMarks: Readonly<Record<Result['result'], string>> = {
  'pull-request': '✅',
  'no-pull-request': 'ℹ️',
  failed: '❌',
  archived: '⚠️',
  'timed-out': '⏳',
  running: '⏳',
  cancelled: '🛑',
  error: '❌',
};

function summaryOf(result: Result, words: Words, known: Known, tookMs: number | undefined): string {
  const parts = [
    `### ${headingMarks[result.result]} ${words.heading}`,
    result.result === 'error' ? code(words.message, 2000) : '',
    factTable(factsOf(known, tookMs)),
    words.next === '' ? '' : `**Next:** ${words.next}`,
    known.prompt === undefined ? '' : `<sub>${promptFacts(known.prompt)}</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

type Fact = readonly [name: string, cell: string];

function factsOf({ job }: Known, tookMs: number | undefined): readonly Fact[] {
  if (job === undefined) {
    return [];
  }
  const { pullRequest, repository, ref } = job;
  const facts: readonly Fact[] = [
    ['Pull request', pullRequest.kind === 'link' ? pullRequestCell(pullRequest) : ''],
    ['Job', `${code(job.id)}, ${job.status}`],
    ['Model', job.model && code(job.model)],
    ['Repository', repository && `${code(repository)}${ref && `, branch ${code(ref)}`}`],
    ['Time taken', tookMs === undefined ? '' : duration(tookMs)],
  ];
  return facts.filter(([, cell]) => cell !== '');
}

function pullRequestCell({ url, github }: PullRequestLink & { kind: 'link' }): string {
  return link(github === undefined ? url : `${github.repository}#${github.number}`, url);
}

/** Of the prompt itself nothing is shown: it may hold what only the service should read. */
function promptFacts({ origin, characters, sha256, removed }: Prompt): string {
  const removals = [
    removed.comments > 0 ? counted(removed.comments, 'HTML comment') : '',
    removed.invisible > 0 ? counted(removed.invisible, 'invisible character') : '',
  ].filter((part) => part !== '');
  const taken = removals.length === 0 ? '' : `; taken out of event text: ${listed(removals)}`;
  return `Prompt: from ${originCell(origin)}, ${counted(characters, 'character')}, SHA-256 ${code(sha256)}${taken}`;
}

function originCell({ input, path }: Prompt['origin']): string {
  return path === undefined ? `the input ${input}` : `the file ${code(path)}`;
}
