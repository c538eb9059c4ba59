import type { RepositoryDeps } from '../../github/reading.ts';
import type { Change, ChangedFile, DocsVersion, Tree } from '../change.ts';
import type { Page } from '../docs/page.ts';
import { textsInQuestion } from '../rules/llms-text.ts';
import { domainsInQuestion } from '../rules/new-domain.ts';
import { readChangedFiles } from './changed-files.ts';
import { differencesOf } from './differences.ts';
import { findNavigationFiles, rootOf } from './docs-root.ts';
import type { GapList } from './gap-list.ts';
import { findKnownDomains } from './known-domains.ts';
import { findKnownTexts } from './known-texts.ts';
import { addLinkGaps, addPageGaps } from './page-gaps.ts';
import { createPagePool, type PagePool } from './page-pool.ts';
import type { ParseDeps } from './parse-pages.ts';
import { readIgnored, readSites } from './sites.ts';
import { createTexts, type VersionFile } from './texts.ts';
import { readUnchangedPages } from './unchanged-pages.ts';
import type { Trees } from './versions.ts';

/** The docs before and after the change. */
export type Versions = Pick<Change, 'files' | 'before' | 'after' | 'knownDomains' | 'knownTexts'>;

interface VersionsDeps extends ParseDeps {
  readonly repository: RepositoryDeps;
}

/**
 * Reads and parses what changed, and those unchanged files that the rules need.
 *
 * @param docsRoot empty for the top, `undefined` to look for it
 * @throws ActionError if the folder of the docs cannot be found
 * @throws the signal's reason if the run is cancelled
 */
export async function readVersions(
  trees: Trees,
  docsRoot: string | undefined,
  gaps: GapList,
  deps: VersionsDeps,
): Promise<Versions> {
  const navigation = findNavigationFiles(docsRoot, trees.before, trees.after, gaps);
  const differences = differencesOf(trees.before, trees.after, trees.isWhole);
  const texts = createTexts(deps.repository);
  const files = await readChangedFiles(differences, texts, gaps);
  const ignored = await readIgnored(rootOf(navigation.before), trees.before, texts, gaps);
  const { before: siteBefore, after: siteAfter } = await readSites(navigation, trees, texts, gaps);
  const pool = createPagePool(texts, deps);
  const known = files.filter(({ isUnread }) => isUnread !== true);
  const [old, now] = [versionsBefore(known, trees.before), versionsAfter(known, trees.after)];
  await pool.parse([...old, ...now]);
  const sites = { before: { ...siteBefore, ...ignored }, after: { ...siteAfter, ...ignored } };
  const before = { tree: trees.before, site: sites.before, pages: pagesOf(old, pool, gaps) };
  const after = { tree: trees.after, site: sites.after, pages: pagesOf(now, pool, gaps) };
  const unchanged = await readUnchangedPages(files, before, after, { texts, pool, gaps });
  addPageGaps({ files, before, after }, unchanged, gaps);
  addLinkGaps({ files, after }, gaps);
  const read = { files, before: withPages(before, unchanged), after: withPages(after, unchanged) };
  const asked = domainsInQuestion(read);
  const knownDomains = await findKnownDomains(asked, files, read.after, texts);
  const knownTexts = await findKnownTexts(textsInQuestion(read), files, read.after, texts);
  return { ...read, knownDomains, knownTexts };
}

function versionsBefore(files: readonly ChangedFile[], tree: Tree): readonly VersionFile[] {
  return files.flatMap(({ path, previousPath }) => versionOf(previousPath ?? path, tree));
}

function versionsAfter(files: readonly ChangedFile[], tree: Tree): readonly VersionFile[] {
  return files.flatMap(({ path }) => versionOf(path, tree));
}

function versionOf(path: string, tree: Tree): readonly VersionFile[] {
  const entry = tree.get(path);
  return entry?.kind === 'file' || entry?.kind === 'executable' ? [{ path, entry }] : [];
}

/** A page without a text has a gap already. */
function pagesOf(
  versions: readonly VersionFile[],
  pool: PagePool,
  gaps: GapList,
): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  for (const { path, entry } of versions) {
    const page = pool.pageOf(path, entry);
    if (page !== undefined) {
      pages.set(path, page);
    } else if (pool.isLeftOut(path, entry)) {
      gaps.add(path, 'the page was not judged, because parsing the pages before it took too long');
    }
  }
  return pages;
}

function withPages(version: DocsVersion, unchanged: ReadonlyMap<string, Page>): DocsVersion {
  return { ...version, pages: new Map([...version.pages, ...unchanged]) };
}
