import type { Conclusion } from '../runner/step.ts';
import { code } from '../text/markdown.ts';
import type { Known } from './known.ts';
import { outputsOf } from './outputs.ts';
import { levelOf, type Result } from './result.ts';
import { summaryOf } from './summary.ts';
import { messageOf } from './words.ts';

/** How the step ends for those who read it: outputs, closing sentence, summary. */
export function report(result: Result, known: Known): Conclusion {
  const message = messageOf(result, known);
  return {
    outputs: { ...outputsOf(result), message },
    level: levelOf(result),
    message,
    summary: summary(result, message),
  };
}

function summary(result: Result, message: string): string {
  switch (result.result) {
    case 'exported':
      return summaryOf(result);
    case 'cancelled':
      return sentence('🛑 The export of visitors was cancelled', message);
    case 'skipped':
      return sentence('⏭️ The export of visitors was skipped', message);
    case 'error':
      return sentence('❌ The export of visitors ended with an error', message);
  }
}

function sentence(heading: string, message: string): string {
  return `### ${heading}\n\n${code(message, 2000)}\n`;
}
