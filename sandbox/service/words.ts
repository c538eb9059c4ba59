/** How a job shall go, read from the words in its prompt. Times in milliseconds. */
export interface Rehearsal {
  readonly ending: 'edit' | 'no-change' | 'failed' | 'archived';
  /** How long the agent works, instead of the sandbox's own working time. */
  readonly workMs?: number;
  /** How long a follow-up still shows the job's earlier state. */
  readonly pickUpMs?: number;
  /** How long the job is already completed before its pull request's link appears. */
  readonly linkMs?: number;
}

/** A word in a prompt that the sandbox does not know, or that lacks its time. */
export class UnknownWord extends Error {
  constructor(word: string) {
    const known = WORDS.map(([example]) => example).join(', ');
    super(`The sandbox does not understand "${word}". It knows: ${known}`);
    this.name = 'UnknownWord';
  }
}

/** Every word with what it does, for people. */
export const WORDS: readonly (readonly [example: string, meaning: string])[] = [
  ['[sandbox: no-change]', 'completes without a pull request'],
  ['[sandbox: failed]', 'the job fails'],
  ['[sandbox: archived]', 'the job is archived before it changed anything'],
  ['[sandbox: slow 90s]', 'stays active for 90 seconds (any number of s or m)'],
  ['[sandbox: late 5s]', 'a follow-up shows the earlier state for 5 seconds'],
  ['[sandbox: late-link 3s]', 'is completed 3 seconds before the link appears'],
];

const WORD = /\[sandbox:([^\]]*)\]/gi;
const ENDINGS = ['no-change', 'failed', 'archived'] as const;
const TIMES = { slow: 'workMs', late: 'pickUpMs', 'late-link': 'linkMs' } as const;

/**
 * Reads the words of a prompt. An ending and times can stand together; of two endings the last
 * one counts.
 *
 * @throws {UnknownWord}
 */
export function readWords(prompt: string): Rehearsal {
  let rehearsal: Rehearsal = { ending: 'edit' };
  for (const [word, text = ''] of prompt.matchAll(WORD)) {
    const meaning = meaningOf(text.trim().toLowerCase());
    if (meaning === undefined) {
      throw new UnknownWord(word);
    }
    rehearsal = { ...rehearsal, ...meaning };
  }
  return rehearsal;
}

/** The prompt as the agent takes it: without the words that only the sandbox understands. */
export function withoutWords(prompt: string): string {
  return prompt.replace(WORD, '');
}

function meaningOf(text: string): Partial<Rehearsal> | undefined {
  const ending = ENDINGS.find((name) => name === text);
  if (ending !== undefined) {
    return { ending };
  }
  const [, name, number, unit] = /^(slow|late|late-link)\s+(\d{1,4})\s*([sm])$/.exec(text) ?? [];
  if (name !== 'slow' && name !== 'late' && name !== 'late-link') {
    return undefined;
  }
  return { [TIMES[name]]: Number(number) * (unit === 'm' ? 60_000 : 1000) };
}
