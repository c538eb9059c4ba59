import { counted, listed, oneLine } from '../../text/plain.ts';
import { type HiddenKind, hiddenKinds } from './hidden/visible-text.ts';
import type { Prompt } from './prompt.ts';

/** Describes what was removed from event text; empty if nothing was. */
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

/** The warning lists this many placeholders, and counts the rest. */
const mostNamed = 5;

/** Warnings for the author of the prompt. */
export function promptWarnings({
  unusedVariables,
  unfilled,
  spliced,
  changes,
}: Prompt): readonly string[] {
  return [
    ...unusedVariables.map(
      (name) => `Input variables has ${name}, but the prompt has no placeholder {{${name}}}.`,
    ),
    ...(changes?.warnings ?? []),
    ...(unfilled.length > 0 ? [describeUnfilled(unfilled)] : []),
    ...spliced.map(
      (field) =>
        `The prompt contains the event's ${field}, but not through a placeholder: write {{event.${field}}} instead of \${{ github.event.${field} }}, so that hidden text is removed.`,
    ),
  ];
}

function describeUnfilled(placeholders: readonly string[]): string {
  const named = placeholders.slice(0, mostNamed).map((text) => oneLine(text, 80));
  const more = placeholders.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  return `The prompt still contains ${listed(all)}, for which there is no value: check the spelling, or add a value to variables.`;
}
