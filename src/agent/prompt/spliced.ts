import { readEventField } from './event-field.ts';

/** Fields that strangers can write, and that workflows often use in expressions. */
const foreignTexts: readonly (readonly string[])[] = [
  ...['issue', 'pull_request', 'discussion', 'comment', 'review', 'release'].flatMap((thing) => [
    [thing, 'title'],
    [thing, 'body'],
  ]),
  ['pull_request', 'head', 'ref'],
  ['workflow_run', 'display_title'],
];

/** Shorter texts can be in a prompt by coincidence. */
const shortestText = 12;

/** Comparing this much of a text is reliable enough, and fast for texts of any length. */
const comparedCharacters = 500;

/**
 * Finds the fields of the event whose text is in a prompt before its placeholders are replaced. The
 * workflow probably inserted it with `${{ }}`.
 *
 * @param texts the original prompt, and the values of the variables that it uses
 */
export function findSpliced(texts: readonly string[], payload: unknown): readonly string[] {
  const prompts = texts.map(squeeze);
  return foreignTexts
    .filter((path) => {
      const field = readEventField(payload, path);
      const text = field.kind === 'value' && typeof field.value === 'string' ? field.value : '';
      const words = squeeze(text).slice(0, comparedCharacters);
      return words.length >= shortestText && prompts.some((prompt) => prompt.includes(words));
    })
    .map((path) => path.join('.'));
}

/** YAML and the runner change line endings, and white space at the beginning and the end. */
function squeeze(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
