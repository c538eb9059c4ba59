/** How a job shall go, read from the words in its prompt. Times in milliseconds. */
export interface Rehearsal {
  readonly ending: 'edit' | 'no-change' | 'failed' | 'archived';
  /** How long the agent works, instead of the sandbox's own working time. */
  readonly workMs?: number;
  /** How long a follow-up still shows the job's earlier state. */
  readonly pickUpMs?: number;
  /** How long the job is already completed before its pull request's link appears. */
  readonly linkMs?: number;
  /** Why the request is refused: nothing is started then. */
  readonly refusal?: RefusalName;
  /** How many polls are answered with a web page in place of the job. */
  readonly garbledPolls?: number;
}

/** What can be in the way of a request, however good its body is. */
export type RefusalName = (typeof REFUSALS)[number];

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
  ['[sandbox: garbled 2]', 'the first 2 polls get a web page with 200 in place of the job'],
  ['[sandbox: read-only]', 'is refused, as with a key that may only read: 403'],
  ['[sandbox: plan]', "is refused, as the organisation's plan has no agent: 403"],
  ['[sandbox: credits]', 'is refused, as the AI credits are used up: 402'],
  ['[sandbox: cloudflare]', 'is refused by Cloudflare in front of the service: 403'],
];

const WORD = /\[sandbox:([^\]]*)\]/gi;
const ENDINGS = ['no-change', 'failed', 'archived'] as const;
const REFUSALS = ['read-only', 'plan', 'credits', 'cloudflare'] as const;
const TIMES = { slow: 'workMs', late: 'pickUpMs', 'late-link': 'linkMs' } as const;

/**
 * Reads the words of a prompt. An ending and times can stand together; of two endings the last
 * one counts, and so it is with refusals.
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
  const refusal = REFUSALS.find((name) => name === text);
  if (refusal !== undefined) {
    return { refusal };
  }
  const [, polls] = /^garbled\s+(\d{1,4})$/.exec(text) ?? [];
  if (polls !== undefined) {
    return { garbledPolls: Number(polls) };
  }
  const [, name, number, unit] = /^(slow|late|late-link)\s+(\d{1,4})\s*([sm])$/.exec(text) ?? [];
  if (name !== 'slow' && name !== 'late' && name !== 'late-link') {
    return undefined;
  }
  return { [TIMES[name]]: Number(number) * (unit === 'm' ? 60_000 : 1000) };
}
