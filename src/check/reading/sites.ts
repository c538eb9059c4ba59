import { posix } from 'node:path';
import type { Tree } from '../change.ts';
import type { Site } from '../docs/site.ts';
import type { GapList } from './gap-list.ts';
import type { Missing, Texts } from './texts.ts';

/** Real sites include a dozen files, two or three deep. */
const mostRounds = 12;
const mostIncludes = 300;

/**
 * Reads a version's navigation file, and what it includes.
 * @throws the signal's reason if the run is cancelled
 */
export async function readSiteOf(
  navigationFile: string,
  tree: Tree,
  texts: Texts,
  gaps: GapList,
): Promise<Site> {
  const { readSite } = await import('../docs/read-site.ts');
  const known = new Map<string, string | undefined>();
  let wanted: readonly string[] = [navigationFile];
  for (let round = 0; ; round += 1) {
    const files = wanted.flatMap((path) => {
      const entry = tree.get(path);
      return entry === undefined ? [] : [{ path, entry }];
    });
    gaps.addAll(problemsOf(await texts.read(files)));
    for (const path of wanted) {
      known.set(path, texts.textOf(tree.get(path)?.sha ?? ''));
    }
    const reading = readSite(navigationFile, known);
    wanted = reading.missing;
    if (wanted.length === 0) {
      return reading.site;
    }
    if (round === mostRounds || known.size + wanted.length > mostIncludes) {
      gaps.add(navigationFile, 'the navigation file includes too many files to be judged');
      return reading.site;
    }
  }
}

/**
 * Reads `.mintignore` as it was before the change, for both versions: a change of it is a finding, and
 * nobody has reviewed its patterns.
 */
export async function readIgnored(
  root: string,
  tree: Tree,
  texts: Texts,
): Promise<{ readonly ignored?: string }> {
  const path = posix.join(root, '.mintignore');
  const entry = tree.get(path);
  if (entry === undefined) {
    return {};
  }
  await texts.read([{ path, entry }]);
  const ignored = texts.textOf(entry.sha);
  return ignored === undefined ? {} : { ignored };
}

function problemsOf(missing: ReadonlyMap<string, Missing>): ReadonlyMap<string, string> {
  return new Map(
    [...missing].map(([path, reason]) => [
      path,
      reason.kind === 'unread' ? reason.problem : 'the file is binary',
    ]),
  );
}
