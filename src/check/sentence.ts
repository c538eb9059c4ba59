import { code } from '../text/markdown.ts';
import { grouped } from '../text/number.ts';
import { oneLine } from '../text/plain.ts';

/** A sentence in our words that quotes texts of the pull request, which every output has to escape. */
export type Sentence = readonly (string | { readonly quote: string })[];

/** A longer quotation would push the rest of the row out of view. The link to the file leads to the whole text. */
export const maxQuoteLength = 240;

/**
 * Writes a sentence as a tagged template. A string that is put into the template is a quotation, from the pull
 * request or from a parser, unless it is `unquoted`. Numbers and other sentences are our own words.
 */
export function say(
  template: TemplateStringsArray,
  ...values: readonly (string | number | Sentence)[]
): Sentence {
  return template.flatMap((words, index) => [words, ...partsOf(values[index] ?? [])]);
}

/** Words of our own, which would be a quotation as a plain string. */
export function unquoted(words: string): Sentence {
  return [words];
}

/** Such as ` and 3 more`; empty for none. */
export function andMore(count: number): Sentence {
  return count === 0 ? [] : say` and ${count} more`;
}

function partsOf(value: string | number | Sentence): Sentence {
  if (typeof value === 'string') {
    return [{ quote: value }];
  }
  return typeof value === 'number' ? [grouped(value)] : value;
}

/** Writes a sentence for the summary and the comment, where no quotation can be Markdown, a mention or a link. */
export const markdownOf = rendered((quote) => code(quote, maxQuoteLength));

/**
 * Writes a sentence for outputs that escape it as a whole, such as the log. A quotation is in quotes unless it
 * looks like a path or code, so that readers do not take it for a part of the sentence.
 */
export const plainOf = rendered((quote) =>
  /^(?=.*[/.#<{])[\w./@+#<>{}-]{1,80}$/.test(quote) ? quote : inQuotes(quote),
);

/** Puts a text in quotation marks that it does not have itself. */
export function inQuotes(text: string): string {
  const mark = text.includes('"') ? "'" : '"';
  return `${mark}${oneLine(text, maxQuoteLength)}${mark}`;
}

function rendered(render: (quote: string) => string): (sentence: Sentence) => string {
  return (sentence) =>
    sentence.map((part) => (typeof part === 'string' ? part : render(part.quote))).join('');
}
