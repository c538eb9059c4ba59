import { counted, listed, oneLine } from '../../text/plain.ts';
import { type HiddenKind, hiddenKinds } from './hidden/visible-text.ts';
import type { Prompt } from './prompt.ts';

/** What was taken out of event text, in words; empty for nothing. */
export function describeRemoved(removed: Prompt['removed']): string {
  const kinds = Object.keys(hiddenKinds) as HiddenKind[];
  return listed(
    kinds.flatMap((kind) => {
      const [one, many] = hiddenKinds[kind];
      const count = removed[kind] ?? 0;
      return count > 0 ? [counted(count, one, many)] : [];
    }),
  );
}

/** More than these are not named. */
const mostNamed = 5;

/** What whoever wrote the prompt should know about it. */
export function promptWarnings({ unusedVariables, unfilled, spliced }: Prompt): readonly string[] {
  return [
    ...unusedVariables.map(
      (name) => `Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`,
    ),
    ...(unfilled.length > 0 ? [describeUnfilled(unfilled)] : []),
    ...spliced.map(
      (field) =>
        `The prompt holds the event's ${field} word for word, though no placeholder brought it: write {{event.${field}}} in place of \${{ github.event.${field} }}, so that what its readers cannot see is taken out.`,
    ),
  ];
}

function describeUnfilled(placeholders: readonly string[]): string {
  const named = placeholders.slice(0, mostNamed).map((text) => oneLine(text, 80));
  const more = placeholders.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  return `The prompt still holds ${listed(all)}, which nothing fills: check the spelling, or give a value in variables.`;
}
