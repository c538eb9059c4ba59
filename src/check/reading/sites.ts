import { posix } from 'node:path';
import type { Tree } from '../change.ts';
import type { Site } from '../docs/site.ts';
import type { Trees } from './assemble.ts';
import type { NavigationFiles } from './docs-root.ts';
import type { Missing, Texts } from './texts.ts';
import type { UnreadList } from './unread-list.ts';

/** Real sites include a dozen files, two or three deep. */
const mostRounds = 12;
const mostIncludes = 300;

/**
 * Reads the sites of both versions. Settings that could not be read count as unchanged, because otherwise
 * they would seem to be gone, or new. A gap says why.
 * @throws the signal's reason if the run is cancelled
 */
export async function readSites(
  navigation: NavigationFiles,
  trees: Pick<Trees, 'before' | 'after'>,
  texts: Texts,
  unread: UnreadList,
): Promise<{ readonly before: Site; readonly after: Site }> {
  const old = await readSiteOf(navigation.before, trees.before, texts, unread);
  const now = await readSiteOf(navigation.after, trees.after, texts, unread);
  if (old.isWhole && now.isWhole) {
    return { before: old.site, after: now.site };
  }
  const { site } = now.isWhole ? now : old;
  const known = { ...site, problems: [], pages: [], isUnread: true } as const;
  return { before: { ...known, root: old.site.root }, after: { ...known, root: now.site.root } };
}

interface SiteReading {
  readonly site: Site;
  /** Whether all its files could be read. */
  readonly isWhole: boolean;
}

/** Reads a version's navigation file, and what it includes. */
async function readSiteOf(
  navigationFile: string,
  tree: Tree,
  texts: Texts,
  unread: UnreadList,
): Promise<SiteReading> {
  const { readSite } = await import('../docs/site.ts');
  const known = new Map<string, string | undefined>();
  let wanted: readonly string[] = [navigationFile];
  let isWhole = true;
  for (let round = 0; ; round += 1) {
    const files = wanted.flatMap((path) => {
      const entry = tree.get(path);
      return entry === undefined ? [] : [{ path, entry }];
    });
    const missing = await texts.read(files);
    addAll(missing, unread);
    isWhole &&= ![...missing.values()].some(({ kind }) => kind === 'unread');
    for (const path of wanted) {
      known.set(path, texts.textOf(tree.get(path)?.sha ?? ''));
    }
    const reading = readSite(navigationFile, known);
    wanted = reading.missing;
    if (wanted.length === 0) {
      return { site: reading.site, isWhole };
    }
    if (round === mostRounds || known.size + wanted.length > mostIncludes) {
      unread.add(navigationFile, 'the navigation file includes too many files to be judged');
      return { site: reading.site, isWhole };
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
  unread: UnreadList,
): Promise<{ readonly ignored?: string }> {
  const path = posix.join(root, '.mintignore');
  const entry = tree.get(path);
  if (entry === undefined) {
    return {};
  }
  addAll(await texts.read([{ path, entry }]), unread);
  const ignored = texts.textOf(entry.sha);
  return ignored === undefined ? {} : { ignored };
}

function addAll(missing: ReadonlyMap<string, Missing>, unread: UnreadList): void {
  for (const [path, reason] of missing) {
    const problem =
      reason.kind === 'unread'
        ? `the file could not be read, because ${reason.problem}`
        : 'the file is binary';
    unread.add(path, problem);
  }
}
