import type { ChangedFile, DocsVersion } from '../change.ts';
import { textsIn } from '../rules/llms-text.ts';
import type { Texts } from './texts.ts';
import { unchangedPagesOf } from './unchanged-pages.ts';

/**
 * Finds those texts of overviews for agents that unchanged pages show. Reads no page where nothing is asked.
 *
 * @throws the signal's reason if the run is cancelled
 */
export async function findKnownTexts(
  asked: ReadonlySet<string>,
  files: readonly ChangedFile[],
  after: DocsVersion,
  texts: Texts,
): Promise<ReadonlySet<string>> {
  const open = new Set(asked);
  const found = new Set<string>();
  if (open.size === 0) {
    return found;
  }
  const pages = unchangedPagesOf(new Set(files.map(({ path }) => path)), after);
  await texts.read(pages);
  for (const { entry } of pages) {
    for (const text of textsIn(texts.textOf(entry.sha) ?? '')) {
      if (open.delete(text)) {
        found.add(text);
      }
    }
  }
  return found;
}
