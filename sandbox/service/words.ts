/** What the words in a prompt ask for. */
export interface Behaviour {
  readonly ending: 'edit' | (typeof ENDINGS)[number];
  /** How long the agent works, instead of the default. */
  readonly workMs?: number;
  /** The request is refused, and nothing is started. */
  readonly refusal?: Refusal;
  /** How many prompts of the job leave a page that does not render, counted from this first one. */
  readonly brokenPrompts?: number;
  /** Whether follow-ups of the job change nothing. */
  readonly isStubborn?: boolean;
}

/** A reason to refuse a request with a valid body. */
export type Refusal = (typeof REFUSALS)[number];

/** A word in a prompt is unknown, or lacks its number. */
export class UnknownWord extends Error {
  constructor(word: string) {
    const known = WORDS.map(([example]) => example).join(', ');
    super(`The sandbox does not understand "${word}": use one of ${known}`);
    this.name = 'UnknownWord';
  }
}

/** Every word, with a description for people in Markdown. */
export const WORDS: readonly (readonly [example: string, meaning: string])[] = [
  ['[sandbox: no-change]', 'the job completes without a pull request'],
  ['[sandbox: failed]', 'the job fails'],
  [
    '[sandbox: archived]',
    'the job is archived before it changes anything; an earlier pull request stays open',
  ],
  ['[sandbox: slow 90s]', 'the job stays active for 90 seconds instead of 1 (`s` or `m`)'],
  [
    '[sandbox: breaks 2]',
    'the first 2 prompts of the job leave a page that does not render, and the next one mends it',
  ],
  ['[sandbox: stubborn]', 'follow-ups of the job change nothing'],
  ['[sandbox: plan]', "403, because the organisation's plan does not include the agent"],
  ['[sandbox: credits]', "402, because the organisation's AI credits are used up"],
  [
    '[sandbox: cloudflare]',
    '403 from Cloudflare, in front of the API, with `error code: 1010` and a `CF-Ray` header',
  ],
];

const WORD = /\[sandbox:([^\]]*)\]/gi;
/** How a job ends: with the status of that name, unless `jobs.ts` has code of its own for it. */
export const ENDINGS = ['no-change', 'failed', 'archived'] as const;
/** Reasons to refuse a request; `job-operations.ts` has the response for each. */
export const REFUSALS = ['plan', 'credits', 'cloudflare'] as const;

/**
 * Reads the words in a prompt. If there are two endings or two refusals, the last one counts.
 *
 * @throws {UnknownWord}
 */
export function readWords(prompt: string): Behaviour {
  let behaviour: Behaviour = { ending: 'edit' };
  for (const [word, text = ''] of prompt.matchAll(WORD)) {
    const meaning = meaningOf(text.trim().toLowerCase());
    if (meaning === undefined) {
      throw new UnknownWord(word);
    }
    behaviour = { ...behaviour, ...meaning };
  }
  return behaviour;
}

/** The prompt without the sandbox's words. */
export function withoutWords(prompt: string): string {
  return prompt.replace(WORD, '');
}

function meaningOf(text: string): Partial<Behaviour> | undefined {
  const ending = ENDINGS.find((name) => name === text);
  if (ending !== undefined) {
    return { ending };
  }
  const refusal = REFUSALS.find((name) => name === text);
  if (refusal !== undefined) {
    return { refusal };
  }
  if (text === 'stubborn') {
    return { isStubborn: true };
  }
  const [, prompts] = /^breaks\s+(\d{1,4})$/.exec(text) ?? [];
  if (prompts !== undefined) {
    return { brokenPrompts: Number(prompts) };
  }
  const [, number, unit] = /^slow\s+(\d{1,4})\s*([sm])$/.exec(text) ?? [];
  return number === undefined
    ? undefined
    : { workMs: Number(number) * (unit === 'm' ? 60_000 : 1000) };
}
