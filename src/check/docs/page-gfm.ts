import type { Options } from 'micromark';

type Extension = NonNullable<Options['extensions']>[number];

/**
 * GitHub's extensions without email addresses that nobody marked as a link. They would be tried at
 * every letter, which takes a fifth of the time, and no rule asks where an email goes.
 */
export function withoutEmails(extension: Extension): Extension {
  const text = Object.entries(extension.text ?? {}).flatMap(([code, constructs]) => {
    const kept = [constructs ?? []].flat().filter(({ name }) => name !== 'emailAutolink');
    return kept.length === 0 ? [] : [[code, kept] as const];
  });
  return { ...extension, text: Object.fromEntries(text) };
}
