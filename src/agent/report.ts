import type { Clock } from '../runner/clock.ts';
import type { Conclusion } from '../runner/step.ts';
import { code } from '../text/markdown.ts';
import { counted } from '../text/plain.ts';
import { cardMarkdown, endCard } from './card.ts';
import { factsOf } from './facts.ts';
import { type Known, timeTakenMs } from './known.ts';
import type { EndOutputs } from './outputs.ts';
import { describeRemoved } from './prompt/messages.ts';
import type { Prompt } from './prompt/prompt.ts';
import { isExplained, levelOf, type Result } from './result.ts';
import { wordsOf } from './words.ts';

/** How the step ends for those who read it: outputs, closing sentence, summary. */
export function report(
  result: Result,
  known: Known,
  { clock }: { readonly clock: Pick<Clock, 'nowMs'> },
): Conclusion {
  const words = wordsOf(result, known);
  const tookMs = timeTakenMs(known, clock);
  const outputs: EndOutputs = {
    result: result.result,
    reason: isExplained(result) ? result.reason : '',
    message: words.message,
    'duration-seconds': tookMs === undefined ? '' : String(Math.round(tookMs / 1000)),
  };
  return {
    outputs: { ...outputs },
    level: levelOf(result, known.failOn ?? new Set()),
    message: words.message,
    summary: cardMarkdown(endCard(result, words, factsOf(known, tookMs)), footOf(known)),
  };
}

function footOf({ prompt }: Known): string {
  return prompt === undefined ? '' : `<sub>${promptFacts(prompt)}</sub>`;
}

/** Of the prompt itself nothing is shown: it may hold what only the service should read. */
function promptFacts({ origin, characters, sha256, removed }: Prompt): string {
  const removals = describeRemoved(removed);
  const taken = removals === '' ? '' : `; taken out of event text: ${removals}`;
  return `Prompt: from ${originCell(origin)}, ${counted(characters, 'character')}, SHA-256 ${code(sha256)}${taken}`;
}

function originCell({ input, path }: Prompt['origin']): string {
  return path === undefined ? `the input ${input}` : `the file ${code(path)}`;
}
