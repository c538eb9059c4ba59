import { readEventField } from './event-field.ts';

/** Texts that outsiders write and that workflows like to splice in. */
const foreignTexts: readonly (readonly string[])[] = [
  ...['issue', 'pull_request', 'discussion', 'comment', 'review', 'release'].flatMap((thing) => [
    [thing, 'title'],
    [thing, 'body'],
  ]),
  ['pull_request', 'head', 'ref'],
  ['workflow_run', 'display_title'],
];

/** Shorter texts may well stand in a prompt for reasons of its own. */
const shortestText = 12;

/** As much of a text as is compared: as good as all of it, and quick whatever it holds. */
const comparedCharacters = 500;

/**
 * Finds the fields of the event whose text stands in a prompt word for word before any placeholder
 * is filled: GitHub put it there, for a `${{ }}` in the workflow.
 *
 * @param texts the prompt as it came, and the values of its variables
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

/** YAML and the runner change line ends and what stands at the edges. */
function squeeze(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
