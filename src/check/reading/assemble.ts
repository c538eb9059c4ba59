import { posix } from 'node:path';
import type { ChangedFile as ListedFile } from '../../github/compare.ts';
import type { Change, ChangedFile, DocsVersion, Tree, TreeEntry } from '../change.ts';
import { isPagePath, isToolData, kindOf, touchesDocs } from '../docs/kinds.ts';
import { createKnown } from '../docs/known.ts';
import { importsOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';
import { readSite, type Site } from '../docs/site.ts';
import { type RuleFinding, unjudged } from '../finding.ts';
import { say } from '../sentence.ts';
import { findNavigationFiles } from './docs-root.ts';
import { filesAt, type Missing, type Texts, type VersionFile } from './texts.ts';
import { anchorTargets, type Sides, searchOf, unchangedCode, unchangedPages } from './unchanged.ts';

/** The files before and after the change, and what GitHub says of those that differ. */
export interface Trees {
  readonly before: Tree;
  readonly after: Tree;
  /** Whether GitHub listed all files of both. */
  readonly isWhole: boolean;
  /** The changed files that GitHub lists. */
  readonly listed: readonly ListedFile[];
}

export interface AssembleOptions {
  /** Empty for the top, `undefined` to look for it. */
  readonly docsRoot: string | undefined;
  readonly allowedPaths: readonly string[];
}

interface AssembleDeps {
  readonly texts: Texts;
  /** Gets what could not be read. */
  readonly unread: RuleFinding[];
}

/** A chain of snippets that include each other. */
const maxRounds = 4;

/**
 * Reads and parses what changed, and those unchanged files that the rules need.
 * @throws ActionError if the folder of the docs cannot be found
 * @throws the signal's reason if the run is cancelled
 */
export async function assemble(
  trees: Trees,
  { docsRoot, allowedPaths }: AssembleOptions,
  deps: AssembleDeps,
): Promise<Change> {
  const { texts, unread } = deps;
  const navigation = findNavigationFiles(docsRoot, trees.before, trees.after, unread);
  const ignoring = posix.join(posix.dirname(navigation.before), '.mintignore');
  const settings = [
    ...filesAt([navigation.before, ignoring], trees.before),
    ...filesAt([navigation.after], trees.after),
  ];
  const files = await readChangedFiles(trees, settings, deps);
  const sites = await readSites(navigation, ignoring, trees, deps);
  const versionOf = async (side: 'before' | 'after', paths: readonly string[]) => {
    const version = { tree: trees[side], site: sites[side] };
    const pages = filesAt(paths.filter(isPagePath), version.tree);
    return { ...version, pages: await texts.parse(pages, version.site) };
  };
  const before = await versionOf(
    'before',
    files.map(({ path, previousPath = path }) => previousPath),
  );
  const after = await versionOf(
    'after',
    files.map(({ path }) => path),
  );
  const sides = { files, before, after };
  // A change of code alone, in a repository that has more than docs, needs none of its pages.
  const unchanged = touchesDocs(sides) ? unchangedPages(sides) : [];
  await texts.read(unchanged);
  // Both versions stay the same objects, because what their links lead to is kept for each.
  for (const [path, page] of await parseUnchanged(sides, unchanged, deps)) {
    before.pages.set(path, page);
    after.pages.set(path, page);
  }
  const said = [
    ...files.map(({ path, before: text }) => (isPagePath(path) ? text : undefined)),
    ...unchanged.map(({ entry }) => texts.of(entry)),
  ].filter((text) => text !== undefined);
  const settingsTexts = before.site.files.map((path) => texts.of(before.tree.get(path)) ?? '');
  const known = createKnown(said, settingsTexts.join('\n'));
  return { ...sides, allowedPaths, unread, known };
}

/**
 * Reads both versions of all files that differ.
 * @param beside files that are read in the same request, for those who ask for them next
 */
async function readChangedFiles(
  { before, after, isWhole, listed }: Trees,
  beside: readonly VersionFile[],
  { texts, unread }: AssembleDeps,
): Promise<readonly ChangedFile[]> {
  const renamed = listed.filter(({ status }) => status === 'renamed');
  const previousOf = new Map(renamed.map(({ name, previousName = name }) => [name, previousName]));
  const moved = new Set(previousOf.values());
  const listedAt = new Map(listed.map((file) => [file.name, file]));
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .map((path) => ({ path, was: previousOf.get(path) ?? path }))
    .map(({ path, was }) => ({ path, was, old: before.get(was), now: after.get(path) }))
    // Of a list that is not complete, a path that is missing says nothing.
    .filter(({ old, now }) => isWhole || (old !== undefined && now !== undefined))
    .filter(
      ({ path, was, old, now }) => was !== path || old?.sha !== now?.sha || old?.kind !== now?.kind,
    )
    .filter(({ path, now }) => now !== undefined || !moved.has(path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const wanted = changed
    .filter(({ path }) => !isToolData(path))
    .flatMap(({ path, was }) => [...filesAt([was], before), ...filesAt([path], after)]);
  await texts.read([...beside, ...wanted]);
  const missing = await texts.read(wanted);
  // A picture has no text, but a page must have one.
  addUnread(
    [...missing].filter(([path, { isBinary }]) => !isBinary || isPagePath(path)),
    unread,
  );
  return changed.map(({ path, was, old, now }) => {
    const isUnread = [path, was].some((one) => missing.get(one)?.isBinary === false);
    const { additions = 0, deletions = 0 } = listedAt.get(path) ?? {};
    return {
      path,
      ...(was !== path && { previousPath: was }),
      status: was === path ? statusOf(old, now) : 'renamed',
      // Compared with nothing, all of the other text would seem to be new or gone.
      before: isUnread ? undefined : texts.of(old),
      after: isUnread ? undefined : texts.of(now),
      additions,
      deletions,
    };
  });
}

function statusOf(
  old: TreeEntry | undefined,
  now: TreeEntry | undefined,
): 'added' | 'deleted' | 'modified' {
  return old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified';
}

function addUnread(missing: Iterable<readonly [string, Missing]>, unread: RuleFinding[]): void {
  for (const [file, { problem }] of missing) {
    unread.push(unjudged({ file }, say`the file could not be read, because ${problem}`));
  }
}

/**
 * Reads the sites of both versions. Settings that could not be read count as unchanged, because otherwise
 * they would seem to be gone, or new; `unread` says why.
 */
async function readSites(
  navigation: { readonly before: string; readonly after: string },
  ignoring: string,
  trees: Trees,
  deps: AssembleDeps,
): Promise<{ readonly before: Site; readonly after: Site }> {
  const old = await readSiteOf(navigation.before, trees.before, deps);
  const now = await readSiteOf(navigation.after, trees.after, deps);
  // A change of `.mintignore` is a finding, and nobody has reviewed its patterns.
  addUnread(await deps.texts.read(filesAt([ignoring], trees.before)), deps.unread);
  const ignored = deps.texts.of(trees.before.get(ignoring)) ?? '';
  if (!old.isUnread && !now.isUnread) {
    return { before: { ...old, ignored }, after: { ...now, ignored } };
  }
  const one = { ...(now.isUnread ? old : now), problems: [], pages: [], isUnread: true, ignored };
  return { before: { ...one, root: old.root }, after: { ...one, root: now.root } };
}

/** Reads a version's navigation file, and what it includes. */
async function readSiteOf(
  file: string,
  tree: Tree,
  { texts, unread }: AssembleDeps,
): Promise<Site> {
  const known = new Map<string, string | undefined>();
  let isUnread = false;
  for (let wanted: readonly string[] = [file]; ; ) {
    const missing = await texts.read(filesAt(wanted, tree));
    addUnread(missing, unread);
    isUnread ||= [...missing.values()].some(({ isBinary }) => !isBinary);
    for (const path of wanted) {
      known.set(path, texts.of(tree.get(path)));
    }
    const { site, missing: more } = readSite(file, known);
    if (more.length === 0) {
      return { ...site, isUnread };
    }
    wanted = more;
  }
}

/**
 * Parses the unchanged files that matter: those that may use what the change took away, those to whose
 * anchors changed pages link, and the snippets that any of these include.
 */
async function parseUnchanged(
  sides: Sides,
  unchanged: readonly VersionFile[],
  deps: AssembleDeps,
): Promise<ReadonlyMap<string, Page>> {
  const { texts, unread } = deps;
  const { files, after } = sides;
  const pages = new Map<string, Page>();
  const done = new Set(files.map(({ path }) => path));
  let wanted: readonly VersionFile[] = [
    ...(await findUses(sides, unchanged, deps)),
    ...filesAt([...anchorTargets(sides), ...includedIn(after.pages, after)], after.tree),
  ];
  for (let round = 0; round < maxRounds && wanted.length > 0; round += 1) {
    wanted = wanted.filter(({ path }) => !done.has(path));
    for (const [file, { problem }] of await texts.read(wanted)) {
      const what = say`whether the page uses what changed is not known, because ${problem}`;
      unread.push(unjudged({ file }, what));
    }
    const parsed = await texts.parse(wanted, after.site);
    for (const [path, page] of parsed) {
      pages.set(path, page);
      unread.push(...unparsed(path, page, after));
    }
    for (const { path } of wanted) {
      done.add(path);
    }
    wanted = filesAt(includedIn(parsed, after), after.tree);
  }
  return pages;
}

/** The snippets that pages include. */
function includedIn(pages: ReadonlyMap<string, Page>, after: DocsVersion): readonly string[] {
  return [...importsOf(pages, after)].filter(isPagePath);
}

/** The unchanged files that may use what the change took away. */
async function findUses(
  sides: Sides,
  unchanged: readonly VersionFile[],
  { texts, unread }: AssembleDeps,
): Promise<readonly VersionFile[]> {
  const mayUse = searchOf(sides);
  if (mayUse === undefined) {
    return [];
  }
  const files = [...unchanged, ...unchangedCode(sides)];
  const missing = [...(await texts.read(files)).values()].filter(({ isBinary }) => !isBinary);
  for (const { problem } of missing) {
    const what = say`not all pages could be searched for links to what is gone, because ${problem}`;
    unread.push(unjudged({ file: '' }, what));
  }
  return files.filter(({ entry }) => mayUse(texts.of(entry) ?? ''));
}

function unparsed(file: string, { problem }: Page, { site }: DocsVersion): readonly RuleFinding[] {
  if (problem === undefined || kindOf(file, site) !== 'page') {
    return [];
  }
  const { what, line } = problem;
  const unread = say`the page ${what}, so whether it uses what changed is not known`;
  return [unjudged({ file, line }, unread)];
}
