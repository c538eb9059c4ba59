import type { Prompt } from '../../src/agent/prompt/prompt.ts';

/** A prompt that is ready to send, with changes. */
export function preparedPrompt(fields: Partial<Prompt> = {}): Prompt {
  return {
    text: 'Keep it to yourself',
    origin: { input: 'prompt' },
    characters: 19,
    sha256: 'abcdef0123456789',
    templateSha256: '0123456789abcdef',
    removed: [],
    warnings: [],
    ...fields,
  };
}
