import { code } from '../text/markdown.ts';
import { grouped } from '../text/number.ts';
import { oneLine } from '../text/plain.ts';

/** A sentence of ours, with texts of the pull request in it that every output has to escape. */
export type Sentence = readonly (string | { readonly quote: string })[];

/** Longer quotations would push the rest out of view; the link to the file leads to it. */
export const maxQuoteLength = 240;

/**
 * Writes a sentence as a tagged template. The template is ours. A string that is put into it is a text of
 * the pull request or of a parser; a number, another sentence and a list of words, such as `[noun]`, are ours.
 */
export function say(
  template: TemplateStringsArray,
  ...values: readonly (string | number | Sentence)[]
): Sentence {
  return template.flatMap((words, index) => [words, ...partsOf(values[index] ?? [])]);
}

function partsOf(value: string | number | Sentence): Sentence {
  if (typeof value === 'string') {
    return [{ quote: value }];
  }
  return typeof value === 'number' ? [grouped(value)] : value;
}

/** For the summary and the comment: quotations cannot be Markdown, a mention or a link. */
export const markdownOf = rendered((quote) => code(quote, maxQuoteLength));

/** For what escapes the whole sentence, such as the log: in quotes, if it could be taken for a part of the sentence. */
export const plainOf = rendered((quote) =>
  /^(?=.*[/.#<{])[\w./@+#<>{}-]{1,80}$/.test(quote) ? quote : `"${oneLine(quote, maxQuoteLength)}"`,
);

function rendered(render: (quote: string) => string): (sentence: Sentence) => string {
  return (sentence) =>
    sentence.map((part) => (typeof part === 'string' ? part : render(part.quote))).join('');
}
