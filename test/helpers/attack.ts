import { gapsOf } from '../../src/check/rules/gaps.ts';
import { judge } from '../../src/check/rules/rules.ts';
import { type ChangeParts, changeOf, docsJson, page, type Texts } from './change.ts';

/** A site as it is before a hostile pull request. */
export const site: Texts = {
  'index.mdx': page('Welcome.'),
  'guides/setup.mdx': page('# Set up\n\nRead this.'),
  'snippets/a.mdx': 'Some text.\n',
};

/** What a pull request makes of the site; `undefined` deletes a file. */
export type Edits = Readonly<Record<string, string | undefined>>;

/** A page of the site with one more passage. */
export const withPassage = (passage: string): Edits => ({
  'guides/setup.mdx': `${site['guides/setup.mdx']}\n${passage}\n`,
});

/**
 * The names of the rules that find something, and `not-judged` for what could not be judged. Empty for
 * a change that nobody would look at.
 *
 * @param own files that the site has besides its own, or in their place
 */
export function alarms(
  edits: Edits,
  own: Texts = {},
  others: Partial<ChangeParts> = {},
): readonly string[] {
  const before = { ...site, ...own };
  const after = Object.entries({ ...before, ...edits }).flatMap(([path, text]) =>
    text === undefined ? [] : [[path, text] as const],
  );
  const change = changeOf({ before, after: Object.fromEntries(after), ...others });
  const found = judge(change, new Map()).map(({ rule }) => rule);
  return [...new Set([...found, ...(gapsOf(change).length > 0 ? ['not-judged'] : [])])];
}

/** Settings that name the pages of the site, with others. */
export function settings(others: Readonly<Record<string, unknown>>, ...more: readonly unknown[]) {
  return docsJson(['index', 'guides/setup', ...more], others);
}
